"""What `explain`, `hint`, `review`, `rate` and `graph` print as JSON."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from rules.decks import Deal
from rules.position import Position
from solver.analysis.explanations import Explanation
from solver.analysis.graphs import SCHEMA as GRAPH_SCHEMA
from solver.analysis.hints import Hint
from solver.analysis.ratings import Rating, Share, Word
from solver.analysis.reasons import Reasons
from solver.analysis.reviews import Review
from solver.analysis.session import Fate
from solver.analysis.steps import Kind
from solver.show.json.base import (
    Amount,
    Answer,
    Answered,
    CardText,
    Count,
    Fated,
    FewestLeft,
    Line,
    MoveText,
    OfSource,
    Proportion,
    Proved,
    RankText,
    Record,
    Seconds,
    of_deal,
    rounded,
    texts,
    texts_or_none,
)
from solver.show.json.deals import Judged, Solved, judged_keys, solved_keys

MoveNumber = Annotated[int, Meta(ge=1)]
Kinds = dict[Kind, Count]


class OtherMove(Record):
    """A move that the line does not take, and what becomes of the position after it."""

    move: MoveText
    verdict: Answer
    fewest_left: Count | None
    positions: Count
    same: bool
    line: Line


class LineStep(Record):
    """A move of the line, and the others that were legal."""

    move: MoveText
    kind: Kind
    others: list[OtherMove]


class LinePhase(Record):
    """A part of the line, and the number of the move with which it begins."""

    first: Count
    title: str


class NearTry(Record):
    """A line that comes near to a win."""

    line: Line
    stuck: bool
    moves_needed: Count


class WhyLost(Record):
    """Why a deal cannot be won: in words, and as facts of its family."""

    complete: bool
    sentences: list[str]
    facts: Annotated[
        dict[str, Any],
        Meta(
            extra_json_schema={
                "anyOf": [
                    {"$ref": f"#/$defs/{name}"}
                    for name in (
                        "PairingFacts",
                        "PlayedFacts",
                        "DecadeFacts",
                        "PacksFacts",
                        "KlondikeFacts",
                    )
                ]
                + [{"maxProperties": 0}]  # a limit was reached before there was anything to say
            }
        ),
    ]
    best_line: Line | None


class DeepCard(Record):
    """A card, and how many cards have to be dealt to get to it."""

    card: CardText
    depth: Count


class LackingRank(Record):
    """A rank that is short, and where its cards are in the stock."""

    rank: RankText
    count: Count
    in_stock: list[DeepCard]


class LackingSet(Record):
    """A removable set that is not complete."""

    set: str
    lacks: list[LackingRank]


class LonelyRank(Record):
    """A rank in the slots, how many of it are there, and what each set with it lacks."""

    rank: RankText
    held: Count
    sets: list[LackingSet]


class PairingFacts(Record):
    """Facts of the pairing family."""

    ends_after: Annotated[Count, Meta(description="cards dealt when no move is left")]
    ranks: Annotated[list[RankText], Meta(description="the ranks that the slots hold then")]
    in_stock: Count
    must_go_left: Count
    partners: list[LonelyRank]
    fewest_that_must_go: Count | UnsetType = UNSET


ChoicesAt = Annotated[
    list[Count] | None,
    Meta(description="numbers of cards dealt at which there can be a choice"),
]
ChoicesOnTable = Annotated[
    list[Count] | None,
    Meta(description="the same by the cards on the table, where discards are dealt again"),
]


class PlayedFacts(Record):
    """Facts of the decade family where nothing is chosen."""

    ending: Literal["lost", "drawn"]
    choices_at: ChoicesAt
    choices_on_table: ChoicesOnTable


class DecadeFacts(Record):
    """Facts of the decade family."""

    fewest_left: Count | None
    left: list[list[CardText] | None] | None
    choices_at: ChoicesAt
    choices_on_table: ChoicesOnTable


class KnottedCard(Record):
    """A card that cannot come up in time, and why."""

    card: CardText
    sentence: str


class PacksFacts(Record):
    """Facts of the klondike family with several packs."""

    most_up: Count


class KlondikeFacts(Record):
    """Facts of the klondike family."""

    highest: dict[Annotated[str, Meta(pattern="^[CDHS]$")], Count]
    most_up: Count
    never_up: list[CardText]
    never_turned_up: list[CardText]
    never_leave_the_waste: list[CardText]
    deepest_played: DeepCard | None
    knots: list[KnottedCard]


FACTS = (PairingFacts, PlayedFacts, DecadeFacts, PacksFacts, KlondikeFacts)
"""What `explain` knows of a deal that cannot be won."""


class Explained(Solved):
    """The result on one deal, the other moves along its line, or the nearest tries."""

    steps: Annotated[
        list[LineStep],
        Meta(description="the line, with the other moves at each step and what becomes of them"),
    ]
    kinds: Annotated[Kinds, Meta(description="moves of the line by kind of decision")]
    sure_from: Annotated[
        Count | None,
        Meta(description="the first move from which on no other move does worse, if known"),
    ]
    phases: Annotated[list[LinePhase], Meta(description="what the line does, part by part")]
    tries: Annotated[
        list[NearTry],
        Meta(description="for a deal that cannot be won: the lines that come nearest"),
    ]
    reasons: Annotated[
        WhyLost | None, Meta(description="why the deal cannot be won: in words, and as facts")
    ]


class AdvisedMove(Fated):
    """A legal move of the position, and the verdict on what it leads to."""

    move: MoveText
    positions: Count
    why: str
    line: Line | None
    same_as: MoveText | None


class Hinted(OfSource):
    """A position's verdict, and its legal moves with theirs, best first."""

    verdict: Answered
    fewest_left: FewestLeft
    moves: Annotated[list[AdvisedMove], Meta(description="the legal moves, best first")]
    positions: Annotated[Count, Meta(description="positions visited")]
    seconds: Seconds


