"""review: a line of play with the verdict after each move."""

from __future__ import annotations

from dataclasses import dataclass

from solver.analysis.reviews import BUDGET
from solver.analysis.reviews import review as go_through
from solver.cli.codes import Exit
from solver.cli.options import (
    AnswerOptions,
    AnswerTime,
    Budget,
    DealAndLineOptions,
    EngineOptions,
    OutputOptions,
)
from solver.cli.progress import watching
from solver.cli.terms import count_text, seconds_text
from solver.verdict import DEFAULT_LIMITS

TIME = seconds_text(DEFAULT_LIMITS.seconds)
QUESTION = count_text(BUDGET)
EXAMPLES = (
    "dealproof review decade 1 'QS+QD'",
    "dealproof review single-left 4 moves.txt",
    "dealproof solve single-left 4 --line | dealproof review single-left 4 -",
)


@dataclass(frozen=True)
class ReviewOptions(AnswerOptions):
    """As for a hint, with more time and a budget."""

    timeout: AnswerTime = TIME
    budget: Budget = QUESTION


def review(
    source: DealAndLineOptions,
    limits: ReviewOptions,
    search: EngineOptions,
    output: OutputOptions,
) -> int:
    """Play a line through: the verdict after each move, and the move that lost the win.

    Exit code 0 if nothing was given away, 1 if something was, 3 if that is not known.
    """
    game, given, line = source.take()
    with output.open() as out:
        with watching() as watch:
            watch.begin(given.label)
            found = go_through(
                game, given.what, line, limits=limits.limits, budget=limits.positions,
                **search.choice,
            )  # fmt: skip
        if output.json:
            from solver.show.json.analyses import reviewed

            out.json(reviewed(found, given.source))
        else:
            from solver.show.text.reviews import review_text, review_tree

            out.show(review_text(found, given.label))
            out.show()
            out.show(review_tree(found, out.glyphs))
    if found.blunders or found.between:
        return Exit.NO
    return Exit.DONE if found.settled else Exit.UNKNOWN
