"""Certificates: those made are accepted, whatever is done to them; false ones never are."""

from __future__ import annotations

import ast
import hashlib
import json
import lzma
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import solver
from dealproof import Limits, Verdict, solve
from rules import Card, Deal, Deck, Game, Position, all_games, get_game
from solver.certify import certify
from solver.proof import (
    Certificate,
    CertificateError,
    CertificateLimit,
    CertificateRefused,
    check,
    checker,
)
from solver.search.depth_first import search
from solver.search.space import GameSpace
from tests.strategies import Play, games, plays

SMALL = Limits(None, 800)


def truth(game: Game[Any], state: Any) -> tuple[Verdict, int | None]:
    """The verdict and the fewest cards left, by plain search."""
    outcome = search(GameSpace(game, state), SMALL)
    return outcome.verdict, outcome.best_left if outcome.complete else None


def small_proof(game: Game[Any], given: Deal | Position) -> Certificate:
    """The certificate under no reductions; a deal too large for the tests is passed over."""
    result = solve(game, given, limits=SMALL, reductions="none", engine="reference")
    assume(result.verdict is not Verdict.UNKNOWN)
    try:
        return certify(result, limits=SMALL)
    except CertificateLimit:
        assume(False)
        raise


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_certificates_of_every_game_check(game: Game[Any]) -> None:
    small = {}
    if game.family == "klondike":
        small = (
            {"ranks": "6", "columns": "6"} if game.packs == 1 else {"ranks": "2", "columns": "5"}
        )
    often_lost = game.family != "klondike" or game.name.startswith("single-left")
    game = game.with_options(small)
    proved = set()
    for number in range(1, 9):
        result = solve(game, number, reductions="none", engine="reference")
        certificate = certify(result)
        file = certificate.to_bytes()
        assert Certificate.from_bytes(file) == certificate
        assert Certificate.from_bytes(file).to_bytes() == file
        checked = check(Certificate.from_bytes(file))
        assert checked.positions == len(certificate.records)
        proved.add(certificate.verdict)
    assert proved
    assert "unwinnable" in proved or not often_lost


@settings(max_examples=25)
@given(games(), st.data())
def test_random_games_and_positions(game: Game[Any], data: st.DataObject) -> None:
    """Any game with any options, from any position: the file reads back and is accepted."""
    play: Play = data.draw(plays(game, most=20))
    given_: Deal | Position = data.draw(
        st.sampled_from(
            (
                Deal.of(play.deck),
                Position.after(game, Deal.of(play.deck), play.line),
                Position(game, play.state),
            )
        )
    )
    certificate = small_proof(game, given_)
    again = Certificate.from_bytes(certificate.to_bytes())
    assert again == certificate
    check(again)
    if certificate.records:
        gone = data.draw(st.integers(0, len(certificate.records) - 1))
        kept = certificate.records[:gone] + certificate.records[gone + 1 :]
        with pytest.raises(CertificateRefused, match=r"leads out of the set|start is not in"):
            check(replace(certificate, records=kept))


@settings(max_examples=40)
@given(games(), st.data())
def test_whatever_is_accepted_is_true(game: Game[Any], data: st.DataObject) -> None:
    """Edits of all kinds, checksum made good: the checker refuses, or the claim holds."""
    play: Play = data.draw(plays(game, most=10))
    certificate = small_proof(game, Position(game, play.state))
    changes: dict[str, Any] = {}
    kinds = data.draw(
        st.sets(
            st.sampled_from(("verdict", "fewest", "line", "records", "given")), min_size=1
        )
    )  # fmt: skip
    if "verdict" in kinds:
        changes["verdict"] = data.draw(st.sampled_from(("winnable", "unwinnable")))
    if "fewest" in kinds:
        changes["fewest_left"] = data.draw(st.one_of(st.none(), st.integers(0, 9)))
    if "line" in kinds:
        line = certificate.line or play.line
        changes["line"] = data.draw(st.sampled_from((None, line, line[:-1], line[1:])))
    if "records" in kinds:
        other = data.draw(st.sets(st.sampled_from(certificate.records or (b"x",))))
        changes["records"] = tuple(sorted(other))
        changes["encoding"] = "states"
    if "given" in kinds:
        changes["given"] = Position(game, data.draw(st.sampled_from(play.states)))
    forged = replace(certificate, **changes)
    try:
        check(Certificate.from_bytes(forged.to_bytes()))
    except CertificateRefused:
        return
    verdict, fewest = truth(game, forged.start)
    if verdict is not Verdict.UNKNOWN:
        assert verdict == forged.verdict
        assert forged.fewest_left in (None, fewest)


def test_a_certificate_for_another_deal_fails() -> None:
    game = get_game("single-left")
    certificate = certify(solve(game, 12, reductions="none", engine="reference"))
    check(certificate)
    for number in range(13, 33):
        with pytest.raises(CertificateRefused):
            check(replace(certificate, given=Deal.parse(str(number))))