class PlayedMove(Fated):
    """A move that was made, and the verdict after it."""

    move: MoveText
    kind: Kind | None


class Blundered(Record):
    """A move that gave something away, a better one, and a line that follows that."""

    number: MoveNumber
    move: MoveText
    better: MoveText
    line: Line


class Reviewed(OfSource):
    """A line of play: the verdict after each move, what was given away, decisions counted."""

    won: Annotated[bool, Meta(description="whether the line wins")]
    before: Annotated[Fated, Meta(description="the verdict on the position before the first move")]
    moves: Annotated[
        list[PlayedMove], Meta(description="the moves made, with the verdict after each")
    ]
    kinds: Annotated[Kinds, Meta(description="moves of the line by kind of decision")]
    blunders: Annotated[
        list[Blundered],
        Meta(description="moves that gave something away, each with a better one"),
    ]
    between: Annotated[
        tuple[Count, Count] | None,
        Meta(
            description="two moves between which the win was given away, where the limits do "
            "not say at which"
        ),
    ]


class WonShare(Record):
    """Games won of those played, and a 95 % interval for their share."""

    won: Count
    plays: Count
    low: Proportion
    high: Proportion


class Rated(Judged):
    """How hard a deal is to win; figures are null if it is not proved winnable."""

    word: Annotated[Word | None, Meta(description="how hard the deal is to win")]
    guesswork: Annotated[
        Amount | None,
        Meta(description="bits of luck needed to win along the line without looking ahead"),
    ]
    moves: Annotated[Count | None, Meta(description="moves in the winning line")]
    decisions: Annotated[
        Count | None,
        Meta(description="moves along the line at which some other move does worse"),
    ]
    kinds: Annotated[Kinds | None, Meta(description="moves of the line by kind of decision")]
    random: Annotated[
        WonShare | None, Meta(description="games won by a player who moves at random")
    ]
    greedy: Annotated[
        WonShare | None, Meta(description="games won by a player who takes what looks best")
    ]


class GraphNode(Record):
    """A position."""

    id: Count
    text: str
    won: bool
    depth: Count
    verdict: Proved
    gate: bool
    fewest_left: Count | UnsetType = UNSET  # where cards are counted


