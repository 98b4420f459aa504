"""What people bring, to the command as they run it: decks, numbers, times, sizes.

Everything that can be read is read exactly; everything else is one line that names what is
wrong and where, exit code 2, and no verdict.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
from pathlib import Path

import pytest

from rules.deckfile import MAX_BYTES, read_deck_file
from rules.decks import Deck
from rules.errors import DeckError, PositionError
from rules.position import Position
from rules.registry import game_names, get_game
from tests.cli.conftest import COMMAND, ROOT, Here, Run, environment, refused

DECK = Deck.numbered(50)
CARDS = DECK.text().split()
TEXT = " ".join(CARDS)

GOOD: dict[str, bytes] = {
    "plain": f"{TEXT}\n".encode(),
    "ten": TEXT.replace("T", "10").encode(),
    "lower": TEXT.lower().encode(),
    "black": " ".join(card.pretty for card in DECK).encode(),
    "ten-black": TEXT.replace("TH", "10♥").replace("H", "♥").encode(),
    "white": TEXT.translate(str.maketrans("CDHS", "♧♢♡♤")).encode(),
    "emoji": TEXT.translate({67: "♣\ufe0f", 68: "♦\ufe0f", 72: "♥\ufe0f", 83: "♠\ufe0f"}).encode(),
    "text-style": TEXT.translate({72: "♥\ufe0e", 83: "♠\ufe0e"}).encode(),
    "bom": b"\xef\xbb\xbf" + TEXT.encode(),
    "crlf": f"# mine\r\n{TEXT}\r\n".encode(),
    "cr": f"# mine\r{TEXT}\r".encode(),
    "utf-16": f"{TEXT}\n".encode("utf-16"),
    "utf-16-be": b"\xfe\xff" + f"{TEXT}\n".encode("utf-16-be"),
    "utf-16-no-mark": f"{TEXT}\n".encode("utf-16-le"),
    "tabs": "\t".join(CARDS).encode(),
    "commas": ", ".join(CARDS).encode(),
    "blanks": f"\n\n   {TEXT}   \t \n\n".encode(),
    "comments": f"# a deck\n{TEXT} # the end\n# more\n".encode(),
}


def test_decks_in_every_spelling(dealproof: Run, tmp_path: Path) -> None:
    for name, data in GOOD.items():
        (tmp_path / name).write_bytes(data)
    done = dealproof("solve", "block-ten", *GOOD, "--json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    found = {
        row["source"].partition(":")[0]: row
        for row in map(json.loads, done.stdout.split(b"\n")[:-1])
    }
    assert list(found) == list(GOOD)
    for name, row in found.items():
        assert (name, row["deck"], row["verdict"]) == (name, TEXT, "winnable")


def changed(place: int, put: str) -> str:
    return " ".join([*CARDS[:place], put, *CARDS[place + 1 :]]) + "\n"


BAD = {
    "51 cards": (changed(51, ""), f":2: a deck has 52 cards, not 51; missing: {CARDS[51]}"),
    "53 cards": (changed(51, f"{CARDS[51]} 4C"), ":2:157: card 53 (4C) repeats card "),
    "repeated": (changed(3, CARDS[0]), f":2:10: card 4 ({CARDS[0]}) repeats card 1"),
    "joker": (changed(7, "Joker"), ":2:22: card 8: 'Joker': jokers are not part of the deck"),
    "joker sign": (changed(7, "🃏"), ":2:22: card 8: "),
    "1H": (changed(5, "1H"), ":2:16: card 6: '1H' is not a card"),
    "0H": (changed(5, "0H"), ":2:16: card 6: '0H' is not a card"),
    "11H": (changed(5, "11H"), ":2:16: card 6: '11H' is not a card"),
    "H": (changed(0, "H"), ":2:1: card 1: 'H' is not a card"),
    "suits first": (changed(0, "H10"), ":2:1: card 1: "),
    "other script": (changed(0, "٤C"), ":2:1: card 1: "),
    "nul": (changed(4, "4C\0"), ":2: a binary file, not text (character U+0000)"),
    "empty": (None, ": no deck in it"),
    "binary": (b"\x7fELF\x02\x01\x01\0\0\0\0\xff\xfe", ":"),
    "latin-1": ("# d\xe9j\xe0 vu\n".encode("latin-1"), ":1: not text in UTF-8 (byte 4 is 0xe9)"),
    "half a utf-16": (TEXT.encode("utf-16")[:-1], ":1: not text in UTF-8 "),
}


@pytest.mark.parametrize("name", BAD)
def test_decks_that_are_none(dealproof: Run, tmp_path: Path, name: str) -> None:
    text, says = BAD[name]
    data = b"" if text is None else text if isinstance(text, bytes) else f"# one\n{text}".encode()
    path = tmp_path / "deck.txt"
    path.write_bytes(data)
    if len(name) % 2:
        assert refused(dealproof("solve", "block-ten", str(path))).startswith(f"{path}{says}")
    else:
        assert refused(dealproof("solve", "block-ten", "-", stdin=data)).startswith(f"stdin{says}")


def test_files_that_are_no_files(dealproof: Run, tmp_path: Path) -> None:
    assert refused(dealproof("solve", "tens", str(tmp_path))) == f"{tmp_path}: is a directory"
    huge = tmp_path / "huge"
    with huge.open("wb") as stream:
        stream.truncate(MAX_BYTES + 2)
    for path in (huge, Path("/dev/zero")):
        if path.exists():
            said = refused(dealproof("solve", "tens", str(path)))
            assert said == f"{path}: too large (at most 64 MiB)"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_a_fifo_is_read_like_a_file(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    writer = threading.Thread(target=fifo.write_bytes, args=(TEXT.encode(),))
    writer.start()
    done = subprocess.run(
        [*COMMAND, "solve", "block-ten", str(fifo), "--json"], capture_output=True, timeout=120,
        cwd=ROOT, env=environment(),
    )  # fmt: skip
    writer.join()
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["source"] == f"{fifo}:1"


NUMBERS = {
    "-1": "-1: a deal number is 0 to 2^64-1",
    "\N{MINUS SIGN}1": "'\N{MINUS SIGN}1': write - for \N{MINUS SIGN} (U+2212)",
    "1\N{EN DASH}10": "'1\N{EN DASH}10': write - for \N{EN DASH} (U+2013)",
    "007": "'007': a deal number has no leading zeros",
    "1e3": "'1e3' is not a deal",
    " ": "' ' names no deal",
    "18446744073709551616": "'18446744073709551616': deal numbers of this kind go from 0",
    "10-5": "'10-5': the range ends before it begins",
    "1-10-20": "'1-10-20' is not a deal",
    "9" * 5000: "'9999",
}


@pytest.mark.parametrize("word", NUMBERS, ids=lambda word: repr(word[:9]))
def test_numbers_that_are_refused(dealproof: Run, word: str) -> None:
    said = refused(dealproof("solve", "block-ten", word, "--json"))
    assert said.startswith(NUMBERS[word])
    assert len(said) < 250


def test_numbers_are_exact_to_the_last(dealproof: Run) -> None:
    last = 2**64 - 1
    done = dealproof("solve", "block-ten", "0", f"{last - 1}-{last},1-3,2-5,{last}", "--json")
    rows = [json.loads(row) for row in done.stdout.splitlines()]
    assert [row["deal"] for row in rows] == [
        "0", str(last - 1), str(last), "1", "2", "3", "4", "5",
    ]  # fmt: skip
    assert [row["deck"] for row in rows] == [Deck.numbered(int(row["deal"])).text() for row in rows]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("--timeout 0", "--timeout: '0' is not a time above 0"),
        ("--timeout -1", "--timeout: '-1' is not a time"),
        ("--timeout nan", "--timeout: 'nan' is not a time"),
        ("--timeout 1e3", "--timeout: '1e3' is not a time"),
        ("--memory 0", "--memory: '0' is not a size above 0"),
        ("--memory 8X", "--memory: '8X' is not a size"),
        ("--max-positions -5", "--max-positions: '-5' is not a whole number"),
    ],
)
def test_limits_that_are_none(dealproof: Run, words: str, says: str) -> None:
    assert refused(dealproof("solve", "single-left", "4", *words.split())).startswith(says)


def test_limits_that_are_some(dealproof: Run) -> None:
    for words in ("--timeout 0.3 --memory 8G", "--timeout 2m --memory 512M", "--timeout 1h"):
        done = dealproof("solve", "block-ten", "50", *words.split())
        assert (done.returncode, done.stderr) == (0, b"")


def test_messages_are_one_line_of_plain_characters(dealproof: Run, tmp_path: Path) -> None:
    said = refused(dealproof("solve", "tens", "no\n\x1b[31msuch\x07file" + "x" * 5000))
    assert said.isprintable()
    assert said.startswith("no \\x1b[31msuch\\x07filexxx")
    assert len(said) < 800


@pytest.mark.parametrize("name", game_names())
def test_a_table_is_printed_as_text_and_read_back_but_no_drawing(
    name: str, here: Here, tmp_path: Path
) -> None:
    text, drawing, ascii_drawing = (tmp_path / word for word in ("text", "drawing", "ascii"))
    game = get_game(name)
    line = [str(game.legal_moves(game.initial(game.deal("7").deck))[0]).replace(">", "-")]
    for after in ([], ["--after", *line]):
        assert here("deal", name, "7", *after, "--text", "--output", str(text)) == (0, "")
        code, again = here("deal", "--position", str(text), "--text")
        assert (code, again) == (0, text.read_text("utf-8"))
        code, drawn = here("deal", name, "7", *after)
        _, drawn_again = here("deal", "--position", str(text))
        assert drawn.partition("\n\n")[2] == drawn_again.partition("\n\n")[2]
        drawing.write_text(drawn, "utf-8")
        ascii_drawing.write_text(drawn.translate(ASCII), "utf-8")
        for path in (drawing, ascii_drawing):
            with pytest.raises(PositionError, match=NOT_READ):
                Position.parse(path.read_text("utf-8"), game)
            with pytest.raises(DeckError, match=NOT_READ):
                read_deck_file(path, game)


NOT_READ = r"this is a drawing, .*`dealproof deal \.\.\. --text` prints a position that can"
ASCII = str.maketrans(dict(zip("♣♦♥♠╭╮╰╯─│–", "CDHS++++-|-", strict=True)))


def test_a_position_brings_its_options(here: Here, tmp_path: Path) -> None:
    path = tmp_path / "text"
    words = ("deal", "decade", "7", "-o", "loop=true", "--text", "--output", str(path))
    assert here(*words) == (0, "")
    assert "\nOptions: loop=true\n" in path.read_text("utf-8")
    for game in ([], ["decade"]):
        _, out = here("solve", *game, "--position", str(path), "--json")
        assert json.loads(out)["options"]["loop"] == "true"
