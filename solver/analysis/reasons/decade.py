"""Why a deal of Decade is lost: the best there is, and how little there was to choose.

The fewest cards left are what the search proves. At which moments a choice exists at all is
gathered over every position that play can reach, by the number of cards dealt (of those on the
table, where discards come back to be dealt again).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.cards import Card
from rules.families.decade import Decade, DecadeState
from rules.game import Game, State
from rules.moves import Move
from rules.referee import replay
from rules.words import either, plural
from solver import reductions as _reductions
from solver.analysis.reasons.facts import Reasons, listed
from solver.search.depth_first import Outcome, search
from solver.search.playout import play_out
from solver.search.space import GameSpace
from solver.solve import search_state
from solver.verdict import Limits


def decade_reasons(
    game: Decade, state: DecadeState, limits: Limits, best: tuple[Move, ...] | None
) -> Reasons:
    """The reasons for *state*, which is lost; *best*: the line that is proved to leave fewest."""
    complete = best is not None
    if best is None:
        outcome = _best(game, state, limits)
        best, complete = outcome.line, outcome.complete
    if not complete:
        return Reasons((f"The fewest cards that a line leaves {_UNKNOWN}",), complete=False)
    if game.decision_free:
        return _played(game, state, best or ())
    space = _Watched(game, state)
    complete = search(space, limits).complete
    facts: dict[str, Any] = {"fewest_left": None, "left": None}
    sentences = ["In no line is the stock ever used up."]
    if best is not None:
        end = replay(game, state, best)[1][-1]
        fewest = len(_on_table(end))
        sentences = [
            f"No line leaves fewer than {plural(fewest, 'card')}.",
            f"The line given leaves {plural(fewest, 'card')}{_named(end)}.",
        ]
        left = [None if pile is None else [str(card) for card in pile] for pile in end.stacks]
        facts = {"fewest_left": fewest, "left": left}
    sentences.append(
        _when(game, space.choices) if complete else f"When there is a choice {_UNKNOWN}"
    )
    facts |= _choices(game, space.choices if complete else None)
    return Reasons(tuple(sentences), facts, best, complete)


_UNKNOWN = "was not found out within the limits."


def _best(game: Decade, state: DecadeState, limits: Limits) -> Outcome:
    if game.decision_free:
        return play_out(game, state, limits)[0]
    return search_state(game, state, _reductions.available(game), limits)[0]


def _played(game: Decade, state: DecadeState, line: tuple[Move, ...]) -> Reasons:
    """The reasons where nothing is chosen and play takes *line*."""
    states = replay(game, state, line)[1]
    drawn = game.key(states[-1]) in map(game.key, states[:-1])
    left = len(_on_table(states[-1]))
    if drawn:
        what = f"after {plural(len(line), 'move')} the position repeats"
    else:
        are = "card is" if left == 1 else "cards are"
        what = f"at the end {left} {are} left{_named(states[-1])}"
    facts = {"ending": "drawn" if drawn else "lost", **_choices(game, set())}
    return Reasons((f"Nothing is chosen, and {what}.",), facts, line)


class _Watched(GameSpace):
    """Every state of the rules; takes note of when there are two ways on that differ."""

    def __init__(self, game: Decade, state: DecadeState) -> None:
        super().__init__(game, state)
        self.choices: set[int] = set()
        self.successors = self._successors
        self.counts_cards = False
        self.is_won = self._goes_on

    def _goes_on(self, state: State) -> bool:
        return False

    def _successors(self, state: State) -> Iterator[tuple[Move, Any]]:
        found = list(self.game.successors(state))
        if len({self.game.key(after) for _, after in found}) > 1:
            self.choices.add(_moment(self.game, state))
        return iter(found)


def _moment(game: Game, state: DecadeState) -> int:
    """The cards dealt; where they come back to the stock, and are dealt again, those in view."""
    if game.options["returns"]:
        return len(_on_table(state))
    return game.deck_size - len(state.stock)


def _on_table(state: DecadeState) -> list[Card]:
    return [card for stack in state.stacks for card in stack or ()]


def _named(end: DecadeState) -> str:
    """The cards left, stack by stack, after a colon; nothing if there are none."""
    piles = ", ".join(listed(stack) for stack in end.stacks if stack)
    return f": {piles}" if piles else ""


def _choices(game: Decade, moments: set[int] | None) -> dict[str, Any]:
    found = None if moments is None else sorted(moments)
    return {
        "choices_at": None if game.returns else found,
        "choices_on_table": found if game.returns else None,
    }


def _when(game: Decade, moments: set[int]) -> str:
    if not moments:
        return "There never is a choice: in every position all moves come to the same."
    what = "on the table" if game.returns else "dealt"
    if len(moments) > 12:
        first, last = plural(min(moments), "card"), plural(max(moments), "card")
        return (
            f"There can be a choice at {len(moments)} different times, from {first} to {last} "
            f"{what}."
        )
    numbers = either(map(str, sorted(moments)))
    cards = "card is" if moments == {1} else "cards are"
    return (
        f"There can be a choice only when {numbers} {cards} {what}; at any other time all moves "
        "come to the same."
    )
