"""Each family against a second enumeration (`oracles`), over small random decks.

Position by position: the *sets* of positions at every depth are equal, so are the won ones,
and the number of canonical keys is the number of classes that the oracle itself makes out.
"""

from __future__ import annotations

import contextlib
import itertools
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from rules import Deck, Game, OptionError
from rules.families.decade import Decade
from rules.families.klondike import SOURCES, Klondike
from rules.families.pairing import Pairing, parse_rank_set
from solver.search.depth_first import search
from solver.search.space import GameSpace
from solver.verdict import Verdict
from tests.perft import layers
from tests.rules import oracles as o

Next = Callable[[o.Position], list[o.Position]]


def shuffled(rng: random.Random, ranks: int, packs: int = 1) -> list[str]:
    cards = [rank + suit for rank in o.RANKS[:ranks] for suit in "CDHS"] * packs
    rng.shuffle(cards)
    return cards


def compare(
    game: Game[Any],
    deck: list[str],
    start: o.Position,
    following: Next,
    convert: Callable[[Any], o.Position],
    won: Callable[[o.Position], bool],
    classify: Callable[[o.Position], Any],
    most: int,
) -> tuple[int, int, int]:
    """Positions compared, how many of them are won, and how many classes they fall into."""
    first = game.initial(Deck.parse(" ".join(deck), game.ranks, game.packs))
    layer = {o.freeze(start): start}
    total = wins = classes = 0
    raw, keyed = layers(game, first), layers(game, first, keyed=True)
    for depth in itertools.count():
        states = list(next(raw, ()))
        here = f"{game!r}, deck {' '.join(deck)}, depth {depth}"
        ours = {o.freeze(convert(state)): game.is_won(state) for state in states}
        theirs = {frozen: won(position) for frozen, position in layer.items()}
        assert len(ours) == len(states), here
        assert ours == theirs, here
        kinds = {classify(position) for position in layer.values()}
        assert len(next(keyed, ())) == len(kinds), here
        total, wins, classes = total + len(ours), wins + sum(ours.values()), classes + len(kinds)
        if not layer or total > most:
            return total, wins, classes
        moved = [after for position in layer.values() for after in following(position)]
        layer = {o.freeze(after): after for after in moved}
    raise AssertionError("unreachable")


# Pairing ---------------------------------------------------------------------------------

SETS = ("A9", "28", "37", "46", "55", "T", "JJJJ", "QQ", "KKK")
SMALL_SETS = ("A", "AA", "A2", "A3", "22", "23", "A4", "33", "3344", "222", "4", "A23", "AAAA")


def pairing_case(seed: int, most: int) -> tuple[int, int, int]:
    rng = random.Random(f"pairing {seed}")
    if seed % 4:
        ranks = rng.randint(2, 4)
        sets = rng.sample(SMALL_SETS, rng.randint(2, 6))  # overlapping, as a rule
    else:
        ranks, sets = 13, list(SETS)
    slots = rng.randint(2, 7) if ranks < 13 else rng.randint(8, 11)
    must_go = "".join(rng.sample(o.RANKS, rng.randint(1, 13)))
    game = Pairing(
        "small",
        {
            "slots": slots,
            "removable": ["+".join(text) for text in sets],
            "must_go": list(must_go),
            "ranks": ranks,
        },
    )
    overlap = len("".join("".join(sorted(set(s))) for s in sets)) > len(set("".join(sets)))
    if not overlap:
        assert game.decision_free
    deck = shuffled(rng, ranks)
    inside = [text for text in sets if max(parse_rank_set("+".join(text))) <= ranks]

    def convert(state: Any) -> o.Position:
        row = {n: str(card) for n, card in enumerate(state.slots) if card is not None}
        return {"row": row, "stock": [str(card) for card in state.stock]}

    return compare(
        game, deck, o.pairing_start(deck, slots),
        lambda position: o.pairing_next(position, inside),
        convert,
        lambda position: o.pairing_won(position, must_go),
        o.pairing_class, most,
    )  # fmt: skip


# Decade ----------------------------------------------------------------------------------


