"""What a replay shows: the frames of a line of play, its moves in words, what else was possible.

A `Replay` is plain data: the page (`solver.show.web.replay_page`) and the terminal player
(`solver.show.text.player`) draw it and know nothing of how it came about. `replay_of` fills
one from an `Explanation`; an analysis that knows more may fill one of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rules.cards import RANKS, Card
from rules.decks import Deal
from rules.game import Game, Pile, State
from rules.moves import FOUNDATION, SPACE, Move
from rules.position import Position
from rules.referee import replay
from rules.words import either, plural
from solver.analysis import explanations
from solver.analysis.explanations import Explanation, Fate, phases
from solver.show.text.explanations import progress
from solver.show.text.results import game_label
from solver.verdict import Result, Verdict

_BRANCHES: Final = 5_000  # moves beside the line that a replay holds, about
_STEPS: Final = 5  # asked for at a time


@dataclass(frozen=True, slots=True)
class Branch:
    """Play that leaves the line: its moves and the frames after each of them.

    ``joins``: where its last frame was met before, and play goes on as it did there: a branch's
    number, counted through all alternatives in their order (-1: the line itself), and the
    index of the frame there. None if play ends, or nothing is known of how it goes on.
    """

    steps: tuple[Step, ...]
    frames: tuple[tuple[Pile, ...], ...]
    joins: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Alternative:
    """A legal move at a decision point, the one that was played included.

    ``text``, ``label``: as in `Step`. ``verdict``: what is proved of the deal after it.
    ``left``: the fewest cards it can still leave, where cards are counted and it is known.
    ``positions``: how many the proof took; None if nothing was searched for it.
    ``branch``: the move and how play goes on after it, as far as that is known.
    """

    text: str
    label: str
    verdict: Verdict
    played: bool = False
    left: int | None = None
    positions: int | None = None
    branch: Branch | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One move of the line.

    ``text``: in the notation that every command reads. ``label``: short, for a list.
    ``words``: a sentence, for reading aloud. ``cards``: the cards that the player touches.
    ``shown``: the cards that come to light, where the label does not name them.
    ``alternatives``: to this move, in the frame before it, itself among them; empty where there
    was no choice or none was looked at.
    """

    text: str
    label: str
    words: str
    cards: tuple[Card, ...] = ()
    shown: tuple[Card, ...] = ()
    alternatives: tuple[Alternative, ...] = ()

    @property
    def critical(self) -> bool:
        """Whether every other move is proved to lose and this one is not."""
        played = [option for option in self.alternatives if option.played]
        others = [option for option in self.alternatives if not option.played]
        return (
            bool(others)
            and all(option.verdict is Verdict.UNWINNABLE for option in others)
            and bool(played)
            and played[0].verdict is Verdict.WINNABLE
        )


@dataclass(frozen=True, slots=True)
class Phase:
    """A stretch of the line: the index of its first step, and its name."""

    first: int
    title: str


@dataclass(frozen=True, slots=True)
class Replay:
    """A line of play, ready to be shown. There is one frame more than there are steps.

    ``verdict``: of what the first frame shows; None if nobody asked.
    ``headline``: the verdict in one sentence. ``explanation``: paragraphs of plain text.
    ``options``: the options of the game that differ from its family's defaults.
    ``removed_before``: cards that had left the table before the first frame.
    """

    game: str
    deal: str
    title: str
    verdict: Verdict | None
    headline: str
    frames: tuple[tuple[Pile, ...], ...]
    steps: tuple[Step, ...]
    phases: tuple[Phase, ...] = ()
    explanation: tuple[str, ...] = ()
    ruling: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    removed_before: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        if len(self.frames) != len(self.steps) + 1:
            raise ValueError(
                f"{len(self.steps)} steps need {len(self.steps) + 1} frames, not {len(self.frames)}"
            )

    @property
    def removed(self) -> tuple[tuple[Card, ...], ...]:
        """Per frame, the cards that have left the table, in the order in which they left."""
        start = self.removed_before
        return (start, *removed_along(start, self.frames[0], self.frames[1:], self.steps))


def removed_along(
    gone: tuple[Card, ...],
    start: Sequence[Pile],
    frames: Iterable[Sequence[Pile]],
    steps: Iterable[Step],
) -> Iterator[tuple[Card, ...]]:
    """The cards off the table after each of *steps*, which lead from *start* through *frames*."""
    before = _on_table(start)
    for piles, step in zip(frames, steps, strict=True):
        now = _on_table(piles)
        left = before - now
        order = [card for card in step.cards if card in left]
        order += sorted(left.difference(order))
        gone = (*(card for card in gone if card not in now), *order)
        yield gone
        before = now


