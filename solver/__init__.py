"""What can be proved about a deal: search, proofs, explanation."""
