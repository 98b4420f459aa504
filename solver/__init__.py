"""What can be proved about a deal: search, proofs, explanation.

>>> from solver import Verdict, solve
>>> result = solve("ten-by-one", 7)
>>> result.verdict is Verdict.UNWINNABLE, result.stats.positions
(True, 7)
"""

from solver.api import solve
from solver.verdict import Limits, Result, Stats, Verdict

__all__ = ["Limits", "Result", "Stats", "Verdict", "solve"]
