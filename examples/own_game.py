"""A game of one's own from a small TOML file: its rules, its odds, its deals."""

from pathlib import Path

from dealproof import odds, solve
from rules import load_game


def main() -> None:
    elevens = load_game(Path(__file__).with_name("elevens.toml"))
    print(elevens.title, dict(elevens.changed_options()))
    won = [deal for deal in range(1, 100) if solve(elevens, deal).verdict == "winnable"]
    print(f"of deals 1-99 these can be won: {won}")
    print(f"of all shuffles {float(odds(elevens).winning):.4%}")

    easier = elevens.with_options({"slots": "10"})
    print(f"with ten slots {float(odds(easier).winning):.4%}")


if __name__ == "__main__":
    main()
