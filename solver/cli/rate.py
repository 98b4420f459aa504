"""rate: how hard deals are to win, with the figures behind it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Annotated

from solver.analysis.ratings import BUDGET, PLAYS, Rating
from solver.analysis.ratings import rate as judge
from solver.cli.codes import Exit, exit_code
from solver.cli.inputs import Given, Givens
from solver.cli.options import (
    Budget,
    DealsOptions,
    EngineOptions,
    LimitOptions,
    OutputOptions,
    opt,
)
from solver.cli.output import Output
from solver.cli.progress import Watch, watching
from solver.cli.terms import count_text, parse_count

QUESTION = count_text(BUDGET)
EXAMPLES = (
    "dealproof rate single-left 4",
    "dealproof rate single-left 1-20",
    "dealproof rate decade 1-5 --plays 10000 --json",
)


def rate(
    source: DealsOptions,
    limits: LimitOptions,
    search: EngineOptions,
    output: OutputOptions,
    plays: Annotated[int, opt("--plays N", "Games of each player.", least=1, most=10**7)] = PLAYS,
    seed: Annotated[
        int,
        opt(
            "--seed N", "Seed of the games; the same seed gives the same figures.",
            least=0, most=(1 << 64) - 1,
        ),
    ] = 0,
    budget: Budget = QUESTION,
) -> int:  # fmt: skip
    """Rate how hard deals are to win, from trivial to fiendish, with the figures behind it.

    The word goes by the guesswork: the bits of luck that one needs to win along the line found
    without looking ahead. The exit code tells the verdict on one deal; for several it is 0
    when all are done.
    """
    positions = parse_count(budget, "--budget")
    game, givens = source.take()

    def answer(given: Given) -> Rating:
        return judge(
            game, given.what, limits=limits.limits, budget=positions, plays=plays, seed=seed,
            **search.choice,
        )  # fmt: skip

    with output.open() as out, watching(givens.total) as watch:
        if givens.total > 1 and not output.json:
            _show_many(out, givens, answer, watch)
            return Exit.DONE
        for given in givens.deals:
            watch.begin(given.label)
            found = answer(given)
            watch.finish(found.result.verdict)
            if output.json:
                from solver.show.json.analyses import rated

                out.json(rated(found, given.source))
            else:
                from solver.show.text.ratings import rating_text

                out.show(rating_text(found, given.label, out.glyphs))
    return exit_code(found.result.verdict) if givens.total == 1 else Exit.DONE


def _show_many(
    out: Output, givens: Givens, answer: Callable[[Given], Rating], watch: Watch
) -> None:
    """A row for each deal, and the totals, also of an interrupted run."""
    from solver.show.text.ratings import rating_head, rating_row, spread_text

    words: Counter[str] = Counter()
    out.show(rating_head(), wrap=False)
    try:
        for given in givens.deals:
            watch.begin(given.label)
            found = answer(given)
            watch.finish(found.result.verdict)
            words[found.word or ""] += 1
            out.show(rating_row(found, given.name), wrap=False)
    finally:
        if words:
            out.show(spread_text(words))