class GraphEdge(Record):
    """Two positions, and the chains of moves that lead from one to the other."""

    source: Count
    target: Count
    moves: list[Line]


class Graph(Record, tag_field="schema", tag=GRAPH_SCHEMA):
    """With --format json: the positions of a deal and the moves between them.

    networkx reads it (node-link form).
    """

    game: Annotated[str, Meta(description="the game's name")]
    directed: Annotated[bool, Meta(description="part of the node-link form")]
    multigraph: Annotated[bool, Meta(description="part of the node-link form")]
    graph: Annotated[dict[str, str], Meta(description="part of the node-link form")]
    nodes: Annotated[list[GraphNode], Meta(description="positions, with the verdict on each")]
    edges: Annotated[
        list[GraphEdge],
        Meta(description="moves: the two positions, and chains of moves between them"),
    ]
    gates: Annotated[
        list[Count],
        Meta(description="positions (by id) that every winning line passes through"),
    ]
    folded: Annotated[bool, Meta(description="whether chains without a decision are one edge")]


def explained(found: Explanation, source: str | None = None) -> Explained:
    return Explained(
        **solved_keys(found.result, source),
        steps=[
            LineStep(
                move=str(step.move),
                kind=step.kind,
                others=[
                    OtherMove(
                        move=str(other.move),
                        **_fate(other.fate),
                        positions=other.fate.positions,
                        same=other.same,
                        line=texts(other.line),
                    )
                    for other in step.others
                ],
            )
            for step in found.steps
        ],
        kinds=dict(found.kinds),
        sure_from=found.sure_from,
        phases=[LinePhase(first=phase.first, title=phase.title) for phase in found.phases],
        tries=[
            NearTry(line=texts(each.line), stuck=each.stuck, moves_needed=each.needed)
            for each in found.tries
        ],
        reasons=None if found.reasons is None else why_lost(found.reasons),
    )


def why_lost(reasons: Reasons) -> WhyLost:
    return WhyLost(
        complete=reasons.complete,
        sentences=list(reasons.sentences),
        facts=reasons.facts,
        best_line=texts_or_none(reasons.best_line),
    )


def hinted(found: Hint, given: Deal | Position, source: str | None = None) -> Hinted:
    return Hinted(
        **of_deal(found.game, given),
        source=source,
        **_fate(found.fate),
        moves=[
            AdvisedMove(
                move=str(option.move),
                **_fate(option.fate),
                positions=option.fate.positions,
                why=option.why,
                line=texts_or_none(option.line),
                same_as=None if option.same_as is None else str(option.same_as),
            )
            for option in found.options
        ],
        positions=found.positions,
        seconds=rounded(found.seconds),
    )


def reviewed(found: Review, source: str | None = None) -> Reviewed:
    return Reviewed(
        **of_deal(found.game, found.given),
        source=source,
        won=found.won,
        before=Fated(**_fate(found.fates[0])),
        moves=[
            PlayedMove(
                move=str(move),
                **_fate(fate),
                kind=found.steps[index].kind if index < len(found.steps) else None,
            )
            for index, (move, fate) in enumerate(zip(found.line, found.fates[1:], strict=True))
        ],
        kinds=dict(found.kinds),
        blunders=[
            Blundered(
                number=blunder.number,
                move=str(blunder.step.move),
                better=str(blunder.better),
                line=texts(blunder.line),
            )
            for blunder in found.blunders
        ],
        between=found.between,
    )


def rated(found: Rating, source: str | None = None) -> Rated:
    known = found.random is not None
    return Rated(
        **judged_keys(found.result, source),
        word=found.word,
        guesswork=found.guesswork,
        moves=len(found.steps) if known else None,
        decisions=found.decisions if known else None,
        kinds=dict(found.kinds) if known else None,
        random=_won_share(found.random),
        greedy=_won_share(found.greedy),
    )


def _won_share(share: Share | None) -> WonShare | None:
    if share is None:
        return None
    return WonShare(won=share.won, plays=share.plays, low=share.low, high=share.high)


def _fate(fate: Fate) -> dict[str, Any]:
    return {"verdict": fate.verdict.value, "fewest_left": fate.fewest_left}
