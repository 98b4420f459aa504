"""Texts of others in pages, drawings and graphs: shown as they are, never run."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.results.__main__ import main as results
from rules.decks import Deck
from solver.cli import run
from tests.cli.conftest import ROOT

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&]]>"


class Tags(HTMLParser):
    """The tags of a page with their attributes, and its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, list[str]]] = []
        self.scripts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, [name for name, _ in attrs]))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "script":
            self.scripts.append(data)


def harmless(page: str) -> None:
    tags = Tags()
    tags.feed(page)
    assert tags.tags
    for tag, attributes in tags.tags:
        assert tag != "img"
        assert not [name for name in attributes if name.startswith("on")]
    assert not [text for text in tags.scripts if text.strip().startswith("alert")]


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A game whose title is hostile, and a deck in a file with such a name and comment."""
    rules = (ROOT / "rules/games/block-ten.toml").read_text()
    rows = [row for row in rules.splitlines() if not row.startswith(("title", "source"))]
    head = [f"title = {json.dumps(EVIL)}", f"source = {json.dumps(EVIL)}"]
    (tmp_path / "mine.toml").write_text("\n".join([*head, *rows]))
    (tmp_path / NAME).write_text(f"# {EVIL}\n{Deck.numbered(50)} # {EVIL}\n")
    return tmp_path


NAME = "<img src=x onerror=alert(2)>.txt"


def test_pages_drawings_and_graphs(
    mine: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(mine)
    assert run(["explain", "mine.toml", NAME, "--html", "page.html"]) == 0
    harmless((mine / "page.html").read_text(encoding="utf-8"))
    assert run(["survey", "mine.toml", "1-5", "-w", "1", "--file", "s.db", "--json"]) == 0
    capfd.readouterr()
    assert run(["survey", "--report", "s.db", "--html", "-"]) == 0
    page = capfd.readouterr().out
    harmless(page)
    assert "&lt;script&gt;" in page
    assert run(["deal", "mine.toml", NAME, "--svg", "-"]) == 0
    ElementTree.fromstring(capfd.readouterr().out)
    assert results(["s.db", "--docs", "."]) == 0
    text = capfd.readouterr().out
    assert "<script" not in text
    assert "<img" not in text.replace('<img src="results/s-', "")


def test_graphs_of_games_with_odd_names(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = '<b>"x"&.toml'
    rules = (ROOT / "rules/games/decade.toml").read_text()
    (tmp_path / name).write_text(rules)
    words = [name, "1", "-o", "ranks=3", "-o", "sums=5,10"]
    assert run(["graph", *words, "--format", "graphml"]) == 0
    ElementTree.fromstring(capfd.readouterr().out)
    assert run(["graph", *words, "--format", "dot"]) == 0
    assert '\\"x\\"' in capfd.readouterr().out
