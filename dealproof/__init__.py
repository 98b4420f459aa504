"""dealproof: prove whether a deal of solitaire can be won, from Python.

>>> import dealproof
>>> result = dealproof.solve("ten-by-one", 7)
>>> result.verdict is dealproof.Verdict.UNWINNABLE, result.stats.positions
(True, 14)

Every public name is here: what the games are (from ``rules``) and what can be proved about a deal
(from ``solver``). Names are loaded when first used, so that ``import dealproof`` is cheap. All
functions may be called from several threads at once. Notebooks show what they return as pictures
and tables, if this is imported in one (or loaded by ``%load_ext dealproof``).
"""

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

TYPE_CHECKING = False  # what type checkers take it for; `typing` itself is not cheap
if TYPE_CHECKING:
    from rules import (
        Card,
        CardError,
        Deal,
        DealproofError,
        Deck,
        DeckError,
        Game,
        GameError,
        IllegalMove,
        Move,
        MoveError,
        OptionError,
        Position,
        PositionError,
        all_games,
        game_names,
        get_game,
        load_game,
        parse_deals,
        parse_line,
        replay,
    )
    from solver.analysis.explanations import Explanation, explain
    from solver.analysis.hints import Hint, hint
    from solver.analysis.ratings import Rating, rate
    from solver.analysis.reviews import Review, review
    from solver.certify import certify
    from solver.odds import Odds, odds
    from solver.proof import Certificate, Checked, check
    from solver.solve import solve
    from solver.surveys.find import Found, Wanted, find
    from solver.surveys.run import settings_for, survey
    from solver.surveys.summary import read_survey
    from solver.verdict import Limits, Result, Stats, Verdict

__all__ = [
    "Card",
    "CardError",
    "Certificate",
    "Checked",
    "Deal",
    "DealproofError",
    "Deck",
    "DeckError",
    "Explanation",
    "Found",
    "Game",
    "GameError",
    "Hint",
    "IllegalMove",
    "Limits",
    "Move",
    "MoveError",
    "Odds",
    "OptionError",
    "Position",
    "PositionError",
    "Rating",
    "Result",
    "Review",
    "Stats",
    "Verdict",
    "Wanted",
    "all_games",
    "certify",
    "check",
    "explain",
    "find",
    "game_names",
    "get_game",
    "hint",
    "load_game",
    "odds",
    "parse_deals",
    "parse_line",
    "rate",
    "read_survey",
    "replay",
    "review",
    "settings_for",
    "solve",
    "survey",
]


def _refuse_others() -> None:
    """Raise `ImportError` if Python finds somebody else's module where ours should be.

    ``rules`` and ``solver`` are names that a file beside a user's script may have, too. The
    command ends with the message alone.
    """
    for name in ("rules", "solver"):
        ours = Path(__file__).parents[1] / name / "__init__.py"
        loaded = sys.modules.get(name)
        spec = loaded.__spec__ if loaded is not None else find_spec(name)
        found = spec.origin if spec is not None else None
        if found is None or Path(found).resolve() != ours.resolve():
            message = (
                f"{found or 'another module'} is in the way: dealproof has a module of its own "
                f"that is called {name}; rename yours"
            )
            if sys.argv[0] == "-m" or Path(sys.argv[0]).stem == "dealproof":
                print(f"dealproof: {message}", file=sys.stderr)
                raise SystemExit(2)
            raise ImportError(message)


_refuse_others()

_HOMES = {
    "Certificate": "solver.proof",
    "Checked": "solver.proof",
    "Explanation": "solver.analysis.explanations",
    "Found": "solver.surveys.find",
    "Hint": "solver.analysis.hints",
    "Limits": "solver.verdict",
    "Odds": "solver.odds",
    "Rating": "solver.analysis.ratings",
    "Result": "solver.verdict",
    "Review": "solver.analysis.reviews",
    "Stats": "solver.verdict",
    "Verdict": "solver.verdict",
    "Wanted": "solver.surveys.find",
    "certify": "solver.certify",
    "check": "solver.proof",
    "explain": "solver.analysis.explanations",
    "find": "solver.surveys.find",
    "hint": "solver.analysis.hints",
    "odds": "solver.odds",
    "rate": "solver.analysis.ratings",
    "read_survey": "solver.surveys.summary",
    "review": "solver.analysis.reviews",
    "settings_for": "solver.surveys.run",
    "solve": "solver.solve",
    "survey": "solver.surveys.run",
}


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(_HOMES.get(name, "rules")), name)
        globals()[name] = value
        return value


def load_ipython_extension(shell: object) -> None:
    """What ``%load_ext dealproof`` calls: show our values as pictures and tables in *shell*."""
    from solver.show.web.formatters import register

    register(shell)


if "IPython" in sys.modules and (_shell := sys.modules["IPython"].get_ipython()) is not None:
    load_ipython_extension(_shell)
