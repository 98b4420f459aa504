"""What can be proved about a deal: search, proofs, explanation, statistics.

>>> from solver import Verdict, solve
>>> result = solve("ten-by-one", 7)
>>> result.verdict is Verdict.UNWINNABLE, result.stats.positions
(True, 14)

The names in ``__all__`` are loaded when first used, so that ``import solver`` is cheap.
Some functions are also names of submodules (`explain`, `find`, `odds`, `rate`, `review`,
`survey`); here they are the functions, whatever is imported and in whatever order, and
``from solver.odds import Odds`` reaches into the modules as usual. All functions may be called
from several threads at once; notebooks show what they return as pictures and tables.
"""

import sys
from types import ModuleType

TYPE_CHECKING = False  # what type checkers take it for; `typing` itself is not cheap
if TYPE_CHECKING:
    from solver.api import solve
    from solver.explain import Explanation, explain
    from solver.find import Found, Wanted, find
    from solver.hint import Hint, advise
    from solver.odds import Odds, odds
    from solver.proof import Certificate, certify, check
    from solver.rate import Rating, rate
    from solver.review import Review, review
    from solver.summary import read_survey
    from solver.survey import settings_for, survey
    from solver.verdict import Limits, Result, Stats, Verdict

__all__ = [
    "Certificate",
    "Explanation",
    "Found",
    "Hint",
    "Limits",
    "Odds",
    "Rating",
    "Result",
    "Review",
    "Stats",
    "Verdict",
    "Wanted",
    "advise",
    "certify",
    "check",
    "explain",
    "find",
    "odds",
    "rate",
    "read_survey",
    "review",
    "settings_for",
    "solve",
    "survey",
]

_HOMES = {
    "Certificate": "proof",
    "Explanation": "explain",
    "Found": "find",
    "Hint": "hint",
    "Limits": "verdict",
    "Odds": "odds",
    "Rating": "rate",
    "Result": "verdict",
    "Review": "review",
    "Stats": "verdict",
    "Verdict": "verdict",
    "Wanted": "find",
    "advise": "hint",
    "certify": "proof",
    "check": "proof",
    "explain": "explain",
    "find": "find",
    "odds": "odds",
    "rate": "rate",
    "read_survey": "summary",
    "review": "review",
    "settings_for": "survey",
    "solve": "api",
    "survey": "survey",
}


class _Package(ModuleType):
    """This package: loads public names on demand, and keeps functions before submodules.

    The import system binds each submodule to its name once it is loaded; where that name is
    a public function's, the function is bound in its place.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if name in _HOMES and isinstance(value, ModuleType):
            value = getattr(value, name)
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *__all__})

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            if name not in _HOMES:
                raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
            from importlib import import_module

            value = getattr(import_module(f"{self.__name__}.{_HOMES[name]}"), name)
            setattr(self, name, value)
            return value


sys.modules[__name__].__class__ = _Package
