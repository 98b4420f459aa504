"""Memory, disks, directories and environments that are not as one would have them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import COMMAND, ROOT, Here, environment, refused

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits and modes are POSIX's")


def go(
    *words: str,
    cwd: Path | None = None,
    before: Callable[[], None] | None = None,
    env: dict[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *words], input=b"", capture_output=True, timeout=300, cwd=cwd or ROOT,
        env=environment() if env is None else env, preexec_fn=before,
    )  # fmt: skip


@pytest.mark.parametrize("words", [
    "solve single-left 1",
    "solve single-left 1 --engine reference",
    "solve decade 3 --engine compiled",
    "hint decade 1",
    "rate single-left 1",
    "explain single-left 1",
])  # fmt: skip
def test_too_little_memory_is_unknown(here: Here, words: str) -> None:
    code, out = here(*words.split(), "--memory", "16K", "--json")
    record = json.loads(out)
    assert (code, record["verdict"]) == (3, "unknown")
    if "limit" in record:
        assert record["limit"] == "memory"


def test_too_little_memory_in_a_process() -> None:
    for words in (["solve", "single-left", "1"], ["hint", "single-left", "1"]):
        done = go(*words, "--memory", "16K", "--timeout", "none")
        assert (done.returncode, done.stderr) == (3, b"")
        assert b"not decided" in done.stdout or b"unknown" in done.stdout


def small_files() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))


@pytest.mark.parametrize("words", [
    "solve block-ten 1-50 --json --output {}",
    "explain block-ten 50 --html {}",
    "deal single-left 1 --svg {}",
    "solve decade 1 --certificate {}",
    "bench block-ten 1-2 --engine reference --save {}",
])  # fmt: skip
def test_a_disk_that_is_full_is_named_and_the_old_file_stays(words: str, tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_text("old")
    done = go(*words.format(path).split(), before=small_files)
    assert done.returncode == 2
    assert done.stderr.decode() == f"dealproof: {path}: file too large\n"
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["old"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_devices_are_written_to_as_they_are(tmp_path: Path) -> None:
    assert refused(go("games", "--output", "/dev/full")) == "no space left on device"
    assert go("deal", "tens", "1", "--output", "/dev/null").returncode == 0
    assert Path("/dev/null").is_char_device()
    assert b"Tens, deal 1" in go("deal", "tens", "1", "--output", "/dev/stdout").stdout
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "target")
    assert go("deal", "tens", "1", "--output", str(link)).returncode == 0
    assert link.is_symlink()
    assert (tmp_path / "target").read_text().startswith("Tens, deal 1")


def test_a_survey_on_a_full_disk_keeps_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "s.db"

    def limit() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    words = ["survey", "block-ten", "1-20000", "-w", "1", "--file", str(path)]
    said = refused(go(*words, before=limit))
    assert said.startswith(f"{path}: ")
    assert "disk" in said
    assert go(*words).returncode == 0


OUTPUTS = (
    "solve block-ten 1 --output {}",
    "solve block-ten 50 --certificate {}",
    "explain block-ten 50 --html {}",
    "survey block-ten 1-5 --file {}",
)


def test_places_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for words in OUTPUTS:
        path = tmp_path / "file" / "x"
        assert refused_last(go(*words.format(path).split())) == f"{path}: not a directory"
    missing = tmp_path / "none" / "x"
    assert refused(go(*OUTPUTS[0].format(missing).split())) == (
        f"{missing}: no such file or directory"
    )
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def refused_last(done: subprocess.CompletedProcess[bytes]) -> str:
    """As `refused`, where the answer may have been given before the file could not be written."""
    done.stdout = b""
    return refused(done)


@pytest.fixture
def read_only(tmp_path: Path) -> str:
    """A directory that even root cannot write to."""
    if os.geteuid():
        tmp_path.chmod(0o500)
        return str(tmp_path)
    for path in ("/proc/self", "/sys"):
        if Path(path).is_dir():
            return path
    pytest.skip("root may write everywhere")


def test_a_directory_that_cannot_be_written_to(read_only: str) -> None:
    for words in OUTPUTS:
        path = f"{read_only}/x"
        said = refused_last(go(*words.format(path).split()))
        assert said.startswith(f"{path}: ")
        assert said.endswith(("permission denied", "read-only file system",
                              "no such file or directory", "operation not permitted"))  # fmt: skip


def test_without_home_or_anything_in_the_environment() -> None:
    bare = {"PYTHONPATH": str(ROOT)}
    for words, code in ((("solve", "single-left", "4"), 0), (("solve", "block-ten", "1"), 1)):
        done = go(*words, env=bare)
        assert (done.returncode, done.stderr) == (code, b"")
    done = go("survey", "--help", env=bare)
    assert done.returncode == 0


def test_no_place_to_keep_compiled_code() -> None:
    record = json.loads(go("solve", "decade", "1", "--json").stdout)
    for place in ("/dev/null/x", "/proc"):
        done = go("solve", "decade", "1", "--json", env=environment(NUMBA_CACHE_DIR=place))
        found = json.loads(done.stdout)
        assert done.returncode == 1
        assert (found["engine"], found["positions"]) == (record["engine"], record["positions"])
        assert all(b"ompil" in row for row in done.stderr.splitlines())


def test_a_directory_that_was_deleted_under_us(tmp_path: Path) -> None:
    gone = tmp_path / "gone"

    def enter() -> None:
        gone.mkdir()
        os.chdir(gone)
        gone.rmdir()

    for words, code, says in (
        ("solve block-ten 50", 0, b""),
        ("solve block-ten 50 --output x", 2, b"dealproof: x: no such file or directory\n"),
        ("solve block-ten decks.txt", 2, b"dealproof: decks.txt: no such file or directory\n"),
        ("survey block-ten 1-9", 2, b"dealproof: block-ten.db: no such file or directory\n"),
    ):
        done = go(*words.split(), before=enter)
        assert (done.returncode, done.stderr) == (code, says)


def test_python_itself_may_be_told_to_write_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-B", "-I", "-c",
         f"import sys; sys.path[:0] = [{str(ROOT)!r}]\n"
         "from solver.cli import main; main(['solve', 'block-ten', '50'])"],
        capture_output=True, timeout=120, cwd="/", env={},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
