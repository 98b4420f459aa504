"""The replay as text: frames that fit their window, and the keys."""

from __future__ import annotations

import itertools

import pytest

from solver.cli.keys import split_keys
from solver.show.glyphs import ASCII
from solver.show.text.player import PACES, Playhead, frame_text
from solver.verdict import Verdict
from tests.solver.show.conftest import CASES, make_replay


@pytest.mark.parametrize(("game", "deal", "verdict"), CASES)
@pytest.mark.parametrize(("width", "height"), [(80, 24), (40, 24), (40, 10), (20, 4)])
def test_every_frame_fits_the_window(
    game: str, deal: str, verdict: Verdict, width: int, height: int
) -> None:
    found = make_replay(game, deal)
    last = len(found.steps)
    assert found.verdict is verdict
    for at in range(0, last + 1, 7):
        lines = frame_text(found, at, width=width, height=height, keys=True).plain.split("\n")
        assert len(lines) <= height
        assert max(map(len, lines)) <= max(width, 28)  # seven columns take 28
        if height >= 10:
            assert any(line.startswith(f"{at}/{last}") for line in lines)
        assert found.headline.split()[0] in " ".join(lines) or height < 10


def test_a_frame_in_full() -> None:
    found = make_replay("decade-loop-three", "1")
    number = next(n for n, step in enumerate(found.steps, 1) if step.critical)
    lines = frame_text(found, number - 1, ASCII, width=60).plain.split("\n")
    assert lines == [
        "Decade: the line as a loop, groups of at most three, deal 1:",
        "Won in 71 moves.",
        *lines[2:-3],
        f"{number - 1}/71  {found.steps[number - 2].text}",
        f"next: {found.steps[number - 1].text}  the only move",
        lines[-1],
    ]
    others = [item.text for item in found.steps[number - 1].alternatives if not item.played]
    assert lines[-1].startswith("others that lose:  ")
    assert all(text in lines[-1] for text in others)
    assert "\n".join(lines).isascii()


def test_the_last_frame_of_a_win_has_an_empty_table() -> None:
    found = make_replay("tens", "3")
    text = frame_text(found, 22, ASCII, title=False).plain
    assert "stock empty" in text
    assert set(text.split("\n")[1]) == {"|", " "}
    assert text.endswith("22/22  QH+QD+QC+QS")


def test_keys_move_the_playhead() -> None:
    head = Playhead(20)
    for key, place in (
        ("right", 1), ("l", 2), ("enter", 3), ("down", 4), ("left", 3), ("h", 2), ("up", 1),
        ("page down", 11), ("page down", 20), ("right", 20), ("page up", 10), ("home", 0),
        ("left", 0), ("end", 20), ("g", 0), ("G", 20), ("x", 20),
    ):  # fmt: skip
        head.press(key)
        assert head.at == place, key
        assert not head.done
    head.press("q")
    assert head.done


def test_playing_goes_on_to_the_end_and_stops() -> None:
    head = Playhead(3)
    assert head.wait is None
    head.press(" ")
    assert head.wait == PACES[2]
    head.press("+")
    assert head.wait == PACES[3]
    for _ in range(10):
        head.press("-")
    assert head.wait == PACES[0]
    places = []
    while head.playing:
        head.tick()
        places.append(head.at)
    assert places == [1, 2, 3]
    head.press(" ")
    assert (head.at, head.playing) == (0, True)
    head.press("right")
    assert (head.at, head.playing) == (1, False)
    assert list(PACES) == sorted(PACES, reverse=True)


def test_keys_are_read_from_what_terminals_send() -> None:
    sent = {
        "\x1b[C": "right", "\x1bOD": "left", "\x1b[H": "home", "\x1b[4~": "end", "\r": "enter",
        " ": " ", "q": "q", "\x1b[6~": "page down", "\x7f": "left", "é": "é",
    }  # fmt: skip
    for one, two in itertools.product(sent, repeat=2):
        assert split_keys(one + two) == [sent[one], sent[two]]
    assert split_keys("\x1b") == ["escape"]
    assert split_keys("\x1b[1;5Cq") == ["q"]
    assert split_keys("") == []
