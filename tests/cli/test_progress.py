"""A sign of life while something lasts: on a terminal, and gone without a trace."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
from collections.abc import Callable

import pytest

from rules.registry import get_game
from solver.analysis.graphs import position_graph
from solver.cli.progress import Watch
from solver.odds import odds
from solver.progress import listening
from solver.solve import solve
from solver.verdict import Limits
from tests.cli.conftest import COMMAND, ROOT, Here, environment

posix_only = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def watched(*words: str, until: Callable[[str], bool]) -> tuple[int, str]:
    """The command on a terminal, interrupted once what it printed is as wanted."""
    import pty

    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *words], stdin=follower, stdout=follower, stderr=follower, cwd=ROOT,
        env=environment(TERM="xterm-256color", COLUMNS="100"), start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    os.close(follower)
    text, sent = "", False
    while True:
        if select.select([leader], [], [], 120)[0]:
            try:
                part = os.read(leader, 65536)
            except OSError:
                break
            text += part.decode(errors="replace")
            if not part:
                break
        if not sent and until(text):
            os.killpg(process.pid, signal.SIGINT)
            sent = True
    os.close(leader)
    return process.wait(timeout=60), text


def left_over(text: str) -> str:
    """What stays on the screen after the last line that was erased."""
    return ESCAPE.sub("", text.rpartition("\x1b[2K")[2])


LONG = ("single-left", "589", "--engine", "reference", "--timeout", "none")


@posix_only
@pytest.mark.parametrize(
    ("words", "sign"),
    [
        (("solve", *LONG), r"deal 589, [\d,]+ positions, [\d,]+/s, table \d+ MB, \d+ s"),
        (("hint", *LONG, "--budget", "none"), r"deal 589, .*[\d,]+ positions, [\d,]+/s"),
        (("explain", *LONG, "--timeout", "900s"), r"positions, [\d,]+/s, .* s of 900 s"),
        (("graph", "single-left", "589", "--limit", "10000000"), r"deal 589, [\d,]+ positions, "),
    ],
)  # fmt: skip
def test_a_long_search_shows_what_it_does(words: tuple[str, ...], sign: str) -> None:
    code, text = watched(*words, until=lambda text: bool(re.search(sign, ESCAPE.sub("", text))))
    assert code == 130
    assert left_over(text) == "dealproof: interrupted\r\n"
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h")  # the cursor is back


@posix_only
def test_many_deals_show_a_bar_with_verdicts_and_end_with_totals() -> None:
    words = [
        "solve",
        "single-left",
        "1-1000000",
        "--engine",
        "reference",
        "--max-positions",
        "9999",
    ]

    def seen(text: str) -> bool:
        drawn = r"\d+/1,000,000, .*\n.*unknown.*\n?.*positions"
        return bool(re.search(drawn, ESCAPE.sub("", text)))

    code, text = watched(*words, until=seen)
    assert code == 130
    rest = left_over(text)
    totals = re.search(r"(\d+) deals?: \d+ winnable, \d+ unwinnable, (\d+) unknown;", rest)
    assert totals
    assert f"interrupted; {totals[1]} of 1,000,000 are done, up to deal {totals[1]}; " in rest


@posix_only
def test_what_is_quick_draws_nothing() -> None:
    code, text = watched("solve", "block-ten", "1", "--no-color", until=lambda text: False)
    assert code == 1
    assert "\x1b" not in text


def test_a_pipe_sees_nothing() -> None:
    words = ("solve", *LONG[:-1], "2")
    done = subprocess.run([*COMMAND, *words], capture_output=True, cwd=ROOT, env=environment())
    assert (done.returncode, done.stderr) == (3, b"")


class Heard:
    """Takes down what it is told."""

    def __init__(self) -> None:
        self.searches: list[int] = []
        self.works: list[tuple[str, int, int | None]] = []

    def search(self, positions: int, memory: int, seconds: float, limit: float | None) -> None:
        if limit is not None:  # what only makes a kernel ready has none
            self.searches.append(positions)

    def work(self, what: str, done: int, total: int | None = None) -> None:
        self.works.append((what, done, total))

    def say(self, text: str) -> None:
        pass


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_listener_hears_of_a_search_and_changes_nothing(engine: str) -> None:
    heard = Heard()
    limits = Limits(60, 1_000)
    with listening(heard):
        loud = solve("decade", 3, limits=limits, engine=engine)
    quiet = solve("decade", 3, limits=limits, engine=engine)
    assert heard.searches == sorted(heard.searches)
    assert heard.searches
    assert heard.searches[-1] <= loud.stats.positions
    for each in ("verdict", "line", "limit", "fewest_left"):
        assert getattr(loud, each) == getattr(quiet, each)
    assert loud.stats.positions == quiet.stats.positions


def test_work_that_is_no_search_is_counted() -> None:
    heard = Heard()
    game = get_game("decade").with_options({"ranks": "3", "sums": "5,10"})
    with listening(heard):
        found = position_graph(game, solve(game, 1).start)
        odds("block-ten")
    positions = [done for what, done, _ in heard.works if what == "positions"]
    assert positions[-1] == len(found.graph)
    dealt = [(done, total) for what, done, total in heard.works if what == "cards dealt"]
    assert dealt[-1][0] == dealt[-1][1]


def test_a_watch_tells_of_the_deal_at_hand() -> None:
    watch = Watch(3)
    watch.begin("deal 7")
    watch.finish("winnable")
    watch.begin("deal 8")
    watch.work("moves weighed", 4, 90)
    watch.search(2_000, 3 << 20, 4.0, 60.0)
    assert watch.lines() == [
        "1 winnable",
        "deal 8, 4 of 90 moves weighed, 2,000 positions, 500/s, table 3 MB, 4 s of 60 s",
    ]
    watch.say("compiling")
    assert watch.lines()[1].startswith("deal 8, 4 of 90 moves weighed, 0 s, compiling")


def test_find_says_where_to_go_on(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    from solver.cli import find

    def stopped(*_: object, **__: object) -> object:
        from solver.progress import tell

        tell("deals looked at", 41)
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr("solver.surveys.find.find", stopped)
    with pytest.raises(KeyboardInterrupt, match="go on with --from ms:51"):
        find.find(
            find.GameOptions("tens"), find.LimitOptions(), find.EngineOptions(),
            find.OutputOptions(), winnable=True, first="ms:10",
        )  # fmt: skip
