"""Every command on every family, as processes: words, JSON, exit codes."""

from __future__ import annotations

import json

import pytest

from rules.decks import Deck
from rules.registry import game_names
from tests.cli.conftest import ROOT, Here, Run, refused


def test_alone_it_shows_what_to_try_first(dealproof: Run) -> None:
    done = dealproof()
    assert done.returncode == 0
    assert b"dealproof solve single-left 4" in done.stdout
    assert done.stderr == b""


def test_help_names_every_command_by_task(dealproof: Run) -> None:
    text = dealproof("--help").stdout.decode()
    for word in ("Look", "Prove", "Check", "games", "rules", "deal", "solve", "explain", "verify"):
        assert word in text


def test_version_names_python_and_the_engines(dealproof: Run) -> None:
    text = dealproof("--version").stdout.decode()
    assert not text.startswith("dealproof not installed")
    assert text.startswith("dealproof ")
    assert "Python" in text
    assert "reference" in text
    assert text.count("\n") == 1


def test_starting_imports_nothing_heavy(dealproof: Run) -> None:
    done = dealproof("--version", PYTHONPROFILEIMPORTTIME="1")
    imported = {line.rpartition(b"|")[2].strip() for line in done.stderr.splitlines()}
    heavy = {b"numba", b"numpy", b"networkx", b"sortedcontainers", b"pysol_cards", b"rich"}
    assert b"typer" in imported
    assert not imported & heavy


def test_games_lists_all(dealproof: Run) -> None:
    text = dealproof("games").stdout.decode()
    rows = [json.loads(row) for row in dealproof("games", "--json").stdout.splitlines()]
    assert [row["game"] for row in rows] == list(game_names())
    assert all(row["game"] in text and row["family"] in text for row in rows)


@pytest.mark.parametrize("game", ["block-ten", "decade-loop-three", "single-left-next"])
def test_rules_tells_the_ruling_and_every_option(dealproof: Run, game: str) -> None:
    record = json.loads(dealproof("rules", game, "--json").stdout)
    text = " ".join(dealproof("rules", game).stdout.decode().split())
    assert all(paragraph in text for paragraph in record["ruling"])
    assert all(f" {key} {value} " in text for key, value in record["options"].items())


def test_rules_follows_options(dealproof: Run) -> None:
    done = dealproof("rules", "single-left", "-o", "fill=none", "-o", "passes=3")
    text = " ".join(done.stdout.decode().split())
    assert "3 passes through the stock" in text
    assert "An empty column takes a king" in text


@pytest.mark.parametrize(
    ("game", "drawn"),
    [
        ("block-ten", "│Q♠│ │Q♦│ │T♦│ │J♥│ │A♣│ │9♦│ │K♥│ │T♣│ │2♦│"),
        ("decade", "│Q♠││Q♦││T♦│"),
        ("decade-seven", " Q♠    --    --    --    --    --    --"),
        ("single-left", "       T♥   <Q♣>"),
    ],
)
def test_deal_draws_the_table(dealproof: Run, game: str, drawn: str) -> None:
    number = "1" if game != "single-left" else "4"
    done = dealproof("deal", game, number)
    if game == "single-left":
        drawn = " 5♦   <T♦>  <J♠>  <5♠>  <4♦>  <K♥>  <T♣>"
    assert drawn in done.stdout.decode().splitlines()
    record = json.loads(dealproof("deal", game, number, "--json").stdout)
    cards = [card for pile in record["piles"] for card in pile["cards"]]
    assert sorted(cards) == sorted(record["deck"].split())


KEYS = {
    "schema", "game", "options", "deal", "deck", "position", "after", "source", "verdict",
    "limit", "line", "shortest",
    "fewest_left", "best_left", "outcome", "dealt", "positions", "transpositions", "depth",
    "dead_ends", "memory", "seconds", "engine", "reductions",
}  # fmt: skip