def decade_case(seed: int, most: int) -> tuple[int, int, int]:
    """Sixteen combinations of loop, top, forced and returns; one stack or several."""
    rng = random.Random(f"decade {seed}")
    loop, top, forced, returns = (bool(seed >> bit & 1) for bit in range(4))
    stacks = rng.choice((1, 1, 2, 3, 4))
    ranks = rng.randint(1, 4) if not forced or returns else rng.randint(2, 7)
    least = rng.choice((1, 2, 2, 2, 3))
    group_max = rng.choice((None, None, least, least + 1, 3 + least))
    sums = rng.sample(range(1, 13), rng.randint(1, 3))
    values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    if rng.random() < 0.3:
        values = [rng.randint(0, 5) for _ in range(13)]
    opening = rng.choice((None, 1, 3, 5))
    win_at = rng.randint(0, 4) if stacks == 1 else 0
    game = Decade(
        "small",
        {
            "loop": loop,
            "where": "top" if top else "anywhere",
            "forced": forced,
            "returns": returns,
            "stacks": stacks,
            "ranks": ranks,
            "group_min": least,
            "group_max": "none" if group_max is None else group_max,
            "sums": sums,
            "values": values,
            "opening": "none" if opening is None else opening,
            "win_at": win_at,
        },
    )
    deck = shuffled(rng, ranks)
    options = {
        "loop": loop, "top": top, "forced": forced, "returns": returns, "values": values,
        "least": least, "most": 52 if group_max is None else group_max, "sums": sums,
    }  # fmt: skip
    if opening is None:
        opening = 3 if stacks == 1 else 1

    def convert(state: Any) -> o.Position:
        return {
            "piles": [[str(card) for card in stack or ()] for stack in state.stacks],
            "stock": [str(card) for card in state.stock],
            "turn": state.turn,
            "gone": [number for number, stack in enumerate(state.stacks) if stack is None],
        }

    return compare(
        game, deck, o.decade_start(deck, stacks, opening),
        lambda position: o.decade_next(position, options),
        convert,
        lambda position: o.decade_won(position, win_at),
        lambda position: o.decade_class(position, values), most,
    )  # fmt: skip


# Klondike ------------------------------------------------------------------------------------

FILLS = [fill for size in range(4) for fill in itertools.permutations(SOURCES, size)]


def klondike_case(fill: tuple[str, ...], seed: int, most: int) -> tuple[int, int, int]:
    game, options = klondike_game(fill, random.Random(f"left {seed}"))
    deck = shuffled(random.Random(f"deck {seed}"), options["ranks"], options["decks"])
    ordered = "next-column" in fill
    return compare(
        game, deck, o.klondike_start(deck, options),
        lambda position: o.klondike_next(position, options),
        lambda state: as_oracle(game, state),
        lambda position: o.klondike_won(position, options["ranks"]),
        lambda position: o.klondike_class(position, ordered), most,
    )  # fmt: skip


def klondike_game(fill: tuple[str, ...], rng: random.Random) -> tuple[Klondike, dict[str, Any]]:
    """A small game with any of the options, and the options as the oracle takes them."""
    while True:
        options: dict[str, Any] = {
            "fill": list(fill),
            "ranks": rng.randint(1, 4),
            "decks": rng.choice((1, 1, 1, 2, 3)),
            "columns": rng.randint(1, 5),
            "layout": rng.choice(("triangle", "triangle", "yukon")),
            "groups": rng.choice(("run", "run", "any")),
            "build": rng.choice(("alternate", "alternate", "suit", "any", "other-suit")),
            "returns": rng.choice((True, False)),
            "spaces": "kings" if fill else rng.choice(("kings", "any", "none")),
            "passes": rng.choice((1, 1, 2, 3, "unlimited")),
            "draw": rng.choice((1, 1, 2, 3)),
        }
        if options["layout"] == "yukon":
            options |= {"passes": 1, "draw": 1}
        with contextlib.suppress(OptionError):
            game = Klondike("small", options)
            return game, options | {"passes": game.passes}


def as_oracle(game: Klondike, state: Any) -> o.Position:
    packs = game.packs
    return {
        "home": {
            suit: sorted(state.foundations[i * packs : (i + 1) * packs])
            for i, suit in enumerate("CDHS")
        },
        "table": [
            [[str(card), False] for card in down] + [[str(card), True] for card in up]
            for down, up in state.columns
        ],
        "waste": [str(card) for card in state.waste],
        "stock": [str(card) for card in state.stock],
        "passes": state.passes,
    }


# What is run -----------------------------------------------------------------------------


def check(results: list[tuple[int, int, int]], *, merged: bool = True) -> None:
    """The comparison was about something: many positions, wins and coinciding keys."""
    positions, wins, classes = (sum(column) for column in zip(*results, strict=True))
    assert positions > 15 * len(results)
    assert wins > 0
    assert (classes < positions) is merged


def test_pairing() -> None:
    check([pairing_case(seed, 80) for seed in range(200)])


def test_decade() -> None:
    check([decade_case(seed, 100) for seed in range(320)])


@pytest.mark.parametrize("fill", FILLS, ids=lambda fill: ",".join(fill) or "none")
def test_klondike(fill: tuple[str, ...]) -> None:
    results = [klondike_case(fill, seed, 120) for seed in range(24)]
    check(results, merged="next-column" not in fill)


@pytest.mark.parametrize("fill", [(), ("stock", "waste"), ("next-column",)], ids=str)
def test_klondike_verdicts(fill: tuple[str, ...]) -> None:
    """Whatever the options, plain search and the oracle come to the same verdicts."""
    verdicts: Counter[Verdict] = Counter()
    for seed in range(40):
        game, options = klondike_game(fill, random.Random(f"verdict {seed}"))
        deck = shuffled(random.Random(f"verdict deck {seed}"), options["ranks"], options["decks"])
        truth = o.klondike_truth(deck, options, 300)
        if truth is None:
            continue
        start = game.initial(Deck.parse(" ".join(deck), game.ranks, game.packs))
        outcome = search(GameSpace(game, start))
        assert outcome.verdict is (Verdict.WINNABLE if truth else Verdict.UNWINNABLE), game
        verdicts[outcome.verdict] += 1
    assert min(verdicts[Verdict.WINNABLE], verdicts[Verdict.UNWINNABLE]) > 0, verdicts


