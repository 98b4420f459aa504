"""Which families and games there are. Games are data: TOML files, ours or a user's."""

from __future__ import annotations

import difflib
import functools
import tomllib
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Final

from rules.errors import GameError, OptionError
from rules.families.decade import Decade
from rules.families.klondike import Klondike
from rules.families.pairing import Pairing
from rules.game import Game
from rules.options import unknown_key
from rules.words import brief

_FAMILIES: Final = MappingProxyType({cls.family: cls for cls in (Pairing, Decade, Klondike)})


def families() -> Mapping[str, type[Game]]:
    """The families by name."""
    return _FAMILIES


_FORMER: Final = {"left": "klondike"}
"""Families that files of earlier versions name, and what they are called now."""


def find_family(name: str) -> type[Game] | None:
    """The family called *name*, by its name now or its former one; None if there is none."""
    return families().get(_FORMER.get(name, name))


def restored(family: str, name: str, options: Mapping[str, str], *, title: str = "") -> Game:
    """A game as a file tells of it: the family, the name, and *every* option as text.

    Files of a former family lack the options that have come since: their defaults are what the
    family was then. Raises `GameError` or `OptionError`.
    """
    cls = find_family(family)
    if cls is None:
        raise GameError(f"unknown family {brief(family)}")
    known = [option.name for option in cls.table]
    for key in options:
        if key not in known:
            raise unknown_key(key, known)
    for option in cls.table:
        if option.name not in options and family not in _FORMER:
            raise OptionError(f"option {option.name} is not said")
    return cls(name, {}, title=title).with_options(options)


_ORDER = (
    "ten-by-one", "block-ten", "tens",
    "decade", "decade-three", "decade-loop", "decade-loop-three",
    "decade-seven", "decade-seven-three", "decade-seven-loop", "decade-seven-loop-three",
    "ten-twenty-thirty",
    "klondike", "klondike-one", "klondike-vegas", "trigon", "trigon-left",
    "single-left", "single-left-next", "moving-left", "triple-left",
    "gargantua", "double-klondike", "yukon", "russian", "moosehide", "yakutat-bay",
)  # fmt: skip


@functools.cache
def game_names() -> tuple[str, ...]:
    """The names of all registered games: those of `_ORDER` first, then the others by name."""
    found = sorted(
        entry.name.removesuffix(".toml")
        for entry in resources.files("rules").joinpath("games").iterdir()
        if entry.name.endswith(".toml")
    )
    return tuple(sorted(found, key=lambda name: _ORDER.index(name) if name in _ORDER else 99))


@functools.cache
def get_game(name: str) -> Game:
    """The registered game called *name*; raises `GameError` with a suggestion."""
    if name not in game_names():
        near = difflib.get_close_matches(name.lower().replace(" ", "-"), game_names(), n=1)
        hint = f"; did you mean {near[0]}?" if near else "; `dealproof games` lists them"
        raise GameError(f"unknown game {brief(name, 60)}{hint}")
    path = resources.files("rules").joinpath("games").joinpath(name + ".toml")
    return parse_game(path.read_text(encoding="utf-8"), name)


def all_games() -> Iterable[Game]:
    """Every registered game, in order."""
    return [get_game(name) for name in game_names()]


_MAX_TOML = 64 * 1024


def load_game(path: str | Path) -> Game:
    """A game from a user's TOML file; raises `GameError` or `OptionError` naming the fault."""
    path = Path(path)
    try:
        with path.open("rb") as file:  # a bounded read: devices and pipes tell no size
            data = file.read(_MAX_TOML + 1)
    except OSError as error:
        raise GameError(f"{path}: {error.strerror or error}") from None
    if len(data) > _MAX_TOML:
        raise GameError(f"{path}: a game file is at most {_MAX_TOML} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise GameError(f"{path}: not a text file in UTF-8") from None
    return parse_game(text, path.stem, where=f"{path}: ")


def parse_game(text: str, name: str, *, where: str = "") -> Game:
    """A game from TOML text: keys ``family``, ``title``, ``source``, table ``options``.

    Raises `GameError` or `OptionError`, prefixed with *where*.
    """
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: also a number of 5,000 digits
        raise GameError(f"{where}not valid TOML: {error}") from None
    for key in data:
        if any(key == option.name for cls in families().values() for option in cls.table):
            raise GameError(f"{where}key {key!r} belongs under [options]")
        if key not in ("family", "title", "source", "options"):
            near = difflib.get_close_matches(key, ("family", "title", "source", "options"), n=1)
            hint = f"; did you mean {near[0]}?" if near else " (family, title, source, options)"
            raise GameError(f"{where}unknown key {brief(key)}{hint}")
    for key in ("family", "title", "source"):
        if not isinstance(data.get(key, ""), str):
            raise GameError(f"{where}{key} must be a string")
    family = data.get("family")
    cls = find_family(family) if isinstance(family, str) else None
    if cls is None:
        allowed = ", ".join(families())
        given = brief(family) if family is not None else "nothing"
        raise GameError(f"{where}family is one of {allowed}, not {given}")
    options = data.get("options", {})
    if not isinstance(options, dict):
        raise GameError(f"{where}options must be a table")
    try:
        return cls(name, options, title=data.get("title", ""), source=data.get("source", ""))
    except ValueError as error:
        raise type(error)(f"{where}{error}") from None
