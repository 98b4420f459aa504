"""JSON Schemas (draft 2020-12) of what commands print with ``--json``, made from the records.

They name every key and allow no other: a schema is what this very version prints. Within a
version of `solver.show.json.base.SCHEMA` keys may be added: a program that reads the records
should ignore keys that it does not know, as `solver.show.json.reading` does. Copies of the
schemas lie in fixtures/schemas/, so that no key changes unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from solver.show.json.analyses import FACTS, Explained, Graph, Hinted, Rated, Reviewed
from solver.show.json.deals import Board, Listed, Ruled, Solved, Verified
from solver.show.json.surveys import Benched, CheckedCertificate, ExactOdds, FoundDeal, Surveyed

Schema = dict[str, Any]

_RECORDS: Final[dict[str, type[msgspec.Struct]]] = {
    "games": Listed,
    "rules": Ruled,
    "deal": Board,
    "solve": Solved,
    "explain": Explained,
    "hint": Hinted,
    "review": Reviewed,
    "rate": Rated,
    "find": FoundDeal,
    "verify": Verified,
    "graph": Graph,
    "check": CheckedCertificate,
    "survey": Surveyed,
    "odds": ExactOdds,
    "bench": Benched,
}


def schema_names() -> tuple[str, ...]:
    """The commands whose output has a schema here."""
    return tuple(_RECORDS)


def schema(command: str) -> Schema:
    """The JSON Schema of one object that ``dealproof COMMAND --json`` prints.

    >>> schema("survey")["properties"]["total"]["description"]
    'deals of the survey'
    """
    form = _RECORDS[command]
    forms = (form, *FACTS) if command == "explain" else (form,)
    _, parts = msgspec.json.schema_components(forms, ref_template="#/$defs/{name}")
    for part in _objects(parts):
        part["additionalProperties"] = False
    top = parts.pop(form.__name__)
    top["properties"]["schema"]["description"] = "the version of this form"
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **top,
        "title": f"dealproof {command}",
        **({"$defs": parts} if parts else {}),
    }


def _objects(form: object) -> Iterator[Schema]:
    """Every schema within *form* of an object with known keys."""
    if isinstance(form, dict):
        if isinstance(form.get("properties"), dict):
            yield form
        for value in form.values():
            yield from _objects(value)
    elif isinstance(form, list):
        for value in form:
            yield from _objects(value)