def _on_table(piles: Sequence[Pile]) -> set[Card]:
    return {card for pile in piles for card in pile.cards}


# Moves in words --------------------------------------------------------------------------


def card_label(card: Card) -> str:
    """The card as on its face: ``10♠``."""
    rank = RANKS[card.rank - 1]
    return ("10" if rank == "T" else rank) + card.pretty[1]


def move_label(move: Move) -> str:
    """A short form for lists, with the suits' symbols; a deal names the cards that come."""
    shown = " ".join(map(card_label, move.shown))
    if move.kind == "remove":
        return " + ".join(map(card_label, move.cards))
    if move.kind == "deal":
        return f"deal {shown}" if shown else "deal"
    if move.kind == "redeal":
        return "turn the waste over"
    card = card_label(move.cards[0]) + _place_words(move.at)
    if move.target == FOUNDATION:
        return f"{card} to foundation"
    if move.target == SPACE:
        return f"{card} to the empty column"
    assert isinstance(move.target, Card)
    return f"{card} onto {card_label(move.target)}{_place_words(move.onto)}"


def _place_words(place: str) -> str:
    """Where one of several equal cards lies, after its name."""
    if not place:
        return ""
    if place in "wf":
        return " from the waste" if place == "w" else " from its foundation"
    column, _, number = place.partition(".")
    return f" of column {column}" + (f" (number {number} from its end)" if number else "")


def _names(cards: Iterable[Card]) -> Iterator[str]:
    return (card.name for card in cards)


def move_words(move: Move) -> str:
    """A sentence for reading aloud, the cards that come to light included."""
    shown = either(_names(move.shown), "and")
    if move.kind == "deal":
        return f"Deal the {shown}." if shown else "Deal."
    if move.kind == "redeal":
        return "Turn the waste over."
    if move.kind == "remove":
        sentence = f"Remove the {either(_names(move.cards), 'and')}."
    else:
        card = move.cards[0].name.capitalize() + _place_words(move.at)
        if move.target == FOUNDATION:
            sentence = f"{card} to its foundation."
        elif move.target == SPACE:
            sentence = f"{card} to the empty column."
        else:
            assert isinstance(move.target, Card)
            sentence = f"{card} onto the {move.target.name}{_place_words(move.onto)}."
    return sentence + (f" New: {shown}." if shown else "")


# From an explanation ---------------------------------------------------------------------


def replay_of(found: Explanation, label: str | None = None) -> Replay:
    """The replay of an explained deal: its line, or the nearest try where it has none.

    *label*: what to call the deal, if not by its own name.
    """
    result = found.result
    game = result.game
    line = result.line
    if line is None:
        line = found.tries[0].line if found.tries else ()
    moves, states = replay(game, result.start, line)
    return _replay(
        game,
        label or result.given.label,
        moves,
        states,
        verdict=result.verdict,
        headline=headline(result, states[-1], len(moves)),
        choices=_choices(found, states),
        marks=found.phases or phases(game, moves, states),
        explanation=explanation(result) + (found.reasons.sentences if found.reasons else ()),
    )


def replay_of_line(
    game: Game, given: Deal | Position, line: Iterable[Move], label: str | None = None
) -> Replay:
    """The replay of somebody's line, without a verdict; raises `IllegalMove`."""
    start = given.state if isinstance(given, Position) else game.initial(given.deck)
    moves, states = replay(game, start, line)
    end = "a win" if game.is_won(states[-1]) else progress(game, states[-1])
    head = f"{plural(len(moves), 'move')}: {end}."
    marks = phases(game, moves, states)
    return _replay(
        game, label or given.label, moves, states, verdict=None, headline=head, marks=marks
    )


def _replay(
    game: Game,
    label: str,
    moves: Sequence[Move],
    states: Sequence[Any],
    *,
    verdict: Verdict | None,
    headline: str,
    marks: Sequence[explanations.Phase],
    choices: Sequence[tuple[Alternative, ...]] = (),
    explanation: tuple[str, ...] = (),
) -> Replay:
    steps = tuple(
        _step(move, choices[index] if index < len(choices) else ())
        for index, move in enumerate(moves)
    )
    frames = tuple(game.layout(state) for state in states)
    return Replay(
        game=game.name,
        deal=label,
        title=game_label(game),
        verdict=verdict,
        headline=headline,
        frames=frames,
        steps=steps,
        phases=_named(marks),
        explanation=explanation,
        ruling=game.ruling(),
        options=tuple(game.changed_options().items()),
        removed_before=tuple(sorted(set(game.fresh) - _on_table(frames[0]))),
    )


