"""Cards and tables as SVG: well-formed, complete, readable, the same every time."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from rules import Game, all_games, get_game
from rules.cards import CARDS
from rules.game import Pile
from solver.show.tables import CARD_H, CARD_W, LaidTable, lay
from solver.show.web import replay_page, svg

GAMES = [
    *all_games(),
    get_game("single-left").with_options({"columns": "9"}),
    get_game("single-left").with_options({"columns": "3", "draw": "3"}),
    get_game("tens").with_options({"slots": "52"}),
    get_game("tens").with_options({"slots": "1"}),
    get_game("decade").with_options({"stacks": "13"}),
    get_game("decade").with_options({"sums": "1000", "forced": "false"}),
]
NS = "{http://www.w3.org/2000/svg}"


def walk(game: Game[Any], deal: int) -> Iterator[tuple[Pile, ...]]:
    """The layouts along a random line of play."""
    dice = random.Random(deal)
    state = game.initial(game.deal(str(deal)).deck)
    for _ in range(120):
        yield game.layout(state)
        after = [state for _, state in game.successors(state)]
        if not after:
            return
        state = dice.choice(after)


@pytest.mark.parametrize("game", GAMES, ids=repr)
@pytest.mark.parametrize("narrow", [False, True])
def test_tables_hold_every_card_in_sight(game: Game[Any], narrow: bool) -> None:
    """No card leaves the table; no face-up card of the playing area loses its index."""
    spots = None
    for piles in walk(game, 1):
        on_table = {card for pile in piles for card in pile.cards}
        gone = [card for card in game.fresh if card not in on_table]
        table = lay(piles, gone, narrow=narrow, last=3, discards=True)
        assert sorted(placed.card for placed in table.cards) == sorted(game.fresh)
        for placed in table.cards:
            assert 0 <= placed.x <= table.width - CARD_W
            assert 0 <= placed.y <= table.height - CARD_H
        here = [(spot.x, spot.y, spot.width) for spot in table.spots]
        assert spots in (None, here)  # places never move
        spots = here
        assert_indices_show(table)


def assert_indices_show(table: LaidTable) -> None:
    """The corner with rank and suit of each face-up card is under no later card."""
    for spot in {placed.spot for placed in table.cards}:
        if table.spots[spot].role not in ("column", "stack", "slot"):
            continue
        held = [placed for placed in table.cards if placed.spot == spot]
        for card in held:
            above = [other for other in held if other.level > card.level]
            if card.face_up:
                assert not [
                    other
                    for other in above
                    if other.x < card.x + 62 and other.y < card.y + 36
                    and other.x + CARD_W > card.x and other.y + CARD_H > card.y
                ]  # fmt: skip


def test_slots_and_columns_do_not_overlap() -> None:
    for game in GAMES:
        for narrow in (False, True):
            table = lay(next(walk(game, 2)), narrow=narrow)
            boxes = [(spot.x, spot.y, spot.width) for spot in table.spots]
            for index, (x, y, width) in enumerate(boxes):
                for left, top, breadth in boxes[index + 1 :]:
                    apart = x + width <= left or left + breadth <= x
                    assert apart or abs(y - top) >= CARD_H, (game, narrow)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_a_drawn_table_is_well_formed_and_described(game: Game[Any]) -> None:
    for piles in [*walk(game, 3)][::40]:
        text = svg.table_svg(piles)
        root = ET.fromstring(text)
        assert root.tag == f"{NS}svg"
        title = root.findtext(f"{NS}title") or ""
        for pile in piles:
            if pile.role in ("slot", "column", "stack"):
                for card in pile.cards[pile.face_down :]:
                    assert card.name in title
        for number in root.iter():
            for value in number.attrib.values():
                assert "None" not in value
                assert "nan" not in value
        assert text == svg.table_svg(piles)


def test_each_card_has_a_face_of_its_own() -> None:
    faces = {svg.card_svg(card) for card in CARDS} | {svg.card_svg(None)}
    assert len(faces) == 53
    for card in CARDS:
        root = ET.fromstring(svg.card_svg(card))
        assert root.findtext(f"{NS}title") == card.name
        inks = {element.get("fill") for element in root.iter() if element.get("fill")}
        assert ("var(--red)" in inks) is card.is_red
        assert ("var(--black)" in inks) is not card.is_red


def test_the_sheet_has_every_symbol_once() -> None:
    root = ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{svg.symbols()}</svg>')
    assert [symbol.get("id") for symbol in root] == [*(f"f{n}" for n in range(52)), "b"]


def test_names_are_escaped() -> None:
    piles = (Pile("stock", "<b>&\"'", ()),)
    assert "".join(ET.fromstring(svg.table_svg(piles)).itertext()).count("<b>&\"'") == 2


def test_equal_cards_keep_their_numbers_from_frame_to_frame() -> None:
    """On a page each card of every pack has a number, and keeps it where it stays."""
    game = get_game("triple-left").with_options({"ranks": "3", "columns": "6"})
    before: dict[int, tuple[int, ...]] = {}
    for piles in walk(game, 1):
        wide, narrow = lay(piles), lay(piles, narrow=True)
        now = replay_page._places(wide, narrow, before)
        assert sorted(now) == sorted(card + 52 * n for card in range(12) for n in range(3))
        assert sorted(now.values()) == sorted(replay_page._places(wide, narrow, {}).values())
        if before:
            stays = Counter((card % 52, place) for card, place in before.items())
            stays &= Counter((card % 52, place) for card, place in now.items())
            assert sum(now[card] == before[card] for card in now) == stays.total()
        before = now
