"""A winning line, move by move, and the table as it comes to lie.  python winning_line.py"""

from dealproof import solve
from rules import Position, get_game, parse_line


def main() -> None:
    game = get_game("decade-loop-three")
    result = solve(game, 95)
    assert result.line is not None
    for number, move in enumerate(result.line[:8], 1):
        cards = " ".join(card.pretty for card in move.shown or move.cards)
        print(f"{number:2}  {move.kind:<7} {cards}")
    print(f"... {len(result.line)} moves in all")

    # Moves have a text form, and a position can be written down and read again.
    position = Position.after(game, result.deal, result.line[:8])
    assert parse_line(" ".join(map(str, result.line))) == result.line
    assert Position.parse(position.text(), game) == position
    print(position.text(), end="")


if __name__ == "__main__":
    main()
