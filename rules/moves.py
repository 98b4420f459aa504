"""Moves: what a player does, as an immutable value with a short text form.

==================  ====================================================================
``9H+AS``           remove these cards together (pairing: a set; decade: a group)
``TC``              remove this card alone
``8S>9H``           8♠, with what lies on it, onto 9♥
``5D>F``            5♦ to its foundation
``KD>_``            K♦, with what lies on it, to the (leftmost) empty column
``deal``            deal from the stock
``redeal``          turn the waste over to be the stock again
==================  ====================================================================

A shell takes a bare ``>`` for itself, so ``-`` may be typed in its place: ``8S-9H``, ``5D-F``,
``KD-_``.

With several packs a card may be followed by ``@`` and the place where it lies, where two equal
cards would do: the number of its column, ``w`` for the waste, ``f`` for a foundation, as in
``8S@3>9H`` or ``5D@w>6S@7``. (``8S@3.2`` is the second 8♠ of column 3 from its end.)

A move may name, after ``=``, the cards that it brings to light, in order: ``deal=7H``,
``9H+AS=4D,KC``. Generated moves always name them; typed ones need not.
``Move.parse(str(move)) == move`` for every move.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from rules.cards import Card
from rules.errors import CardError, MoveError
from rules.words import brief

Kind = Literal["remove", "move", "deal", "redeal"]

FOUNDATION: Final = "F"
SPACE: Final = "_"
IN_A_SHELL: Final = "type - for >, or put the moves in quotes: a shell takes a bare > for itself"
_PLACE: Final = re.compile(r"[1-9][0-9]?(\.[2-9])?|[wf]", re.ASCII)


class Move(NamedTuple):
    """``kind``, the cards moved, the target, the cards that come to light, and places.

    ``cards``: those removed, or the one that heads the moved run; empty for deals.
    ``target``: a `Card`, `FOUNDATION`, `SPACE`, or None. ``shown``: newly turned or dealt
    cards in the order in which they appear; empty if none, or not said. ``at``, ``onto``:
    where the moved card and the target lie; empty if not said.
    """

    kind: Kind
    cards: tuple[Card, ...] = ()
    target: Card | str | None = None
    shown: tuple[Card, ...] = ()
    at: str = ""
    onto: str = ""

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read one move; raises `MoveError` naming the text that is none."""
        body, equals, tail = text.strip().partition("=")
        try:
            shown = tuple(Card.parse(part) for part in tail.split(",")) if equals else ()
            word = body.strip().lower()
            if word in ("deal", "redeal"):
                return cls("deal" if word == "deal" else "redeal", (), None, shown)
            source, arrow, goal = body.partition(">" if ">" in body else "-")
            if arrow:
                head, at = _placed(source)
                goal, onto = _placed(goal)
                if not goal:
                    raise CardError(f"{head or 'it'} has no goal; {IN_A_SHELL}")
                target = goal.upper() if goal.upper() in (FOUNDATION, SPACE) else Card.parse(goal)
                return cls("move", (Card.parse(head),), target, shown, at, onto)
            return cls("remove", tuple(Card.parse(part) for part in body.split("+")), None, shown)
        except CardError as error:
            raise MoveError(f"{brief(text.strip(), 40)} is not a move: {error}") from None

    @property
    def bare(self) -> Move:
        """The same move without the cards that it shows."""
        return self._replace(shown=())

    def __str__(self) -> str:
        return self.text()

    def text(self, *, pretty: bool = False) -> str:
        """The text form; *pretty* uses the suits' symbols and is read back all the same.

        What is no move (none or several cards to a goal, no goal) has a text, too, for
        messages; it is not read back.
        """
        write = (lambda card: card.pretty) if pretty else str
        if self.kind == "remove":
            body = "+".join(map(write, self.cards))
        elif self.kind == "move":
            goal = write(self.target) if isinstance(self.target, Card) else self.target
            at, onto = (f"@{place}" if place else "" for place in (self.at, self.onto))
            body = f"{'+'.join(map(write, self.cards)) or '?'}{at}>{goal or '?'}{onto}"
        else:
            body = self.kind
        return body + ("=" + ",".join(map(write, self.shown)) if self.shown else "")


def _placed(text: str) -> tuple[str, str]:
    """A card or goal, and the place after ``@`` if there is one."""
    what, sign, place = (part.strip() for part in text.partition("@"))
    if sign and not _PLACE.fullmatch(place.lower()):
        raise CardError(f"{place!r} is no place (the number of a column, w or f)")
    return what, place.lower()


def parse_line(text: str) -> tuple[Move, ...]:
    """Read a line of play: moves apart by white space, semicolons or commas; ``#`` comments.

    A card that follows a comma after ``=`` is one more that the move shows. Raises `MoveError`
    naming the number of the first text that is no move.
    """
    tokens = [
        token
        for row in text.splitlines()
        for word in row.partition("#")[0].replace(";", " ").split()
        for token in _apart(word)
    ]
    moves = []
    for number, token in enumerate(tokens, 1):
        try:
            moves.append(Move.parse(token))
        except MoveError as error:
            raise MoveError(f"move {number}: {error}") from None
    return tuple(moves)


def _apart(word: str) -> list[str]:
    """The moves in a *word* that commas may separate: ``TH>JC=TD,JC>QH``, ``deal=7H,2C,``."""
    first, *parts = word.strip(",").split(",")
    tokens = [first]
    for part in parts:
        if "=" in tokens[-1] and (not part or _is_card(part)):
            tokens[-1] += f",{part}"
        else:
            tokens.append(part)
    return tokens if first else []


def _is_card(text: str) -> bool:
    try:
        Card.parse(text)
    except CardError:
        return False
    return True
