"""What `games`, `rules`, `deal`, `solve` and `verify` print with ``--json``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from rules.decks import Deal
from rules.errors import IllegalMove
from rules.game import Game, State
from rules.moves import Move
from rules.position import Position
from solver.show.json.base import (
    Answered,
    CardsDealt,
    CardText,
    Count,
    FewestLeft,
    Limit,
    Line,
    OfDeal,
    OfGame,
    OfSource,
    Outcome,
    Record,
    Reductions,
    Seconds,
    of_deal,
    of_game,
    rounded,
    texts_or_none,
)
from solver.verdict import Result


class Listed(OfGame):
    """A game; one object a line."""

    title: Annotated[str, Meta(description="the game's name in words")]
    family: Annotated[str, Meta(description="the family of games, which says what options it has")]
    changed: Annotated[
        dict[str, str], Meta(description="the options that differ from the family's usual ones")
    ]
    decision_free: Annotated[
        bool, Meta(description="whether no choice of the player's changes the result")
    ]
    counts_cards: Annotated[
        bool,
        Meta(description="whether a deal that cannot be won still has a fewest number of cards"),
    ]
    source: Annotated[str, Meta(description="where its rules are from")]


class Ruled(Listed):
    """A game and its ruling."""

    ruling: Annotated[list[str], Meta(description="how the game is played, a paragraph each")]


class Heap(Record):
    """A pile."""

    role: Literal["slot", "stack", "column", "foundation", "stock", "waste"]
    label: str
    cards: list[CardText]
    face_down: Count
    gone: bool


class Board(OfSource):
    """A state as its piles."""

    piles: Annotated[
        list[Heap],
        Meta(description="the piles, oldest card first (the stock: the next card first)"),
    ]


class Judged(OfSource):
    """What a search of one deal found."""

    verdict: Answered
    limit: Annotated[Limit | None, Meta(description="the limit that was reached, if one was")]
    fewest_left: FewestLeft
    dealt: CardsDealt
    positions: Annotated[
        Count | None,
        Meta(description="positions visited; null for a deal that is merely played out"),
    ]
    transpositions: Annotated[Count, Meta(description="positions met again")]
    depth: Annotated[Count, Meta(description="moves in the longest line looked at")]
    dead_ends: Annotated[Count, Meta(description="positions without a move that were met")]
    memory: Annotated[Count, Meta(description="bytes in the largest tables")]
    seconds: Seconds
    engine: Annotated[str, Meta(description="what decided it: compiled, reference, or playthrough")]
    reductions: Reductions


class Solved(Judged):
    """The result on one deal; of several deals, one object a line."""

    line: Annotated[
        Line | None,
        Meta(description="a winning line, or one that leaves fewest cards; null if there is none"),
    ]
    shortest: Annotated[
        bool, Meta(description="whether it is proved that no winning line has fewer moves")
    ]
    best_left: Annotated[Count | None, Meta(description="cards left at the end of `line`")]
    outcome: Outcome


class Fault(Record):
    """The first illegal move: its number from 1, its text and the reason."""

    move: Annotated[int, Meta(ge=1)]
    text: str
    reason: str


class Verified(OfDeal):
    """The referee's word on a line of play."""

    label: Annotated[str, Meta(description="the deal or position in words")]
    moves: Annotated[Count, Meta(description="moves in the line")]
    legal: Annotated[bool, Meta(description="whether every move of the line is legal")]
    won: Annotated[bool, Meta(description="whether the line wins")]
    cards_left: Annotated[
        Count | None,
        Meta(description="cards left at the end; null if the line is not legal"),
    ]
    fault: Annotated[Fault | None, Meta(description="the first illegal move, if there is one")]


def listed(game: Game) -> Listed:
    return Listed(**_game_keys(game))


def ruled(game: Game) -> Ruled:
    return Ruled(**_game_keys(game), ruling=list(game.ruling()))


def _game_keys(game: Game) -> dict[str, Any]:
    return {
        **of_game(game),
        "title": game.title,
        "family": game.family,
        "changed": game.changed_options(),
        "decision_free": game.decision_free,
        "counts_cards": game.counts_cards,
        "source": game.source,
    }


def laid_out(
    game: Game, state: State, given: Deal | Position, source: str | None = None
) -> Board:  # fmt: skip
    return Board(
        **of_deal(game, given),
        source=source,
        piles=[
            Heap(
                role=pile.role,
                label=pile.label,
                cards=[str(card) for card in pile.cards],
                face_down=pile.face_down,
                gone=pile.gone,
            )
            for pile in game.layout(state)
        ],
    )


def judged_keys(result: Result, source: str | None) -> dict[str, Any]:
    """The keys of `Judged`."""
    stats = result.stats
    return {
        **of_deal(result.game, result.given),
        "source": source,
        "verdict": result.verdict.value,
        "limit": result.limit,
        "fewest_left": result.fewest_left,
        "dealt": result.dealt,
        "positions": result.positions,
        "transpositions": stats.transpositions,
        "depth": stats.depth,
        "dead_ends": stats.dead_ends,
        "memory": stats.memory,
        "seconds": rounded(stats.seconds),
        "engine": result.engine,
        "reductions": list(result.reductions),
    }


def solved_keys(result: Result, source: str | None) -> dict[str, Any]:
    """The keys of `Solved`."""
    return {
        **judged_keys(result, source),
        "line": texts_or_none(result.line),
        "shortest": result.shortest,
        "best_left": result.best_left,
        "outcome": result.outcome,
    }


def solved(result: Result, source: str | None = None) -> Solved:
    """*source*: file and line that a typed deck came from."""
    return Solved(**solved_keys(result, source))


def verified(
    game: Game,
    given: Deal | Position,
    line: tuple[Move, ...],
    *,
    label: str,
    end: State = None,
    fault: IllegalMove | None = None,
) -> Verified:
    """*line* is legal to the *end* state, or has the *fault*."""
    return Verified(
        **of_deal(game, given),
        label=label,
        moves=len(line),
        legal=fault is None,
        won=fault is None and game.is_won(end),
        cards_left=game.cards_left(end) if fault is None else None,
        fault=None
        if fault is None
        else Fault(move=fault.index + 1, text=fault.move, reason=fault.reason),
    )
