"""The text form of a state for families that write none of their own: a line for each part.

It holds for states whose parts are cards, whole numbers, truth values, None, and tuples of
these. A `NamedTuple` gives the lines their labels. None is ``--``, a tuple within one stands
in parentheses::

    Tableau: (7H 6S) (QD) ()
    Stock: 2C 9D
    Passes: 1
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, Final, Protocol

from rules.cards import Card
from rules.errors import CardError, PositionError
from rules.game import Game, State

EMPTY: Final = "--"
_NONSENSE: Final = (ValueError, TypeError, LookupError, AttributeError, AssertionError)
_WORD: Final = re.compile(r"[()]|[^\s(),;]+")
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}")
_DEPTH: Final = 9


class Lines(Protocol):
    """The labelled lines of a text; each is taken once."""

    def take(self, label: str) -> str: ...

    def finish(self) -> None: ...


def show_plain(game: Game, state: State) -> list[str]:
    """*state* as lines of text."""
    return [f"{label}: {_value(part)}" for label, part in _parts(state)]


def read_plain(game: Game, lines: Lines) -> Any:
    """The state that *lines* tell of; raises `PositionError`.

    No card lies more often than it is in the deck, and the rules must make sense of the state.
    Whether play can reach it is not asked.
    """
    usual = game.initial(game.fresh)
    left = Counter(game.fresh)
    parts = []
    for label, part in _parts(usual):
        words = _WORD.findall(lines.take(label))
        found = _read(words, label, left)
        if words:
            raise PositionError(f"{label}: there is one ) too many")
        if isinstance(part, tuple):
            parts.append(tuple(found))
        elif len(found) == 1 and not isinstance(found[0], tuple):
            parts.append(found[0])
        else:
            raise PositionError(f"{label}: one value is needed")
    lines.finish()
    state = as_state(usual, parts)
    try:
        game.layout(state)
        game.is_won(state)
        hash(game.key(state))
        list(game.successors(state))
    except _NONSENSE:
        raise PositionError("by the rules there is no such position") from None
    return state


def as_state(like: Any, parts: list[Any]) -> Any:
    """A state of the type of *like* with these *parts*."""
    return type(like)._make(parts) if hasattr(like, "_make") else tuple(parts)


def _parts(state: State) -> list[tuple[str, Any]]:
    """The parts with their labels, which are made of letters alone."""
    names = getattr(state, "_fields", [f"part {chr(97 + i)}" for i in range(len(state))])
    labels = ("".join(filter(str.isalpha, name)).capitalize() for name in names)
    return list(zip(labels, state, strict=True))


def _value(part: Any) -> str:
    if not isinstance(part, tuple):
        return EMPTY if part is None else str(part)
    return " ".join(f"({_value(each)})" if isinstance(each, tuple) else _value(each)
                    for each in part)  # fmt: skip


def _read(words: list[str], label: str, left: Counter[Card], depth: int = 0) -> list[Any]:
    """The values at the front of *words*, which are taken from it, up to the ) that ends them."""
    found: list[Any] = []
    while words and words[0] != ")":
        word = words.pop(0)
        if word == "(":
            if depth == _DEPTH:
                raise PositionError(f"{label}: parentheses are nested too deeply")
            found.append(tuple(_read(words, label, left, depth + 1)))
            if not words:
                raise PositionError(f"{label}: a ) is missing")
            words.pop(0)
        elif word in ("True", "False", EMPTY):
            found.append({"True": True, "False": False}.get(word))
        elif _NUMBER.fullmatch(word):
            found.append(int(word))
        else:
            found.append(_card(word, label, left))
    return found


def _card(word: str, label: str, left: Counter[Card]) -> Card:
    try:
        card = Card.parse(word)
    except CardError as error:
        raise PositionError(f"{label}: {error}") from None
    if not left[card]:
        raise PositionError(f"{label}: the deck has fewer {card}")
    left[card] -= 1
    return card
