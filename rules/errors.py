"""The errors that bad input raises; every message is one line fit for a user's eyes."""

from __future__ import annotations


class DealproofError(ValueError):
    """Anything wrong with what was given: a card, deck, deal, option, move or position."""


class CardError(DealproofError):
    """A text that is no card, or a number out of range."""


class DeckError(DealproofError):
    """A deck that is not each card once, or a deal number that names no deal."""


class OptionError(DealproofError):
    """An unknown option key, a wrong type or an impossible value."""


class GameError(DealproofError):
    """An unknown game, or a game file that cannot be used."""


class MoveError(DealproofError):
    """A text that is no move, or no legal move where it was played."""


class IllegalMove(MoveError):
    """The move at ``index`` (0-based) of a line is not legal; ``reason`` says why."""

    def __init__(self, index: int, move: str, reason: str) -> None:
        super().__init__(f"move {index + 1} ({move}): {reason}")
        self.index = index
        self.move = move
        self.reason = reason


class PositionError(DealproofError):
    """A position with missing, repeated or misplaced cards."""
