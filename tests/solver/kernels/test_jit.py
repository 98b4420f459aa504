"""Compiled code is kept under a digest of all kernels, and is done without where it cannot be."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rules import Deal, get_game
from solver.certify import certify
from solver.kernels import jit, tell_compiling
from solver.kernels.decade import stacks
from solver.kernels.klondike import search, successors
from solver.proof import check, fast
from solver.reductions import select
from solver.solve import search_state, solve
from solver.verdict import Limits

ROOT = Path(__file__).parents[3]
SHUFFLE = """
from solver.kernels import jit
from solver.kernels import shuffle as decks
{before}
assert list(decks.numbered(1)[:2]) == [47, 45]
stats = decks.shuffle.stats
print(len(stats.cache_hits), len(stats.cache_misses))
"""


def _run(before: str, **environment: str) -> list[int]:
    done = subprocess.run(
        [sys.executable, "-c", SHUFFLE.format(before=before)],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return [int(part) for part in done.stdout.split()]


def test_code_is_kept_until_any_kernel_changes(tmp_path: Path) -> None:
    place = {"NUMBA_CACHE_DIR": str(tmp_path)}
    assert _run("", **place) == [0, 1]
    assert _run("", **place) == [1, 0]
    changed = "decks.shuffle._cache._cache_file._source_stamp = 'another'"
    assert _run(changed, **place) == [0, 1]
    assert _run("", **place) == [0, 1]  # and it is replaced, not mixed


def test_digest_covers_every_module(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "b.py").write_text("y = 1\n")
    before = jit.sources_digest(tmp_path)
    assert before == jit.sources_digest(tmp_path)
    (tmp_path / "b.py").write_text("y = 2\n")
    assert jit.sources_digest(tmp_path) != before
    assert jit.sources_digest(Path(jit.__file__).parent) == jit.STAMP


def test_every_piece_is_compiled_for_one_set_of_types() -> None:
    """A second set costs the first command seconds; plain numbers as arguments make one."""
    from numba.core.dispatcher import Dispatcher

    game = get_game("single-left")
    state = game.initial(Deal.parse("4").deck)
    search_state(game, state, select(game), Limits(None, 100, None), "compiled")
    check(certify(solve("single-left", 8)), checker="compiled")
    game = get_game("decade-seven")
    search_state(game, game.initial(Deal.parse("4").deck), select(game), engine="compiled")
    many = {}
    for module in (search, successors, stacks, fast):
        for name, function in vars(module).items():
            if isinstance(function, Dispatcher) and function.__module__ == module.__name__:
                many[name] = len(function._cache._cache_file._load_index())
    assert max(many.values()) == 1, {name: n for name, n in many.items() if n > 1}
    assert list(many.values()).count(1) >= 40


def test_what_is_compiled_is_told_once(
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tell_compiling.cache_clear()
    caplog.set_level("INFO", "dealproof")
    for _ in range(2):
        tell_compiling("the search", 10, True)
        tell_compiling("the search", 10, False)
    assert caplog.messages == [
        "compiling the search (about 10 s; later runs skip this)",
        "compiling the search (about 10 s; in every run: no place to keep it)",
    ]
    assert capsys.readouterr() == ("", "")
    tell_compiling.cache_clear()
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    caplog.set_level("WARNING", "dealproof")
    tell_compiling("the search", 10, True)
    assert capsys.readouterr().err == (
        "dealproof: compiling the search (about 10 s; later runs skip this)\n"
    )


def test_what_is_told_of_is_compiled() -> None:
    for module in jit.WAITS:
        source = Path(importlib.import_module(module).__file__ or "").read_text("utf-8")
        assert "@compiled" in source


def _double(x: int) -> int:
    return 2 * x


def test_without_a_place_to_keep_code_it_compiles_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    njit = jit.njit

    def nowhere(cache: bool = False, **options: Any) -> Any:
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return njit(**options)

    monkeypatch.setattr(jit, "njit", nowhere)
    assert jit.compiled(_double)(21) == 42


def test_a_disk_that_fills_up_only_costs_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    from numba.core.caching import IndexDataCacheFile

    tries = []

    def full(*arguments: Any) -> None:
        tries.append(arguments)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(IndexDataCacheFile, "save", full)
    monkeypatch.setattr(IndexDataCacheFile, "load", lambda *arguments: None)
    assert jit.compiled(_double)(21) == 42
    assert tries
