"""What the records of all commands are built from.

A record is a typed value: its fields are the keys of the JSON object, their types say what
may stand there, and their descriptions (with the records' docstrings) are those of the schema.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from rules.decks import Deal
from rules.game import Game
from rules.moves import Move
from rules.position import Position
from solver.stats import Count as Count  # how many of something
from solver.verdict import LimitName

SCHEMA: Final = 2
"""The version of the records. It grows with every change that a reader could trip over; a
key that is added is none."""

_CARD: Final = "[A2-9TJQK][CDHS]"
_PLACE: Final = r"(@([1-9][0-9]?(\.[2-9])?|[wf]))?"

Amount = Annotated[float, Meta(ge=0)]
Proportion = Annotated[float, Meta(ge=0, le=1)]
FractionText = Annotated[str, Meta(pattern=r"^\d+(/\d+)?$")]
CardText = Annotated[str, Meta(pattern=f"^{_CARD}$")]
RankText = Annotated[str, Meta(pattern="^[A2-9TJQK]$")]
DealName = Annotated[str, Meta(pattern=r"^(ms:|pysol:|solvitaire:)?\d+$")]
DeckText = Annotated[str, Meta(pattern=f"^{_CARD}( {_CARD})*$")]
MoveText = Annotated[
    str,
    Meta(
        pattern=rf"^(deal|redeal|{_CARD}(\+{_CARD})*|{_CARD}{_PLACE}>({_CARD}|F|_){_PLACE})"
        rf"(={_CARD}(,{_CARD})*)?$"
    ),
]
Line = list[MoveText]
Proved = Literal["winnable", "unwinnable"]
Answer = Literal[Proved, "unknown"]
Ending = Literal["won", "lost", "drawn"]
Limit = LimitName
Options = dict[Annotated[str, Meta(pattern="^[a-z_]+$")], str]
Reductions = Annotated[
    list[str], Meta(description="the reductions in force, which change no verdict")
]
Answered = Annotated[
    Answer,
    Meta(description="winnable or unwinnable, both proved; unknown if a limit was reached"),
]
FewestLeft = Annotated[
    Count | None,
    Meta(description="the fewest cards that any line leaves; null where that is unknown"),
]
Outcome = Annotated[
    Ending | None,
    Meta(description="of games that are played, not searched: won, lost or drawn"),
]
CardsDealt = Annotated[
    Count | None,
    Meta(description="cards dealt when play ended, where cards are counted and nothing is chosen"),
]
Seconds = Annotated[Amount, Meta(description="time taken")]


class Record(Struct, kw_only=True):
    """An object within a document."""


class Document(Record, tag_field="schema", tag=SCHEMA):
    """A JSON document; ``schema`` is the version of its form."""


class OfGame(Document):
    """Says which game it is about."""

    game: Annotated[str, Meta(description="the game's name")]
    options: Annotated[Options, Meta(description="every option of the game, as text")]


class OfDeal(OfGame):
    """Says which deal or position it is about."""

    deal: Annotated[
        DealName | None,
        Meta(description="the deal's number with its numbering; null for a deck typed in"),
    ]
    deck: Annotated[
        DeckText | None,
        Meta(description="the cards, first dealt first; null if the position's deal is unknown"),
    ]
    position: Annotated[
        str | None,
        Meta(description="the position as text, which --position reads; null for a whole deal"),
    ]
    after: Annotated[Line, Meta(description="moves played from the deal before anything else")]


class OfSource(OfDeal):
    """Says where its deck came from as well."""

    source: Annotated[str | None, Meta(description="file and line that a typed deck came from")]


class Fated(Record):
    """The verdict on a position."""

    verdict: Answer
    fewest_left: Count | None


def of_game(game: Game) -> dict[str, Any]:
    """The keys of `OfGame`."""
    return {"game": game.name, "options": game.all_options()}


def of_deal(game: Game, given: Deal | Position) -> dict[str, Any]:
    """The keys of `OfDeal`."""
    deal = given if isinstance(given, Deal) else given.deal
    place = given if isinstance(given, Position) else None
    return {
        **of_game(game),
        "deal": None if deal is None else deal.name,
        "deck": None if deal is None else deal.deck.text(),
        "position": None if place is None else place.text(),
        "after": texts(place.moves) if place is not None else [],
    }


def texts(moves: tuple[Move, ...]) -> list[str]:
    return [str(move) for move in moves]


def texts_or_none(moves: tuple[Move, ...] | None) -> list[str] | None:
    return None if moves is None else texts(moves)


def rounded(seconds: float) -> float:
    """Seconds to the microsecond."""
    return round(seconds, 6)