def _named(marks: Sequence[explanations.Phase]) -> tuple[Phase, ...]:
    """The phases with titles; none if the line is all one."""
    found = tuple(Phase(mark.first - 1, mark.title[:1].upper() + mark.title[1:]) for mark in marks)
    return found if len(found) > 1 else ()


def _step(move: Move, alternatives: tuple[Alternative, ...] = ()) -> Step:
    return Step(
        text=str(move),
        label=move_label(move),
        words=move_words(move),
        cards=move.cards or move.shown,
        shown=() if move.kind == "deal" else move.shown,
        alternatives=alternatives,
    )


def _choices(found: Explanation, states: Sequence[Any]) -> list[tuple[Alternative, ...]]:
    """The alternatives to each step, the played move first.

    Moves to an equal position are no choice, and are left out.
    """
    result = found.result
    branches = _Branches(found, states)
    choices = []
    for place, step in enumerate(found.steps):
        listed = [_alternative(step.move, Fate(result.verdict, result.fewest_left), played=True)]
        listed += (
            _alternative(other.move, other.fate, branch=branches.grow(place, other.move))
            for other in step.choices
        )
        choices.append(tuple(listed) if len(listed) > 1 else ())
    return choices


class _Branches:
    """The branches off a line. Each ends where it meets the line again or an earlier branch.

    They meet in a state, not in a key: of equal positions the columns may lie otherwise, and play
    that goes on from one would be drawn on the table of the other.
    """

    def __init__(self, found: Explanation, states: Sequence[Any]) -> None:
        self.game, self.session, self.states = found.result.game, found.session, states
        self.met = {state: (-1, place) for place, state in enumerate(states)}
        self.grown = self.moves = 0

    def grow(self, place: int, move: Move) -> Branch:
        """*move*, played in frame *place*, and what is known to follow."""
        game, number = self.game, self.grown
        self.grown += 1
        state, ahead = self.states[place], [move]
        steps, frames = list[Step](), list[tuple[Pile, ...]]()
        while ahead:
            moves, after = replay(game, state, ahead)
            for move, state in zip(moves, after[1:], strict=True):
                steps.append(_step(move))
                frames.append(game.layout(state))
                joins = self.met.setdefault(state, (number, len(steps) - 1))
                if joins != (number, len(steps) - 1) and (joins[0] >= 0 or joins[1] > place):
                    return Branch(tuple(steps), tuple(frames), joins)
            self.moves += len(moves)
            asked = self.session if self.moves < _BRANCHES else None
            ahead = list(asked.line(state, _STEPS) or ()) if asked is not None else []
        return Branch(tuple(steps), tuple(frames))


def _alternative(
    move: Move, fate: Fate, *, played: bool = False, branch: Branch | None = None
) -> Alternative:
    return Alternative(
        str(move),
        move_label(move),
        fate.verdict,
        played,
        fate.fewest_left,
        fate.positions or None,
        branch,
    )


def headline(result: Result, end: State, moves: int) -> str:
    """The verdict and what the line of so many *moves* to *end* comes to."""
    game = result.game
    line = plural(moves, "move")
    if result.verdict is Verdict.WINNABLE and game.is_won(end):
        return f"Won in {line}."
    if result.outcome == "drawn":
        return f"Drawn: after {line} the position repeats."
    if result.outcome == "lost" and game.options.get("returns"):
        return f"Lost: the stock is used up after {line}."
    if result.outcome is not None:
        return f"Lost: play ends after {line}, {progress(game, end)}."
    if result.verdict is Verdict.UNWINNABLE:
        best = "The best line" if game.counts_cards else "The nearest try found"
        return f"Cannot be won. {best}: {line}, {progress(game, end)}."
    return f"Not decided. The nearest try found: {line}, {progress(game, end)}."


def explanation(result: Result) -> tuple[str, ...]:
    """What stands behind the verdict, in a paragraph or two."""
    game, stats = result.game, result.stats
    if result.limit is not None:
        return (
            f"The {result.limit} limit was reached after {plural(stats.positions, 'position')}; "
            "what is marked as undecided may be won or lost.",
        )
    if result.outcome is not None:
        return ("No choice matters in this game: one playthrough decides the deal.",)
    if result.verdict is Verdict.UNWINNABLE:
        best = "the line that leaves the fewest cards" if game.counts_cards else "one that gets far"
        return (
            f"A search that leaves no line of play out, {plural(stats.positions, 'position')} in "
            f"all, met no win: that is a proof. Shown is {best}.",
        )
    return ()
