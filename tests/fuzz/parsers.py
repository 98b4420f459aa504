"""Every parser of what people share, fed with damaged and hostile variants of what it reads.

Each either reads its input or raises a `DealproofError` with a message of one line, within
`SECONDS`. Where more follows from what was read (reports, pages, comparisons), that is done as
well, by the command itself: its exit code is one of the documented ones, and a refusal is one
line.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import io
import json
import signal
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from rules.contest import play_contest, read_contest
from rules.deckfile import decode, parse_decks
from rules.decks import Deal, Deck, count_deals
from rules.errors import DealproofError
from rules.moves import parse_line
from rules.position import Position
from rules.referee import replay
from rules.registry import all_games, get_game, parse_game

SECONDS: Final = 20
ROOT: Final = Path(__file__).parents[2]

# Damage -------------------------------------------------------------------------------------

_JUNK: Final = st.sampled_from([
    b"", b"\0", b"\xff", b"\n", b"\r", b" ", b"#", b"-1", b"1e999", b"9" * 5000, b"\xe2\x99\xa5",
    b"[" * 2000, b"{" * 2000, b'"', b"null", b"true", b"=", b",", b"<script>", b"\xef\xbb\xbf",
    b"NaN", b"-0", b"10", b"AS", b"_", b">", b"4C " * 300, b"[[a]]\n" * 50, b"0x1", b"\\u0000",
])  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn, seed: bytes) -> bytes:
    """*seed* with a few slices cut out, doubled, overwritten or filled with junk."""
    data = seed
    for _ in range(draw(st.integers(0, 4))):
        first = draw(st.integers(0, len(data)))
        last = min(len(data), first + draw(st.sampled_from((0, 1, 1, 2, 5, 40))))
        put = draw(st.one_of(_JUNK, st.binary(max_size=4), st.just(data[first:last] * 2)))
        data = data[:first] + put + data[last:]
    return data


_VALUES: Final = st.sampled_from([
    None, True, False, 0, -1, 1, 2**63, 10**400, 0.5, -0.5, 1e308, float("nan"), float("inf"), "",
    "x", "1", "-1/0", "1/3", "9" * 5000, "<script>alert(1)</script>", [], [[]], [None], ["x"], {},
    {"x": 1}, [1, 2, 3], "single-left", "block-ten", "winnable", "\ud800", "\x1b[31m", "1-3",
])  # fmt: skip


def replaced(data: DataObject, document: Any) -> Any:
    """A JSON document with a few values replaced, keys dropped, lists cut."""
    document = copy.deepcopy(document)
    for _ in range(data.draw(st.integers(1, 3))):
        node: Any = document
        while True:
            keys = list(node) if isinstance(node, dict) else list(range(len(node)))
            if not keys:
                break
            key = data.draw(st.sampled_from(keys))
            inner = node[key]
            if isinstance(inner, (dict, list)) and inner and data.draw(st.booleans()):
                node = inner
                continue
            if data.draw(st.integers(0, 3)):
                node[key] = copy.deepcopy(data.draw(_VALUES))
            else:
                del node[key]
            break
    return document


# Judgement ----------------------------------------------------------------------------------


@contextlib.contextmanager
def in_time() -> Iterator[None]:
    """Fail after `SECONDS`, where there are alarms."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def late(*_: object) -> None:
        raise AssertionError(f"took more than {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def read_or_refused() -> Iterator[None]:
    with in_time():
        try:
            yield
        except DealproofError as error:
            said = str(error)
            assert said
            assert "\n" not in said
            assert len(said) < 2_000


def commanded(*words: str) -> None:
    """Run a command in this process: a documented exit code, and one line if refused."""
    from solver.cli import run

    out, err = io.StringIO(), io.StringIO()
    with in_time(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    assert code in (0, 1, 2, 3)
    if code == 2:
        lines = err.getvalue().splitlines()
        assert lines
        assert lines[-1].startswith("dealproof: ")
        assert lines[-1].isprintable()
    assert "<script" not in out.getvalue() or "--html" not in words


def summed_up(*words: str) -> None:
    """Make the results page in this process: done, or one line that says why not."""
    from benchmarks.results.__main__ import main

    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with in_time(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    assert code in (0, 2)
    assert len(err.getvalue().splitlines()) == (code == 2)


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="dealproof-fuzz-") as name:
        yield Path(name)


# Seeds --------------------------------------------------------------------------------------

_DECK: Final = Deck.numbered(50)


@functools.cache
def deck_seeds() -> tuple[bytes, ...]:
    left = get_game("single-left")
    piles = left.layout(left.initial(_DECK))
    columns = [pile for pile in piles if pile.role == "column"]
    stock = [str(card) for pile in piles if pile.role == "stock" for card in pile.cards]
    board = "\n".join([
        "Foundations: H-0 C-0 D-0 S-0", "Talon: " + " ".join(stock),
        *(": " + " ".join(f"<{c}>" if i < pile.face_down else str(c)
                          for i, c in enumerate(pile.cards)) for pile in columns),
    ])  # fmt: skip
    solvitaire = {
        "tableau piles": [[str(card) for card in pile.cards] for pile in columns],
        "stock": stock[::-1],
    }
    return (
        f"# a deck\n{_DECK}\n{Deck.numbered(7)}\n".encode(),
        str(_DECK).encode("utf-16"),
        board.encode(),
        json.dumps(solvitaire).encode(),
        json.dumps({"deck": _DECK.text(), "verdict": "winnable"}).encode(),
        (ROOT / "fixtures/uva246.in").read_bytes(),
    )


@functools.cache
def positions_seeds() -> tuple[tuple[str, bytes], ...]:
    return tuple(
        (game.name, Position(game, game.initial(game.make_deal("", 4).deck)).text().encode())
        for game in all_games()
    )


@functools.cache
def certificate_seeds() -> tuple[bytes, ...]:
    from dealproof import solve
    from solver.certify import certify

    small = {"ranks": "3", "columns": "3"}
    tasks = (
        ("single-left", small), ("decade", {"ranks": "3", "sums": "5,10"}), ("block-ten", {}),
    )  # fmt: skip
    return tuple(
        certify(solve(get_game(name).with_options(options), number)).to_bytes()
        for name, options in tasks
        for number in (1, 2, 3)
    )


@functools.cache
def survey_seed() -> bytes:
    from solver.surveys.rows import rows_of
    from solver.surveys.run import settings_for
    from solver.surveys.store import Store

    settings = settings_for("decade", "1-30")
    with folder() as place:
        path = place / "s.db"
        with Store.create_or_resume(path, settings) as store:
            for chunk in settings.deals.pieces(0, 30):
                for rows in rows_of(settings, chunk, None, alone=True):
                    store.add(rows)
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
        return path.read_bytes()


@functools.cache
def bench_seed() -> dict[str, Any]:
    import msgspec

    from solver.bench import measure
    from solver.show.json.surveys import benched

    document = benched(measure(get_game("block-ten"), 1, 2, ["reference"]))
    return dict(msgspec.to_builtins(document))


# The parsers --------------------------------------------------------------------------------


def decks_and_boards(data: DataObject) -> None:
    text = data.draw(damaged(data.draw(st.sampled_from(deck_seeds()))))
    game = get_game(data.draw(st.sampled_from(("single-left", "block-ten", "decade"))))
    with read_or_refused():
        for found in parse_decks(decode(text, "here"), game, "here").decks:
            assert sorted(found.deck) == sorted(_DECK)


def contests(data: DataObject) -> None:
    text = data.draw(damaged(deck_seeds()[-1]))
    with read_or_refused():
        for deck in read_contest(decode(text, "here"))[:2]:
            play_contest(deck, get_game("ten-twenty-thirty"))


def positions(data: DataObject) -> None:
    name, seed = data.draw(st.sampled_from(positions_seeds()))
    text = data.draw(damaged(seed))
    game = get_game(name)
    with read_or_refused():
        place = Position.parse(decode(text, "here"), game)
        assert Position.parse(place.text(), game) == place
        game.layout(place.state)
        list(game.successors(place.state))


def lines_of_play(data: DataObject) -> None:
    seeds = (
        b"TH>JC=9D 4S>5D JC>QH KD>F deal=JH,AC 2D+3H redeal",
        b'{"line": ["TH>JC", "4S>5D", "deal"], "verdict": "winnable"}',
    )
    text = data.draw(damaged(data.draw(st.sampled_from(seeds))))
    with read_or_refused(), folder() as place:
        from solver.cli.inputs import read_moves

        path = place / "line"
        path.write_bytes(text)
        line = read_moves([str(path)])
        assert parse_line(" ".join(map(str, line))) == line
        game = get_game("single-left")
        replay(game, game.initial(Deal.parse("4").deck), line)


def deals_and_options(data: DataObject) -> None:
    from solver.cli.terms import parse_bytes, parse_count, parse_pairs, parse_seconds

    text = data.draw(damaged(data.draw(st.sampled_from(
        (b"1-1000,42,ms:617", b"pysol:5", b"2m", b"1.5GiB", b"fill=stock,waste", b"slots=9",
         b"removable=A+9,2+8,3+7", b"none"),
    )))).decode("utf-8", "replace")  # fmt: skip
    for parse in (count_deals, parse_seconds, parse_bytes, lambda text: parse_count(text, "N")):
        with read_or_refused():
            parse(text)
    for game in (get_game("single-left"), get_game("block-ten"), get_game("decade")):
        with read_or_refused():
            game.with_options(parse_pairs([text]))


def games_in_toml(data: DataObject) -> None:
    folder_of_games = ROOT / "rules/games"
    path = data.draw(st.sampled_from(sorted(folder_of_games.glob("*.toml"))))
    text = data.draw(damaged(path.read_bytes())).decode("utf-8", "replace")
    with read_or_refused():
        game = parse_game(text, "mine", where="mine.toml: ")
        game.ruling()
        state = game.initial(game.make_deal("", 3).deck)
        list(game.successors(state))


def certificates(data: DataObject) -> None:
    from solver.proof import Certificate, check

    seed = data.draw(st.sampled_from(certificate_seeds()))
    text = data.draw(damaged(seed))
    with read_or_refused():
        certificate = Certificate.from_bytes(text, max_bytes=1 << 22)
        check(certificate, max_positions=10_000)


def survey_files(data: DataObject) -> None:
    """Damaged pages, or sound databases with other values in them."""
    with folder() as place:
        path = place / "s.db"
        if data.draw(st.booleans()):
            path.write_bytes(data.draw(damaged(survey_seed())))
        else:
            path.write_bytes(survey_seed())
            with contextlib.closing(sqlite3.connect(path)) as connection:
                for _ in range(data.draw(st.integers(1, 3))):
                    _tamper(data, connection)
                connection.commit()
        how = data.draw(st.sampled_from(("", "--json", "--csv -", "--html -")))
        commanded("survey", "--report", str(path), *how.split())
        summed_up(str(path), "--docs", str(place))


_CELLS: Final = st.sampled_from([
    None, 0, -1, 2**63 - 1, 1.5, float("inf"), "x", "winnable", "1", b"\0\xff", "<script>", "",
])  # fmt: skip


def _tamper(data: DataObject, connection: sqlite3.Connection) -> None:
    from solver.surveys.store import COLUMNS

    with contextlib.suppress(sqlite3.Error):
        if data.draw(st.booleans()):
            column = data.draw(st.sampled_from(COLUMNS))
            some = data.draw(st.integers(0, 30))
            connection.execute(
                f"UPDATE deals SET {column} = ? WHERE place >= ?", (data.draw(_CELLS), some)
            )
            return
        (text,) = connection.execute("SELECT value FROM meta WHERE key = 'settings'").fetchone()
        changed = json.dumps(replaced(data, json.loads(text)))
        connection.execute("UPDATE meta SET value = ? WHERE key = 'settings'", (changed,))


def kept_summaries(data: DataObject) -> None:
    path = data.draw(st.sampled_from(sorted((ROOT / "docs/results").glob("*.json"))))
    with folder() as docs:
        place = docs / "results"
        place.mkdir()
        if data.draw(st.integers(0, 3)):
            document = replaced(data, json.loads(path.read_text(encoding="utf-8")))
            (place / "k.json").write_text(json.dumps(document))
        else:
            (place / "k.json").write_bytes(data.draw(damaged(path.read_bytes())))
        summed_up("--docs", str(place.parent))


def benchmarks(data: DataObject) -> None:
    with folder() as place:
        path = place / "b.json"
        if data.draw(st.integers(0, 3)):
            path.write_text(json.dumps(replaced(data, bench_seed())))
        else:
            path.write_bytes(data.draw(damaged(json.dumps(bench_seed()).encode())))
        words = ["bench", "block-ten", "1-2", "--engine", "reference", "--compare", str(path)]
        commanded(*words, *data.draw(st.sampled_from(([], ["--json"]))))


PARSERS: Final[dict[str, Callable[[DataObject], None]]] = {
    check.__name__: check
    for check in (
        decks_and_boards,
        contests,
        positions,
        lines_of_play,
        deals_and_options,
        games_in_toml,
        certificates,
        survey_files,
        kept_summaries,
        benchmarks,
    )
}