def test_every_way_out_of_the_set_is_looked_at() -> None:
    """Each position of the set, taken out alone, is missed."""
    certificate = certify(solve("block-ten", 7))
    records = certificate.records
    assert len(records) == 81
    for gone in range(81):
        with pytest.raises(CertificateRefused):
            check(replace(certificate, records=records[:gone] + records[gone + 1 :]))


def test_a_winnable_deal_has_no_unwinnable_certificate() -> None:
    game, deal = get_game("tens"), Deal.parse("3")
    result = solve(game, deal)
    assert result.verdict is Verdict.WINNABLE
    lie = certify(replace(result, verdict=Verdict.UNWINNABLE, line=None))
    with pytest.raises(CertificateRefused, match="is a win"):
        check(lie)
    # Nor does it help to leave the won positions out.
    for record in lie.records:
        fewer = tuple(other for other in lie.records if other != record)
        with pytest.raises(CertificateRefused):
            check(replace(lie, records=fewer))


def test_fewest_left_is_proved_from_both_sides() -> None:
    certificate = certify(solve("decade", 1, reductions="none", engine="reference"))
    assert certificate.fewest_left == 9
    check(certificate)
    with pytest.raises(CertificateRefused, match="the line leaves 9 cards, not 8"):
        check(replace(certificate, fewest_left=8))
    with pytest.raises(CertificateRefused, match="the line leaves 9 cards, not 10"):
        check(replace(certificate, fewest_left=10))
    with pytest.raises(CertificateRefused, match="the line leaves no number of cards"):
        check(replace(certificate, line=()))
    game = get_game("decade").with_options({"forced": "false", "ranks": "4", "win_at": "15"})
    worse = certify(solve(game, 2, reductions="none", engine="reference"))
    lazy = [certificate for certificate in (worse,) if certificate.fewest_left]
    for one in lazy:
        deals = tuple(move for move in one.line or () if move.kind == "deal")
        with pytest.raises(CertificateRefused, match=r"fewer than|leaves"):
            check(replace(one, line=deals, fewest_left=16))


def test_nothing_is_certified_when_nothing_is_proved() -> None:
    result = solve("single-left", 5, limits=Limits(None, 10), reductions="none", engine="reference")
    with pytest.raises(CertificateError, match="a limit was reached"):
        certify(result)
    lost = solve("single-left", 12, reductions="none", engine="reference")
    with pytest.raises(CertificateLimit, match="positions limit"):
        certify(lost, limits=Limits(None, 100))
    with pytest.raises(CertificateLimit, match="the limit is 700"):
        check(certify(lost), max_positions=700)


# The file ----------------------------------------------------------------------------------


def sealed(rest: bytes, version: int = 1) -> bytes:
    """The file whose parts after the checksum are *rest*."""
    digest = hashlib.sha256(rest).hexdigest().encode()
    return b"dealproof certificate %d\nsha256 %s\n%s" % (version, digest, rest)


def edited(file: bytes, change: Callable[[dict[str, Any]], None], tail: bytes = b"") -> bytes:
    """*file* with its header changed and *tail* added, under a right checksum."""
    rest = file.split(b"\n", 2)[2]
    head, packed = rest.split(b"\n\n", 1)
    header = json.loads(head)
    change(header)
    return sealed(json.dumps(header).encode() + b"\n\n" + packed + tail)


FILE = certify(solve("block-ten", 7)).to_bytes()


def test_a_flipped_bit_anywhere_is_noticed() -> None:
    for at in range(0, len(FILE), 7):
        changed = bytearray(FILE)
        changed[at] ^= 1 << (at % 8)
        with pytest.raises(CertificateError):
            check(Certificate.from_bytes(bytes(changed)))


def test_a_cut_anywhere_is_noticed() -> None:
    for end in range(0, len(FILE), 7):
        with pytest.raises(CertificateError):
            Certificate.from_bytes(FILE[:end])
    with pytest.raises(CertificateRefused, match="checksum"):
        Certificate.from_bytes(FILE + b"\n")


EDITS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "the deck is not that of deal '8'": lambda h: h.update(deal="8"),
    r"the start: card 51 \(2C\) repeats": lambda h: h.update(deck=h["deck"].replace("AC", "2C")),
    "one of deck and position": lambda h: h.update(deck=None),
    "the header lacks 'count'": lambda h: h.pop("count"),
    "the header has an unknown key 'code'": lambda h: h.update(code="import os"),
    "unknown family 'chess'": lambda h: h.update(family="chess"),
    "option slots is not said": lambda h: h["options"].pop("slots"),
    "option slots: '99' is not": lambda h: h["options"].update(slots="99"),
    "unknown option 'solts'": lambda h: h["options"].update(solts="9"),
    "options is not a table": lambda h: h.update(options=[1]),
    "the verdict is no verdict": lambda h: h.update(verdict="unknown"),
    "the header says 80 records, there are 81": lambda h: h.update(count=80),
    "longer or shorter than the header says": lambda h: h.update(bytes=h["bytes"] - 1),
    "count is not a number": lambda h: h.update(count=True),
    "the file is longer or shorter": lambda h: h.update(packed=h["packed"] + 1),
    "there are records, but no encoding": lambda h: h.update(encoding=""),
    "unknown encoding 'pickle'": lambda h: h.update(encoding="pickle"),
    "knows no reduction 'trust-me'": lambda h: h.update(reductions=["trust-me"]),
    "reductions is not a list": lambda h: h.update(reductions="none"),
    "line: move 1: ": lambda h: h.update(line="nonsense>"),
    "the line is not legal: move 1": lambda h: h.update(line="deal"),
    "game is not a text": lambda h: h.update(game=7),
    "fewest_left is not a number": lambda h: h.update(fewest_left=-1),
    "the line leaves no number of": lambda h: h.update(fewest_left=0),
}  # fmt: skip


