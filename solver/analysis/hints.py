"""Hint: every legal move of a position with its verdict, best first, and why.

The moves are asked about in rounds, each with a larger budget than the one before, so that
what is decided easily helps to decide the rest (see `solver.analysis.session`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from rules.decks import Deal, Deck
from rules.game import Game, State
from rules.moves import FOUNDATION, Move
from rules.position import Position
from rules.registry import get_game
from rules.words import plural
from solver.analysis.session import Fate, Session, scaled
from solver.progress import tell
from solver.search.straighten import straighten
from solver.solve import as_given
from solver.verdict import DEFAULT_LIMITS, Clock, Limits, Verdict, named

FIRST_ROUND: Final = 10_000
NEXT_ROUND: Final = 8
_RANKING: Final = {Verdict.WINNABLE: 0, Verdict.UNKNOWN: 1, Verdict.UNWINNABLE: 2}


@dataclass(frozen=True, slots=True)
class Option:
    """A legal move and what becomes of the deal after it.

    ``same_as``: an earlier option that leads to an equal position, or None. ``line``: from
    the position after the move to a win (to the fewest cards where they are counted), where
    one is known. ``why``: one clause.
    """

    move: Move
    fate: Fate
    why: str
    line: tuple[Move, ...] | None = None
    same_as: Move | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Hint:
    """``fate``: of the position itself. ``options``: best first. ``positions``: visited now."""

    game: Game
    state: State
    fate: Fate
    options: tuple[Option, ...]
    positions: int
    seconds: float

    def __repr__(self) -> str:
        best = f"best {self.options[0].move}" if self.options else "no move is left"
        moves = plural(len(self.options), "legal move")
        facts = (self.fate.verdict.value, best, moves, plural(self.positions, "position"))
        return named(self, self.game, *facts)


def better(fate: Fate) -> tuple[int, int]:
    """A key that sorts fates, the best first."""
    left = 99 if fate.fewest_left is None else fate.fewest_left
    return (_RANKING[fate.verdict], left)


def hint_at(
    session: Session,
    state: State,
    *,
    limits: Limits = DEFAULT_LIMITS,
    budget: int | None = None,
    lines: int = 1,
) -> Hint:
    """What to play in *state*, a position that *session* is about.

    *limits*: the time is for the whole answer. *budget*: the most positions for one move.
    *lines*: for how many of the best options a line is written out.
    """
    game, clock = session.game, Clock(limits)
    moves = list(game.successors(state))
    keys = [game.key(after) for _, after in moves]
    fates: dict[Any, Fate] = {}
    spent = 0
    most: int | None = FIRST_ROUND
    while True:
        if budget is not None and (most is None or most >= budget):
            most = budget
        promising = False
        for key, (_, after) in zip(keys, moves, strict=True):
            if key in fates and fates[key].decided:
                continue
            left = None if limits.seconds is None else limits.seconds - clock.seconds
            if left is not None and left <= 0 and key in fates:
                continue
            fate = session.fate(after, scaled(limits, left, most))
            spent += fate.positions
            # Asking again helps only if the budget, not the memory, ended the search.
            promising |= not fate.decided and (most is None or fate.positions >= most)
            before = fates.get(key)
            if before is not None:
                fate = replace(fate, positions=fate.positions + before.positions)
            fates[key] = fate
            tell("moves decided", sum(known.decided for known in fates.values()), len(set(keys)))
        late = limits.seconds is not None and clock.seconds >= limits.seconds
        if late or most == budget or not promising:
            break
        most = None if most is None else most * NEXT_ROUND
    fate = _together(game, state, list(fates.values()))
    options = _options(session, moves, keys, fates, lines)
    if options and options[0].line is not None:
        session.note(state, fate, (options[0].move, *options[0].line))
    else:
        session.note(state, fate, None)
    return Hint(game, state, fate, tuple(options), spent, clock.seconds)


def hint(
    game: str | Game,
    given: int | str | Deal | Deck | Position,
    *,
    limits: Limits = DEFAULT_LIMITS,
    budget: int | None = None,
    lines: int = 1,
    engine: str = "auto",
    reductions: str = "all",
) -> Hint:
    """What to play in a deal or a position, named as for `solver.solve`; see `hint`.

    To ask again and again as play goes on, keep a `Session` and ask `hint`: what was proved
    before is not proved again.

    >>> found = hint("decade-loop-three", 95)
    >>> [(str(option.move), option.fate.verdict.value) for option in found.options]
    [('3D+7S', 'winnable'), ('3D+7S+JH', 'unwinnable')]
    """
    game = get_game(game) if isinstance(game, str) else game
    place = as_given(game, given)
    state = place.state if isinstance(place, Position) else game.initial(place.deck)
    session = Session(game, state, engine=engine, reductions=reductions)
    return hint_at(session, state, limits=limits, budget=budget, lines=lines)


def _together(game: Game, state: State, fates: Sequence[Fate]) -> Fate:
    """The fate of a position whose moves have these fates."""
    here = game.cards_left(state) if game.counts_cards else None
    numbers = [fate.fewest_left for fate in fates] + ([] if here is None else [here])
    known = [number for number in numbers if number is not None]
    fewest = min(known) if known and None not in numbers else None
    if game.is_won(state) or any(fate.verdict is Verdict.WINNABLE for fate in fates):
        return Fate(Verdict.WINNABLE, fewest, counted=game.counts_cards)
    if all(fate.verdict is Verdict.UNWINNABLE for fate in fates):
        return Fate(Verdict.UNWINNABLE, fewest, counted=game.counts_cards)
    return Fate(Verdict.UNKNOWN, fewest, counted=game.counts_cards)


def _options(
    session: Session,
    moves: Sequence[tuple[Move, Any]],
    keys: Sequence[Any],
    fates: dict[Any, Fate],
    lines: int,
) -> list[Option]:
    """The moves as options, best first; those that come to the same as another at the end."""
    game = session.game
    first: dict[Any, Move] = {}
    ranked: list[tuple[tuple[Any, ...], int]] = []
    for place, ((move, after), key) in enumerate(zip(moves, keys, strict=True)):
        again = key in first
        first.setdefault(key, move)
        far = session.distance(after) if fates[key].verdict is Verdict.WINNABLE else None
        ranked.append(((*better(fates[key]), again, *_eagerness(move, far), place), place))
    options: list[Option] = []
    for _, place in sorted(ranked):
        (move, after), key = moves[place], keys[place]
        fate, line = fates[key], None
        if len(options) < lines and (fate.verdict is Verdict.WINNABLE or game.counts_cards):
            known = session.line(after)
            line = None if known is None else straighten(game, after, known)
        same = first[key] if first[key] is not move else None
        why = f"the same as {same.bare}" if same is not None else _why(game, after, fate, line)
        options.append(Option(move, fate, why, line, same))
    return options


def _eagerness(move: Move, far: int | None) -> tuple[int, int, int]:
    """Among equally good moves: foundations first, then the shorter way, then cards turned up."""
    return (0 if move.target == FOUNDATION else 1, 999 if far is None else far, -len(move.shown))


def _why(game: Game, after: State, fate: Fate, line: tuple[Move, ...] | None) -> str:
    """One clause on what stands behind *fate*."""
    if game.counts_cards:
        return _why_counted(fate)
    if fate.verdict is Verdict.WINNABLE:
        if game.is_won(after):
            return "wins at once"
        if line is None:
            return "a win is proved"
        return f"wins in {plural(len(line), 'more move')}"
    if fate.verdict is Verdict.UNKNOWN:
        return f"not decided after {fate.positions:,} positions"
    if next(game.successors(after), None) is None:
        return "no move is left"
    if not fate.positions:
        return "every line fails: only positions known to be lost follow"
    return f"every line fails: {plural(fate.positions, 'position')} searched"


def _why_counted(fate: Fate) -> str:
    if fate.fewest_left is None:
        return f"not decided after {fate.positions:,} positions"
    cards = plural(fate.fewest_left, "card") if fate.fewest_left else "no card"
    return f"{cards} left at best"
