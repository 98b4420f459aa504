"""Certificates through the command line: written, checked, refused, with the exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, refused


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("block-ten", "7"), "Block Ten, deal 7: unwinnable: proved (81 positions"),
        (("tens", "3"), "Tens, deal 3: winnable: proved by its line"),
        (("decade", "1"), "Decade, deal 1: unwinnable, 9 cards left at best: proved"),
        (("ten-twenty-thirty", "1"), "Ten-Twenty-Thirty, deal 1: unwinnable"),
        (("single-left", "12", "--reductions", "none"), "Single Left, deal 12: unwinnable: proved"),
        (("block-ten", "7", "-o", "slots=8"), "Block Ten (slots=8), deal 7: "),
    ],
)
def test_solve_writes_what_check_accepts(
    dealproof: Run, tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    path = tmp_path / "deal.cert"
    solved = dealproof("solve", *words, "--json", "--certificate", str(path))
    assert solved.stderr == b""
    verdict = json.loads(solved.stdout)["verdict"]
    assert solved.returncode == {"winnable": 0, "unwinnable": 1}[verdict]
    checked = dealproof("check", str(path))
    assert checked.returncode == 0
    assert checked.stdout.decode().startswith(f"{path}: {says}")
    assert verdict in checked.stdout.decode()
    assert list(tmp_path.iterdir()) == [path]


def test_check_refuses_with_the_reason(dealproof: Run, tmp_path: Path) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    dealproof("solve", "block-ten", "7", "--certificate", str(good))
    bad.write_bytes(good.read_bytes().replace(b'"deal": "7"', b'"deal": "8"'))
    done = dealproof("check", str(good), str(bad))
    assert done.returncode == 1
    first, second = done.stdout.decode().splitlines()
    assert "proved" in first
    assert second == f"{bad}: refused: the checksum does not match: the file was damaged or edited"
    record = json.loads(dealproof("check", "--json", str(bad)).stdout)
    assert record["accepted"] is False
    assert "checksum" in record["reason"]


def test_a_limit_is_no_verdict(dealproof: Run, tmp_path: Path) -> None:
    path = tmp_path / "deal.cert"
    dealproof("solve", "block-ten", "7", "--certificate", str(path))
    done = dealproof("check", "--max-positions", "10", str(path))
    assert done.returncode == 3
    assert b"the set holds 81 positions; the limit is 10" in done.stdout
    done = dealproof("check", "--memory", "100", str(path))
    assert done.returncode == 3


def test_what_is_no_certificate_is_bad_input(dealproof: Run, tmp_path: Path) -> None:
    path = tmp_path / "deck.txt"
    path.write_text("4C 9S 3C")
    assert refused(dealproof("check", str(path))) == f"{path}: this is no dealproof certificate"
    assert "no such file" in refused(dealproof("check", str(tmp_path / "none")))
    assert "is a directory" in refused(dealproof("check", str(tmp_path)))
    assert "which file?" in refused(dealproof("check"))


def test_no_certificate_without_a_proof(dealproof: Run, tmp_path: Path) -> None:
    path = tmp_path / "deal.cert"
    words = ("single-left", "5", "--reductions", "none", "--engine", "reference")
    done = dealproof("solve", *words, "--max-positions", "10", "--certificate", str(path))
    assert done.returncode == 3
    assert b"nothing is proved" in done.stderr
    assert not path.exists()
    done = dealproof("solve", "tens", "1-3", "--certificate", str(path))
    assert "--certificate goes with one deal, not 3" in refused(done)
