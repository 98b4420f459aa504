"""Option tables: one row per option. TOML files and ``-o key=value`` are read by the same code.

Every value is hashable (lists become tuples), so that a game's options can be compared and
stored. ``option.read(option.show(value)) == value`` for every allowed value.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from rules.errors import OptionError
from rules.words import brief

_MOST_ENTRIES: Final = 64
Value = bool | int | str | tuple[Any, ...] | None


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a family: its name, default, allowed values and meaning.

    ``parse`` makes of a text the stored form, or raises `OptionError`; ``show`` is its inverse.
    """

    name: str
    default: Value
    allowed: str
    help: str
    parse: Callable[[str], Value]
    show: Callable[[Any], str]
    choices: tuple[str, ...] = ()

    def read(self, value: object) -> Value:
        """The stored form of *value*: a text, or what TOML gives (bool, int, list of those).

        ``none``, ``"none"`` after ``-o`` and in TOML are one value, and so are ``9``, ``"9"``.
        Raises `OptionError`.
        """
        text = _text_of(value)
        if text is None:
            raise self.refuse(value)
        try:
            return self.parse(text)
        except OptionError:
            raise
        except ValueError:
            raise self.refuse(value) from None

    def refuse(self, value: object) -> OptionError:
        """The error that names this option, the value given and what is allowed."""
        words = value if isinstance(value, (list, tuple)) else [value]
        wrong = [word for word in words if isinstance(word, str) and word not in self.choices]
        near = difflib.get_close_matches(wrong[0][:40], self.choices, n=1) if wrong else []
        hint = f"; did you mean {near[0]}?" if near else ""
        return OptionError(
            f"option {self.name}: {brief(value)} is not allowed ({self.allowed}){hint}"
        )


def read_integer(text: str) -> int:
    """Plain ASCII digits, at most nine; raises ValueError."""
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise ValueError(text)
    return int(text)


def _text_of(value: object) -> str | None:
    """*value* as one writes it after ``-o key=``; None if an option cannot be that."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value) if abs(value) < 10**9 else None
    if isinstance(value, (list, tuple)):
        texts = [_text_of(entry) for entry in value if not isinstance(entry, (list, tuple))]
        entries = [text for text in texts if text is not None]
        return None if len(entries) < len(value) else ",".join(entries) if value else "none"
    return None


def integer(
    name: str, default: int | None, low: int, high: int, help: str, *, none: str = ""
) -> Option:
    """An integer in ``low..high``; *none* is a word for no bound, which is stored as None."""

    def parse(text: str) -> Value:
        if none and text == none:
            return None
        number = read_integer(text)
        if not low <= number <= high:
            raise ValueError(text)
        return number

    def show(value: Any) -> str:
        return none if value is None else str(value)

    allowed = f"an integer {low} to {high}" + (f", or {none}" if none else "")
    return Option(name, default, allowed, help, parse, show, (none,) if none else ())


def boolean(name: str, default: bool, help: str) -> Option:
    """``true`` or ``false``."""
    words = {"true": True, "false": False}

    def parse(text: str) -> Value:
        if text not in words:
            raise ValueError(text)
        return words[text]

    def show(value: Any) -> str:
        return str(value).lower()

    return Option(name, default, "true or false", help, parse, show, tuple(words))


def choice(name: str, default: str, choices: tuple[str, ...], help: str) -> Option:
    """One of a few words."""

    def parse(text: str) -> Value:
        if text not in choices:
            raise ValueError(text)
        return text

    return Option(name, default, " or ".join(choices), help, parse, str, choices)


def sequence(
    name: str,
    default: tuple[Any, ...],
    allowed: str,
    help: str,
    read_item: Callable[[str], Any],
    *,
    show_item: Callable[[Any], str] = str,
    distinct: bool = True,
    empty: bool = False,
    choices: tuple[str, ...] = (),
) -> Option:
    """A list of what *read_item* reads, with commas between; ``none`` is the empty one."""

    def parse(text: str) -> Value:
        if empty and text == "none":
            return ()
        entries = text.split(",")
        if len(entries) > _MOST_ENTRIES:
            raise OptionError(f"option {name}: more than {_MOST_ENTRIES} entries")
        items = tuple(read_item(entry.strip()) for entry in entries)
        if distinct and len(set(items)) != len(items):
            raise ValueError(text)
        return items

    def show(value: Any) -> str:
        return ",".join(show_item(entry) for entry in value) if value else "none"

    return Option(name, default, allowed, help, parse, show, choices)


def resolve(
    table: Iterable[Option], given: Mapping[str, Any], *, where: str = ""
) -> dict[str, Value]:
    """*given* (texts or TOML values) checked against *table*, completed with the defaults.

    Raises `OptionError` naming an unknown key (with a suggestion) or a refused value.
    """
    rows = {option.name: option for option in table}
    for key in given:
        if key not in rows:
            raise unknown_key(key, rows, where)
    return {
        name: option.read(given[name]) if name in given else option.default
        for name, option in rows.items()
    }


def unknown_key(key: str, known: Iterable[str], where: str = "") -> OptionError:
    """The error for an option that does not exist, with the nearest name if one is near."""
    known = list(known)
    near = difflib.get_close_matches(key, known, n=1)
    hint = f"; did you mean {near[0]}?" if near else f"; options: {', '.join(known)}"
    return OptionError(f"{where}unknown option {brief(key)}{hint}")
