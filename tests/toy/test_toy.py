"""A family of which the solver knows the rules alone goes through every command and function.

The recipe for a family is followed in a scratch copy of the sources: the module, its line in the
registry, and a game. Nothing else there has heard of it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from solver.cli.app import COMMANDS

ROOT = Path(__file__).parents[2]
WON, LOST = "1", "5"

Done = subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources with the toy family."""
    place = tmp_path_factory.mktemp("toy")
    for name in ("rules", "solver", "dealproof", "benchmarks"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(Path(__file__).with_name("toy.py"), place / "rules" / "families")
    game = 'family = "toy"\ntitle = "Toy"\n'
    (place / "rules" / "games" / "toy.toml").write_text(game, encoding="utf-8")
    registry = place / "rules" / "registry.py"
    text = registry.read_text(encoding="utf-8")
    line = "from rules.families.pairing import Pairing\n"
    assert text.count(line) == 1
    text = text.replace(line, line + "from rules.families.toy import Toy\n")
    text, count = re.subn(r"for cls in \((\w.*?)\)", r"for cls in (\1, Toy)", text, count=1)
    assert count == 1
    registry.write_text(text, encoding="utf-8")
    return place


Go = Callable[..., Done]


@pytest.fixture(scope="module")
def go(copy: Path) -> Go:
    """Run the command in the copy: no traceback, and the exit code that is given first."""

    def run(code: int, *words: str, stdin: str = "", start: tuple[str, ...] = ()) -> Done:
        start = start or ("-m", "solver.cli")
        done = subprocess.run(
            [sys.executable, *start, *words],
            cwd=copy, input=stdin, capture_output=True, encoding="utf-8", timeout=300,
            env=os.environ | {"PYTHONPATH": str(copy), "PYTHONIOENCODING": "utf-8"},
        )  # fmt: skip
        assert "Traceback" not in done.stderr
        assert done.returncode == code, (words, done)
        return done

    return run


def test_every_command_takes_it(go: Go, copy: Path) -> None:
    """Each command at least once, and the families' own places in them: text forms and so on."""
    said: dict[str, str] = {}

    def take(code: int, command: str, *words: str, stdin: str = "") -> str:
        said[command] = go(code, command, *words, stdin=stdin).stdout
        return said[command]

    line = " ".join(json.loads(take(0, "solve", "toy", WON, "--json"))["line"])
    assert "Moves are written" in take(0, "rules", "toy")
    assert "Toy" in take(0, "games")
    drawn = take(0, "deal", "toy", WON, "--after", "deal", "--json")
    position = json.loads(drawn)["position"]
    assert position.splitlines()[0] == "Game: toy"
    assert "winnable" in take(0, "solve", "toy", "--position", "-", stdin=position)
    assert "winnable" in take(0, "solve", "toy", WON, "--shortest")
    assert take(0, "verify", "toy", WON, line)
    for number, code in ((WON, 0), (LOST, 1)):
        assert take(code, "explain", "toy", number)
        assert json.loads(take(code, "explain", "toy", number, "--json"))["game"] == "toy"
        assert take(code, "replay", "toy", number)
        assert take(code, "hint", "toy", number)
    assert (
        "Play can reach 199 positions, and none of them is a win."
        in go(1, "explain", "toy", LOST).stdout
    )
    page = go(0, "explain", "toy", WON, "--html", "-").stdout
    assert page.startswith("<!doctype html>")
    assert take(0, "review", "toy", WON, line)
    assert "guesswork" in take(0, "rate", "toy", WON)
    assert take(0, "graph", "toy", WON)
    assert "winnable" in take(0, "find", "toy", "--winnable", "--count", "2")
    assert "reference" in take(0, "bench", "toy", "1-3")
    go(2, "odds", "toy")
    said["odds"] = "no odds"
    for number, code in ((WON, 0), (LOST, 1)):
        go(code, "solve", "toy", number, "--certificate", f"{number}.cert")
        assert "proved" in take(0, "check", f"{number}.cert")
    assert "proved (" in said["check"]
    assert "Toy: 20 of 20" in take(
        0, "survey", "toy", "1-20", "--file", "toy.db", "--html", "toy.html"
    )
    go(0, "toy.db", "--docs", ".", start=("-m", "benchmarks.results"))
    said["schema"] = go(0, "schema", "solve").stdout
    assert set(said) == set(COMMANDS), set(COMMANDS) ^ set(said)


FUNCTIONS = """
import dealproof as d
from pathlib import Path

called = set()
def call(name, *given, **more):
    called.add(name)
    return getattr(d, name)(*given, **more)

game = call("get_game", "toy")
assert game in call("all_games") and "toy" in call("game_names")
Path("own.toml").write_text('family = "toy"')
assert call("load_game", "own.toml").family == "toy"
won, lost = call("solve", game, WON), call("solve", "toy", LOST)
assert (won.verdict, lost.verdict) == (d.Verdict.WINNABLE, d.Verdict.UNWINNABLE)
for result in (won, lost):
    proof = d.Certificate.from_bytes(call("certify", result).to_bytes())
    assert call("check", proof).certificate.verdict == result.verdict
    assert d.Position.parse(d.Position(game, result.start).text(), game).state == result.start
line = call("parse_line", " ".join(map(str, won.line)))
assert game.is_won(call("replay", game, won.start, line)[1][-1])
assert len(call("explain", "toy", WON).steps) == len(line)
assert call("explain", "toy", LOST).reasons.complete
assert call("hint", "toy", WON) and call("review", "toy", WON, line)
assert call("rate", "toy", WON, plays=50).word
assert [deal.name for deal in call("parse_deals", "1-2", game.ranks)] == ["1", "2"]
assert next(iter(call("find", game, d.Wanted("unwinnable"), first=1))).row.verdict == "unwinnable"
try:
    call("odds", "toy")
except d.GameError as error:
    assert "the player decides" in str(error)
settings = call("settings_for", game, "1-9")
assert call("survey", settings, "own.db", workers=1).done == 9
assert call("read_survey", "own.db").game == "toy"
functions = {name for name in d.__all__ if not isinstance(getattr(d, name), type)}
assert called == functions, called ^ functions
"""


def test_every_function_takes_it(go: Go) -> None:
    go(0, start=("-c", f"WON, LOST = {WON}, {LOST}\n{FUNCTIONS}"))


# Who may know families by name: the rules' own modules and what is one family's own.
OWN = (
    r"rules/families/|solver/families/|solver/reductions/\w+/|solver/kernels/(\w+/|pairing)|"
    r"solver/analysis/reasons/(pairing|decade|klondike)|solver/proof/(records|reduced|runs|dead|fast)|"
    r"rules/(registry|position)\.py"
)
NAMED = re.compile(
    r"isinstance\([^)]*\b(Pairing|Decade|Klondike|Left)\b|"
    r"\.family (==|!=|in|not in) [\"'({]|[\"'](pairing|decade|klondike)[\"']\s*:"
)


def test_no_other_module_asks_for_a_family() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for top in ("rules", "solver", "dealproof")
        for path in sorted((ROOT / top).rglob("*.py"))
        if not re.match(OWN, path.relative_to(ROOT).as_posix())
        for line in path.read_text(encoding="utf-8").splitlines()
        if NAMED.search(line)
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    ["if isinstance(game, Pairing):", 'if game.family == "left":', '    "decade": (show, read),'],
)
def test_the_test_would_find_it(line: str) -> None:
    assert NAMED.search(line)