@pytest.mark.parametrize(
    ("words", "code", "verdict", "limit"),
    [
        (["block-ten", "50"], 0, "winnable", None),
        (["block-ten", "1"], 1, "unwinnable", None),
        (["single-left", "4", "--max-positions", "50"], 3, "unknown", "positions"),
        (["decade", "1"], 1, "unwinnable", None),
        (["ten-twenty-thirty", "1"], 1, "unwinnable", None),
        (["single-left", "3", "--engine", "reference"], 0, "winnable", None),
        (["single-left", "1", "--engine", "reference", "--memory", "1M"], 3, "unknown", "memory"),
        (["single-left", "1", "--engine", "reference", "--timeout", "0.05"], 3, "unknown", "time"),
    ],
)
def test_solve_one_deal(
    here: Here, words: list[str], code: int, verdict: str, limit: str | None
) -> None:
    found, text = here("solve", *words, "--json")
    record = json.loads(text)
    assert (found, record["verdict"], record["limit"]) == (code, verdict, limit)
    assert set(record) == KEYS
    assert record["game"] == words[0]
    assert record["deal"] == words[1]
    assert record["deck"] == Deck.numbered(int(words[1])).text()
    spoken, text = here("solve", *words)
    assert spoken == code
    assert verdict in text


def test_exit_codes_are_the_process_s(dealproof: Run) -> None:
    for deal, code in (("50", 0), ("1", 1), ("x", 2)):
        assert dealproof("solve", "block-ten", deal).returncode == code
    limited = dealproof(
        "solve", "single-left", "4", "--max-positions", "9", "--engine", "reference"
    )
    assert limited.returncode == 3


def test_solve_several_deals_streams_records_and_exits_0(dealproof: Run) -> None:
    done = dealproof("solve", "block-ten", "49-51,ms:1,50", "pysol:5", "--json")
    records = [json.loads(row) for row in done.stdout.splitlines()]
    assert [row["deal"] for row in records] == ["49", "50", "51", "ms:1", "pysol:5"]
    assert done.returncode == 0
    assert [row["verdict"] for row in records[:3]] == ["unwinnable", "winnable", "unwinnable"]
    text = dealproof("solve", "block-ten", "49-51").stdout.decode()
    assert text.splitlines()[-1].startswith("3 deals: 1 winnable, 2 unwinnable, 0 unknown")


def test_the_line_of_solve_is_what_verify_reads(dealproof: Run) -> None:
    words = ("single-left", "4")
    line = dealproof("solve", *words, "--line").stdout
    done = dealproof("verify", *words, "-", "--win", stdin=line)
    assert done.returncode == 0
    assert b"wins" in done.stdout
    record = dealproof("solve", *words, "--json").stdout
    assert dealproof("verify", *words, "-", "--win", stdin=record).returncode == 0


def test_verify_names_the_move_that_was_changed_and_why(dealproof: Run) -> None:
    moves = dealproof("solve", "single-left", "4", "--line").stdout.decode().split()
    changed = [*moves[:9], "2D>F", *moves[10:]]
    done = dealproof("verify", "single-left", "4", " ".join(changed), "--json")
    record = json.loads(done.stdout)
    assert done.returncode == 1
    assert record["fault"]["move"] == 10
    assert record["fault"]["text"] == "2D>F"
    assert record["fault"]["reason"]
    spoken = dealproof("verify", "single-left", "4", *changed)
    assert spoken.returncode == 1
    assert b"illegal at move 10 (2D>F): " in spoken.stdout


