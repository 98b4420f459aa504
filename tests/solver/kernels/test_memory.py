"""A kernel gives back what a deal took: many deals in one process take no more than few."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

SCRIPT = """
import gc
from pathlib import Path
from rules import Deal, get_game
from solver.solve import search_state
from solver.reductions import select
from solver.verdict import Limits

game = get_game("single-left")
names = select(game)

def resident():
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

for number in range(1, 501):
    state = game.initial(Deal.parse(str(number)).deck)
    search_state(game, state, names, Limits(None, 15_000, None), "compiled")
    if number == 50:
        early = resident()
print(early, resident())
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads Linux's /proc")
def test_five_hundred_deals_take_no_more_memory_than_fifty() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    early, late = map(int, done.stdout.split())
    assert late - early < 16 << 20, f"{early} bytes after 50 deals, {late} after 500"
