"""Whether a look for wins before the proof pays: ``python -m benchmarks.probe [GAME [DEALS]]``.

For deals 1 to DEALS of a klondike game: the time of the proofs; then for several
numbers of greedy games, played in the positions of the full search (all reductions), what the
games take on all deals, how many deals they win, and the time of the proofs that they spare.
All times are of this process alone (CPU). A probe pays if it spares more than it takes.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from rules import Deal, get_game
from solver import reductions
from solver.analysis.ratings import MOST_MOVES
from solver.kernels import warm
from solver.kernels.klondike.playouts import play_left
from solver.kernels.klondike.search import RunsSearch
from solver.kernels.registers import MARGIN
from solver.verdict import Limits

PLAYS = (1, 10, 100, 1_000)
LIMITS = Limits(None, None, 8 << 30)


def main(name: str = "single-left", deals: int = 1_000) -> None:
    """Measure and print."""
    game = get_game(name)
    names = reductions.select(game, "all")
    warm(game, names)
    out = np.zeros((MARGIN, 2), np.int64)
    proofs = []  # by deal: positions, seconds, won
    probes: dict[int, list[tuple[float, bool]]] = {plays: [] for plays in PLAYS}
    _probe(RunsSearch(game, game.initial(Deal.parse("1").deck), names), 1, 1, out)  # compile
    for number in range(1, deals + 1):
        search = RunsSearch(game, game.initial(Deal.parse(str(number)).deck), names, LIMITS)
        began = time.process_time()
        search.go()
        taken = time.process_time() - began
        proofs.append((search.positions, taken, search.won))
        for plays in PLAYS:
            probes[plays].append(_probe(search, number, plays, out))
    whole = sum(seconds for _, seconds, _ in proofs)
    won = [proof for proof in proofs if proof[2]]
    print(
        f"{name} 1-{deals}: proofs {whole:.1f} s, {sum(p for p, _, _ in proofs):,} positions; "
        f"{len(won)} winnable, {sum(s for _, s, _ in won):.1f} s, {sum(p for p, _, _ in won):,}"
    )
    for plays, tried in probes.items():
        takes = sum(seconds for seconds, _ in tried)
        spared = sum(proof[1] for proof, (_, found) in zip(proofs, tried, strict=True) if found)
        print(
            f"{plays:>6} games a deal: take {takes:.1f} s, win {sum(f for _, f in tried)} deals, "
            f"spare {spared:.1f} s; in all {(whole + takes - spared) / whole:.3f} of the time"
        )


def _probe(search: RunsSearch, seed: int, plays: int, out: Any) -> tuple[float, bool]:
    """The time that up to *plays* games of a deal take, and whether one of them is won."""
    word0, word1 = map(np.int64, search.code.pack(search.space.start))
    state, found = np.uint64(seed), 0
    began = time.process_time()
    for _ in range(plays):
        found, state = play_left(
            search.words, word0, word1, np.uint64(state), True, 1, MOST_MOVES, out
        )
        if found:
            break
    return time.process_time() - began, bool(found)


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*given[:1], *map(int, given[1:2]))
