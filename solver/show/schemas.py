"""JSON Schemas (draft 2020-12) of what ``--json`` prints, one per command.

They are written by hand, apart from the code that makes the records, so that a change of
one is noticed by the tests of the other. Within a version of ``SCHEMA`` keys may be added.
"""

from __future__ import annotations

from typing import Any, Final

from solver.show.records import SCHEMA

Schema = dict[str, Any]

_TEXT: Final[Schema] = {"type": "string"}
_FLAG: Final[Schema] = {"type": "boolean"}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
_TEXTS: Final[Schema] = {"type": "array", "items": _TEXT}
_VERDICT: Final[Schema] = {"enum": ["winnable", "unwinnable", "unknown"]}
_CARD: Final = "[A2-9TJQK][CDHS]"
_CARDS: Final[Schema] = {"type": "array", "items": {"type": "string", "pattern": f"^{_CARD}$"}}
_MOVE: Final[Schema] = {
    "type": "string",
    "pattern": rf"^(deal|redeal|{_CARD}(\+{_CARD})*|{_CARD}>({_CARD}|F|_))(={_CARD}(,{_CARD})*)?$",
}
_MOVES: Final[Schema] = {"type": "array", "items": _MOVE}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _record(keys: Schema) -> Schema:
    return {"type": "object", "properties": keys, "required": sorted(keys)}


_OPTIONS: Final[Schema] = {"type": "object", "additionalProperties": _TEXT}
_GAME: Final[Schema] = {"schema": {"const": SCHEMA}, "game": _TEXT, "options": _OPTIONS}
_GIVEN: Final[Schema] = {
    "deal": _or_null({"type": "string", "pattern": r"^(ms:|pysol:)?\d+$"}),
    "deck": _or_null({"type": "string", "pattern": f"^{_CARD}( {_CARD})*$"}),
    "position": _or_null(_TEXT),
    "after": _MOVES,
}
_SOLVED: Final[Schema] = {
    **_GAME,
    **_GIVEN,
    "source": _or_null(_TEXT),
    "verdict": _VERDICT,
    "limit": {"enum": ["time", "positions", "memory", None]},
    "line": _or_null(_MOVES),
    "shortest": _FLAG,
    "fewest_left": _or_null(_COUNT),
    "best_left": _or_null(_COUNT),
    "outcome": {"enum": ["won", "lost", "drawn", None]},
    "dealt": _or_null(_COUNT),
    "positions": _COUNT,
    "transpositions": _COUNT,
    "depth": _COUNT,
    "dead_ends": _COUNT,
    "memory": _COUNT,
    "seconds": {"type": "number", "minimum": 0},
    "engine": _TEXT,
    "reductions": _TEXTS,
}
_LISTED: Final[Schema] = {
    **_GAME,
    "title": _TEXT,
    "family": _TEXT,
    "changed": _OPTIONS,
    "decision_free": _FLAG,
    "counts_cards": _FLAG,
    "source": _TEXT,
}
_PILE: Final[Schema] = _record(
    {
        "role": {"enum": ["slot", "stack", "column", "foundation", "stock", "waste"]},
        "label": _TEXT,
        "cards": _CARDS,
        "face_down": _COUNT,
        "gone": _FLAG,
    }
)
_OTHER: Final[Schema] = _record(
    {
        "move": _MOVE,
        "verdict": _VERDICT,
        "fewest_left": _or_null(_COUNT),
        "positions": _COUNT,
        "same": _FLAG,
        "line": _MOVES,
    }
)
_KIND: Final[Schema] = {"enum": ["forced", "free", "choice", "critical", "unknown"]}
_KINDS: Final[Schema] = {"type": "object", "additionalProperties": _COUNT}
_STEP: Final[Schema] = _record(
    {"move": _MOVE, "kind": _KIND, "others": {"type": "array", "items": _OTHER}}
)
_PHASE: Final[Schema] = _record({"first": _COUNT, "title": _TEXT})
_REASONS: Final[Schema] = _record(
    {
        "complete": _FLAG,
        "sentences": _TEXTS,
        "facts": {"type": "object"},
        "best_line": _or_null(_MOVES),
    }
)
_TRY: Final[Schema] = _record({"line": _MOVES, "stuck": _FLAG, "moves_needed": _COUNT})
_FATE: Final[Schema] = {"verdict": _VERDICT, "fewest_left": _or_null(_COUNT)}
_ADVICE: Final[Schema] = _record(
    {
        **_FATE,
        "move": _MOVE,
        "positions": _COUNT,
        "why": _TEXT,
        "line": _or_null(_MOVES),
        "same_as": _or_null(_MOVE),
    }
)
_JUDGED: Final[Schema] = _record({**_FATE, "move": _MOVE, "kind": _or_null(_KIND)})
_BLUNDER: Final[Schema] = _record(
    {"number": {"type": "integer", "minimum": 1}, "move": _MOVE, "better": _MOVE, "line": _MOVES}
)
_RATED: Final[Schema] = {
    key: value
    for key, value in _SOLVED.items()
    if key not in ("line", "shortest", "best_left", "outcome")
}
_SHARE: Final[Schema] = _record(
    {
        "won": _COUNT,
        "plays": _COUNT,
        "low": {"type": "number", "minimum": 0},
        "high": {"type": "number", "maximum": 1},
    }
)
_FAULT: Final[Schema] = _record(
    {"move": {"type": "integer", "minimum": 1}, "text": _TEXT, "reason": _TEXT}
)

