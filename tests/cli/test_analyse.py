"""The analysing commands: what they print, and their exit codes."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Run, refused

LOSING = "TH>JC 4S>5D JC>QH"


def test_hint_lists_every_move_best_first(dealproof: Run) -> None:
    done = dealproof("hint", "single-left", "4")
    rows = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert rows[0] == "Single Left, deal 4: winnable"
    verdicts = [row.split()[2] for row in rows if row[:1].isdigit() and "·" not in row]
    assert verdicts == ["wins", "wins", "wins", "loses"]
    assert "every line fails" in rows[5]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("hint", "single-left", "4"), 0),
        (("hint", "single-left", "4", "--after", "TH>JC 4S>5D"), 1),
        (("hint", "single-left", "4", "--budget", "5"), 3),
        (("hint", "decade", "1"), 1),
        (("review", "single-left", "4", "TH>JC JC>QH"), 0),
        (("review", "single-left", "4", LOSING), 1),
        (("review", "single-left", "4", LOSING, "--budget", "5"), 3),
        (("review", "single-left", "1", "deal"), 0),
    ],
)
def test_exit_codes(dealproof: Run, words: tuple[str, ...], code: int) -> None:
    assert dealproof(*words).returncode == code
    assert dealproof(*words, "--json").returncode == code


def test_hint_follows_play_and_takes_back(dealproof: Run) -> None:
    script = b"TH>JC\n4S>5D JC>QH\nundo\n\nKC>KD\nundo\nundo\nnonsense\n"
    done = dealproof("hint", "single-left", "4", "--follow", "--json", stdin=script)
    rows = [json.loads(row) for row in done.stdout.splitlines()]
    assert [row["after"] for row in rows] == [
        [],
        ["TH>JC=TD"],
        ["TH>JC=TD", "4S>5D=KC", "JC>QH=5C"],
        ["TH>JC=TD"],
        [],
    ]
    assert [row["verdict"] for row in rows] == ["winnable"] * 2 + ["unwinnable"] + ["winnable"] * 2
    assert rows[3]["positions"] < rows[0]["positions"]  # shared with what went before
    complaints = done.stderr.decode().splitlines()
    assert len(complaints) == 3
    assert "KC>KD" in complaints[0]
    assert complaints[1] == "dealproof: nothing to undo"
    assert "nonsense" in complaints[2]


def test_review_names_the_blunder(dealproof: Run) -> None:
    text = dealproof("review", "single-left", "4", LOSING).stdout.decode()
    assert text.startswith("Single Left, deal 4: 3 moves; it could be won at first, and not at ")
    assert "2  4♠>5♦=K♣  a blunder: can be won before it, lost after it" in text
    row = json.loads(dealproof("review", "single-left", "4", LOSING, "--json").stdout)
    blunder = row["blunders"][0]
    assert (blunder["number"], blunder["move"]) == (2, "4S>5D=KC")
    way = " ".join(["TH>JC", blunder["better"], *blunder["line"]])
    assert dealproof("verify", "single-left", "4", way, "--win").returncode == 0


def test_review_reads_what_solve_prints(dealproof: Run) -> None:
    line = dealproof("solve", "single-left", "4", "--line").stdout
    text = dealproof("review", "single-left", "4", "-", stdin=line).stdout.decode()
    assert "the line wins" in text
    assert "blunder" not in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["hint", "single-left"], "which deal?"),
        (["hint", "single-left", "4", "--after", "4S>4D"], "move 1 (4S>4D)"),
        (["hint", "single-left", "4", "--budget", "some"], "--budget: 'some'"),
        (["hint", "single-left", "-", "--follow"], "--follow reads moves from stdin"),
        (["review", "single-left", "4"], "which line?"),
        (["review", "single-left", "4", "deal 4S>4D"], "move 2 (4S>4D)"),
        (["review", "single-left", "4", "deal", "--timeout", "soon"], "--timeout: 'soon'"),
    ],
)
def test_bad_input(dealproof: Run, words: list[str], message: str) -> None:
    assert message in refused(dealproof(*words))


def test_rate_one_and_many(dealproof: Run) -> None:
    text = dealproof("rate", "single-left", "3").stdout.decode()
    assert text.startswith("Single Left, deal 3: fair\n")
    for name in ("guesswork", "random play", "greedy play", "proof"):
        assert name in text
    done = dealproof("rate", "single-left", "1,3,6", "--plays", "50")
    rows = done.stdout.decode().splitlines()
    assert done.returncode == 0
    assert max(map(len, rows)) <= 80
    assert [row.split()[:2] for row in rows[1:4]] == [
        ["1", "unwinnable"], ["3", "fair"], ["6", "easy"],
    ]  # fmt: skip
    assert rows[-1].startswith("2 deals rated: 1 easy (50%)")
    assert dealproof("rate", "single-left", "1").returncode == 1
    same = [dealproof("rate", "single-left", "6", "--json", "--seed", "5").stdout for _ in (0, 1)]
    first, second = (json.loads(text)["random"] for text in same)
    assert first == second


def test_graph_figures_formats_and_limit(dealproof: Run) -> None:
    text = dealproof("graph", "decade", "3").stdout.decode()
    assert "101 positions, 104 edges; 70 can be won, 31 cannot; 1 win, 4 ends" in text
    assert "every win goes through 64 positions" in text
    folded = dealproof("graph", "decade", "3", "--fold", "--format", "json")
    assert len(json.loads(folded.stdout)["nodes"]) == 16
    assert dealproof("graph", "decade", "3", "--format", "dot").stdout.startswith(b"digraph")
    assert b"<graphml" in dealproof("graph", "decade", "3", "--format", "graphml").stdout[:100]
    refused_one = dealproof("graph", "single-left", "4", "--limit", "500")
    assert (refused_one.returncode, refused_one.stdout) == (3, b"")
    assert b"more than 500 positions" in refused_one.stderr
    assert "--format" in refused(dealproof("graph", "decade", "3", "--format", "png"))
