"""Why a deal of Decade is lost: the best there is, and how little there was to choose.

The fewest cards left are what the search proves. At which moments a choice exists at all is
gathered over every position that play can reach, by the number of cards dealt.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.families.decade import Decade, DecadeState
from rules.moves import Move
from rules.referee import replay
from solver import reductions as _reductions
from solver.analysis.reasons.facts import Reasons, either, listed, plural
from solver.search.depth_first import search
from solver.search.playout import play_out
from solver.search.space import GameSpace
from solver.solve import search_state
from solver.verdict import Limits


def decade_reasons(game: Decade, state: DecadeState, limits: Limits) -> Reasons:
    """The reasons for *state*, which is lost."""
    if game.decision_free:
        outcome, ending = play_out(game, state, limits)
        line = outcome.line or ()
        end = replay(game, state, line)[1][-1]
        if ending == "drawn":
            text = f"Nothing is chosen: after {plural(len(line), 'move')} the position repeats."
        else:
            text = f"Nothing is chosen: {_left(game, end)} when play ends."
        return Reasons((text,), {"ending": ending, "choices_at": []}, line, ending is not None)
    outcome, _ = search_state(game, state, _reductions.available(game), limits)
    line = outcome.line or ()
    end = replay(game, state, line)[1][-1]
    space = _Watched(game, state)
    complete = search(space, limits).complete
    if outcome.complete:
        first = f"No line leaves fewer than {plural(outcome.best_left or 0, 'card')}."
    else:
        first = "The fewest cards that a line leaves were not found out within the limits."
    sentences = [first, f"The best line found leaves {_left(game, end)}."]
    if outcome.complete:
        sentences[1] = f"The best line leaves {_left(game, end)}."
    facts: dict[str, Any] = {
        "fewest_left": outcome.best_left if outcome.complete else None,
        "left": [None if stack is None else [str(card) for card in stack] for stack in end.stacks],
        "choices_at": sorted(space.choices) if complete else None,
    }
    if complete:
        sentences.append(_choices(game, space.choices))
    else:
        sentences.append("When choices exist was not found out within the limits.")
    return Reasons(tuple(sentences), facts, line, complete and outcome.complete)


class _Watched(GameSpace):
    """Every state of the rules; takes note of when there are two ways on that differ."""

    def __init__(self, game: Decade, state: DecadeState) -> None:
        super().__init__(game, state)
        self.choices: set[int] = set()
        self.successors = self._successors
        self.counts_cards = False
        self.is_won = self._goes_on

    def _goes_on(self, state: Any) -> bool:
        return False

    def _successors(self, state: Any) -> Iterator[tuple[Move, Any]]:
        found = list(self.game.successors(state))
        if len({self.game.key(after) for _, after in found}) > 1:
            self.choices.add(self.game.deck_size - len(state.stock))
        return iter(found)


def _left(game: Decade, end: DecadeState) -> str:
    piles = [stack for stack in end.stacks if stack]
    cards = sum(map(len, piles))
    return f"{plural(cards, 'card')} ({', '.join(listed(pile) for pile in piles)})"


def _choices(game: Decade, moments: set[int]) -> str:
    if not moments:
        return "There never is a choice: in every position all moves come to the same."
    total = game.deck_size
    if len(moments) > 12:
        return (
            f"A choice can exist at {len(moments)} of the {total} moments of the deal, from "
            f"{min(moments)} cards dealt to {max(moments)}."
        )
    cards = either((str(moment) for moment in sorted(moments)), "and")
    return (
        f"A choice can exist only when {cards} cards are dealt; everywhere else all moves come "
        "to the same."
    )
