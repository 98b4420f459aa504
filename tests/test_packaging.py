"""What is handed out: the sdist, the wheel that it builds, and that wheel in a venv of its own.

The venv sees this environment's dependencies by a ``.pth`` file; dealproof itself comes from
the wheel. Building takes the backend that is installed here, so nothing is downloaded.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from email.parser import HeaderParser
from pathlib import Path

import pytest

from rules.registry import game_names

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAME = f"dealproof-{PROJECT['version']}"
PACKAGES = ("dealproof", "rules", "solver")
SCRIPTS = "Scripts" if os.name == "nt" else "bin"


def run(*words: object, cwd: Path, code: int = 0) -> str:
    """What a command prints, in an environment that knows no checkout; it exits with *code*."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd, env=env | {"PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"},
        capture_output=True, encoding="utf-8", timeout=300,
    )  # fmt: skip
    assert done.returncode == code, (words, done.stdout, done.stderr)
    return done.stdout


def build(form: str, source: Path, out: Path) -> Path:
    run(sys.executable, "-m", "build", f"--{form}", "--no-isolation", "-o", out, source, cwd=out)
    (made,) = out.glob("*.whl" if form == "wheel" else "*.tar.gz")
    return made


def files(folder: Path) -> Iterator[str]:
    """The files below *folder* as paths from the root, without what running leaves behind."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not {"__pycache__", ".hypothesis"} & set(path.parts):
            yield path.relative_to(ROOT).as_posix()


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist, unpacked."""
    made = build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))
    with tarfile.open(made) as archive:
        archive.extractall(made.parent, filter="data")
    return made.parent / NAME


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that the sdist builds."""
    return build("wheel", sdist, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A venv with the wheel in it."""
    home = tmp_path_factory.mktemp("venv")
    venv.create(home, symlinks=os.name != "nt")
    python = home / SCRIPTS / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    run(*pip, "install", "-q", "--no-index", "--no-deps", "--no-compile", wheel, cwd=home)
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    ours = Path(run(python, "-c", code, cwd=home).strip())
    theirs = sysconfig.get_paths()
    (ours / "others.pth").write_text(f"{theirs['purelib']}\n{theirs['platlib']}\n")
    return home


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_sdist_has_all_that_the_tests_need(sdist: Path) -> None:
    wanted = {
        path
        for folder in (*PACKAGES, "tests", "fixtures", "benchmarks", "docs", "examples")
        for path in files(ROOT / folder)
        if not path.endswith((".db", ".db-wal", ".db-shm"))
    }
    wanted |= {"pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"}
    packed = {path.relative_to(sdist).as_posix() for path in sdist.rglob("*") if path.is_file()}
    assert wanted - packed == set()
    assert packed - wanted == {"PKG-INFO", ".gitignore"}


def test_the_wheel_holds_the_packages_and_nothing_else(wheel: Path) -> None:
    held = contents(wheel)
    ours = {path for package in PACKAGES for path in files(ROOT / package)}
    info = {name for name in held if name.startswith(f"{NAME}.dist-info/")}
    assert set(held) - info == ours
    assert {"rules/py.typed", "solver/py.typed", "solver/show/web/page/replay.js"} <= ours
    games = {f"rules/games/{name}.toml" for name in game_names()}
    assert {path for path in ours if path.startswith("rules/games/")} == games
    assert f"{NAME}.dist-info/licenses/LICENSE" in info


def test_the_checkout_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    assert contents(build("wheel", ROOT, tmp_path)) == contents(wheel)


