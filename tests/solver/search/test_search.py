"""The reference search says what brute force says, and a limit never becomes a verdict."""

from __future__ import annotations

import functools
import sys
import threading
from typing import Any

import pytest

from dealproof import Limits, Verdict, solve
from rules import Deal, Game, all_games, get_game, replay
from solver.search.best_first import best_first
from solver.search.depth_first import Table, deep_size, search
from solver.search.shortest import shortest
from solver.search.space import GameSpace
from tests.solver.brute import SMALL, mixed_decks, small, truth

Case = tuple[Game[Any], Any, tuple[bool, int | None, int | None]]


@functools.cache
def _cases(name: str) -> tuple[Case, ...]:
    """Small decks, half of them won, each with what brute force says of it."""
    game = small(name)
    starts = [game.initial(deck) for deck in mixed_decks(name, 6)]
    return tuple((game, start, truth(game, start)) for start in starts)


@pytest.mark.parametrize("name", SMALL)
def test_agrees_with_brute_force(name: str) -> None:
    verdicts = set()
    for game, start, (winnable, _, fewest) in _cases(name):
        outcome = search(GameSpace(game, start))
        assert outcome.verdict is (Verdict.WINNABLE if winnable else Verdict.UNWINNABLE)
        assert outcome.limit is None
        assert outcome.best_left == fewest
        verdicts.add(outcome.verdict)
        if outcome.line is not None:
            end = replay(game, start, outcome.line)[1][-1]
            assert game.is_won(end) == winnable
            assert game.cards_left(end) == fewest
    assert len(verdicts) == 2, "these decks should hold both wins and losses"


@pytest.mark.parametrize("name", SMALL)
def test_shortest_is_shortest(name: str) -> None:
    for game, start, (winnable, moves, _) in _cases(name):
        proof = shortest(game, start, Limits(None, None, None))
        assert proof.verdict is (Verdict.WINNABLE if winnable else Verdict.UNWINNABLE)
        assert (len(proof.line) if proof.line is not None else None) == moves


@pytest.mark.parametrize("name", SMALL)
def test_best_first_never_proves_a_loss(name: str) -> None:
    for game, start, (winnable, _, _) in _cases(name):
        found = best_first(game, start, Limits(None, None, None), width=8)
        assert found.verdict in ({Verdict.WINNABLE, Verdict.UNKNOWN} if winnable else {
            Verdict.UNKNOWN
        })  # fmt: skip
        if found.line is not None:
            assert game.is_won(replay(game, start, found.line)[1][-1])


