"""What the JSON Schemas of several commands have in common."""

from __future__ import annotations

from typing import Any, Final

from solver.show.json.records import SCHEMA

Schema = dict[str, Any]

TEXT: Final[Schema] = {"type": "string"}
FLAG: Final[Schema] = {"type": "boolean"}
COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
AMOUNT: Final[Schema] = {"type": "number", "minimum": 0}
SHARE: Final[Schema] = {"type": "number", "minimum": 0, "maximum": 1}
FRACTION: Final[Schema] = {"type": "string", "pattern": r"^\d+(/\d+)?$"}
TEXTS: Final[Schema] = {"type": "array", "items": TEXT}
VERDICT: Final[Schema] = {"enum": ["winnable", "unwinnable", "unknown"]}
CARD: Final = "[A2-9TJQK][CDHS]"
ONE_CARD: Final[Schema] = {"type": "string", "pattern": f"^{CARD}$"}
CARDS: Final[Schema] = {"type": "array", "items": ONE_CARD}
_PLACE: Final = r"(@(\d{1,2}(\.\d)?|w|f))?"
MOVE: Final[Schema] = {
    "type": "string",
    "pattern": rf"^(deal|redeal|{CARD}(\+{CARD})*|{CARD}{_PLACE}>({CARD}|F|_){_PLACE})"
    rf"(={CARD}(,{CARD})*)?$",
}
MOVES: Final[Schema] = {"type": "array", "items": MOVE}


def or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def record(keys: Schema, optional: Schema | None = None) -> Schema:
    """An object with exactly these keys; *optional* ones may be missing."""
    return {
        "type": "object",
        "properties": keys | (optional or {}),
        "required": sorted(keys),
        "additionalProperties": False,
    }


def table(values: Schema, names: str = "") -> Schema:
    """An object with any keys (that match the pattern *names*), all its values alike."""
    if not names:
        return {"type": "object", "additionalProperties": values}
    return {"type": "object", "patternProperties": {names: values}, "additionalProperties": False}


def several(items: Schema) -> Schema:
    return {"type": "array", "items": items}


OPTIONS: Final[Schema] = table(TEXT, "^[a-z_]+$")
DEAL: Final[Schema] = {"type": "string", "pattern": r"^(ms:|pysol:|solvitaire:)?\d+$"}
GAME: Final[Schema] = {"schema": {"const": SCHEMA}, "game": TEXT, "options": OPTIONS}
GIVEN: Final[Schema] = {
    "deal": or_null(DEAL),
    "deck": or_null({"type": "string", "pattern": f"^{CARD}( {CARD})*$"}),
    "position": or_null(TEXT),
    "after": MOVES,
}
SOLVED: Final[Schema] = {
    **GAME,
    **GIVEN,
    "source": or_null(TEXT),
    "verdict": VERDICT,
    "limit": {"enum": ["time", "positions", "memory", None]},
    "line": or_null(MOVES),
    "shortest": FLAG,
    "fewest_left": or_null(COUNT),
    "best_left": or_null(COUNT),
    "outcome": {"enum": ["won", "lost", "drawn", None]},
    "dealt": or_null(COUNT),
    "positions": COUNT,
    "transpositions": COUNT,
    "depth": COUNT,
    "dead_ends": COUNT,
    "memory": COUNT,
    "seconds": AMOUNT,
    "engine": TEXT,
    "reductions": TEXTS,
}