def test_the_wheel_says_what_the_project_says(wheel: Path) -> None:
    held = contents(wheel)
    data = HeaderParser().parsestr(held[f"{NAME}.dist-info/METADATA"].decode())
    assert (data["Name"], data["Version"]) == ("dealproof", PROJECT["version"])
    assert data["Requires-Python"] == PROJECT["requires-python"]
    plain = [row for row in data.get_all("Requires-Dist", []) if "extra ==" not in row]
    assert sorted(plain) == sorted(PROJECT["dependencies"])
    assert set(data.get_all("Provides-Extra", [])) == set(PROJECT["optional-dependencies"])
    assert (data.get_payload() or "").strip() == (ROOT / "README.md").read_text("utf-8").strip()
    entries = held[f"{NAME}.dist-info/entry_points.txt"].decode()
    assert "dealproof = dealproof.__main__:main" in entries


def test_it_runs_where_there_is_no_checkout(installed: Path, tmp_path: Path) -> None:
    command = installed / SCRIPTS / "dealproof"
    code = (
        "import rules, solver.solve, sys; print(rules.__file__, solver.solve.__file__, sep='\\n')"
    )
    for place in run(installed / SCRIPTS / "python", "-c", code, cwd=tmp_path).splitlines():
        assert Path(place).is_relative_to(installed)
    assert run(command, "--version", cwd=tmp_path).startswith(f"dealproof {PROJECT['version']} ")
    games = run(command, "games", cwd=tmp_path)
    assert "ten-by-one " in games
    assert "single-left-next " in games
    solved = run(command, "solve", "block-ten", "1", cwd=tmp_path, code=1)
    assert solved.startswith("Block Ten, deal 1: unwinnable")
    words = ("explain", "block-ten", "1", "--html", "page.html")  # takes the page's own files
    run(command, *words, cwd=tmp_path, code=1)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for name in ("replay.css", "replay.js"):
        assert (ROOT / "solver" / "show" / "web" / "page" / name).read_text(
            encoding="utf-8"
        ) in page


USER = """\
from rules import Card, Deal, Deck, Game, Move, Position, get_game
from dealproof import (
    Explanation, Limits, Odds, Rating, Result, Review, Verdict, Wanted, certify, check,
    explain, find, hint, odds, rate, read_survey, review, settings_for, solve, survey,
)

result: Result = solve("single-left", "ms:617", limits=Limits(seconds=5.0))
line: tuple[Move, ...] | None = result.line
verdict: Verdict = result.verdict
game = get_game("decade")
first: Card = Deck.numbered(7)[0]
position: Position = Position.after(game, Deal.parse("3"), "deal")
explained: Explanation = explain(game, position)
played: Review = review("decade", 3, "KH+QD deal")
rated: Rating = rate("decade", Deck.numbered(3))
best: Move = hint(game, position).options[0].move
chances: Odds = odds("block-ten")
size: int = check(certify(result)).positions
deals: list[str] = [found.row.deal for found in find("tens", Wanted("winnable"), last=9)]
done: int = survey(settings_for("tens", "1-9"), "tens.db").done
share: float | None = read_survey("tens.db").winnability.share
moves: int = len(list(game.legal_moves(position.state)))
"""


def test_a_strict_type_check_sees_the_types_of_what_is_installed(
    installed: Path, tmp_path: Path
) -> None:
    """A user's script passes; each slip in it is named, so nothing public is untyped."""
    slips = ("reveal_type(result.verdict)", "solve(1.5, 4)", "result.verdict.nonsense", "odds()")
    (tmp_path / "user.py").write_text(USER)
    (tmp_path / "slips.py").write_text(USER + "\n".join(slips))
    python = installed / SCRIPTS / "python"
    words = (sys.executable, "-m", "mypy", "--strict", "--python-executable", python)
    words += ("--cache-dir", tmp_path / "cache", "user.py", "slips.py")
    said = run(*words, cwd=tmp_path, code=1)
    assert "user.py" not in said
    for number, code in enumerate(("note", "arg-type", "attr-defined", "call-arg"), 1):
        row = f"slips.py:{USER.count(chr(10)) + number}: "
        assert any(at.startswith(row) and code in at for at in said.splitlines()), said
    assert "solver.verdict.Verdict" in said
    assert "Found 3 errors" in said
