"""What the words on the command line may say, and how each wrong one is refused.

`solver.cli.run` is the whole command line but for the process, so that many words can be
tried; the tests that need a process are elsewhere.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rules.decks import Deal, Deck
from rules.position import Position
from rules.registry import get_game
from solver.cli import run
from solver.cli.options import LimitOptions
from solver.cli.terms import UsageError, parse_bytes, parse_count, parse_seconds
from tests.cli.conftest import Here

Refuse = Callable[..., str]


@pytest.fixture
def refuse(capfd: pytest.CaptureFixture[str]) -> Refuse:
    """Run words that have to be refused; the one line on stderr."""

    def go(*words: str) -> str:
        code = run(words)
        out, err = capfd.readouterr()
        assert (code, out) == (2, "")
        assert err.startswith("dealproof: ")
        assert err.count("\n") == 1
        return err.removeprefix("dealproof: ").rstrip("\n")

    return go


def deals(words: list[str], capfd: pytest.CaptureFixture[str]) -> list[str]:
    """The deals that ``solve`` works on."""
    run(["solve", "block-ten", *words, "--json"])
    out, err = capfd.readouterr()
    assert err == ""
    return [json.loads(row)["deal"] for row in out.splitlines()]


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("-1", "-1: a deal number is 0 to 2^64-1"),
        ("-5-10", "-5-10: a deal number is 0 to 2^64-1"),
        ("007", "'007': a deal number has no leading zeros"),
        ("1e3", "'1e3' is not a deal"),
        ("1.0", "'1.0' is not a deal"),
        ("1_0", "'1_0' is not a deal"),
        ("١", "'١' is not a deal"),
        (" ", "' ' names no deal"),
        ("", "'' names no deal"),
        ("1,,2", "'' is not a deal"),
        ("18446744073709551616", "'18446744073709551616': deal numbers of this kind go from 0"),
        ("0-18446744073709551616", "'0-18446744073709551616': deal numbers of this kind"),
        ("10-5", "'10-5': the range ends before it begins"),
        ("ms:0", "'ms:0': deal numbers of this kind go from 1"),
        ("foo:3", "'foo:3' is not a deal"),
        ("no-such-file", "no-such-file: no such file"),
    ],
)
def test_words_that_name_no_deal(refuse: Refuse, word: str, says: str) -> None:
    assert refuse("solve", "block-ten", word).startswith(says)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["0"], ["0"]),
        (["18446744073709551615"], ["18446744073709551615"]),
        (["18446744073709551614-18446744073709551615"],
         ["18446744073709551614", "18446744073709551615"]),
        (["1-3,2-5"], ["1", "2", "3", "4", "5"]),
        (["3", "1-4"], ["3", "1", "2", "4"]),
        (["2,ms:2,pysol:2"], ["2", "ms:2", "pysol:2"]),
    ],
)  # fmt: skip
def test_words_that_name_deals(
    words: list[str], named: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert deals(words, capfd) == named


def test_a_billion_deals_are_counted_not_made() -> None:
    from rules.registry import get_game
    from solver.cli.inputs import gather

    givens = gather(get_game("block-ten"), ["1-1000000000", "5,ms:1"])
    assert givens.total == 1_000_000_001
    assert [given.name for given, _ in zip(givens.deals, range(3), strict=False)] == ["1", "2", "3"]


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "1e3", "", "1h30", "2 weeks", "0.0"])
def test_times_that_are_none(refuse: Refuse, text: str) -> None:
    assert refuse("solve", "block-ten", "1", "--timeout", text).startswith(f"--timeout: {text!r}")


def test_times_sizes_counts() -> None:
    times = {"0.3": 0.3, "90s": 90.0, "2m": 120.0, "1h": 3600.0, "500ms": 0.5, ".5": 0.5}
    assert {text: parse_seconds(text) for text in times} == times
    sizes = {"8G": 8 << 30, "512M": 512 << 20, "1.5GiB": 3 << 29, "1000": 1000, "2kb": 2048}
    assert {text: parse_bytes(text) for text in sizes} == sizes
    assert parse_count("10", "N") == 10
    assert parse_seconds("none") is parse_bytes("none") is parse_count("none", "N") is None
    for text in ("0", "8X", "-1", "", "G", "nan", "9" * 16):
        with pytest.raises(UsageError):
            parse_bytes(text)
    for text in ("0", "-3", "1.5", "1e6", "", "٣", "9" * 19):
        with pytest.raises(UsageError):
            parse_count(text, "N")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["solve", "singleleft", "1"], "unknown game 'singleleft'; did you mean single-left?"),
        (["solve", "Single Left", "1"], "unknown game 'Single Left'; did you mean single-left?"),
        (["solve", "zzz", "1"], "unknown game 'zzz'; `dealproof games` lists them"),
        (["solve"], "which game? `dealproof games` lists them"),
        (["solve", "tens"], "which deal? a number (7), a range (1-100)"),
        (["slove", "tens", "1"], "no command 'slove'; did you mean solve?"),
        (["help"], "no command 'help'; did you mean `dealproof --help`?"),
        (["version"], "no command 'version'; did you mean `dealproof --version`?"),
        (["tens", "4"], "no command 'tens'; did you mean `dealproof solve tens`?"),
        (["singleleft"], "no command 'singleleft'; did you mean `dealproof solve single-left`?"),
        (["xyzzy"], "no command 'xyzzy'; `dealproof --help` lists them"),
        (["solve", "tens", "1", "--shortst"], "no option --shortst; did you mean --shortest?"),
        (["solve", "tens", "1", "--timeout"], "option '--timeout' requires an argument"),
        (["solve", "tens", "1", "-o", "slot=3"], "tens: unknown option 'slot'; did you mean slots"),
        (["solve", "tens", "1", "-o", "slots"], "-o 'slots': write key=value"),
        (["solve", "tens", "1", "-o", "slots=0"], "option slots: "),
        (["solve", "tens", "1", "-o", "slots=3", "-o", "slots=4"], "-o slots: given twice (3 and"),
        (["solve", "tens", "1", "--engine", "fast"], "engine is one of auto, compiled, reference"),
        (["solve", "tens", "1", "--reductions", "zzz"], "unknown reduction 'zzz'"),
        (["solve", "tens", "1", "--memory", "8X"], "--memory: '8X' is not a size above 0"),
        (["solve", "tens", "1", "--max-positions", "0"], "--max-positions: '0' is not a whole"),
        (["solve", "tens", "1", "--deck", "4C"], "give deals (1) or --deck, not both"),
        (["solve", "tens", "--deck", "4C"], "--deck:1: a deck has 52 cards, not 1"),
        (["solve", "tens", "1", "2", "--after", "4C"], "--after goes with one deal, not 2"),
        (
            ["solve", "tens", "1", "--position", "pyproject.toml"],
            "give deals or --position, not both",
        ),
        (["solve", "tens", "1", "--position", "x"], "x: no such file or directory"),
        (["solve", "tens", "--position", "/none"], "/none: no such file"),
        (["solve", "--rules", "/none.toml", "1"], "/none.toml: "),
        (["solve", "/none.toml", "1"], "/none.toml: "),
        (["solve", "tens", "four"], "'four' is no deal (7, ms:617, 1-100) and no file"),
        (
            ["solve", "tens", "AC", "9D"],
            "'AC' is no deal (7, ms:617, 1-100) and no file; a deck is typed with --deck",
        ),
        (["deal", "tens", "1-5"], "one deal at a time here; 5 are named"),
        (["rules", "tens", "7"], "got unexpected extra argument"),
        (["games", "7"], "got unexpected extra argument"),
        (["solve", "ten-twenty-thirty", "1", "--contest", "-"], "--contest brings its own deals"),
        (["solve", "ten-twenty-thirty", "--contest", "-", "--json"], "--contest has an output"),
        (["verify", "tens", "1"], "which line?"),
        (["verify", "tens", "1", "AC+9X"], "move 1: 'AC+9X' is not a move"),
        (["verify", "tens", "-", "-"], "the deal and the line cannot both come from stdin"),
        (["explain", "tens", "1", "--budget", "0"], "--budget: '0' is not a whole number"),
        (["solve", "tens", "1", "--output", "/none/x"], "/none/x: no such file"),
        (["solve", "tens", "1", "--output", "/"], "/: is a directory"),
    ],
)
def test_one_line_says_what_is_wrong(refuse: Refuse, words: list[str], says: str) -> None:
    assert refuse(*words).startswith(says)


def test_a_bad_deck_on_stdin_is_refused_before_any_verdict(
    refuse: Refuse, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"{Deck.numbered(1)}\n{Deck.numbered(2)}\n4C 4C\n".encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert refuse("solve", "tens", "-", "--json") == "stdin:3:4: card 2 (4C) repeats card 1"


def test_deals_files_and_stdin_may_be_mixed(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    path = f"{tmp_path}/my decks.txt"
    with open(path, "w") as stream:
        stream.write(f"# mine\n{Deck.numbered(50)}\n")
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO(Deck.numbered(68).text().encode()))
    )
    assert run(["solve", "block-ten", "1", path, "2", "-", "--json"]) == 0
    rows = [json.loads(row) for row in capfd.readouterr().out.splitlines()]
    assert [row["source"] for row in rows] == [None, f"{path}:2", None, "stdin:1"]
    assert [row["deal"] for row in rows] == ["1", None, "2", None]
    assert [row["verdict"] for row in rows] == [
        "unwinnable", "winnable", "unwinnable", "winnable",
    ]  # fmt: skip


def test_positions_and_after_lead_to_the_same_place(
    capfd: pytest.CaptureFixture[str], tmp_path: object
) -> None:
    assert run(["deal", "decade", "1", "--after", "QS+QD", "--json"]) == 0
    place = json.loads(capfd.readouterr().out)
    assert place["after"] == ["QS+QD"]
    path = f"{tmp_path}/place"
    with open(path, "w") as stream:
        stream.write(place["position"])
    for words in (["decade", "--position", path], ["decade", "1", "--after", "QS+QD"]):
        assert run(["solve", *words, "--json"]) == 1
        record = json.loads(capfd.readouterr().out)
        assert record["position"] == place["position"]
        assert record["fewest_left"] == 9
    assert run(["verify", "decade", "--position", path, "deal=JH TD+JH"]) == 0
    assert run(["verify", "decade", "--position", path, "QS+QD"]) == 1
    assert "illegal at move 1 (QS+QD)" in capfd.readouterr().out


def test_completion_of_games_and_options(monkeypatch: pytest.MonkeyPatch) -> None:
    from solver.cli.inputs import complete_game, complete_option

    assert [name for name, _ in complete_game("single")] == ["single-left", "single-left-next"]
    monkeypatch.setenv("COMP_WORDS", "dealproof solve single-left -o")
    assert {name for name, _ in complete_option("")} >= {"fill=", "draw=", "build="}
    assert [name for name, _ in complete_option("build=s")] == ["build=suit"]
    assert [name for name, _ in complete_option("fill=stock,w")] == ["fill=stock,waste"]
    assert "slots=" not in {name for name, _ in complete_option("")}


def test_a_position_that_names_its_game_needs_no_game(here: Here, tmp_path: Path) -> None:
    named, bare = tmp_path / "named.txt", tmp_path / "bare.txt"
    text = Position.after(get_game("tens"), Deal.parse("1"), "AC+9D").text()
    named.write_text(text)
    bare.write_text(text.partition("\n")[2])
    answers = [
        json.loads(here("solve", *words, "--json")[1])
        for words in (
            ("--position", str(named)),
            ("tens", "--position", str(named)),
            ("tens", "--position", str(bare)),
        )
    ]
    for answer in answers:
        assert (answer["game"], answer["position"], answer["verdict"]) == (
            "tens", text, "unwinnable",
        )  # fmt: skip
    line = json.loads(here("solve", "decade", "5", "--json")[1])["line"]
    path = tmp_path / "start.txt"
    path.write_text(Position.after(get_game("decade"), Deal.parse("5")).text())
    assert here("verify", "--position", str(path), " ".join(line))[0] == 0


def test_a_misspelt_game_is_not_taken_for_a_line(refuse: Refuse, tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_text("Game: block-ten\nSlots: 9H\n")
    assert "did you mean block-ten?" in refuse("solve", "blok-ten", "--position", str(path))
    path.write_text("Slots: 9H\n")
    assert refuse("solve", "--position", str(path)).startswith("which game?")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("explain", "tens", "1", "--html"), "--html takes a file: --html page.html, or --html -"),
        (("survey", "tens", "1-9", "--csv", "--json"), "--csv takes a file, and --json is none"),
        (("survey", "--report", "s.db", "--html", "--output", "p"), "--html takes a file, and --o"),
    ],
)
def test_a_forgotten_file_is_asked_for(refuse: Refuse, words: tuple[str, ...], says: str) -> None:
    assert refuse(*words).startswith(says)


def test_defaults_in_help_are_the_limits_in_force(here: Here) -> None:
    from solver.proof.checker import MAX_POSITIONS
    from solver.verdict import DEFAULT_LIMITS

    text = " ".join(here("check", "--help")[1].split())
    assert f"[default: {MAX_POSITIONS}]" in text
    made = LimitOptions()
    assert made.limits == DEFAULT_LIMITS
    for default in (made.timeout, made.max_positions, made.memory):
        assert f"[default: {default}]" in " ".join(here("solve", "--help")[1].split())
