"""Certificates that rest on reductions: two checkers, one answer, and never a false one."""

from __future__ import annotations

import functools
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dealproof import Limits, Verdict, solve
from rules import Card, Deal, Deck, Game, Position, get_game
from rules.families.klondike import Klondike, KlondikeState
from solver.certify import certify
from solver.proof import Certificate, CertificateError, CertificateRefused, check
from solver.proof.dead import is_dead
from solver.proof.runs import RunsRecords
from solver.search.depth_first import search
from solver.search.space import GameSpace
from tests.solver.brute import reachable

FILLS = (
    "stock,waste", "waste,stock", "none", "stock", "waste", "next-column",
    "stock,next-column,waste", "waste,next-column", "next-column,waste", "stock,next-column",
)  # fmt: skip
NAMES = ("safe", "deal", "dead")
SIZES = ((3, 3), (3, 4), (4, 3), (4, 4), (4, 5), (5, 5), (6, 6))


def small_left(ranks: int, columns: int, fill: str) -> Klondike:
    changes = {"ranks": str(ranks), "columns": str(columns), "fill": fill}
    game = get_game("single-left").with_options(changes)
    assert isinstance(game, Klondike)
    return game


@st.composite
def lost_deals(draw: st.DrawFn) -> Certificate:
    """The certificate of a small lost deal under some reductions, made by either engine."""
    ranks, columns = draw(st.sampled_from(SIZES))
    game = small_left(ranks, columns, draw(st.sampled_from(FILLS)))
    names = ["runs", *(name for name in NAMES if draw(st.booleans()))]
    rng = draw(st.randoms(use_true_random=False))
    engine = draw(st.sampled_from(("reference", "auto")))
    for _ in range(20):
        deck = Deck.numbered(rng.getrandbits(63), ranks)
        result = solve(
            game, deck, reductions=",".join(names), engine=engine, limits=Limits(None, 400)
        )
        if result.verdict is Verdict.UNWINNABLE:
            return certify(result)
    assume(False)
    raise AssertionError


def accepts(certificate: Certificate, checker: str) -> bool:
    try:
        check(certificate, checker=checker)
    except CertificateRefused:
        return False
    return True


def both(certificate: Certificate) -> bool:
    """Whether the checkers accept; they never differ."""
    readable, compiled = (accepts(certificate, name) for name in ("readable", "compiled"))
    assert readable == compiled
    return readable


@pytest.mark.parametrize("fill", FILLS)
def test_reductions_decide_as_plain_search_and_certify_it(fill: str) -> None:
    """The readable search under each reduction, and its certificates by the readable checker."""
    rng = random.Random(fill)
    decided = 0
    while decided < 30:
        ranks, columns = rng.choice(((3, 3), (3, 4), (4, 5), (5, 5)))
        game = small_left(ranks, columns, fill)
        deck = Deck.numbered(rng.getrandbits(63), ranks)
        plain = search(GameSpace(game, game.initial(deck)), Limits(None, 500))
        if plain.limit is not None or (plain.verdict is Verdict.WINNABLE and rng.random() < 0.5):
            continue
        decided += 1
        for names in ("runs", *(f"runs,{name}" for name in NAMES), "all"):
            result = solve(game, deck, engine="reference", reductions=names)
            assert result.verdict is plain.verdict
            if result.verdict is Verdict.UNWINNABLE:
                check(certify(result), checker="readable")


@settings(max_examples=15)
@given(lost_deals(), st.data())
def test_both_checkers_say_the_same_and_what_they_accept_is_true(
    certificate: Certificate, data: st.DataObject
) -> None:
    again = Certificate.from_bytes(certificate.to_bytes())
    assert again == certificate
    assert both(again)
    records = certificate.records
    edits = []
    for _ in range(4):
        gone = data.draw(st.integers(0, len(records) - 1))
        edits.append(records[:gone] + records[gone + 1 :])
        junk = bytearray(records[data.draw(st.integers(0, len(records) - 1))])
        junk[data.draw(st.integers(0, len(junk) - 1))] ^= 1 << data.draw(st.integers(0, 7))
        edits.append(tuple(sorted({*records, bytes(junk)})))
    for edited in edits:
        both(replace(certificate, records=edited))
    for name in certificate.reductions[1:]:
        fewer = tuple(other for other in certificate.reductions if other != name)
        both(replace(certificate, reductions=fewer))