@pytest.mark.parametrize("name", SMALL)
def test_a_limit_gives_unknown_or_the_truth(name: str) -> None:
    game, start, _ = _cases(name)[-1]
    full = search(GameSpace(game, start))
    for positions in range(0, full.stats.positions, max(1, full.stats.positions // 30)):
        cut = search(GameSpace(game, start), Limits(None, positions, None))
        assert cut.limit == "positions"
        assert cut.stats.positions == positions
        assert not cut.complete
        assert cut.verdict in (Verdict.UNKNOWN, full.verdict)
        assert cut.verdict is not Verdict.UNWINNABLE
    exact = search(GameSpace(game, start), Limits(None, full.stats.positions, None))
    assert (exact.verdict, exact.limit) == (full.verdict, None)


def test_every_limit_is_named() -> None:
    for limits, name in (
        (Limits(0, None, None), "time"),
        (Limits(None, 1, None), "positions"),
        (Limits(None, None, 10_000), "memory"),
    ):
        result = solve("single-left", 2, limits=limits, engine="reference", reductions="none")
        assert (result.verdict, result.limit, result.line) == (Verdict.UNKNOWN, name, None)


def test_limits_refuse_nonsense() -> None:
    for bad in ({"seconds": float("nan")}, {"seconds": -1.0}, {"positions": -1}, {"memory": -5}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            Limits(**bad)  # type: ignore[arg-type]


def test_needs_no_recursion() -> None:
    """Single Left's lines are hundreds of moves long; the interpreter's stack is not used."""
    verdicts: list[Verdict] = []

    def run() -> None:
        old = sys.getrecursionlimit()
        sys.setrecursionlimit(200)
        try:
            result = solve("single-left", 13, engine="reference", reductions="none")
            verdicts.append(result.verdict)
        finally:
            sys.setrecursionlimit(old)

    thread = threading.Thread(target=run)  # a fresh stack: pytest's own frames do not count
    thread.start()
    thread.join()
    assert verdicts == [Verdict.WINNABLE]


@pytest.mark.parametrize(
    ("deal", "verdict"),
    [(n, Verdict.WINNABLE) for n in (4, 6, 13, 15, 21, 32)]
    + [(n, Verdict.UNWINNABLE) for n in (12, 20)],
)
def test_single_left_by_the_reference_alone(deal: int, verdict: Verdict) -> None:
    result = solve("single-left", deal, engine="reference", reductions="none")
    assert (result.verdict, result.limit) == (verdict, None)
    if result.line is not None:
        game = result.game
        assert game.is_won(replay(game, game.initial(result.deal.deck), result.line)[1][-1])


@pytest.mark.parametrize("game", [game for game in all_games() if game.decision_free], ids=str)
def test_games_without_decisions_need_no_search(game: Game[Any]) -> None:
    for number in range(60):
        played = solve(game, number, engine="reference")
        searched = solve(game, number, engine="reference", exhaustive=True)
        assert played.engine == "playthrough"
        assert searched.engine == "reference"
        assert (played.verdict, played.fewest_left) == (searched.verdict, searched.fewest_left)


def test_decisions_are_recognised_from_the_data() -> None:
    assert get_game("block-ten").decision_free
    overlapping = get_game("block-ten").with_options({"removable": "A+9,A+A"})
    assert not overlapping.decision_free
    assert solve(overlapping, 1, engine="reference").engine == "reference"


def test_a_hash_cannot_forge_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one hash for all keys the search is slower and says the same."""

    class Key(tuple[Any, ...]):
        __slots__ = ()

        def __hash__(self) -> int:
            return 1

    for name in ("left", "decade", "decade returns", "pairing with decisions"):
        for game, start, _ in _cases(name):
            plain = search(GameSpace(game, start))
            space = GameSpace(game, start)
            space.key = lambda state, game=game: Key((game.key(state),))  # type: ignore[misc]
            if plain.stats.positions < 3000:
                constant = search(space)
                assert constant.verdict is plain.verdict
                assert constant.stats.positions == plain.stats.positions


def test_memory_is_estimated_from_the_keys() -> None:
    table = Table()
    assert table.memory == 0
    for number in range(1000):
        table.add((number, (number, number)))
    each = deep_size((1, (1, 1)))
    assert each > sys.getsizeof((1, (1, 1)))
    assert table.memory == 1000 * (48 + each)


def test_dead_ends_are_counted() -> None:
    """One slot, nothing removable but a lone ace: the line of play is known by heart."""
    game = get_game("ten-by-one").with_options(
        {"ranks": "1", "slots": "1", "removable": "A+A", "must_go": "A"}
    )
    outcome = search(GameSpace(game, game.initial(Deal.parse("1", 1).deck)))
    assert (outcome.stats.positions, outcome.stats.dead_ends, outcome.stats.depth) == (1, 1, 0)
    game = game.with_options({"removable": "A"})
    outcome = search(GameSpace(game, game.initial(Deal.parse("1", 1).deck)))
    assert (outcome.stats.positions, outcome.stats.dead_ends, outcome.stats.depth) == (5, 0, 4)


def test_the_shortest_win_may_leave_more_cards_than_the_fewest() -> None:
    """``best_left`` is what the line shown leaves; ``fewest_left`` what any line leaves."""
    game = small("decade free").with_options({"win_at": "3"})
    seen = set()
    for deck in mixed_decks("decade free", 6):
        result = solve(game, deck, shortest=True, engine="reference")
        assert result.verdict is Verdict.WINNABLE
        assert result.shortest
        start = game.initial(deck)
        end = replay(game, start, result.line or ())[1][-1]
        assert result.best_left == game.cards_left(end)
        assert result.fewest_left == truth(game, start)[2]
        seen.add(result.best_left == result.fewest_left)
    assert False in seen


@pytest.mark.parametrize("name", ["ten-by-one", "block-ten", "tens"])
def test_lines_of_games_without_decisions_are_proved_shortest_too(name: str) -> None:
    """Which set goes first is no choice that matters, but it may cost moves."""
    wins = (n for n in range(400) if solve(name, n).verdict is Verdict.WINNABLE)
    result = solve(name, next(wins), shortest=True, engine="reference")
    assert (result.shortest, result.limit) == (True, None)
    searched = solve(result.game, result.deal, shortest=True, exhaustive=True, engine="reference")
    assert searched.shortest
    assert len(result.line or ()) == len(searched.line or ())


def test_a_shortest_line_does_not_hide_that_the_fewest_is_unproved() -> None:
    game = small("decade free").with_options({"win_at": "11"})
    hidden = 0
    for deck in mixed_decks("decade free", 6):
        for positions in range(2, 40):
            limits = Limits(None, positions, None)
            result = solve(
                game, deck, limits=limits, shortest=True, engine="reference", reductions="none"
            )
            if result.verdict is Verdict.WINNABLE and result.shortest:
                assert (result.fewest_left is None) == (result.limit is not None)
                hidden += result.fewest_left is None
    assert hidden
