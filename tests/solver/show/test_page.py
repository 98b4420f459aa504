"""The replay page in a real browser, opened from a file as a user opens it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rules import Card
from rules.game import Pile
from solver.show.replays import Alternative, Phase, Replay, Step
from solver.show.tables import LaidTable
from solver.show.web.replay_page import replay_html, tables
from solver.verdict import Verdict
from tests.solver.show.conftest import CASES, make_replay

sync_api = pytest.importorskip("playwright.sync_api", reason="no playwright: extra `test`")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Open = Callable[..., "Page"]

SMALL = ("tens", "3")  # 22 moves
DECISIONS = ("decade-loop-three", "1")

STATE = """() => Object.fromEntries([...document.querySelectorAll(".card")].map((card) => [
  card.dataset.card,
  [Number(card.style.getPropertyValue("--x")), Number(card.style.getPropertyValue("--y")),
   card.querySelector("use").getAttribute("href")]]))"""


PRESS = """(times) => {
  const press = () => new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true });
  for (let i = 0; i < times; i++) document.body.dispatchEvent(press());
}"""


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Open a replay's page; at the end nothing may have been complained about or fetched."""
    troubles: list[str] = []
    contexts = []

    def open_page(found: Replay, width: int = 1280, height: int = 800, **options: Any) -> Page:
        path = tmp_path / f"replay-{len(contexts)}.html"
        path.write_text(replay_html(found), encoding="utf-8")
        options = {"reduced_motion": "reduce"} | options
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("dialog", lambda dialog: troubles.append(dialog.message))
        page.on(
            "request",
            lambda request: None if request.url == path.as_uri() else troubles.append(request.url),
        )
        page.goto(path.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []


def shown(table: LaidTable) -> dict[str, list[Any]]:
    """What the page should hold for *table*, in the form of `STATE`."""
    return {
        str(int(placed.card)): [
            placed.x,
            placed.y,
            f"#f{int(placed.card)}" if placed.face_up else "#b",
        ]
        for placed in table.cards
    }


@pytest.mark.parametrize(("game", "deal", "verdict"), CASES)
def test_steps_to_the_end(open_page: Open, game: str, deal: str, verdict: Verdict) -> None:
    found = make_replay(game, deal)
    assert found.verdict is verdict
    frames = list(tables(found))
    page = open_page(found)
    last = len(found.steps)
    assert page.inner_text("#count") == f"0 / {last}"
    assert page.evaluate(STATE) == shown(frames[0])
    if last < 30:
        for _ in range(last):
            page.keyboard.press("ArrowRight")
    else:
        page.evaluate(PRESS, last)
    assert page.inner_text("#count") == f"{last} / {last}"
    assert page.evaluate(STATE) == shown(frames[-1])
    assert page.is_disabled("#forward")
    assert page.inner_text("#ending") == found.headline
    banner = page.query_selector("#banner")
    if verdict is Verdict.WINNABLE:
        assert banner is not None
        assert banner.is_visible()
        assert banner.inner_text() == f"✓ {found.headline}"
    else:
        assert banner is None
    assert page.inner_text(".badge").split() == [
        {"winnable": "✓", "unwinnable": "✗", "unknown": "?"}[verdict.value],
        verdict.value.capitalize(),
    ]


def test_the_won_table_has_every_card_up(open_page: Open) -> None:
    page = open_page(make_replay("single-left", "3"))
    page.keyboard.press("End")
    page.evaluate("document.getElementById('table').open = true")
    page.wait_for_selector("#words li")
    words = page.locator("#words li").all_inner_texts()
    suits = ("clubs", "diamonds", "hearts", "spades")
    assert [f"foundation of {suit}: king of {suit}" for suit in suits] == words[2:6]
    assert words[:2] == ["stock: empty", "waste: empty"]
    assert words[6:] == [f"column {n}: empty" for n in range(1, 8)]


@pytest.mark.parametrize(("game", "deal"), [SMALL, ("single-left", "3"), ("decade-seven", "1")])
@pytest.mark.parametrize("narrow", [False, True])
def test_every_frame_is_the_laid_table(open_page: Open, game: str, deal: str, narrow: bool) -> None:
    found = make_replay(game, deal)
    page = open_page(found, 360 if narrow else 1280, 740)
    frames = list(tables(found, narrow=narrow))
    for index in range(0, len(frames), 1 + len(frames) // 12):
        page.evaluate(f"location.hash = '#{index}'")
        expect(page.locator("#slider")).to_have_value(str(index))
        assert page.evaluate(STATE) == shown(frames[index])


def test_keys_buttons_slider_and_list_step(open_page: Open) -> None:
    found = make_replay(*SMALL)
    last = len(found.steps)
    page = open_page(found)

    def at() -> int:
        now = int(page.inner_text("#count").split(" / ")[0])
        current = page.locator("[aria-current=step]")
        assert current.count() == 1
        assert current.get_attribute("data-i") == str(now)
        assert page.input_value("#slider") == str(now)
        assert page.url.endswith(f"#{now}")
        return now

    for key, place in (
        ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last),
        ("ArrowRight", last), ("Home", 0), ("ArrowLeft", 0),
    ):  # fmt: skip
        page.keyboard.press(key)
        assert at() == place, key
    for button, place in (("end", last), ("back", last - 1), ("first", 0), ("forward", 1)):
        page.click(f"#{button}")
        assert at() == place, button
    page.click("[data-i='7']")
    assert at() == 7
    page.keyboard.press("ArrowDown")
    assert at() == 8
    assert page.evaluate("document.activeElement.dataset.i") == "8"
    page.focus("#slider")
    page.keyboard.press("ArrowRight")
    assert at() == 9
    page.keyboard.press("Home")
    assert at() == 0


def test_the_space_bar_plays_to_the_end(open_page: Open) -> None:
    found = make_replay(*SMALL)
    page = open_page(found)
    page.select_option("#speed", "150")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    assert page.get_attribute("#play", "aria-label") == "Pause"
    assert page.get_attribute("#live", "aria-live") == "off"
    last = len(found.steps)
    expect(page.locator("#slider")).to_have_value(str(last), timeout=30_000)
    assert page.get_attribute("#play", "aria-label") == "Play"
    assert page.get_attribute("#live", "aria-live") == "polite"


def test_moves_are_read_aloud(open_page: Open) -> None:
    found = make_replay(*SMALL)
    page = open_page(found)
    last = len(found.steps)
    for number in (1, 2):
        page.keyboard.press("ArrowRight")
        assert (
            page.inner_text("#live") == f"Move {number} of {last}. {found.steps[number - 1].words}"
        )
    page.keyboard.press("End")
    assert page.inner_text("#live").endswith(found.headline)


def test_everything_that_acts_has_a_name_and_ids_are_unique(open_page: Open) -> None:
    page = open_page(make_replay(*DECISIONS))
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select")].filter((element) =>
        !element.getAttribute("aria-label") && !element.textContent.trim()
        && !(element.labels && element.labels.length)).map((element) => element.outerHTML)"""
    )
    assert nameless == []
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((element) => element.id)")
    assert len(ids) == len(set(ids))
    assert page.get_attribute("html", "lang") == "en"


def test_choices_and_their_verdicts_are_shown(open_page: Open) -> None:
    found = make_replay(*DECISIONS)
    signs = {Verdict.WINNABLE: "✓", Verdict.UNWINNABLE: "✗", Verdict.UNKNOWN: "?"}
    fates = {Verdict.WINNABLE: "wins", Verdict.UNWINNABLE: "loses", Verdict.UNKNOWN: "undecided"}
    page = open_page(found)
    decisions = [number for number, step in enumerate(found.steps, 1) if step.alternatives]
    assert decisions
    for number in decisions:
        alternatives = found.steps[number - 1].alternatives
        tally = page.text_content(f"[data-i='{number}'] .tally")
        assert tally == "".join(signs[item.verdict] for item in alternatives)
        page.click(f"[data-i='{number - 1}']")  # the table in which the choice is made
        texts = [" ".join(text.split()) for text in page.locator("#choices li").all_text_contents()]
        assert len(texts) == len(alternatives)
        for text, item in zip(texts, alternatives, strict=True):
            assert text.replace("\ufe0e", "").startswith(item.label)
            assert fates[item.verdict] in text
            assert ("played" in text) is item.played
        critical = found.steps[number - 1].critical
        assert page.locator(f"[data-i='{number}'] .only").count() == critical
    assert not page.is_visible("#list .alts >> nth=0")
    page.check("#all")
    assert page.is_visible("#list .alts >> nth=0")


def test_another_move_can_be_tried(open_page: Open) -> None:
    """Every branch shows the tables of its moves, goes on as it did where it joins, and ends."""
    found = make_replay(*DECISIONS)
    page = open_page(found)
    frames = list(tables(found))
    number = 0
    for place, step in enumerate(found.steps):
        for item in step.alternatives:
            if item.branch is None:
                continue
            page.click(f"[data-i='{place}']")
            page.click(f"#choices [data-branch='{number}'] button")
            assert page.is_visible("#return")
            assert page.inner_text("#caption").replace("\ufe0e", "").startswith(f"{place + 1}. ")
            for laid in tables(found, place, item.branch):
                assert page.evaluate(STATE) == shown(laid)
                page.keyboard.press("ArrowRight")
            if item.branch.joins is not None and item.branch.joins[0] < 0:
                ahead = found.frames[item.branch.joins[1] + 1 :]
                now, last = page.inner_text("#count").split(" / ")
                assert int(last) - int(now) == max(0, len(ahead) - 1)
            page.keyboard.press("End")
            if item.verdict is Verdict.WINNABLE and found.verdict is Verdict.WINNABLE:
                assert page.evaluate(STATE) == shown(frames[-1])
            page.keyboard.press("Escape")
            assert not page.is_visible("#return")
            assert page.inner_text("#count") == f"{place} / {len(found.steps)}"
            assert page.evaluate(STATE) == shown(frames[place])
            number += 1
    assert number > 3


@pytest.mark.parametrize(
    ("game", "deal"),
    [SMALL, ("ten-by-one", "7"), ("decade", "1"), ("decade-seven", "1"), ("single-left", "3")],
)
def test_a_narrow_phone_shows_all(open_page: Open, game: str, deal: str) -> None:
    page = open_page(make_replay(game, deal), 360, 640, has_touch=True)
    for key in ("Home", "ArrowRight", "End"):
        page.keyboard.press(key)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        outside = page.evaluate(
            """() => { const felt = document.getElementById("felt").getBoundingClientRect();
            return [...document.querySelectorAll(".card, .note")].filter((element) => {
              const box = element.getBoundingClientRect();
              return box.width && (box.left < felt.left - 1 || box.right > felt.right + 1
                || box.top < felt.top - 1 || box.bottom > felt.bottom + 1);
            }).map((element) => element.outerHTML); }"""
        )
        assert outside == []
    small = page.evaluate(
        """() => [...document.querySelectorAll(".controls button, .controls select, .theme")]
        .filter((element) => element.getBoundingClientRect().height < 40).length"""
    )
    assert small == 0


def test_dark_and_light(open_page: Open) -> None:
    def ground(page: Page) -> int:
        rgb = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(map(int, rgb.removeprefix("rgb(").removesuffix(")").split(",")))

    found = make_replay(*SMALL)
    light = open_page(found, color_scheme="light")
    dark = open_page(found, color_scheme="dark")
    assert ground(dark) < 150 < 600 < ground(light)
    light.click("#theme")
    assert ground(light) < 150
    light.reload()
    assert ground(light) < 150
    dark.click("#theme")
    assert ground(dark) > 600


def test_without_a_script_the_moves_can_be_read(open_page: Open) -> None:
    found = make_replay(*DECISIONS)
    page = open_page(found, java_script_enabled=False)
    text = (page.text_content("#list") or "").replace("\ufe0e", "")
    assert all(step.label in text for step in found.steps)
    assert found.headline in (page.text_content("header") or "")


def test_names_and_texts_may_be_anything(open_page: Open) -> None:
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;\u2028♥"
    ace, two = Card.parse("AC"), Card.parse("2D")
    frames = (
        (Pile("slot", evil, (ace,)), Pile("stock", evil, (two,), 1)),
        (Pile("slot", evil, (two,)), Pile("stock", evil, ())),
    )
    step = Step(evil, evil, evil, (ace,), (), (Alternative(evil, evil, Verdict.UNKNOWN),))
    found = Replay(
        evil, evil, evil, Verdict.WINNABLE, evil, frames, (step,), (Phase(0, evil),),
        (evil,), (evil,), ((evil, evil),),
    )  # fmt: skip
    page = open_page(found)
    page.keyboard.press("End")

    def read(selector: str) -> str:
        return (page.text_content(selector) or "").replace("\ufe0e", "")

    assert read("h1") == f"{evil} {evil}"
    assert read("#ending") == evil
    assert read("[data-i='1'] .m") == evil
    assert page.locator("img").count() == 0
    assert "<" not in page.evaluate("document.getElementById('data').textContent")


def test_moved_cards_are_ringed_and_glide(open_page: Open) -> None:
    found = make_replay(*SMALL)
    page = open_page(found, reduced_motion="no-preference")
    page.keyboard.press("ArrowRight")
    ringed = page.evaluate(
        "[...document.querySelectorAll('.card.moved')].map((card) => Number(card.dataset.card))"
    )
    step = found.steps[0]
    assert set(ringed) == {int(card) for card in (*step.cards, *step.shown)}
    assert page.evaluate("document.getAnimations().length") > 0
    still = open_page(found)
    still.keyboard.press("ArrowRight")
    assert still.evaluate("document.getAnimations().length") == 0


def test_a_typical_page_is_small() -> None:
    sizes = {game: len(replay_html(make_replay(game, deal))) for game, deal, _ in CASES}
    assert max(sizes.values()) < 500_000, sizes


def test_a_page_is_the_same_every_time() -> None:
    found = make_replay(*DECISIONS)
    assert replay_html(found) == replay_html(replace(found))


def test_a_replay_needs_a_frame_more_than_steps() -> None:
    found = make_replay(*SMALL)
    with pytest.raises(ValueError, match="22 steps need 23 frames, not 22"):
        replace(found, frames=found.frames[1:])
