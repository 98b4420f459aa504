"""JSON Schemas of what commands on games and single deals print."""

from __future__ import annotations

from typing import Final

from solver.show.json.schema_parts import (
    AMOUNT,
    CARDS,
    COUNT,
    DEAL,
    FLAG,
    GAME,
    GIVEN,
    MOVE,
    MOVES,
    ONE_CARD,
    OPTIONS,
    SOLVED,
    TEXT,
    TEXTS,
    VERDICT,
    Schema,
    or_null,
    record,
    several,
    table,
)

_LISTED: Final[Schema] = {
    **GAME,
    "title": TEXT,
    "family": TEXT,
    "changed": OPTIONS,
    "decision_free": FLAG,
    "counts_cards": FLAG,
    "source": TEXT,
}
_RANK: Final[Schema] = {"type": "string", "pattern": "^[A2-9TJQK]$"}
_PILE: Final[Schema] = record(
    {
        "role": {"enum": ["slot", "stack", "column", "foundation", "stock", "waste"]},
        "label": TEXT,
        "cards": CARDS,
        "face_down": COUNT,
        "gone": FLAG,
    }
)
_OTHER: Final[Schema] = record(
    {
        "move": MOVE,
        "verdict": VERDICT,
        "fewest_left": or_null(COUNT),
        "positions": COUNT,
        "same": FLAG,
        "line": MOVES,
    }
)
KINDS: Final = ("forced", "free", "choice", "critical", "unknown")
_KIND: Final[Schema] = {"enum": list(KINDS)}
_KINDS: Final[Schema] = table(COUNT, f"^({'|'.join(KINDS)})$")
_STEP: Final[Schema] = record(
    {"move": MOVE, "kind": _KIND, "others": {"type": "array", "items": _OTHER}}
)
_PHASE: Final[Schema] = record({"first": COUNT, "title": TEXT})
_DEEP: Final = record({"card": ONE_CARD, "depth": COUNT})
_LACK: Final = record({"rank": _RANK, "count": COUNT, "in_stock": several(_DEEP)})
_SET: Final = record({"set": TEXT, "lacks": several(_LACK)})
_PARTNER: Final = record({"rank": _RANK, "held": COUNT, "sets": several(_SET)})
_CHOICES: Final[dict[str, Schema]] = {
    "choices_at": or_null(several(COUNT)),
    "choices_on_table": or_null(several(COUNT)),
}
FACTS: Final[Schema] = {
    "anyOf": [
        record(  # pairing
            {
                "ends_after": COUNT,
                "ranks": several(_RANK),
                "in_stock": COUNT,
                "must_go_left": COUNT,
                "partners": several(_PARTNER),
            },
            {"fewest_that_must_go": COUNT},
        ),
        record(  # decade, without decisions
            {"ending": {"enum": ["lost", "drawn"]}, **_CHOICES}
        ),
        record(  # decade
            {
                "fewest_left": or_null(COUNT),
                "left": or_null(several(or_null(CARDS))),
                **_CHOICES,
            }
        ),
        record({"most_up": COUNT}),  # klondike, several packs
        record(  # klondike
            {
                "highest": table(COUNT, "^[CDHS]$"),
                "most_up": COUNT,
                "never_up": CARDS,
                "never_turned_up": CARDS,
                "never_leave_the_waste": CARDS,
                "deepest_played": or_null(_DEEP),
                "knots": several(record({"card": ONE_CARD, "sentence": TEXT})),
            }
        ),
        record({"most_up": COUNT}),  # klondike with several packs
        record({}),  # a limit was reached before there was anything to say
    ]
}
"""What `explain` knows of a deal that cannot be won, by family."""
_REASONS: Final[Schema] = record(
    {
        "complete": FLAG,
        "sentences": TEXTS,
        "facts": FACTS,
        "best_line": or_null(MOVES),
    }
)
_TRY: Final[Schema] = record({"line": MOVES, "stuck": FLAG, "moves_needed": COUNT})
_FATE: Final[Schema] = {"verdict": VERDICT, "fewest_left": or_null(COUNT)}
_ADVICE: Final[Schema] = record(
    {
        **_FATE,
        "move": MOVE,
        "positions": COUNT,
        "why": TEXT,
        "line": or_null(MOVES),
        "same_as": or_null(MOVE),
    }
)
_JUDGED: Final[Schema] = record({**_FATE, "move": MOVE, "kind": or_null(_KIND)})
_BLUNDER: Final[Schema] = record(
    {"number": {"type": "integer", "minimum": 1}, "move": MOVE, "better": MOVE, "line": MOVES}
)
_RATED: Final[Schema] = {
    key: value
    for key, value in SOLVED.items()
    if key not in ("line", "shortest", "best_left", "outcome")
}
_SHARE: Final[Schema] = record(
    {
        "won": COUNT,
        "plays": COUNT,
        "low": AMOUNT,
        "high": {"type": "number", "maximum": 1},
    }
)
_FAULT: Final[Schema] = record(
    {"move": {"type": "integer", "minimum": 1}, "text": TEXT, "reason": TEXT}
)

