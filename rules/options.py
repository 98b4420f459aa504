"""Option tables: one row per option, from which TOML files, ``-o key=value`` and help are checked.

Every value is hashable (lists become tuples), so that a game's options can be compared and
stored. ``option.parse(option.show(value)) == value`` for every allowed value.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.errors import OptionError

Value = bool | int | str | tuple[Any, ...] | None


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a family: its name, default, allowed values and meaning.

    ``check`` takes a value as TOML gives it (bool, int, str, list) and returns the stored
    form or raises `OptionError`; ``parse`` takes the text after ``key=``.
    """

    name: str
    default: Value
    allowed: str
    help: str
    check: Callable[[Any], Value]
    parse: Callable[[str], Value]
    show: Callable[[Any], str]
    choices: tuple[str, ...] = ()

    def refuse(self, value: object) -> OptionError:
        """The error that names this option, the value given and what is allowed."""
        words = value if isinstance(value, (list, tuple)) else [value]
        wrong = [word for word in words if isinstance(word, str) and word not in self.choices]
        near = difflib.get_close_matches(wrong[0][:40], self.choices, n=1) if wrong else []
        hint = f"; did you mean {near[0]}?" if near else ""
        return OptionError(
            f"option {self.name}: {brief(value)} is not allowed ({self.allowed}){hint}"
        )


def brief(value: object) -> str:
    """*value* as a message quotes it: one line of at most 60 characters."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to write out integers of more than 4,300 digits
        return "a number of thousands of digits"
    return text if len(text) <= 60 else text[:59] + "…"


def read_integer(text: str) -> int:
    """Plain ASCII digits, at most nine; raises ValueError."""
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise ValueError(text)
    return int(text)


def integer(
    name: str, default: int | None, low: int, high: int, help: str, *, none: str = ""
) -> Option:
    """An integer in ``low..high``; *none* is a word for no bound, which is stored as None."""

    def check(value: Any) -> Value:
        if none and (value is None or value == none):
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise option.refuse(value)
        return value

    def parse(text: str) -> Value:
        if none and text == none:
            return None
        try:
            return check(read_integer(text))
        except ValueError:
            raise option.refuse(text) from None

    def show(value: Any) -> str:
        return none if value is None else str(value)

    allowed = f"an integer {low} to {high}" + (f", or {none}" if none else "")
    option = Option(name, default, allowed, help, check, parse, show, (none,) if none else ())
    return option


def boolean(name: str, default: bool, help: str) -> Option:
    """``true`` or ``false``."""

    def check(value: Any) -> Value:
        if not isinstance(value, bool):
            raise option.refuse(value)
        return value

    def parse(text: str) -> Value:
        if text not in ("true", "false"):
            raise option.refuse(text)
        return text == "true"

    option = Option(name, default, "true or false", help, check, parse, _show_scalar,
                    ("true", "false"))  # fmt: skip
    return option


def choice(name: str, default: str, choices: tuple[str, ...], help: str) -> Option:
    """One of a few words."""

    def check(value: Any) -> Value:
        if not isinstance(value, str) or value not in choices:
            raise option.refuse(value)
        return value

    option = Option(name, default, " or ".join(choices), help, check, check, _show_scalar, choices)
    return option


def sequence(
    name: str,
    default: tuple[Any, ...],
    allowed: str,
    help: str,
    item: Callable[[Any], Any],
    *,
    read_item: Callable[[str], Any] = str,
    show_item: Callable[[Any], str] = str,
    distinct: bool = True,
    empty: bool = False,
    choices: tuple[str, ...] = (),
) -> Option:
    """A list; *item* checks one entry as TOML gives it and raises ValueError if bad.

    On the command line entries are separated by commas and *read_item* makes of each what
    TOML would give; ``none`` is the empty list.
    """

    def check(value: Any) -> Value:
        if not isinstance(value, (list, tuple)):
            raise option.refuse(value)
        if len(value) > 64:
            raise OptionError(f"option {name}: more than 64 entries")
        try:
            items = tuple(item(entry) for entry in value)
        except (ValueError, TypeError):
            raise option.refuse(value) from None
        if (distinct and len(set(items)) != len(items)) or (not items and not empty):
            raise option.refuse(value)
        return items

    def parse(text: str) -> Value:
        if empty and text == "none":
            return ()
        try:
            entries = [read_item(part.strip()) for part in text.split(",")]
        except ValueError:
            raise option.refuse(text) from None
        return check(entries)

    def show(value: Any) -> str:
        return ",".join(show_item(entry) for entry in value) if value else "none"

    option = Option(name, default, allowed, help, check, parse, show, choices)
    return option


def _show_scalar(value: Any) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def resolve(
    table: Iterable[Option], given: Mapping[str, Any], *, where: str = ""
) -> dict[str, Value]:
    """*given* (TOML values) checked against *table*, completed with the defaults.

    Raises `OptionError` naming an unknown key (with a suggestion) or a refused value.
    """
    rows = {option.name: option for option in table}
    for key in given:
        if key not in rows:
            raise unknown_key(key, rows, where)
    return {
        name: option.check(given[name]) if name in given else option.default
        for name, option in rows.items()
    }


def unknown_key(key: str, known: Iterable[str], where: str = "") -> OptionError:
    """The error for an option that does not exist, with the nearest name if one is near."""
    known = list(known)
    near = difflib.get_close_matches(key, known, n=1)
    hint = f"; did you mean {near[0]}?" if near else f"; options: {', '.join(known)}"
    return OptionError(f"{where}unknown option {brief(key)}{hint}")
