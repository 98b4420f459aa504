"""Deals for a game that one makes: the next ones that can be won and are not too easy."""

from itertools import islice

from dealproof import Wanted, find


def main() -> None:
    wanted = Wanted("winnable", words=frozenset({"easy", "fair", "hard"}))
    for found in islice(find("decade", wanted, first=1), 3):
        print(f"deal {found.row.deal:<4} {found.word}, {found.guesswork:.1f} bits of guesswork")


if __name__ == "__main__":
    main()