_RECORDS: Final[dict[str, tuple[str, Schema]]] = {
    "games": ("a game; one object a line", _record(_LISTED)),
    "rules": ("a game and its ruling", _record({**_LISTED, "ruling": _TEXTS})),
    "deal": (
        "a state as its piles, oldest card first, the stock's next card first",
        _record(
            {
                **_GAME,
                **_GIVEN,
                "source": _or_null(_TEXT),
                "piles": {"type": "array", "items": _PILE},
            }
        ),
    ),
    "solve": ("the result on one deal; several deals: one object a line", _record(_SOLVED)),
    "explain": (
        "the result on one deal, the other moves along its line, or the nearest tries",
        _record(
            {
                **_SOLVED,
                "steps": {"type": "array", "items": _STEP},
                "kinds": _KINDS,
                "sure_from": _or_null(_COUNT),
                "phases": {"type": "array", "items": _PHASE},
                "tries": {"type": "array", "items": _TRY},
                "reasons": _or_null(_REASONS),
            }
        ),
    ),
    "hint": (
        "a position's verdict and its legal moves with theirs, best first",
        _record(
            {
                **_GAME,
                **_GIVEN,
                **_FATE,
                "source": _or_null(_TEXT),
                "moves": {"type": "array", "items": _ADVICE},
                "positions": _COUNT,
                "seconds": {"type": "number", "minimum": 0},
            }
        ),
    ),
    "review": (
        "a line of play: the verdict after each move, what was given away, and decisions counted",
        _record(
            {
                **_GAME,
                **_GIVEN,
                "source": _or_null(_TEXT),
                "won": _FLAG,
                "before": _record(_FATE),
                "moves": {"type": "array", "items": _JUDGED},
                "kinds": _KINDS,
                "blunders": {"type": "array", "items": _BLUNDER},
                "between": _or_null({"type": "array", "items": _COUNT}),
            }
        ),
    ),
    "rate": (
        "how hard a deal is to win; figures are null if it is not proved winnable",
        _record(
            {
                **_RATED,
                "word": {"enum": ["trivial", "easy", "fair", "hard", "fiendish", None]},
                "guesswork": _or_null({"type": "number", "minimum": 0}),
                "moves": _or_null(_COUNT),
                "decisions": _or_null(_COUNT),
                "kinds": _or_null(_KINDS),
                "random": _or_null(_SHARE),
                "greedy": _or_null(_SHARE),
            }
        ),
    ),
    "find": (
        "a deal that is as wanted; one object a line",
        _record(
            {
                **_GAME,
                "deal": {"type": "string", "pattern": r"^(ms:|pysol:)?\d+$"},
                "verdict": {"enum": ["winnable", "unwinnable"]},
                "fewest_left": _or_null(_COUNT),
                "outcome": {"enum": ["won", "lost", "drawn", None]},
                "dealt": _or_null(_COUNT),
                "removed": _or_null(_COUNT),
                "positions": _or_null(_COUNT),
                "engine": _TEXT,
                "version": _TEXT,
                "word": {"enum": ["trivial", "easy", "fair", "hard", "fiendish", None]},
                "guesswork": _or_null({"type": "number", "minimum": 0}),
            }
        ),
    ),
    "verify": (
        "the referee's word on a line of play",
        _record(
            {
                **_GAME,
                **_GIVEN,
                "label": _TEXT,
                "moves": _COUNT,
                "legal": _FLAG,
                "won": _FLAG,
                "cards_left": _or_null(_COUNT),
                "fault": _or_null(_FAULT),
            }
        ),
    ),
}


def schema_names() -> tuple[str, ...]:
    """The commands whose output has a schema here."""
    return tuple(_RECORDS)


def schema(command: str) -> Schema:
    """The JSON Schema of one object that ``dealproof COMMAND --json`` prints.

    >>> schema("solve")["properties"]["verdict"]
    {'enum': ['winnable', 'unwinnable', 'unknown']}
    """
    about, record = _RECORDS[command]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"dealproof {command} --json",
        "description": about[0].upper() + about[1:] + ".",
        **record,
    }
