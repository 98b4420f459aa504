"""Deck files in every shape that people bring, and every fault named with its place."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysol_cards.cards import CardRenderer
from pysol_cards.deal_game import Game as Dealer
from pysol_cards.random_base import RandomBase

from rules.contest import read_contest
from rules.deckfile import MAX_BYTES, parse_decks, read_deck_file, read_decks
from rules.decks import Deck
from rules.errors import DeckError
from rules.registry import get_game

TENS = get_game("tens")
LEFT = get_game("single-left")
FIRST, SECOND = Deck.numbered(0), Deck.numbered(1)
CARDS = FIRST.text().split()


def read(data: bytes | str, game: str = "tens") -> list[Deck]:
    stream = io.BytesIO(data if isinstance(data, bytes) else data.encode())
    return [found.deck for found in read_decks(stream, get_game(game), "here").decks]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends(end: str, last: bool) -> None:
    text = f"{FIRST}{end}{SECOND}{end if last else ''}"
    assert read(text) == [FIRST, SECOND]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_encodings(encoding: str) -> None:
    pretty = " ".join(card.pretty for card in FIRST)
    assert read(f"{FIRST}\n{pretty}\n".encode(encoding)) == [FIRST, FIRST]


@pytest.mark.parametrize(
    "text",
    [
        "\t".join(CARDS),
        ", ".join(CARDS),
        ",".join(CARDS) + ",",
        "  " + ";".join(CARDS) + "  \t",
        f"# a comment\n\n   \n{FIRST} # another\n\n",
        FIRST.text().replace("T", "10").lower(),
        FIRST.text().replace("H", "♥\ufe0f").replace("S", "♤").replace("D", "♦").replace("C", "♣"),
        f"{FIRST}\x1a",
        "\n".join(" ".join(CARDS[i : i + 13]) for i in range(0, 52, 13)),
        "\n".join(" ".join(CARDS[i : i + 10]) for i in range(0, 52, 10)),
        json.dumps({"deck": FIRST.text()}),
        json.dumps([{"deck": FIRST.text(), "verdict": "winnable"}]),
    ],
)
def test_shapes_of_one_deck(text: str) -> None:
    assert read(text) == [FIRST]


@pytest.mark.parametrize(
    ("place", "put", "says"),
    [
        (3, "XX", "here:2:10: card 4: 'XX' is not a card"),
        (3, "4C", "here:2:10: card 4 (4C) repeats card 1"),
        (5, "1H", "here:2:16: card 6: '1H' is not a card"),
        (5, "0H", "here:2:16: card 6: '0H' is not a card"),
        (7, "Joker", "here:2:22: card 8: 'Joker': jokers are not part of the deck"),
        (51, "", "here:2: a deck has 52 cards, not 51; missing: QD"),
        (51, "QD AS", "here:2:157: card 53 (AS) repeats card 15"),
    ],
)
def test_faults_name_line_column_and_card(place: int, put: str, says: str) -> None:
    cards = [*CARDS[:place], put, *CARDS[place + 1 :]]
    with pytest.raises(DeckError) as caught:
        read(f"# decks\n{' '.join(cards)}\n{SECOND}\n")
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "here: no deck in it"),
        (b"\n # nothing\n ,, \n", "here: no deck in it"),
        (b"4C\x00\x01", "here:1: a binary file, not text (character U+0000)"),
        (b"4C 5C\n\xff\xd8\xff", "here:2: not text in UTF-8 (byte 7 is 0xff)"),
        (b"{bad", "here:1:2: not valid JSON"),
        (b"[" * 100_000, "here:1: JSON nested too deeply"),
        (b"{}", "here:1: JSON without"),
        (b"[7]", "here:1: JSON without"),
        (b'{"deck": "4C 4C"}', "here:1: card 2 (4C) repeats card 1"),
        (b'{"tableau piles": 3}', "here:1: `tableau piles` is not a list of piles"),
        (b'{"tableau piles": [3]}', "here:1: `tableau pile 1` is not a list of cards"),
        (b"4C " * 50_000, "here:1: a line of 150000 characters is no deck"),
        (b"1 2 3\n", "here: a list of values 1 to 10, and in Tens the cards matter"),
        (b"4C 5C 6C\n", "here:1: a deck has 52 cards, not 3"),
    ],
)
def test_what_is_no_deck_is_refused(data: bytes, says: str) -> None:
    with pytest.raises(DeckError) as caught:
        read(data)
    assert str(caught.value).startswith(says)
    assert "\n" not in str(caught.value)


def test_a_huge_file_is_refused_without_being_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as stream:
        stream.truncate(MAX_BYTES + 2)
    with pytest.raises(DeckError, match="too large"):
        read_deck_file(path, TENS)


def test_a_directory_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(DeckError) as caught:
            read_deck_file(path, TENS)
        assert str(path) in str(caught.value)


def klondike(number: int) -> str:
    deal = Dealer("klondike", number, RandomBase.DEALS_PYSOL, max_rank=13)
    return str(deal.calc_layout_string(CardRenderer(True)))


@pytest.mark.parametrize("number", [1, 24, 31_999, 100_000_000])
def test_a_pysol_board_is_dealt_back_into_its_deck(number: int) -> None:
    text = klondike(number)
    found = parse_decks(text, LEFT, "here")
    assert found.note is not None
    assert "board" in found.note
    piles = LEFT.layout(LEFT.initial(found.decks[0].deck))
    talon, *rows = text.split("\n")[:8]
    assert [str(card) for pile in piles if pile.role == "stock" for card in pile.cards] == (
        talon.removeprefix("Talon: ").split()
    )
    columns = [pile for pile in piles if pile.role == "column"]
    drawn = [
        " ".join(f"<{c}>" if i < pile.face_down else str(c) for i, c in enumerate(pile.cards))
        for pile in columns
    ]
    assert drawn == rows


def test_a_board_with_colons_and_empty_foundations() -> None:
    lines = klondike(24).splitlines()
    text = "\n".join(["Foundations: H-0 C-0 D-0 S-0", lines[0], *(f": {row}" for row in lines[1:])])
    assert parse_decks(text, LEFT, "x").decks == parse_decks(klondike(24), LEFT, "x").decks


def test_boards_that_do_not_fit_are_refused_with_the_reason() -> None:
    freecell = Dealer("freecell", 24, RandomBase.DEALS_MS, max_rank=13)
    text = freecell.calc_layout_string(CardRenderer(True))
    with pytest.raises(DeckError, match=r"columns of 7, 7, 7, 7, 6, 6, 6, 6 .* deals 1, 2, 3"):
        parse_decks(text, LEFT, "here")
    with pytest.raises(DeckError, match="Tens has none"):
        parse_decks(text, TENS, "here")
    midgame = "Foundations: H-A C-0 D-0 S-0\n" + klondike(24)
    with pytest.raises(DeckError, match="only opening deals"):
        parse_decks(midgame, LEFT, "here")


def test_a_fault_on_a_board_is_named_by_its_place() -> None:
    lines = klondike(24).splitlines()
    lines[2] = lines[2].replace(lines[2].split()[0], "<XH>")
    with pytest.raises(DeckError, match=r"here:3:2: card \d+: 'XH' is not a card"):
        parse_decks("\n".join(lines), LEFT, "here")


def test_solvitaire_deals() -> None:
    piles = LEFT.layout(LEFT.initial(FIRST))
    deal = {
        "tableau piles": [
            [
                (str(c).lower() if i < pile.face_down else str(c)).replace("T", "10")
                for i, c in enumerate(pile.cards)
            ]
            for pile in piles
            if pile.role == "column"
        ],
        "stock": [str(c) for pile in piles if pile.role == "stock" for c in pile.cards[::-1]],
        "foundations": [[], [], [], []],
    }
    found = parse_decks(json.dumps(deal, indent=1), LEFT, "here")
    assert [entry.deck for entry in found.decks] == [FIRST]
    assert found.note is not None
    assert "Solvitaire" in found.note
    with pytest.raises(DeckError, match="only opening deals"):
        parse_decks(json.dumps({**deal, "waste": ["4C"]}), LEFT, "here")
    deal["tableau piles"][2][1] = deal["tableau piles"][2][1].upper()
    with pytest.raises(DeckError, match="pile 3 has 1 cards face down, Single Left deals 2 so: on"):
        parse_decks(json.dumps(deal), LEFT, "here")
    everything_up = json.dumps(deal).upper().replace("TABLEAU PILES", "tableau piles")
    everything_up = everything_up.replace("STOCK", "stock").replace("FOUNDATIONS", "foundations")
    assert parse_decks(everything_up, LEFT, "here").decks[0].deck == FIRST


def test_klondike_solver_decks() -> None:
    """The deck that its readers know from its help: dealt row by row from the left."""
    text = (
        "081054022072134033082024052064053012061013042093084124092122062031083121113023043074"
        "051114091014103044131063041102101133011111071073034123104112021132032094"
    )
    found = parse_decks(f"# of its help\n{text}\n{text}\n", get_game("klondike-one"), "here")
    assert [entry.line for entry in found.decks] == [2, 3]
    assert found.decks[0].deck.text().startswith("8C 5S 2D 7D KS 3H 8D 2S 5D 6S 5H AD 6C AH 4D 9H")
    assert found.note is not None
    assert "Klondike-Solver" in found.note
    for changed, says in (
        (text.replace("081", "141", 1), r"here:1:1: card 1: '141' is not a card"),
        (text.replace("054", "081", 1), r"here:1:4: card 2 \(8C\) repeats card 1"),
        (f"{text}\n{text[3:]}", "here:2: not a deck of 52 cards with three digits each"),
    ):
        with pytest.raises(DeckError, match=says):
            parse_decks(changed, get_game("klondike-one"), "here")
    with pytest.raises(DeckError, match="a deck has 104 cards, not 52"):
        parse_decks(text, get_game("moving-left"), "here")


def test_boards_and_decks_of_several_packs() -> None:
    game = get_game("moving-left")
    deck = Deck.numbered(4, 13, 2)
    piles = game.layout(game.initial(deck))
    rows = ["Talon: " + " ".join(map(str, piles[0].cards))]
    for pile in piles:
        if pile.role == "column":
            cards = [f"<{c}>" if i < pile.face_down else f"{c}" for i, c in enumerate(pile.cards)]
            rows.append(" ".join(cards))
    for text in (deck.text(), "\n".join(rows), json.dumps({"deck": deck.text()})):
        assert parse_decks(text, game, "here").decks[0].deck == deck
    with pytest.raises(DeckError, match=r"repeats cards \d+ and \d+ \(a deck of 2 packs has 2\)"):
        parse_decks(deck.text().replace(str(deck[0]), str(deck[1])), game, "here")


def test_value_lists_where_only_values_matter() -> None:
    text = Path("fixtures/uva246.in").read_text()
    want = read_contest(text)
    found = parse_decks(text, get_game("decade"), "here")
    assert [entry.deck for entry in found.decks] == want
    assert [entry.line for entry in found.decks] == [1, 3, 5]
    assert "values" in (found.note or "")
    without_the_end = text.rstrip().removesuffix("0")
    assert parse_decks(without_the_end, get_game("decade"), "here").decks == found.decks
    with pytest.raises(DeckError, match="card 1: '11' is not a value 1 to 10"):
        parse_decks("11 2 3", get_game("decade"), "here")
    own = get_game("decade").with_options({"values": "1,2,3,4,5,6,7,8,9,10,11,12,13"})
    with pytest.raises(DeckError, match="cards matter"):
        parse_decks(text, own, "here")


def test_small_decks_by_the_game() -> None:
    small = TENS.with_options({"ranks": "4", "must_go": "A"})
    deck = Deck.numbered(3, 4)
    assert parse_decks(deck.text(), small, "here").decks[0].deck == deck
    with pytest.raises(DeckError, match=r"here:1:1: card 1 \(KS\) is not in a deck of 4 ranks"):
        parse_decks("KS" + deck.text()[2:], small, "here")


def fault(data: bytes, game: str) -> str | None:
    """What is wrong with *data*, or None if decks were read."""
    try:
        read(data, game)
    except DeckError as error:
        return str(error)
    return None


def check_fault(said: str | None) -> None:
    assert said is None or (said.startswith("here") and "\n" not in said)


@given(st.binary(max_size=300), st.sampled_from(["tens", "single-left", "decade"]))
def test_any_bytes_are_read_or_refused(data: bytes, game: str) -> None:
    check_fault(fault(data, game))


PIECES = [*CARDS[:20], "\n", " ", ":", "Talon:", "<", ">", "{", "}", "[", "]", '"', ",", "0", "10",
          '"deck":', '"tableau piles":', '"stock":', "#", "null", "1e999", "-"]  # fmt: skip


@given(
    st.lists(st.sampled_from(PIECES), max_size=80).map("".join),
    st.sampled_from(["tens", "single-left", "decade"]),
)
def test_any_text_is_read_or_refused(text: str, game: str) -> None:
    check_fault(fault(text.encode(), game))


def test_cards_without_anything_between_them_have_their_places() -> None:
    game = get_game("block-ten")
    deck = game.deal("3").deck
    run_on = deck.text().replace(" ", "")
    two = parse_decks(f"{run_on}\n{run_on.lower()}", game, "here").decks
    assert [found.deck for found in two] == [deck, deck]
    lines = "\n".join(run_on[start : start + 26] for start in range(0, 104, 26))
    assert parse_decks(lines, game, "here").decks[0].deck == deck
    twice = str(deck[0]) + run_on[2:-2] + str(deck[0])
    with pytest.raises(DeckError) as caught:
        parse_decks(twice, game, "here")
    last = f"card 52 ({deck[0]}) repeats card 1; missing: {deck[51]}"
    assert str(caught.value) == f"here:1:103: {last}"
