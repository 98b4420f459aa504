"""A survey on a Dask cluster of real processes, one of which is killed in mid-run."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rules import get_game
from solver.survey import Progress, settings_for, survey
from solver.workers import WorkerError
from tests.solver.test_survey import expected, timeless

pytest.importorskip("distributed")

ROOT = Path(__file__).parent.parent.parent


def start(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__LOGGING": "{}"}
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + words[0], *words[1:]],
        cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def wait_for(path: Path) -> str:
    import json

    for _ in range(600):
        if path.exists() and path.read_text():
            return str(json.loads(path.read_text())["address"])
        time.sleep(0.05)
    raise AssertionError("no scheduler")


def test_the_same_rows_with_a_worker_killed(tmp_path: Path) -> None:
    game = get_game("decade").with_options({"forced": "false", "ranks": "6"})
    settings = settings_for(game, "1-150", engine="reference")
    file = tmp_path / "scheduler.json"
    processes = [
        start(
            tmp_path, "dask_scheduler", "--port", "0", "--host", "127.0.0.1", "--no-dashboard",
            "--scheduler-file", str(file),
        )
    ]  # fmt: skip
    try:
        address = wait_for(file)
        words = ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
        processes += [start(tmp_path, "dask_worker", address, *words) for _ in range(2)]
        left = 0

        def watch(progress: Progress) -> None:
            nonlocal left
            if not left:
                processes[1].kill()
                left = progress.total - progress.done

        survey(settings, tmp_path / "far.db", cluster=address, watch=watch)
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()
    assert left > 0
    assert timeless(tmp_path / "far.db") == expected(settings)


def test_no_scheduler_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.cluster.CONNECT", 1.0)
    settings = settings_for(get_game("block-ten"), "1-10")
    with pytest.raises(WorkerError, match="no scheduler answers"):
        survey(settings, tmp_path / "none.db", cluster="tcp://127.0.0.1:9")
