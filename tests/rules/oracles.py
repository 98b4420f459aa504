"""The three families a second time: slow, literal, and sharing no code with `rules`.

Cards are two-letter texts, piles are lists, a position is a dict. Each family is two
functions: the position after the deal, and all positions one move away. `freeze` makes a
position hashable. Written from the rulings in words; nothing here may import `rules`.
"""

from __future__ import annotations

import itertools
from typing import Any

RANKS = "A23456789TJQK"

Position = dict[str, Any]


def rank(card: str) -> int:
    return RANKS.index(card[0]) + 1


def red(card: str) -> bool:
    return card[1] in "DH"


def freeze(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple((key, freeze(value[key])) for key in sorted(value))
    if isinstance(value, list):
        return tuple(freeze(entry) for entry in value)
    return value


def clone(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: clone(entry) for key, entry in value.items()}
    return [clone(entry) for entry in value] if isinstance(value, list) else value


# Pairing: any subset of the slots whose ranks are a removable set ------------------------


def pairing_start(deck: list[str], slots: int) -> Position:
    row = {number: card for number, card in enumerate(deck) if number < slots}
    return {"row": row, "stock": deck[slots:]}


def pairing_next(position: Position, sets: list[str]) -> list[Position]:
    wanted = [sorted(text) for text in sets]  # a set is a text of ranks, such as "A9"
    row = position["row"]
    found = []
    for size in range(1, 5):
        for slots in itertools.combinations(row, size):
            if sorted(row[slot][0] for slot in slots) not in wanted:
                continue
            after = clone(position)
            for slot in slots:
                del after["row"][slot]
            for slot in sorted(slots):
                if after["stock"]:
                    after["row"][slot] = after["stock"].pop(0)
            found.append(after)
    return found


def pairing_won(position: Position, must_go: str) -> bool:
    return all(card[0] not in must_go for card in [*position["row"].values(), *position["stock"]])


def pairing_class(position: Position) -> Any:
    """What is left when suits and places are forgotten."""
    return "".join(sorted(card[0] for card in position["row"].values())), len(position["stock"])


# Decade: every arc of the circle of a stack's cards --------------------------------------


def decade_start(deck: list[str], stacks: int, opening: int) -> Position:
    stock = list(deck)
    piles: list[list[str]] = [[] for _ in range(stacks)]
    dealt = 0
    while dealt < opening and stock:
        piles[dealt % stacks].append(stock.pop(0))
        dealt += 1
    return {"piles": piles, "stock": stock, "turn": dealt % stacks, "gone": []}


def decade_groups(pile: list[str], o: dict[str, Any]) -> set[frozenset[int]]:
    n = len(pile)
    groups = set()
    for first in range(n):
        for size in range(1, n + 1):
            places = [(first + step) % n for step in range(size)]
            wraps = first + size > n and size < n
            if wraps and not o["loop"]:
                continue
            if first + size > n and size == n:
                continue  # the whole stack, counted once already
            if not o["least"] <= size <= o["most"]:
                continue
            if o["top"] and n - 1 not in places:
                continue
            if sum(o["values"][rank(pile[place]) - 1] for place in places) in o["sums"]:
                groups.add(frozenset(places))
    return groups


def _pass_on(position: Position) -> None:
    """The turn goes on to the next stack that is not eliminated."""
    n = len(position["piles"])
    if len(position["gone"]) == n:
        position["turn"] = 0
        return
    while True:
        position["turn"] = (position["turn"] + 1) % n
        if position["turn"] not in position["gone"]:
            return


def decade_next(position: Position, o: dict[str, Any]) -> list[Position]:
    found = []
    for number, pile in enumerate(position["piles"]):
        for group in decade_groups(pile, o):
            after = clone(position)
            after["piles"][number] = [c for i, c in enumerate(pile) if i not in group]
            if o["returns"]:
                after["stock"] += [c for i, c in enumerate(pile) if i in group]
            if not after["piles"][number] and len(after["piles"]) > 1:
                after["gone"] = sorted([*after["gone"], number])
                if after["turn"] == number or len(after["gone"]) == len(after["piles"]):
                    _pass_on(after)
            found.append(after)
    may_deal = not (found and o["forced"])
    if may_deal and position["stock"] and len(position["gone"]) < len(position["piles"]):
        after = clone(position)
        after["piles"][after["turn"]].append(after["stock"].pop(0))
        _pass_on(after)
        found.append(after)
    return found


def decade_won(position: Position, win_at: int) -> bool:
    if len(position["piles"]) > 1:
        return len(position["gone"]) == len(position["piles"])
    return not position["stock"] and len(position["piles"][0]) <= win_at


def decade_class(position: Position, values: list[int]) -> Any:
    """What is left when only the cards' values count."""

    def worth(cards: list[str]) -> tuple[int, ...]:
        return tuple(values[rank(card) - 1] for card in cards)

    piles = tuple(worth(pile) for pile in position["piles"])
    return piles, worth(position["stock"]), position["turn"], tuple(position["gone"])


# Klondike: columns of [card, face up?]; home: the heights of each suit's foundations ------


def klondike_start(deck: list[str], o: dict[str, Any]) -> Position:
    """*o*: the options by name, with ``passes`` 0 for no limit."""
    columns, stock = o["columns"], list(deck)
    lengths = [number + 1 for number in range(columns)]
    down = list(range(columns))
    if o["layout"] == "yukon":
        lengths = [max(1, number) for number in range(columns)]
        turn = itertools.cycle(range(1, columns))
        while sum(lengths) < len(deck):
            lengths[next(turn)] += 1
    table: list[list[list[Any]]] = [[] for _ in range(columns)]
    for row in range(max(lengths)):
        for number, length in enumerate(lengths):
            if length > row:
                table[number].append([stock.pop(0), row >= down[number]])
    return {
        "home": {suit: [0] * o["decks"] for suit in "CDHS"},
        "table": table,
        "waste": [],
        "stock": stock,
        "passes": o["passes"],
    }


def builds(card: str, on: str, build: str) -> bool:
    if rank(card) + 1 != rank(on):
        return False
    if build == "suit":
        return card[1] == on[1]
    if build == "other-suit":
        return card[1] != on[1]
    return build == "any" or red(card) != red(on)


def movable(column: list[list[Any]], o: dict[str, Any]) -> int:
    """How many cards the longest movable part of a column has."""
    length = 0
    for place in range(len(column) - 1, -1, -1):
        card, face_up = column[place]
        if not face_up:
            break
        fits = not length or builds(column[place + 1][0], card, o["build"])
        if o["groups"] == "run" and not fits:
            break
        length += 1
    return length


def _turn_up(position: Position) -> None:
    for column in position["table"]:
        if column:
            column[-1][1] = True


def _fill_one(position: Position, number: int, fill: list[str]) -> bool:
    """Fill the empty column *number* from the first source that can give."""
    table = position["table"]
    for source in fill:
        if source == "stock" and position["stock"]:
            table[number].append([position["stock"].pop(0), True])
            return True
        if source == "waste" and position["waste"]:
            table[number].append([position["waste"].pop(), True])
            return True
        if source == "next-column" and number + 1 < len(table) and table[number + 1]:
            table[number] = [entry for entry in table[number + 1] if entry[1]]
            table[number + 1] = [entry for entry in table[number + 1] if not entry[1]]
            _turn_up(position)
            if not table[number + 1]:
                _fill_one(position, number + 1, fill)
            return True
    return False


def _settle(position: Position, o: dict[str, Any], empty: list[int]) -> Position:
    """Turn up and fill; *empty*: the columns that were empty before the move."""
    _turn_up(position)
    if o.get("once"):  # the other ruling: only when a column becomes empty
        for number, column in enumerate(position["table"]):
            if not column and number not in empty:
                _fill_one(position, number, o["fill"])
        return position
    while any(
        not column and _fill_one(position, number, o["fill"])
        for number, column in enumerate(position["table"])
    ):
        pass
    return position


def klondike_next(
    position: Position, o: dict[str, Any], *, any_space: bool = False
) -> list[Position]:
    """All positions one move away; what goes to a space goes to the leftmost, or to any."""
    found: list[Position] = []
    table = position["table"]
    empty = [number for number, column in enumerate(table) if not column]
    spaces = empty if any_space else empty[:1]
    sources: list[tuple[str | int, int]] = [
        (number, length)
        for number, column in enumerate(table)
        for length in range(1, movable(column, o) + 1)
    ]
    if position["waste"]:
        sources.append(("waste", 1))
    if o["returns"]:
        heights = position["home"]
        sources += [(f"{suit}{height}", 1) for suit in "CDHS" for height in set(heights[suit])
                    if height]  # fmt: skip

    def head_of(source: str | int, length: int) -> str:
        if source == "waste":
            return position["waste"][-1]
        if isinstance(source, str):
            return RANKS[int(source[1:]) - 1] + source[0]
        return table[source][-length][0]

    def take(after: Position, source: str | int, length: int) -> list[str]:
        if source == "waste":
            return [after["waste"].pop()]
        if isinstance(source, str):
            heights = after["home"][source[0]]
            heights.remove(int(source[1:]))
            heights.append(int(source[1:]) - 1)
            heights.sort()
            return [head_of(source, length)]
        cards = [card for card, _ in after["table"][source][-length:]]
        del after["table"][source][-length:]
        return cards

    for source, length in sources:
        head = head_of(source, length)
        home = source == "waste" or not isinstance(source, str)
        if home and length == 1 and rank(head) - 1 in position["home"][head[1]]:
            after = clone(position)
            take(after, source, 1)
            heights = after["home"][head[1]]
            heights.remove(rank(head) - 1)
            heights.append(rank(head))
            heights.sort()
            found.append(after)
        for goal, column in enumerate(table):
            onto = bool(column) and goal != source and builds(head, column[-1][0], o["build"])
            room = {"kings": rank(head) == o["ranks"], "any": True, "none": False}[o["spaces"]]
            if onto or (goal in spaces and room):
                after = clone(position)
                after["table"][goal] += [[card, True] for card in take(after, source, length)]
                found.append(after)
    if position["stock"]:
        after = clone(position)
        for _ in range(min(o["draw"], len(after["stock"]))):
            after["waste"].append(after["stock"].pop(0))
        found.append(after)
    elif position["waste"] and position["passes"] != 1:
        after = clone(position)
        after["stock"], after["waste"] = after["waste"], []
        after["passes"] = max(0, after["passes"] - 1)
        found.append(after)
    return [_settle(after, o, empty) for after in found]


def klondike_won(position: Position, ranks: int) -> bool:
    return all(height == ranks for heights in position["home"].values() for height in heights)


def klondike_class(position: Position, ordered: bool) -> Any:
    """What is left when the order of columns is forgotten (unless it matters)."""
    columns = [freeze(column) for column in position["table"]]
    rest = (position["home"], position["waste"], position["stock"], position["passes"])
    return tuple(columns if ordered else sorted(columns)), freeze(list(rest))


def klondike_truth(deck: list[str], o: dict[str, Any], most: int) -> bool | None:
    """Whether a deal can be won, over all positions; None if they are more than *most*."""
    ordered, any_space = "next-column" in o["fill"], bool(o.get("once"))
    start = klondike_start(deck, o)
    seen = {klondike_class(start, ordered)}
    pending = [start]
    while pending:
        position = pending.pop()
        if klondike_won(position, o["ranks"]):
            return True
        for after in klondike_next(position, o, any_space=any_space):
            key = klondike_class(after, ordered)
            if key not in seen:
                seen.add(key)
                pending.append(after)
        if len(seen) > most:
            return None
    return False
