"""`auto`: a head start for the readable search, then the kernel. Nothing but time depends on it."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from rules import Deal, get_game
from rules.game import Game
from solver import kernels
from solver import reductions as _reductions
from solver.analysis.session import Session
from solver.families import support
from solver.solve import search_state
from solver.verdict import Limits
from tests.solver.kernels.agreement import summary

GAMES = ("single-left", "single-left-next", "decade", "decade-seven")


def head_start(monkeypatch: pytest.MonkeyPatch, game: Game[Any], positions: int) -> None:
    monkeypatch.setattr(type(support(game)), "head_start", lambda *_: positions)
    monkeypatch.setattr(kernels, "_spent", dict.fromkeys(("klondike", "decade", "pairing"), 0))
    monkeypatch.setattr(kernels, "_loaded", set())


@pytest.mark.parametrize("name", GAMES)
def test_the_search_finds_the_same_wherever_it_is_handed_over(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = get_game(name)
    names, within = _reductions.select(game), Limits(None, 250, None)
    engines = set()
    for number in range(1, 6):
        state = game.initial(Deal.parse(str(number)).deck)
        expected = [
            summary(search_state(game, state, names, within, engine)[0])
            for engine in ("reference", "compiled")
        ]
        assert expected[0] == expected[1]
        for positions in (1, 40, 249, 250, 251):
            head_start(monkeypatch, game, positions)
            outcome, engine = search_state(game, state, names, within)
            assert summary(outcome) == expected[0], (number, positions)
            handed_over = engine == "compiled"
            assert handed_over == (outcome.stats.positions >= positions < 250), (number, positions)
            engines.add(engine)
    assert len(engines) == 2


def test_a_process_gives_the_head_start_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = get_game("single-left")
    names, within = _reductions.select(game), Limits(None, 100, None)
    state = game.initial(Deal.parse("4").deck)
    head_start(monkeypatch, game, 250)
    ended = [search_state(game, state, names, within)[1] for _ in range(5)]
    assert ended == ["reference", "reference", "compiled", "compiled", "compiled"]


@pytest.mark.parametrize("number", [4, 8, 13])
def test_a_session_answers_the_same_wherever_it_is_handed_over(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = get_game("single-left")
    state = game.initial(Deal.parse(str(number)).deck)
    answers = []
    for positions in (1, 60, 10**9):
        head_start(monkeypatch, game, positions)
        session = Session(game, state, engine="auto")
        # The moves one after another: what one search has proved lost the next need not visit.
        answers.append(
            [
                (str(move), fate.verdict, fate.positions)
                for move, after in game.successors(state)
                for fate in [session.fate(after, Limits(None, 300, None))]
            ]
        )
    assert all(answer == answers[0] for answer in answers)


COMMANDS = (
    "solve single-left 12-15",
    "solve decade 1-20",
    "solve block-ten 1-50",
    "hint single-left 13",
    "explain single-left 13",
    "find single-left --winnable --from 12 --count 2",
    "find decade --fewest-left 0-9 --count 1",
)
LOADED = """
import sys
from solver import kernels
from solver.cli import run
for words in {commands!r}:
    print(words, run(words.split()), file=sys.stderr)
    kernels._spent.clear()  # as in a process of its own
    loaded = {{"numba", "numpy"}} & set(sys.modules)
    assert not loaded, (words, loaded)
"""


def test_small_deals_load_no_kernel() -> None:
    code = LOADED.format(commands=COMMANDS)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
