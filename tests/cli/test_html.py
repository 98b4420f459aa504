"""``explain --html``, ``deal --svg``: a file beside the usual output, or instead of it."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run, refused

BLOCK = ("explain", "block-ten", "7", "--engine", "reference")


def test_a_page_is_written_beside_the_output(dealproof: Run, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    done = dealproof(*BLOCK, "--html", str(path))
    assert done.returncode == 1
    assert done.stdout.startswith(b"Block Ten, deal 7: unwinnable")
    page = path.read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert page.endswith("</html>\n")
    assert "<title>Block Ten \u00b7 deal 7</title>" in page
    found = re.search(r'<script type="application/json" id="data">(.*)</script>', page)
    assert found is not None
    data = json.loads(found[1])
    assert len(data["steps"]) == 16
    assert list(tmp_path.iterdir()) == [path]


def test_a_page_alone_goes_to_stdout(dealproof: Run, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    dealproof(*BLOCK, "--html", str(path))
    done = dealproof(*BLOCK, "--html", "-")
    assert done.returncode == 1
    assert done.stdout == path.read_bytes()


def test_nothing_in_a_page_points_elsewhere(dealproof: Run) -> None:
    page = dealproof(*BLOCK, "--html", "-").stdout.decode()
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", page)
    assert not re.findall(r"(?:src|href)=[\"'](?!#|data:,)", page)
    assert not re.findall(r"@import|url\(", page)


def test_the_deck_may_come_from_a_file_of_any_name(dealproof: Run, tmp_path: Path) -> None:
    deck = json.loads(dealproof("deal", "block-ten", "7", "--json").stdout)["deck"]
    path = tmp_path / "<script>alert(1)</script>".replace("/", "&")
    path.write_text(deck, encoding="utf-8")
    page = dealproof("explain", "block-ten", str(path), "--html", "-").stdout.decode()
    assert html.escape(f"{path}:1") in page
    assert "<script>alert" not in page


@pytest.mark.parametrize("words", [("--html", "-", "--json")])
def test_two_things_cannot_have_stdout(dealproof: Run, words: tuple[str, ...]) -> None:
    assert refused(dealproof(*BLOCK, *words)) == "--html - and --json cannot both have stdout"


def test_a_page_that_cannot_be_written_is_refused(dealproof: Run, tmp_path: Path) -> None:
    path = tmp_path / "none" / "page.html"
    assert refused(dealproof(*BLOCK, "--html", str(path))) == f"{path}: no such file or directory"


def test_a_drawing_is_written_beside_the_board_or_alone(dealproof: Run, tmp_path: Path) -> None:
    path = tmp_path / "deal.svg"
    words = ("deal", "single-left", "4", "--after", "deal")
    done = dealproof(*words, "--svg", str(path))
    assert done.stdout == dealproof(*words).stdout
    drawing = path.read_bytes()
    assert drawing.startswith(b"<svg ")
    assert b"Waste: " in drawing
    assert dealproof(*words, "--svg", "-").stdout == drawing
    refusal = refused(dealproof(*words, "--svg", "-", "--json"))
    assert refusal == "--svg - and --json cannot both have stdout"