ONE_DEAL: Final[dict[str, tuple[str, Schema]]] = {
    "games": ("a game; one object a line", record(_LISTED)),
    "rules": ("a game and its ruling", record({**_LISTED, "ruling": TEXTS})),
    "deal": (
        "a state as its piles, oldest card first, the stock's next card first",
        record(
            {
                **GAME,
                **GIVEN,
                "source": or_null(TEXT),
                "piles": {"type": "array", "items": _PILE},
            }
        ),
    ),
    "solve": ("the result on one deal; several deals: one object a line", record(SOLVED)),
    "explain": (
        "the result on one deal, the other moves along its line, or the nearest tries",
        record(
            {
                **SOLVED,
                "steps": {"type": "array", "items": _STEP},
                "kinds": _KINDS,
                "sure_from": or_null(COUNT),
                "phases": {"type": "array", "items": _PHASE},
                "tries": {"type": "array", "items": _TRY},
                "reasons": or_null(_REASONS),
            }
        ),
    ),
    "hint": (
        "a position's verdict and its legal moves with theirs, best first",
        record(
            {
                **GAME,
                **GIVEN,
                **_FATE,
                "source": or_null(TEXT),
                "moves": {"type": "array", "items": _ADVICE},
                "positions": COUNT,
                "seconds": AMOUNT,
            }
        ),
    ),
    "review": (
        "a line of play: the verdict after each move, what was given away, and decisions counted",
        record(
            {
                **GAME,
                **GIVEN,
                "source": or_null(TEXT),
                "won": FLAG,
                "before": record(_FATE),
                "moves": {"type": "array", "items": _JUDGED},
                "kinds": _KINDS,
                "blunders": {"type": "array", "items": _BLUNDER},
                "between": or_null({"type": "array", "items": COUNT}),
            }
        ),
    ),
    "rate": (
        "how hard a deal is to win; figures are null if it is not proved winnable",
        record(
            {
                **_RATED,
                "word": {"enum": ["trivial", "easy", "fair", "hard", "fiendish", None]},
                "guesswork": or_null(AMOUNT),
                "moves": or_null(COUNT),
                "decisions": or_null(COUNT),
                "kinds": or_null(_KINDS),
                "random": or_null(_SHARE),
                "greedy": or_null(_SHARE),
            }
        ),
    ),
    "find": (
        "a deal that is as wanted; one object a line",
        record(
            {
                **GAME,
                "deal": DEAL,
                "verdict": {"enum": ["winnable", "unwinnable"]},
                "fewest_left": or_null(COUNT),
                "outcome": {"enum": ["won", "lost", "drawn", None]},
                "dealt": or_null(COUNT),
                "removed": or_null(COUNT),
                "positions": or_null(COUNT),
                "engine": TEXT,
                "version": TEXT,
                "word": {"enum": ["trivial", "easy", "fair", "hard", "fiendish", None]},
                "guesswork": or_null(AMOUNT),
            }
        ),
    ),
    "verify": (
        "the referee's word on a line of play",
        record(
            {
                **GAME,
                **GIVEN,
                "label": TEXT,
                "moves": COUNT,
                "legal": FLAG,
                "won": FLAG,
                "cards_left": or_null(COUNT),
                "fault": or_null(_FAULT),
            }
        ),
    ),
}
