"""What notebooks ask values for: well-formed, escaped, and what the command line prints."""

from __future__ import annotations

import importlib
import subprocess
import sys
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from IPython.core.formatters import DisplayFormatter

from dealproof import Limits, Verdict, explain, odds, solve
from rules import Card, Deal, Deck, Position, get_game
from rules.moves import parse_line
from rules.registry import parse_game
from solver.analysis.hints import hint_at
from solver.analysis.ratings import rate
from solver.analysis.reviews import review
from solver.analysis.session import Session
from solver.show.glyphs import UNICODE
from solver.show.text.lines import result_tree
from solver.show.web import notebook
from solver.show.web.formatters import PAGES, PICTURES, register
from solver.surveys.run import Progress

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[3]
NS = "{http://www.w3.org/2000/svg}"
VOID = {"meta", "link", "input", "br", "img"}
REFERENCE: dict[str, Any] = {"engine": "reference", "limits": Limits(None, 5_000)}
DECADE = get_game("decade-loop")
FORMATTER = DisplayFormatter()
register(SimpleNamespace(display_formatter=FORMATTER))


class Page(HTMLParser):
    """The text of a piece of HTML, its frames' pages, and that all elements are closed."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.text = ""
        self.frames: list[str] = []
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "iframe":
            assert dict(attrs)["sandbox"] == "allow-scripts"
            self.frames.append(dict(attrs)["srcdoc"] or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.text += data


def page(value: Any) -> Page:
    """What IPython gets for *value*; nothing but a page."""
    found, _ = FORMATTER.format(value, exclude={"text/plain"})
    assert set(found) == {"text/html"}
    return Page(found["text/html"])


def picture(value: Any) -> str:
    """What IPython gets for *value*; nothing but a picture."""
    found, _ = FORMATTER.format(value, exclude={"text/plain"})
    assert set(found) == {"image/svg+xml"}
    return str(found["image/svg+xml"])


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (Card.parse("QH"), "queen of hearts"),
        (Deck.numbered(7), "nine of hearts, two of hearts, four of spades"),
        (Deck.numbered(7, 3), "of hearts"),
        (Deal.parse("ms:617"), "seven of diamonds"),
        (Position.after(get_game("single-left"), Deal.parse("4"), "deal"), "Waste: ace of spades."),
        (Position.after(get_game("tens"), Deal.parse("4")), "Slot 13: "),
    ],
    ids=repr,
)
def test_cards_and_tables_are_pictures(value: Any, words: str) -> None:
    root = ET.fromstring(picture(value))
    assert root.tag == f"{NS}svg"
    assert words in (root.findtext(f"{NS}title") or "")
    assert notebook.html(value) is None


def test_a_picture_of_a_deck_has_its_cards_in_order() -> None:
    deck = Deck.numbered(7)
    root = ET.fromstring(picture(deck))
    cards = [group for group in root.findall(f"{NS}g") if "transform" in group.attrib]
    assert len(cards) == 52
    first = ET.fromstring(picture(deck[0]))
    assert ET.tostring(first.findall(f"{NS}g")[0]) == ET.tostring(cards[0].findall(f"{NS}g")[0])


def test_colours_stay_in_their_own_picture() -> None:
    """Several pictures in one page, and a page with colours of its own."""
    style = ET.fromstring(picture(Card(0))).findtext(f"{NS}style") or ""
    assert style.count("{--") == style.count(".dealproof{--") == 2


def test_a_result_shows_table_verdict_and_line() -> None:
    result = solve(DECADE, 70, **REFERENCE)
    shown = page(result)
    assert result.verdict is Verdict.WINNABLE
    assert "Decade: the line as a loop, deal 70 ✓ Winnable 69 moves" in shown.text
    assert shown.seen.count("svg") == 1
    for row in notebook.printed(result_tree(result, UNICODE)).splitlines():
        assert Page(row.replace("<pre>", "").replace("</pre>", "")).text in shown.text
    assert f"{result.stats.positions} positions" in shown.text
    assert repr(result) == "<Result decade-loop, deal 70: winnable, 0 left at best, a line of 69>"


def test_results_without_a_line_and_without_a_verdict() -> None:
    lost = page(solve("block-ten", 1))
    assert "Block Ten, deal 1 ✗ Unwinnable" in lost.text
    assert "a winning line" not in lost.text
    open_ = page(solve("single-left", 1, engine="reference", limits=Limits(None, 10)))
    assert "? Unknown positions limit reached" in open_.text


def test_an_explanation_is_the_replay_page_in_a_frame() -> None:
    shown = page(explain(DECADE, 73, **REFERENCE))
    assert "deal 73 ✗ Unwinnable 1 card left at best" in shown.text
    (inner,) = shown.frames
    assert inner.startswith("<!doctype html>")
    assert "Why it cannot be won" in inner


def test_the_other_results() -> None:
    deal = Deal.parse("70")
    result = solve(DECADE, deal, **REFERENCE)
    assert result.line is not None
    seen = page(review(DECADE, deal, result.line[:5], **REFERENCE))
    assert "deal 70: 5 moves" in seen.text
    assert len(seen.frames) == 1
    session = Session(DECADE, result.start, engine="reference")
    hinted = page(hint_at(session, result.start, limits=Limits(None, 5_000), budget=2_000))
    assert "what to play: winnable" in hinted.text
    rated = page(rate(DECADE, deal, plays=10, **REFERENCE))
    assert "guesswork" in rated.text
    chances = page(odds(get_game("block-ten").with_options({"ranks": "9"})))
    assert "exact odds over all shuffles" in chances.text
    assert "2 of 3 deals: 2 winnable" in page(Progress(3, {"winnable": 2, "unknown": 0})).text
    assert "Columns build down by one" in page(get_game("single-left")).text


def test_every_text_is_escaped() -> None:
    title = "<script>alert('1')</script>&"
    game = parse_game(f'family = "pairing"\ntitle = "{title}"', "a<b")
    deal = Deal("<i>7</i>", Deck.numbered(7))
    result = solve(game, deal)
    for value in (game, result, explain(game, deal), review(game, deal, parse_line(""))):
        shown = page(value)
        assert title in shown.text or title in "".join(shown.frames)
        for source in (shown, *map(Page, shown.frames)):
            assert "script" not in source.seen or source is not shown
            assert "i" not in source.seen


def test_who_draws_is_loaded_when_something_is_shown() -> None:
    """In a shell `import dealproof` is enough, and loads nothing that draws."""
    code = """
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("import dealproof\\ndeck = dealproof.Deck.numbered(1)")
print("solver.show.web.notebook" in sys.modules)
data, _ = shell.display_formatter.format(shell.user_ns["deck"])
print(data["image/svg+xml"][:4], "solver.show.web.notebook" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n<svg True\n"


def test_every_type_is_where_it_is_said_to_be() -> None:
    for module, name in (*PICTURES, *PAGES):
        assert getattr(importlib.import_module(module), name).__module__ == module


def test_what_cannot_be_drawn_is_left_to_others() -> None:
    assert notebook.svg(3) is None
    assert notebook.html("text") is None


def test_the_frame_plays_in_a_browser(browser: Browser) -> None:
    found = explain(DECADE, 70, **REFERENCE)
    source = notebook.html(found)
    tab = browser.new_page()
    faults: list[str] = []
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.set_content(f"<!doctype html><body>{source}{picture(Deck.numbered(1))}")
    inner = tab.frame_locator("iframe")
    inner.locator("#forward").click()
    assert inner.locator("#count").inner_text() == f"1 / {len(found.result.line or ())}"
    assert tab.locator("svg").bounding_box() is not None
    assert faults == []
    tab.close()
