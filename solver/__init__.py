"""What can be proved about a deal: search, proofs, explanation, statistics.

The rooms are packages of this one; the public names are gathered in the module `dealproof`.
"""