@pytest.mark.parametrize("reason", EDITS)
def test_edited_headers_are_refused_with_the_reason(reason: str) -> None:
    with pytest.raises(CertificateRefused, match=reason):
        check(Certificate.from_bytes(edited(FILE, EDITS[reason])))


def test_other_files_and_versions_are_refused() -> None:
    for data in (b"", b"PK\x03\x04", b"{}", b"dealproof"):
        with pytest.raises(CertificateError, match="no dealproof certificate"):
            Certificate.from_bytes(data)
    with pytest.raises(CertificateError, match="reads format 1"):
        Certificate.from_bytes(sealed(b"{}\n\n", 2))
    with pytest.raises(CertificateRefused, match="not JSON"):
        Certificate.from_bytes(sealed(b"[" * 100_000 + b"\n\n"))
    with pytest.raises(CertificateRefused, match="not a JSON object"):
        Certificate.from_bytes(sealed(b"[]\n\n"))
    with pytest.raises(CertificateRefused, match="no header"):
        Certificate.from_bytes(sealed(b" " * 1_000_000))


def test_records_out_of_order_or_twice_are_refused() -> None:
    certificate = certify(solve("block-ten", 7))
    for records in (certificate.records[::-1], certificate.records[:3] * 2):
        with pytest.raises(CertificateRefused, match="out of order or comes twice"):
            Certificate.from_bytes(replace(certificate, records=records).to_bytes())


def test_a_bomb_is_not_unpacked() -> None:
    """A gigabyte of zeros in a small file: refused by the size said, or by the real one."""
    bomb = lzma.compress(bytes(1 << 26))
    head, _ = FILE.split(b"\n", 2)[2].split(b"\n\n", 1)
    for said, error in ((1 << 40, CertificateLimit), (1000, CertificateRefused)):
        header = json.loads(head) | {"bytes": said, "packed": len(bomb)}
        with pytest.raises(error):
            Certificate.from_bytes(sealed(json.dumps(header).encode() + b"\n\n" + bomb))
    with pytest.raises(CertificateLimit, match="the limit is 100"):
        Certificate.from_bytes(FILE, max_bytes=100)


@pytest.mark.parametrize(
    "record",
    [
        b"\x30\x01",
        b"\x35" + b"\x01" * 9,
        b"\xff\x01\x02\x03\x04\x05\x06\x07\x08\x09",
        b"\x05" + b"\x0e" * 9,
    ],
)
def test_records_that_are_no_positions_are_refused(record: bytes) -> None:
    certificate = certify(solve("block-ten", 7))
    records = tuple(sorted({*certificate.records, record}))
    with pytest.raises(CertificateRefused, match=r"position \d+ is malformed"):
        check(replace(certificate, records=records))


def test_a_typed_deck_has_no_deal_number() -> None:
    deck = Deck.of(Card(i) for i in range(51, -1, -1))
    certificate = certify(solve("tens", deck))
    again = Certificate.from_bytes(certificate.to_bytes())
    assert isinstance(again.given, Deal)
    assert again.given.name is None
    assert again.given.deck == deck
    check(again)


# Independence ------------------------------------------------------------------------------


def imports_of(path: Path) -> set[str]:
    """The modules of ``solver`` that a module imports, anywhere in its text."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return {name for name in found if name.split(".")[0] == "solver"}


def test_the_checker_shares_nothing_with_the_search() -> None:
    root = Path(solver.__file__).parent
    seen: set[str] = set()
    pending = ["solver.proof.checker"]
    while pending:
        name = pending.pop()
        path = root.joinpath(*name.split(".")[1:]).with_suffix(".py")
        if name in seen or not path.is_file():
            continue
        seen.add(name)
        pending += imports_of(path)
    assert all(name.startswith("solver.proof.") for name in seen), seen
    assert "solver.certify" not in seen
    assert len(seen) >= 4


def test_kept_code_is_seen_where_numba_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert not checker._is_kept()
    (tmp_path / "proof_0").mkdir()
    (tmp_path / "proof_0" / "fast.check_slice-456.py311.nbi").touch()
    assert checker._is_kept()