def test_verify_tells_a_legal_line_from_a_winning_one(dealproof: Run) -> None:
    words = ("verify", "block-ten", "1", "AC+9D QS+QD")
    done = dealproof(*words)
    assert (done.returncode, b"does not win" in done.stdout) == (0, True)
    assert dealproof(*words, "--win").returncode == 1


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["decade", "1"], 1),
        (["block-ten", "5"], 1),
        (["ten-twenty-thirty", "1"], 1),
        (["decade", "3", "-o", "ranks=4", "-o", "forced=false"], 0),
        (["single-left", "2", "-o", "ranks=4", "-o", "columns=3"], 0),
    ],
)
def test_explain_agrees_with_solve(here: Here, words: list[str], code: int) -> None:
    solved = json.loads(here("solve", *words, "--json")[1])
    found, text = here("explain", *words, "--json")
    record = json.loads(text)
    assert found == code == {"winnable": 0, "unwinnable": 1}[solved["verdict"]]
    assert record["verdict"] == solved["verdict"]
    assert record["fewest_left"] == solved["fewest_left"]
    if record["line"] is None:
        assert record["tries"]
    else:
        assert [step["move"] for step in record["steps"]] == record["line"]
    assert here("explain", *words)[0] == code


@pytest.mark.parametrize("game", game_names())
def test_every_game_has_every_command(here: Here, game: str) -> None:
    number = {"single-left": "4", "single-left-next": "6"}.get(game, "1")
    words = (game, number)
    assert here("rules", game)[0] == 0
    assert here("deal", *words)[0] == 0
    limits = ("--max-positions", "2000")
    code, text = here("solve", *words, *limits, "--json")
    record = json.loads(text)
    assert code == {"winnable": 0, "unwinnable": 1, "unknown": 3}[record["verdict"]]
    assert here("solve", *words, *limits)[0] == code
    assert here("explain", *words, *limits, "--budget", "50")[0] == code
    if record["line"]:
        line = record["line"]
        code, text = here("verify", *words, " ".join(line), "--json")
        assert (code, json.loads(text)["won"]) == (0, record["verdict"] == "winnable")
        assert json.loads(text)["cards_left"] == record["best_left"]
        assert here("verify", *words, " ".join(line[1:]))[0] == 1


def test_the_contest_form(dealproof: Run) -> None:
    want = (ROOT / "fixtures/uva246.out").read_bytes()
    words = ("solve", "ten-twenty-thirty", "--contest")
    assert dealproof(*words, "fixtures/uva246.in").stdout == want
    sample = (ROOT / "fixtures/uva246.in").read_bytes()
    done = dealproof(*words, "-", stdin=sample)
    assert (done.stdout, done.stderr, done.returncode) == (want, b"", 0)
    assert "for ten-twenty-thirty" in refused(dealproof("solve", "decade", "--contest", "-"))


def test_a_game_of_ones_own(dealproof: Run) -> None:
    path = ROOT / "rules/games/tens.toml"
    usual = json.loads(dealproof("solve", "tens", "3", "--json").stdout)
    for words in (["--rules", str(path), "3"], [str(path), "3"]):
        mine = json.loads(dealproof("solve", *words, "--json").stdout)
        assert mine["verdict"] == usual["verdict"]
        assert mine["options"] == usual["options"]
    both = refused(dealproof("solve", "decade", "3", "--rules", str(path)))
    assert "not both" in both


def test_a_table_says_when_no_kernel_fits(here: Here) -> None:
    without = ("--reductions", "none", "--max-positions", "10")
    said = "Searched by the readable engine: no compiled one fits these options."
    assert here("solve", "single-left", "1-2", *without)[1].splitlines()[-1] == said
    assert said not in here("solve", "single-left", "1-2", "--max-positions", "10")[1]
    assert said not in here("solve", "decade", "1-2", "--engine", "reference")[1]


def test_a_limit_says_how_to_raise_it(here: Here) -> None:
    code, text = here("solve", "decade", "3", "--max-positions", "10")
    assert code == 3
    head = text.splitlines()[0]
    assert head == "Decade, deal 3: unknown: positions limit reached (raise --max-positions)"


def test_odds_say_the_chance_first(here: Here) -> None:
    rows = [row.split(None, 1) for row in here("odds", "block-ten")[1].splitlines() if row]
    assert rows[1] == ["winning", "3.638 %, 1 in 27"]