@pytest.mark.parametrize(("layout", "columns"), [("triangle", 5), ("yukon", 4)])
def test_filling_once_or_whenever_a_source_can_give(layout: str, columns: int) -> None:
    """Two rulings: a gap fills whenever a source can give; or only when the column empties.

    No deck is known on which they differ (see ``docs/soundness.md``).
    """
    verdicts: Counter[bool | None] = Counter()
    for seed in range(24):
        rng = random.Random(f"once {layout} {seed}")
        options: dict[str, Any] = {
            "fill": ["next-column"], "ranks": 4, "decks": 1, "columns": columns, "layout": layout,
            "groups": "run" if layout == "triangle" else "any", "build": "suit", "draw": 1,
            "returns": False, "spaces": "kings", "passes": 1,
        }  # fmt: skip
        deck = shuffled(rng, 4)
        truth = o.klondike_truth(deck, options, 400)
        other = o.klondike_truth(deck, options | {"once": True}, 800)
        if None not in (truth, other):
            assert truth == other, (options, deck)
            verdicts[truth] += 1
    assert min(verdicts[True], verdicts[False]) > 1, verdicts


def test_kings_to_the_leftmost_space_lose_nothing() -> None:
    """The rules put a king into the leftmost space only; any other space leads to the same."""
    several = 0
    for seed, fill in itertools.product(range(6), FILLS):
        rng = random.Random(f"spaces {seed}")
        ranks = rng.randint(2, 3)
        columns = rng.randint(3, 4) if ranks == 3 else 3
        draw = rng.randint(1, 2)
        options = {
            "fill": list(fill), "build": "alternate", "ranks": ranks, "draw": draw, "passes": 1,
            "columns": columns, "layout": "triangle", "groups": "run", "returns": False,
            "spaces": "kings", "decks": 1,
        }  # fmt: skip
        ordered = "next-column" in fill
        start = o.klondike_start(shuffled(rng, ranks), options)
        narrow = wide = {o.klondike_class(start, ordered): start}
        for _ in range(24):  # kings can go to and fro for ever
            if not 0 < len(narrow) < 60:
                break
            spaces = [sum(not column for column in p["table"]) for p in narrow.values()]
            several += sum(count > 1 for count in spaces)
            narrow, wide = (
                {
                    o.klondike_class(after, ordered): after
                    for position in layer.values()
                    for after in o.klondike_next(position, options, any_space=any_space)
                }
                for layer, any_space in ((narrow, False), (wide, True))
            )
            assert narrow.keys() == wide.keys(), (seed, fill)
    assert several > 50


@pytest.mark.slow
def test_pairing_at_length() -> None:
    check([pairing_case(seed, 3000) for seed in range(1000, 3000)])


@pytest.mark.slow
def test_decade_at_length() -> None:
    check([decade_case(seed, 3000) for seed in range(1000, 3000)])


@pytest.mark.slow
@pytest.mark.parametrize("fill", FILLS, ids=lambda fill: ",".join(fill) or "none")
def test_klondike_at_length(fill: tuple[str, ...]) -> None:
    check(
        [klondike_case(fill, seed, 2000) for seed in range(1000, 1200)],
        merged="next-column" not in fill,
    )


@pytest.mark.slow
def test_filling_at_length() -> None:
    """The two rulings on many more decks, with several lists of fills, passes and layouts."""
    verdicts: Counter[bool | None] = Counter()
    for seed in range(1000):
        rng = random.Random(f"filling {seed}")
        yukon = rng.random() < 0.3
        fill = ["next-column"] if yukon else list(rng.choice(FILLS[1:]))
        ranks, columns = rng.choice(((4, 4), (5, 4), (4, 5)) if yukon else ((4, 5), (4, 5), (5, 5)))
        options: dict[str, Any] = {
            "fill": fill, "ranks": ranks, "decks": 1, "columns": columns,
            "layout": "yukon" if yukon else "triangle", "groups": "any" if yukon else "run",
            "build": rng.choice(("alternate", "suit", "suit")), "draw": 1, "returns": False,
            "spaces": "kings", "passes": 1 if yukon else rng.choice((1, 0)),
        }  # fmt: skip
        deck = shuffled(rng, ranks)
        truth = o.klondike_truth(deck, options, 1000)
        other = o.klondike_truth(deck, options | {"once": True}, 2000)
        if None not in (truth, other):
            assert truth == other, (options, deck)
            verdicts[truth] += 1
    print(verdicts)
    assert min(verdicts.values()) > 100
