"""What has to hold whatever is drawn; each property draws from Hypothesis' ``data``."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final
from unittest import mock

from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from dealproof import Limits, Result, Verdict, solve
from rules import (
    Card,
    Deal,
    Deck,
    Game,
    IllegalMove,
    Move,
    OptionError,
    Position,
    parse_line,
    replay,
)
from rules.registry import families
from solver.certify import certify
from solver.kernels import find_kernel
from solver.proof import Certificate, check
from solver.reductions import available, select
from solver.search.depth_first import search
from solver.search.space import GameSpace
from solver.surveys.run import settings_for, survey
from solver.surveys.store import Store
from tests.solver.surveys.rows import made_here, without_time
from tests.strategies import OPTION_TEXTS, Play, decks, moves, plays

MOST: Final = 1_500
"""Positions of a plain search; what takes more is not a small deal."""

# Options that make small games: few positions, and wins and losses both common.
SMALL: Final = {
    "pairing": {"ranks": ("5", "9", "13"), "slots": ("3", "5", "9", "12")},
    "decade": {"ranks": ("2", "3", "4", "13"), "sums": ("4,9", "5,10", "6", "10,20,30")},
    "klondike": {"ranks": ("2", "3", "4", "5"), "columns": ("2", "3", "4", "5")},
}


def draw_game(data: DataObject) -> Game[Any]:
    """Any family, small, with any of its other options changed."""
    family = data.draw(st.sampled_from(sorted(SMALL)))
    changes = {key: data.draw(st.sampled_from(texts)) for key, texts in SMALL[family].items()}
    others = sorted(set(OPTION_TEXTS[family]) - set(changes))
    for key in data.draw(st.lists(st.sampled_from(others), unique=True, max_size=4)):
        changes[key] = data.draw(OPTION_TEXTS[family][key])
    try:
        return families()[family]("fuzz", {}).with_options(changes)
    except OptionError:
        assume(False)
        raise


def draw_start(data: DataObject, most: int = 12) -> tuple[Game[Any], Play]:
    """A small game and some random play of it."""
    game = draw_game(data)
    return game, data.draw(plays(game, most=most))


def plain(game: Game[Any], given: Deal | Position) -> Result:
    """What the reference says without reductions; deals too large are passed over."""
    result = solve(
        game, given, engine="reference", reductions="none", exhaustive=True,
        limits=Limits(None, MOST),
    )  # fmt: skip
    assume(result.limit is None)
    return result


def draw_reductions(data: DataObject, game: Game[Any]) -> str:
    names = available(game)
    some = data.draw(st.lists(st.sampled_from(names), unique=True)) if names else []
    return data.draw(st.sampled_from(("all", "none", ",".join(some) or "none")))


@contextlib.contextmanager
def odd_sizes(data: DataObject) -> Iterator[None]:
    """Tables, slices and paths of the kernels as small as can be, so that each has to grow."""
    with contextlib.ExitStack() as stack:
        for module in ("driver", "pairing", "decade.searches", "klondike.search"):
            for name, sizes in (("TABLE", (8, 64)), ("POSITIONS_A_SLICE", (1, 7, 100)),
                                ("CHUNK", (4, 32)), ("_SLICE", (1, 50))):  # fmt: skip
                target = f"solver.kernels.{module}.{name}"
                if data.draw(st.booleans()) and _exists(target):
                    stack.enter_context(mock.patch(target, data.draw(st.sampled_from(sizes))))
        yield


def _exists(target: str) -> bool:
    import importlib

    module, _, name = target.rpartition(".")
    return hasattr(importlib.import_module(module), name)


# The properties ----------------------------------------------------------------------------


def same_verdict_everywhere(data: DataObject) -> None:
    """Engine, reductions, table sizes, limits: the same verdict, or unknown for a limit."""
    game, play = draw_start(data)
    given = Position(game, play.state)
    truth = plain(game, given)
    for _ in range(3):
        names = draw_reductions(data, game)
        engines = ["auto", "reference"]
        if find_kernel(game, select(game, names)):
            engines.append("compiled")
        limit = data.draw(st.one_of(st.none(), st.integers(0, MOST)))
        with odd_sizes(data):
            result = solve(
                game, given, engine=data.draw(st.sampled_from(engines)), reductions=names,
                exhaustive=data.draw(st.booleans()), limits=Limits(None, limit),
                shortest=data.draw(st.booleans()),
            )  # fmt: skip
        if result.limit is None:
            assert result.verdict is truth.verdict
            if result.outcome is None or truth.best_left is None:
                assert result.fewest_left == truth.fewest_left
        else:
            assert limit is not None
            assert result.verdict in (truth.verdict, Verdict.UNKNOWN)
            assert result.verdict is not Verdict.UNWINNABLE
        proves_itself(result)


def proves_itself(result: Result) -> None:
    """A winning line replays to a win; a certificate of the verdict is accepted."""
    game = result.game
    if result.line is not None:
        played, states = replay(game, result.start, result.line)
        assert tuple(played) == result.line
        if result.verdict is Verdict.WINNABLE and result.limit is None:
            assert game.is_won(states[-1])
    if result.verdict is not Verdict.UNKNOWN and result.limit is None and not result.shortest:
        certificate = certify(result)
        again = Certificate.from_bytes(certificate.to_bytes())
        assert again.to_bytes() == certificate.to_bytes()
        assert check(again, checker="readable").certificate.verdict == result.verdict


def a_lost_deal_stays_lost(data: DataObject) -> None:
    """What legal play reaches from a lost deal is lost."""
    game, play = draw_start(data, most=30)
    if plain(game, Position(game, play.states[0])).verdict is Verdict.UNWINNABLE:
        for state in play.states[:: max(1, len(play.states) // 4)]:
            names = draw_reductions(data, game)
            assert solve(game, Position(game, state), reductions=names).verdict is (
                Verdict.UNWINNABLE
            )


def suits_may_be_renamed(data: DataObject) -> None:
    """Klondike, building in alternate colours: within the colours, or all colours. Else: any."""
    game, play = draw_start(data, most=0)
    order = data.draw(st.permutations(range(4)))
    if game.family == "klondike" and game.options["build"] == "alternate":
        red = {order[1], order[2]}
        assume(red in ({1, 2}, {0, 3}))
    cards = (Card.of(card.rank, order[card.suit]) for card in play.deck)
    renamed = Deck.of(cards, game.ranks, game.packs)
    truth = plain(game, Deal.of(play.deck))
    names = draw_reductions(data, game)
    other = solve(game, renamed, reductions=names, exhaustive=data.draw(st.booleans()))
    assert other.verdict is truth.verdict


def a_hash_changes_nothing(data: DataObject) -> None:
    """With one hash for all keys the same positions are visited."""

    class Key(tuple[Any, ...]):
        __slots__ = ()

        def __hash__(self) -> int:
            return 0

    game, play = draw_start(data)
    usual = search(GameSpace(game, play.state), Limits(None, 300))
    space = GameSpace(game, play.state)
    space.key = lambda state: Key((game.key(state),))  # type: ignore[method-assign]
    odd = search(space, Limits(None, 300))
    assert (odd.verdict, odd.best_left, odd.line) == (usual.verdict, usual.best_left, usual.line)
    assert odd.stats.positions == usual.stats.positions


def texts_read_back(data: DataObject) -> None:
    """parse∘print is the identity for cards, decks, moves, lines and positions."""
    game, play = draw_start(data, most=40)
    card = data.draw(st.sampled_from(play.deck))
    assert Card.parse(str(card)) is card
    assert Card.parse(card.pretty) is card
    assert Deck.parse(str(play.deck), game.ranks, game.packs) == play.deck
    assert parse_line(" ".join(map(str, play.line))) == play.line
    move = data.draw(moves())
    assert Move.parse(str(move)) == move
    position = Position.after(game, Deal.of(play.deck), play.line)
    assert Position.parse(position.text(), game) == position


def generator_and_referee_agree(data: DataObject) -> None:
    """Each generated move is accepted; a changed line is refused exactly where it went wrong."""
    game, play = draw_start(data, most=40)
    assert replay(game, play.states[0], play.line)[1] == list(play.states)
    if not play.line:
        return
    index = data.draw(st.integers(0, len(play.line) - 1))
    here = list(game.successors(play.states[index]))
    for move, after in here:
        assert game.play(play.states[index], move) == (move, after)
    cards = st.sampled_from(play.deck)
    wrong = data.draw(st.one_of(
        moves(),
        st.tuples(cards, st.one_of(cards, st.just("F"))).map(
            lambda pair: Move("move", pair[:1], pair[1])
        ),
        st.lists(cards, min_size=1, max_size=3).map(lambda group: Move("remove", tuple(group))),
    ))  # fmt: skip
    if game.normal(wrong.bare) in [game.normal(move.bare) for move, _ in here]:
        return
    line = [*play.line[:index], wrong, *play.line[index + 1 :]]
    try:
        replay(game, play.states[0], line)
    except IllegalMove as error:
        place = error.index
    else:
        place = -1
    assert place == index


def any_deck_reads_back(data: DataObject) -> None:
    deck = data.draw(decks())
    assert Deck.parse(str(deck), deck.ranks) == deck


def workers_change_no_row(data: DataObject) -> None:
    """A survey by any number of processes: the rows of one process without any."""
    game = draw_game(data)
    first = data.draw(st.integers(0, 2**64 - 30))
    deals = f"{first}-{first + data.draw(st.integers(0, 24))}"
    # Without a limit on positions, batch kernels are taken; only where deals are small.
    free = game.decision_free or (game.family == "decade" and game.ranks <= 4)
    most = data.draw(st.one_of(*[st.none()] * free, st.integers(1, MOST)))
    settings = settings_for(
        game, deals, limits=Limits(None, most, None), reductions=draw_reductions(data, game),
        engine=data.draw(st.sampled_from(("auto", "reference"))),
    )  # fmt: skip
    workers = data.draw(st.sampled_from((3, 2, 1)))
    alone = made_here(settings)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.db")
        survey(settings, path, workers=workers)
        with Store.read(path) as store:
            assert [without_time(row) for row in store.rows()] == [
                without_time(row) for row in alone
            ]


PROPERTIES: Final[dict[str, Callable[[DataObject], None]]] = {
    check.__name__: check
    for check in (
        same_verdict_everywhere,
        a_lost_deal_stays_lost,
        suits_may_be_renamed,
        a_hash_changes_nothing,
        texts_read_back,
        generator_and_referee_agree,
        any_deck_reads_back,
        workers_change_no_row,
    )
}


def examples(name: str, usual: int) -> int:
    """How many cases of a property to try, where *usual* is what most get.

    Those that start processes take a hundred times as long as the others.
    """
    return max(2, usual // 25) if name == workers_change_no_row.__name__ else usual
