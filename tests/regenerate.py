"""Write the golden files anew: ``python -m tests.regenerate [GAME ... | schemas]``.

A golden file is ``fixtures/perft/<name>.json``: the options in force and, deal by deal, the
numbers of different states and of different keys at each depth, how many of the states are
won, and one line of play (at its n-th step, counted from 0, the move number
``(7 n + 3) mod moves``) with what is on the table at its end. Deals are taken from 1 up
until the file covers enough positions. Every registered game has a file of its name;
`VARIANTS` adds options that no registered game uses. Regenerate only when the rules are
meant to change, and read the difference.

``schemas`` writes ``fixtures/schemas/<command>.json``: the JSON Schemas of what commands print.
"""

from __future__ import annotations

import json
import sys
from itertools import count, islice
from pathlib import Path
from typing import Any

from rules import Game, all_games, get_game
from tests.perft import layers, perft

PERFT = Path(__file__).parent.parent / "fixtures" / "perft"
SCHEMAS = PERFT.parent / "schemas"

FEW, MANY = 2_000, 6_000  # a file covers at least FEW states or 40 deals; a deal at most ~MANY
MOST_DEALS, MOST_PLIES = 40, 200

VARIANTS: dict[str, tuple[str, dict[str, str]]] = {
    "pairing-overlap": ("block-ten", {"removable": "A+9,2+8,3+7,4+6,5+5,A+A,9+T,J+Q+K"}),
    "decade-unforced": ("decade", {"forced": "false"}),
    "decade-unforced-loop-top": (
        "decade",
        {"forced": "false", "loop": "true", "where": "top", "group_min": "3", "group_max": "3",
         "win_at": "1"},
    ),
    "decade-three-stacks-returns": ("decade", {"stacks": "3", "returns": "true", "loop": "true"}),
    "klondike-small": ("klondike", {"ranks": "4", "columns": "4"}),
    "klondike-small-packs": ("klondike-one", {"ranks": "3", "columns": "4", "decks": "2"}),
    "klondike-spaces-any": ("klondike", {"ranks": "4", "columns": "4", "spaces": "any"}),
    "klondike-spaces-none": ("klondike-vegas", {"ranks": "5", "columns": "4", "spaces": "none"}),
    "klondike-groups-any": (
        "klondike-one", {"ranks": "4", "columns": "3", "groups": "any", "build": "any"},
    ),
    "klondike-small-left": (
        "moving-left",
        {"ranks": "3", "columns": "5", "draw": "2", "passes": "2", "returns": "true"},
    ),
    "yukon-small": ("yukon", {"ranks": "5", "columns": "4"}),
    "yukon-small-packs": ("yukon", {"ranks": "3", "columns": "4", "decks": "2"}),
    "yukon-small-runs": ("moosehide", {"ranks": "4", "columns": "4", "groups": "run"}),
    "yukon-small-left": ("yakutat-bay", {"ranks": "4", "columns": "4", "returns": "true"}),
    "left-no-fill": ("single-left", {"fill": "none"}),
    "left-stock-next-waste": ("single-left", {"fill": "stock,next-column,waste"}),
    "left-waste-stock": ("single-left", {"fill": "waste,stock"}),
    "left-draw-redeal-suit": (
        "single-left", {"fill": "waste", "draw": "3", "passes": "3", "build": "suit"},
    ),
}  # fmt: skip


def golden_games() -> dict[str, Game[Any]]:
    """Every game that a golden file pins, by the file's name."""
    games = {game.name: game for game in all_games()}
    return games | {
        name: get_game(base).with_options(changes) for name, (base, changes) in VARIANTS.items()
    }


def table(game: Game[Any], state: Any) -> dict[str, str]:
    """What lies on the table, pile by pile, in text; face-down cards in parentheses."""
    shown = {}
    for pile in game.layout(state):
        cards = [f"({c})" if n < pile.face_down else f"{c}" for n, c in enumerate(pile.cards)]
        shown[f"{pile.role} {pile.label}"] = "gone" if pile.gone else " ".join(cards)
    return shown


def play_line(game: Game[Any], state: Any) -> tuple[list[str], Any]:
    """The golden line of play from *state* (at most 200 moves), and the state at its end."""
    line = []
    for step in range(200):
        moves = list(game.successors(state))
        if not moves:
            break
        move, state = moves[(7 * step + 3) % len(moves)]
        line.append(str(move))
    return line, state


def golden_deal(game: Game[Any], name: str, depth: int | None = None) -> dict[str, Any]:
    """The golden entry of one deal; its depth is found, or given."""
    start = game.initial(game.deal(name).deck)
    states: list[int] = []
    won: list[int] = []
    for layer in islice(layers(game, start), MOST_PLIES if depth is None else depth + 1):
        states.append(len(layer))
        won.append(sum(map(game.is_won, layer)))
        if depth is None and sum(states) > MANY:
            break
    line, end = play_line(game, start)
    return {
        "depth": len(states) - 1,
        "states": states,
        "keys": perft(game, start, len(states) - 1, keyed=True),
        "won": won,
        "line": " ".join(line),
        "ends": table(game, end),
    }


def golden(game: Game[Any]) -> dict[str, Any]:
    """The golden file of one game."""
    deals: dict[str, Any] = {}
    for number in count(1):
        deals[str(number)] = golden_deal(game, str(number))
        covered = sum(sum(deal["states"]) for deal in deals.values())
        if covered >= FEW or number == MOST_DEALS:
            break
    return {"game": game.name, "options": game.all_options(), "deals": deals}


def dump(data: dict[str, Any]) -> str:
    """JSON with a line for each list and each line of play."""

    def write(value: Any, indent: str) -> str:
        if not isinstance(value, dict):
            return json.dumps(value)
        inner = indent + " "
        rows = (f"{inner}{json.dumps(key)}: {write(entry, inner)}" for key, entry in value.items())
        return "{\n" + ",\n".join(rows) + "\n" + indent + "}"

    return write(data, "") + "\n"


def write_schemas() -> None:
    from solver.show.json.schemas import schema, schema_names

    SCHEMAS.mkdir(parents=True, exist_ok=True)
    for name in schema_names():
        text = json.dumps(schema(name), indent=1) + "\n"
        (SCHEMAS / f"{name}.json").write_text(text, encoding="utf-8")


def main(names: list[str]) -> None:
    if names == ["schemas"]:
        write_schemas()
        return
    games = golden_games()
    PERFT.mkdir(parents=True, exist_ok=True)
    for name in names or games:
        (PERFT / f"{name}.json").write_text(dump(golden(games[name])), encoding="utf-8")
    if not names:
        for path in PERFT.glob("*.json"):
            if path.stem not in games:
                path.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
