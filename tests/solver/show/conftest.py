"""Replays to draw, made once: won and lost deals of every family."""

from __future__ import annotations

import functools
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from dealproof import solve
from rules import Deal, get_game
from solver.analysis.explanations import Explanation, Try, explain
from solver.show.replays import Replay, replay_of
from solver.verdict import Limits, Verdict

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WON = {
    "tens": "3",
    "decade": "3",
    "decade-loop-three": "1",
    "single-left": "3",
}
LOST = {
    "ten-by-one": "7",
    "block-ten": "1",
    "decade": "1",
    "decade-seven": "1",
    "ten-twenty-thirty": "1",
}
CASES = [
    *((game, deal, Verdict.WINNABLE) for game, deal in WON.items()),
    *((game, deal, Verdict.UNWINNABLE) for game, deal in LOST.items()),
    ("single-left", "1", Verdict.UNKNOWN),
]

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@functools.cache
def make_replay(game: str, deal: str) -> Replay:
    """The replay of a deal; of Single Left without a look at the other moves, to be quick."""
    chosen, given = get_game(game), Deal.parse(deal)
    limits = Limits(seconds=None, positions=400)
    if chosen.family != "klondike":
        return replay_of(explain(chosen, given, limits=limits, budget=20, engine="reference"))
    result = solve(chosen, given, limits=limits, engine="reference")
    state = chosen.initial(given.deck)
    line = []
    while result.line is None and len(line) < 30:
        move, state = next(chosen.successors(state))
        line.append(move)
    return replay_of(Explanation(result, tries=(Try(tuple(line), state, 0, False),)))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium without a window, driven by playwright."""
    if CHROMIUM is None:
        pytest.skip("no chromium: apt-get install chromium")
    playwright = pytest.importorskip("playwright.sync_api", reason="no playwright: extra `test`")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()