@pytest.mark.parametrize("fill", FILLS)
def test_a_removed_position_is_missed(fill: str) -> None:
    """Under `runs` alone every position is needed; under the rest nearly every one."""
    rng = random.Random(fill)
    game = small_left(5, 5, fill)
    refused = tried = 0
    while tried < 4:
        deck = Deck.numbered(rng.getrandbits(63), 5)
        result = solve(game, deck, reductions="runs", limits=Limits(None, 800))
        if result.verdict is not Verdict.UNWINNABLE:
            continue
        tried += 1
        certificate = certify(result)
        gone = rng.randrange(len(certificate.records))
        kept = certificate.records[:gone] + certificate.records[gone + 1 :]
        refused += not both(replace(certificate, records=kept))
    assert refused == tried


@pytest.mark.parametrize("fill", FILLS)
def test_no_set_makes_a_winnable_deal_lost(fill: str) -> None:
    """All of the positions but the won ones, under all reductions: always refused."""
    rng = random.Random(fill)
    game = small_left(4, 4, fill)
    tried = 0
    while tried < 3:
        deal = Deal.of(Deck.numbered(rng.getrandbits(63), 4))
        start = game.initial(deal.deck)
        outcome = search(GameSpace(game, start), Limits(None, 2_000))
        if outcome.verdict is not Verdict.WINNABLE:
            continue
        states = reachable_some(game, start, 3_000)
        form = RunsRecords(game, start)
        records = {form.encode(state) for state in states if not game.is_won(state)}
        lie = Certificate(
            game, deal, "unwinnable", None, None, ("runs", *NAMES), "runs", tuple(sorted(records))
        )
        assert not both(lie)
        tried += 1


def reachable_some(game: Game[Any], start: Any, most: int) -> set[Any]:
    found, pending = {start}, [start]
    while pending and len(found) < most:
        for _, after in game.successors(pending.pop()):
            if after not in found:
                found.add(after)
                pending.append(after)
    return found


# The definitions against brute force ------------------------------------------------------


@functools.cache
def sample(fill: str, ranks: int, columns: int) -> tuple[tuple[Klondike, KlondikeState], ...]:
    """Beginnings of two small decks, each with less than 400 states to visit."""
    rng = random.Random(f"{fill} {ranks} {columns}")
    game = small_left(ranks, columns, fill)
    found: list[tuple[Klondike, KlondikeState]] = []
    while len(found) < 2:
        start = game.initial(Deck.numbered(rng.getrandbits(63), ranks))
        if len(reachable_some(game, start, 400)) < 400:
            found.append((game, start))
    return tuple(found)


@pytest.mark.parametrize("fill", FILLS)
def test_two_layouts_have_every_move_of_their_class(fill: str) -> None:
    """For all states of a class, the classes reached are those reached from its two layouts."""
    for game, start in sample(fill, 3, 4):
        form = RunsRecords(game, start)
        reached: dict[bytes, set[bytes]] = {}
        for state in reachable(game, start):
            record = form.encode(state)
            onward = reached.setdefault(record, {record})
            onward.update(form.encode(after) for _, after in game.successors(state))
        for record, onward in reached.items():
            layouts = form.layouts(record)
            from_two = {form.encode(after) for s in layouts for _, after in game.successors(s)}
            assert all(form.encode(layout) == record for layout in layouts)
            assert onward <= from_two | {record}
            # What only another state of the class can do, it can do after shifts: no more.
            assert from_two <= onward | {record}


@pytest.mark.parametrize("fill", FILLS)
def test_dead_classes_are_lost(fill: str) -> None:
    dead = 0
    for size in ((3, 4), (4, 5)):
        for game, start in sample(fill, *size):
            states = reachable(game, start)
            winning = {state for state in states if game.is_won(state)}
            before: dict[KlondikeState, list[KlondikeState]] = {}
            for state in states:
                for _, after in game.successors(state):
                    before.setdefault(after, []).append(state)
            pending = list(winning)
            while pending:
                for state in before.get(pending.pop(), ()):
                    if state not in winning:
                        winning.add(state)
                        pending.append(state)
            for state in states:
                if is_dead(game, state):
                    dead += 1
                    assert state not in winning
    assert dead


# Full decks -------------------------------------------------------------------------------


