"""Hypothesis strategies: cards, decks, moves, games with any options, and reachable states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from hypothesis import strategies as st

from rules import Card, Deck, Game, Move, OptionError
from rules.cards import RANKS
from rules.moves import FOUNDATION, SPACE
from rules.options import Option
from rules.registry import families

CARDS = st.builds(Card, st.integers(0, 51))


@st.composite
def decks(draw: st.DrawFn, ranks: int | None = None, packs: int = 1) -> Deck:
    """A shuffled deck of *packs* packs of *ranks* ranks (1 to 13 if not said)."""
    count = draw(st.integers(1, 13)) if ranks is None else ranks
    fresh = [Card(number) for number in range(4 * count)] * packs
    if count < 6:
        return Deck.of(draw(st.permutations(fresh)), count, packs)
    rng = draw(st.randoms(use_true_random=False))
    rng.shuffle(fresh)
    return Deck.of(fresh, count, packs)


def moves() -> st.SearchStrategy[Move]:
    """Any move that has a text form, sensible or not."""
    shown = st.lists(CARDS, max_size=5).map(tuple)
    several = st.lists(CARDS, min_size=1, max_size=6).map(tuple)
    none = st.just("")
    places = st.sampled_from(("", "1", "9", "12", "3.2", "w", "f"))
    targets = st.one_of(CARDS, st.sampled_from((FOUNDATION, SPACE)))
    return st.one_of(
        st.builds(Move, st.just("remove"), several, st.none(), shown, none, none),
        st.builds(Move, st.just("move"), st.tuples(CARDS), targets, shown, places, places),
        st.builds(
            Move, st.sampled_from(("deal", "redeal")), st.just(()), st.none(), shown, none, none
        ),
    )


# Options ---------------------------------------------------------------------------------


def _joined(items: st.SearchStrategy[str], most: int, least: int = 1) -> st.SearchStrategy[str]:
    return st.lists(items, min_size=least, max_size=most, unique=True).map(",".join)


def _numbers(low: int, high: int) -> st.SearchStrategy[str]:
    return st.integers(low, high).map(str)


def _or_none(texts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(st.just("none"), texts)


_RANK_SETS = (
    "A+9", "2+8", "3+7", "4+6", "5+5", "T", "J+J+J+J", "Q+Q", "K+K+K", "A+A", "2+2", "A+2",
    "A+3", "2+3", "A+2+3", "4", "3+3+4", "A+A+A+A",
)  # fmt: skip
_WORDS = st.sampled_from(("true", "false"))

# By family and key: texts that are allowed, small enough to make small games often.
OPTION_TEXTS: Mapping[str, Mapping[str, st.SearchStrategy[str]]] = {
    "pairing": {
        "slots": _numbers(1, 16),
        "removable": _joined(st.sampled_from(_RANK_SETS), 9),
        "must_go": _joined(st.sampled_from(RANKS), 13),
        "ranks": _numbers(1, 13),
    },
    "decade": {
        "sums": _joined(_numbers(0, 40), 6),
        "group_min": _numbers(1, 4),
        "group_max": _or_none(_numbers(1, 6)),
        "loop": _WORDS,
        "where": st.sampled_from(("anywhere", "top")),
        "stacks": _numbers(1, 8),
        "forced": _WORDS,
        "opening": _or_none(_numbers(1, 10)),
        "returns": _WORDS,
        "win_at": _numbers(0, 5),
        "values": st.lists(_numbers(0, 13), min_size=13, max_size=13).map(",".join),
        "choice": st.sampled_from(("free", "first")),
        "ranks": _numbers(1, 13),
    },
    "klondike": {
        "decks": _numbers(1, 3),
        "columns": _numbers(1, 13),
        "layout": st.sampled_from(("triangle", "yukon")),
        "groups": st.sampled_from(("run", "any")),
        "returns": _WORDS,
        "spaces": st.sampled_from(("kings", "any", "none")),
        "fill": _or_none(_joined(st.sampled_from(("stock", "waste", "next-column")), 3)),
        "passes": st.one_of(_numbers(1, 4), st.just("unlimited")),
        "draw": _numbers(1, 4),
        "build": st.sampled_from(("alternate", "suit", "any", "other-suit")),
        "ranks": _numbers(1, 13),
    },
}


@st.composite
def option_texts(draw: st.DrawFn) -> tuple[Option, str]:
    """An option of some family and a text that it allows."""
    family = families()[draw(st.sampled_from(tuple(OPTION_TEXTS)))]
    option = draw(st.sampled_from(family.table))
    return option, draw(OPTION_TEXTS[family.family][option.name])


@st.composite
def games(draw: st.DrawFn, family: str | None = None) -> Game[Any]:
    """A game of *family* (or of any) with any of its options changed."""
    name = family or draw(st.sampled_from(tuple(OPTION_TEXTS)))
    cls = families()[name]
    texts = OPTION_TEXTS[name]
    keys = draw(st.lists(st.sampled_from(sorted(texts)), unique=True))
    changes = {key: draw(texts[key]) for key in keys}
    while True:  # options that contradict each other go back to their defaults, one by one
        try:
            return cls(f"any-{name}", {}).with_options(changes)
        except OptionError:
            changes.popitem()


# Play ------------------------------------------------------------------------------------


class Play(NamedTuple):
    """A line of play: the game, its deck, the moves, and the states (one more than moves)."""

    game: Game[Any]
    deck: Deck
    line: tuple[Move, ...]
    states: tuple[Any, ...]

    @property
    def state(self) -> Any:
        """The state at the end."""
        return self.states[-1]


@st.composite
def plays(draw: st.DrawFn, of: Game[Any] | str | None = None, most: int = 60) -> Play:
    """Random play of up to *most* moves: of a game, of a family with any options, or of any."""
    game = of if isinstance(of, Game) else draw(games(of))
    deck = draw(decks(game.ranks, game.packs))
    states = [game.initial(deck)]
    line = []
    rng = draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, most))):
        choices = list(game.successors(states[-1]))
        if not choices:
            break
        move, state = rng.choice(choices)
        line.append(move)
        states.append(state)
    return Play(game, deck, tuple(line), tuple(states))
