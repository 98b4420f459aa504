"""Is this deal winnable?  python is_it_winnable.py [GAME DEAL]"""

import sys

from dealproof import Verdict, solve


def main(game: str = "single-left", deal: str = "4") -> None:
    result = solve(game, deal)
    stats = result.stats
    print(f"{result.game.title}, {result.deal.label}: {result.verdict.value}")
    print(f"{stats.positions:,} positions looked at, {stats.seconds:.2f} s")
    if result.verdict is Verdict.UNKNOWN:
        print(f"not decided: the {result.limit} limit was reached")
    elif result.line is not None:
        print(f"it can be done in {len(result.line)} moves, such as {result.line[0]} first")


if __name__ == "__main__":
    main(*sys.argv[1:])
