"""What the modules of this package hand back: sentences, and the facts behind them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from rules.cards import RANK_NAMES, RANKS, Card
from rules.moves import Move


@dataclass(frozen=True, slots=True)
class Reasons:
    """``sentences``: plain text, the most telling first; cards with their symbols.

    ``facts``: the same as JSON values. ``best_line``: the line that gets furthest, where one
    was found. ``complete``: every position was looked at, so that what is said of every line
    holds; False means that a limit was reached and such facts are left out.
    """

    sentences: tuple[str, ...]
    facts: dict[str, Any] = field(default_factory=dict)
    best_line: tuple[Move, ...] | None = None
    complete: bool = True


def listed(cards: Iterable[Card], joint: str = " ") -> str:
    return joint.join(card.pretty for card in cards)


_NUMBERS = ("no", "one", *RANK_NAMES[1:10])


def rank_name(rank: int, number: int = 1) -> str:
    """``ace``; of several: ``sixes``."""
    name = RANK_NAMES[rank - 1]
    return name if number == 1 else name + ("es" if name == "six" else "s")


def spelled(number: int) -> str:
    """``two``; from eleven on in digits."""
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"


def rank_letter(rank: int) -> str:
    return RANKS[rank - 1]
