"""The positions that the reference shows are the fixtures, and they can be read and solved."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealproof import Verdict, solve
from rules import get_game
from rules.position import Position

ROOT = Path(__file__).resolve().parent.parent
SHOWN = sorted((ROOT / "fixtures" / "positions").glob("*.txt"))


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.stem)
def test_shown_positions_are_read_written_and_won(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert f"```text\n{text}```" in (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    game = get_game(text.split()[1])
    assert game.family == path.stem
    position = Position.parse(text, game)
    assert position.text().rstrip("\n") == text.rstrip("\n")
    assert solve(game, position).verdict is Verdict.WINNABLE


def test_there_is_one_of_each_family() -> None:
    assert [path.stem for path in SHOWN] == ["decade", "klondike", "pairing"]
