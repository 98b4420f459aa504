"""Whether a JSON document that was read fits one of our schemas; no library is needed.

Only what `solver.show.json.schema_parts` builds schemas from is understood. Keys that a schema does
not name are let pass, as a later version may have added them; where keys follow a pattern, all
have to.
"""

from __future__ import annotations

import re
from typing import Any

from solver.show.json.schema_parts import Schema

_KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "integer": (int,),
    "number": (int, float), "boolean": (bool,), "null": (type(None),),
}  # fmt: skip
_MOST = 1e300
"""Numbers beyond would overflow in sums and products."""


def misfit(schema: Schema, value: Any, where: str = "") -> str | None:
    """What is wrong with *value*, or None: ``counts.winnable is no integer``."""
    here = where or "it"
    if "anyOf" in schema:
        faults = [misfit(form, value, where) for form in schema["anyOf"]]
        return None if None in faults else faults[0]
    if "const" in schema:
        return None if value == schema["const"] else f"{here} is not {schema['const']!r}"
    if "enum" in schema:
        fine = any(type(value) is type(each) and value == each for each in schema["enum"])
        return None if fine else f"{here} is none of its values"
    kind = schema.get("type")
    if kind is not None and (
        not isinstance(value, _KINDS[kind]) or (isinstance(value, bool) and kind != "boolean")
    ):
        return f"{here} is no {kind}"
    if isinstance(value, dict):
        return _misfit_keys(schema, value, where)
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            return f"{here} has {len(value)} entries"
        forms = schema.get("prefixItems") or [schema.get("items", {})] * len(value)
        for index, (form, each) in enumerate(zip(forms, value, strict=True)):
            fault = misfit(form, each, f"{where}[{index}]")
            if fault is not None:
                return fault
    elif isinstance(value, str):
        if "pattern" in schema and not re.search(schema["pattern"], value):
            return f"{here} is not of the form wanted"
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        low, high = schema.get("minimum", -_MOST), schema.get("maximum", _MOST)
        if not low <= value <= high:  # nor is NaN
            return f"{here} is out of range"
    return None


def _misfit_keys(schema: Schema, value: dict[str, Any], where: str) -> str | None:
    for key in schema.get("required", ()):
        if key not in value:
            return f"{f'{where}.{key}'.lstrip('.')} is missing"
    named = schema.get("properties", {})
    rest = schema.get("additionalProperties")
    patterns = schema.get("patternProperties", {})
    for key, each in value.items():
        form = named.get(key)
        if form is None:
            form = next((f for pattern, f in patterns.items() if re.search(pattern, key)), None)
        if form is None and patterns:
            return f"{where or 'it'} has a key that does not belong there: {key[:40]!r}"
        if form is None:
            form = rest if isinstance(rest, dict) else {}
        fault = misfit(form, each, f"{where}.{key[:40]}".lstrip("."))
        if fault is not None:
            return fault
    return None
