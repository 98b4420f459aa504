"""How long a hint takes: ``python -m benchmarks.hints [GAME [POSITIONS [SEED]]]``.

Positions in the middle of a game, one a deal from deal 1 on: every other one after 5 to 60
legal moves at random, the rest from 5 to 60 moves along the solver's line where the deal can be
won. Each is asked about in a new session, which knows nothing yet (the slowest case), with the
command's limit of 10 seconds. Prints quantiles and how many hints left a move undecided.
"""

from __future__ import annotations

import random
import sys
import time

from dealproof import Limits, solve
from rules import Deal, get_game, replay
from solver.analysis.hints import hint_at
from solver.analysis.session import Session


def main(name: str = "single-left", positions: int = 200, seed: int = 1) -> None:
    """Measure and print."""
    game, rng = get_game(name), random.Random(seed)
    hint_at(Session(game, start := game.initial(Deal.parse("4").deck)), start)  # compile
    times, undecided, number = [], 0, 0
    while len(times) < positions:
        number += 1
        deal = Deal.parse(str(number))
        state, moves = game.initial(deal.deck), rng.randint(5, 60)
        line = solve(game, deal).line if number % 2 else None
        if line is not None:
            state = replay(game, state, line[:moves])[1][-1]
        else:
            for _ in range(moves):
                ahead = [after for _, after in game.successors(state)]
                if not ahead:
                    break
                state = rng.choice(ahead)
        if not game.legal_moves(state) or game.is_won(state):
            continue
        began = time.perf_counter()
        found = hint_at(Session(game, state), state, limits=Limits(10))
        times.append(time.perf_counter() - began)
        undecided += any(not option.fate.decided for option in found.options)
    times.sort()
    for share in (50, 90, 95, 99, 100):
        print(f"{share:>4} %  {times[min(len(times) - 1, len(times) * share // 100)]:.3f} s")
    within = sum(seconds <= 2 for seconds in times)
    print(f"{within} of {len(times)} within 2 s; {undecided} left a move undecided")


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*given[:1], *map(int, given[1:3]))