@pytest.mark.parametrize("deal", [12, 14, 20, 33, 34])
def test_full_deals_by_both_checkers(deal: int) -> None:
    certificate = certify(solve("single-left", deal))
    assert certificate.reductions == ("runs", "safe", "deal", "dead")
    assert both(Certificate.from_bytes(certificate.to_bytes()))


def test_a_certificate_for_another_deal_fails_under_reductions() -> None:
    certificate = certify(solve("single-left", 14))
    for number in range(15, 25):
        assert not both(replace(certificate, given=Deal.parse(str(number))))


def test_from_the_middle_of_a_deal() -> None:
    game = get_game("single-left")
    place = Position.after(game, Deal.parse("14"), "deal deal")
    result = solve(game, place)
    assert result.verdict is Verdict.UNWINNABLE
    certificate = certify(result)
    assert both(Certificate.from_bytes(certificate.to_bytes()))
    read = Position.parse(place.text(), game)
    assert both(certify(solve(game, read)))


def test_what_cannot_be_checked_is_refused() -> None:
    certificate = certify(solve("single-left", 14))
    for changes, reason in (
        ({"reductions": ("runs", "luck")}, "unknown reduction 'luck'"),
        ({"reductions": ("safe",)}, "the encoding runs is the reduction runs"),
        ({"encoding": "states", "reductions": ("deal",)}, "knows no reduction 'deal'"),
        ({"encoding": "words"}, "unknown encoding"),
    ):
        with pytest.raises(CertificateRefused, match=reason):
            check(replace(certificate, **changes))  # type: ignore[arg-type]
    game = get_game("single-left").with_options({"passes": "2"})
    with pytest.raises(CertificateRefused, match="runs needs passes = 1"):
        check(replace(certificate, game=game))
    with pytest.raises(CertificateError, match="checker is one of"):
        check(certificate, checker="fast")


@pytest.mark.parametrize("checker", ["readable", "compiled"])
def test_records_that_are_no_classes_are_refused(checker: str) -> None:
    certificate = certify(solve("single-left", 14))
    form = RunsRecords(get_game("single-left"), certificate.start)
    good = bytearray(certificate.records[0])
    columns = 7
    king_twice = bytearray(good)
    king_twice[2 : 2 + 2 * columns] = bytes([0] * columns + [52] * columns)
    for record in (
        good[:-1],
        bytes([0xEE]) + good[1:],
        good[:2] + bytes([7]) + good[3:],
        good[: 2 + columns] + bytes([53]) + good[3 + columns :],
        good[: 2 + 2 * columns] + bytes([99]) + good[3 + 2 * columns :],
        king_twice,
    ):
        records = tuple(sorted({*certificate.records, bytes(record)}))
        if len({len(r) for r in records}) > 1 and checker == "compiled":
            continue
        with pytest.raises(CertificateRefused, match=r"position \d+ is malformed"):
            check(replace(certificate, records=records), checker=checker)
    assert form.width == len(good)


def test_optional_discards_are_certified_without_reductions() -> None:
    game = get_game("decade").with_options({"ranks": "4", "sums": "6", "forced": "false"})
    result = solve(game, 2)
    assert result.reductions
    certificate = certify(result)
    assert (certificate.reductions, certificate.fewest_left) == ((), 4)
    check(certificate)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["single-left", "single-left-next"])
def test_the_first_fifty_lost_deals(name: str) -> None:
    """Every certificate of the first fifty unwinnable deals is read back and accepted."""
    number, sizes = 0, list[tuple[int, int]]()
    while len(sizes) < 50:
        number += 1
        result = solve(name, number, limits=Limits(None, None, 8 << 30))
        if result.verdict is Verdict.UNWINNABLE:
            certificate = certify(result, limits=Limits(None, None, 8 << 30))
            content = certificate.to_bytes()
            again = Certificate.from_bytes(content)
            assert check(again, checker="compiled").positions == result.stats.positions
            sizes.append((result.stats.positions, len(content)))
    for what, (positions, size) in (("median", sorted(sizes)[25]), ("largest", max(sizes))):
        print(f"{name}, deals 1-{number}, {what}: {positions:,} positions, {size:,} bytes")


def test_a_card_is_a_card() -> None:
    """Card numbers are what records hold; `Card(0)` is an ace and not nothing."""
    game = small_left(3, 3, "none")
    deck = Deck.of([Card(0), *map(Card, range(1, 12))], 3)
    start = game.initial(deck)
    form = RunsRecords(game, start)
    assert form.layouts(form.encode(start))[0] == start
