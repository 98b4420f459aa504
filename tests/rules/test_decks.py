"""Decks and deals: the numberings, typed decks, ranges, and what is refused."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import Card, Deal, Deck, DeckError, get_game, parse_deals
from rules.cards import CARDS
from rules.decks import count_deals, make_deal
from solver.solve import as_deal
from tests.strategies import decks

MOST = 2**64 - 1

# Our own numbering -----------------------------------------------------------------------


def test_the_checks_that_define_our_numbering() -> None:
    first, second, last = (Deck.numbered(number).text() for number in (0, 1, MOST))
    assert first.startswith("4C 9S 3C KC AH KD KS 3S ")
    assert first.endswith(" QS AD 6H QD")
    assert second.startswith("QS QD TD JH AC 9D KH TC ")
    assert second.endswith(" KC TH 8D")
    assert last.startswith("4S 5S 4C 5D KH AH TC 9C ")


def shuffle_by_hand(number: int, size: int) -> list[int]:
    """The numbering's definition once more, from its words, in another form."""
    order = list(range(size))
    for step, i in enumerate(reversed(range(1, size)), 1):
        z = (number + step * 0x9E3779B97F4A7C15) % 2**64
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            z = (z ^ (z // 2**shift)) * factor % 2**64
        z = z ^ (z // 2**31)
        j = z * (i + 1) // 2**64
        order[i], order[j] = order[j], order[i]
    return order


@given(st.integers(0, MOST), st.integers(1, 13))
def test_our_numbering_follows_its_definition(number: int, ranks: int) -> None:
    deck = Deck.numbered(number, ranks)
    assert [int(card) for card in deck] == shuffle_by_hand(number, 4 * ranks)
    assert Deck.of(deck, ranks) == deck
    assert deck.ranks == ranks


@pytest.mark.parametrize("number", [-1, MOST + 1])
def test_our_numbering_has_ends(number: int) -> None:
    with pytest.raises(DeckError, match=r"a deal number is 0 to 2\^64-1, not "):
        Deck.numbered(number)


# Microsoft's and PySolFC's ---------------------------------------------------------------

# The two deals that are printed wherever Microsoft's generator is described.
MS = {
    "ms:1": "JD 2D 9H JC 5D 7H 7C 5H KD KC 9S 5S AD QC KH 3H 2S KS 9D QD JS AS AH 3C 4C 5C TS QH "
    "4H AC 4D 7S 3S TD 4S TH 8H 2C JH 7D 6D 8S 8D QS 6C 3D 8C TC 6S 9C 2H 6H",
    "ms:617": "7D AD 5C 3S 5S 8C 2D AH TD 7S QD AC 6D 8H AS KH TH QC 3H 9D 6S 8D 3D TC KD 5H 9S "
    "3C 8S 7H 4D JS 4C QS 9C 9H 7C 6H 2C 2S 4S TS 2H 5D JC 6C JH QH JD KS KC 4H",
}

# Deal 100000 as PySolFC lays it out for FreeCell, column by column.
PYSOL_100000 = """5C 5S JD 7H QC 3S 3H
2D 2H 8H 8S AH 9D 3C
9H 6S 5H 7C 9C 7D 3D
6D 4D QS JH 7S KS AC
TH JS 2C 6H KH AS
4S 9S 5D 2S JC 6C
TD QD 4C AD TC QH
4H TS 8C KC 8D KD"""


@pytest.mark.parametrize("name", MS)
def test_microsoft_deals(name: str) -> None:
    assert Deal.parse(name).deck.text() == MS[name]
    assert Deal.parse(name.upper()) == Deal.parse(name)
    assert Deal.parse(name).name == name


def microsoft_by_hand(seed: int) -> list[Card]:
    """The generator of the C library, on a deck in the order of `Card` numbers."""
    pack, dealt = list(CARDS), []
    while pack:
        seed = (seed * 214013 + 2531011) % 2**31
        place = (seed >> 16) % len(pack)
        pack[place], pack[-1] = pack[-1], pack[place]
        dealt.append(pack.pop())
    return dealt


@pytest.mark.parametrize("number", [1, 2, 617, 11982, 31999, 32000, 32001, 1_000_000, 2**31 - 1])
def test_microsoft_deals_by_hand(number: int) -> None:
    assert list(Deal.parse(f"ms:{number}").deck) == microsoft_by_hand(number)


@pytest.mark.parametrize("name", ["ms:2147483648", "ms:4294967296", "ms:8589934591", "pysol:1"])
def test_big_microsoft_deals_are_whole_decks(name: str) -> None:
    deck = Deal.parse(name).deck
    assert Deck.of(deck) == deck


def pysol_by_hand(number: int) -> list[Card]:
    """Mersenne Twister over clubs, spades, hearts, diamonds; dealt from the end."""
    cards = [Card.of(rank, suit) for suit in (0, 3, 2, 1) for rank in range(1, 14)]
    rng = random.Random(number)
    for n in range(51, 0, -1):
        j = int(rng.random() * (n + 1))
        cards[n], cards[j] = cards[j], cards[n]
    return cards[::-1]


def test_a_pysolfc_deal_that_was_published() -> None:
    columns = [row.split() for row in PYSOL_100000.splitlines()]
    rows = [column[i] for i in range(7) for column in columns if i < len(column)]
    assert Deal.parse("pysol:100000").deck.text() == " ".join(rows)


@pytest.mark.parametrize("number", [32000, 32001, 100000, 2**32, 10**20 - 1, 10**20])
def test_pysolfc_deals_by_hand(number: int) -> None:
    assert list(Deal.parse(f"pysol:{number}").deck) == pysol_by_hand(number)


def test_the_trap_at_32000() -> None:
    """PySolFC takes Microsoft's generator below 32000 and its own from there on."""
    for number in (1, 617, 31999):
        assert Deal.parse(f"pysol:{number}").deck == Deal.parse(f"ms:{number}").deck
    for number in (32000, 32001):
        assert Deal.parse(f"pysol:{number}").deck != Deal.parse(f"ms:{number}").deck


SOLVITAIRE = {
    "solvitaire:1": "9D 4C QD 9S 6S 3D 2H AS TD JS 8H 3C 5D JC 8S 5H 8C KD 6D 8D 7H 7S JH 9H 2C AH "
    "KH JD TS 6C 3H TH 7D 5S 9C 4S 7C KC 4D 2D 5C AD 3S QS QC 4H 2S AC QH TC KS 6H",
    "solvitaire:706149": "AS 5C 6H 3S AD 2S 2C 5D 4C 5H QS 9D 9C 8S QD TC 3H 4S 8C 7H 7C 6D 4D 2H "
    "JH 9H AH 7S 6S 9S 8H KC JD 6C 8D TS 3C 5S JC TD KS 7D KH 4H QH AC 2D TH 3D KD QC JS",
}


@pytest.mark.parametrize("name", SOLVITAIRE)
def test_solvitaire_deals(name: str) -> None:
    deal = get_game("single-left").deal(name)
    assert deal.deck.text() == SOLVITAIRE[name]
    assert deal.name == name
    with pytest.raises(DeckError, match=f"deal {name} is dealt otherwise in single-left"):
        as_deal(get_game("single-left"), Deal.parse(name))


@pytest.mark.parametrize("seed", [0, 1, 22, 5700, 2**31, 2**32 - 1])
def test_solvitaire_deals_by_hand(seed: int) -> None:
    """Another Mersenne Twister, and Boost's distribution as its source says it."""
    twister = np.random.RandomState(seed)
    cards = [Card.of(rank, "CDHS".index(suit)) for rank in range(1, 14) for suit in "CHSD"]
    for i in range(51, 0, -1):
        bucket = 0xFFFFFFFF // (i + 1)
        if 0xFFFFFFFF % (i + 1) == i:
            bucket += 1
        j = i + 1
        while j > i:
            j = int(twister.randint(0, 2**32, dtype=np.uint32)) // bucket
        cards[i], cards[j] = cards[j], cards[i]
    table: list[list[Card]] = [[] for _ in range(7)]
    stock = [cards.pop() for _ in range(24)]
    for row in range(7):
        for column in range(6, row - 1, -1):
            table[column].append(cards.pop())
    state = get_game("single-left").initial(get_game("single-left").deal(f"solvitaire:{seed}").deck)
    assert [list(down + up) for down, up in state.columns] == table
    assert list(state.stock) == stock[::-1]


def test_pysolfc_deals_rows_of_columns_from_the_right() -> None:
    """The first row has no card for the first column; the last gives one to every column."""
    pack = pysol_by_hand(32000)
    table: list[list[Card]] = [[] for _ in range(7)]
    for row in (1, 2, 3, 4, 5, 6, 0):
        for column in range(6, row - 1, -1):
            table[column].append(pack.pop(0))
    state = get_game("single-left").initial(get_game("single-left").deal("pysol:32000").deck)
    assert [list(down + up) for down, up in state.columns] == table
    assert list(state.stock) == pack


# Several packs -----------------------------------------------------------------------------


def test_several_packs_are_shuffled_as_one() -> None:
    """The numbering by hand: the fresh packs one after the other."""
    cards, state = list(CARDS) * 2, 7
    for i in range(103, 0, -1):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        j = ((z ^ z >> 31) * (i + 1)) >> 64
        cards[i], cards[j] = cards[j], cards[i]
    assert list(Deck.numbered(7, 13, 2)) == cards


@pytest.mark.parametrize(("ranks", "packs"), [(1, 2), (13, 2), (4, 3), (13, 3)])
def test_decks_of_several_packs(ranks: int, packs: int) -> None:
    deck = Deck.numbered(3, ranks, packs)
    assert (len(deck), deck.ranks, deck.packs) == (4 * ranks * packs, ranks, packs)
    assert Deck.parse(str(deck), ranks, packs) == deck
    assert eval(repr(deck), {"Deck": Deck}) == deck
    assert [deal.deck.packs for deal in parse_deals("1-2", ranks, packs)] == [packs, packs]
    with pytest.raises(DeckError, match=r"is for one pack|only plain deal numbers"):
        make_deal("ms:", 1, ranks, packs)
    often = f"repeats cards 1 and 2.* \\(a deck of {packs} packs has {packs}\\)"
    with pytest.raises(DeckError, match=f"card {packs + 1} .*{often}" if packs == 2 else "repeats"):
        Deck.of([Card(0)] * len(deck), ranks, packs)
    with pytest.raises(DeckError, match=f"a deck has {len(deck)} cards, not {len(deck) - 1}; miss"):
        Deck.of(deck[1:], ranks, packs)


def test_pysolfc_shuffles_several_packs() -> None:
    deck = make_deal("pysol:", 40000, 13, 2).deck
    assert Deck.of(deck, 13, 2) == deck


# Typed decks -----------------------------------------------------------------------------


@given(decks())
def test_decks_round_trip(deck: Deck) -> None:
    assert Deck.parse(deck.text(), deck.ranks) == deck
    assert Deck.parse(str(deck).lower().replace("t", "10"), deck.ranks) == deck
    assert Deck.parse(",".join(card.pretty for card in deck), deck.ranks) == deck
    assert eval(repr(deck), {"Deck": Deck}) == deck
    assert len({deck, Deck.parse(str(deck), deck.ranks)}) == 1


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\t", " ", ";", ", ", "\u2028"])
def test_separators_and_comments(end: str) -> None:
    deck = Deck.numbered(5)
    assert Deck.parse(end.join(map(str, deck)) + end) == deck
    assert Deck.parse("\ufeff" + end.join(map(str, deck))) == deck
    if end in "\r\n":
        text = f"# a comment, AS{end}" + end.join(f"{card} # and KD" for card in deck)
        assert Deck.parse(text) == deck


FULL = [str(card) for card in Deck.numbered(5)]


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ([], "a deck has 52 cards, not 0; missing: AC AD AH AS 2C 2D and 46 more"),
        (FULL[:51], f"a deck has 52 cards, not 51; missing: {FULL[51]}$"),
        (FULL[2:], r"a deck has 52 cards, not 50; missing: \w\w \w\w$"),
        ([*FULL, "AS"], rf"card 53 \(AS\) repeats card {FULL.index('AS') + 1}$"),
        (
            [*FULL[:9], FULL[0], *FULL[10:]],
            rf"card 10 \({FULL[0]}\) repeats card 1; missing: {FULL[9]}$",
        ),
        ([*FULL[:20], "joker", *FULL[20:]], "card 21: 'joker': jokers are not part of the deck"),
        ([*FULL[:20], "1H", *FULL[21:]], "card 21: '1H' is not a card"),
        ([*FULL[:51], "x" * 500], "card 52: 'xxxxxxxxxxxx…' is not a card"),
        (["AS"] * 1001, "a deck has 52 cards, not 1001$"),
    ],
)
def test_faulty_decks_are_refused_by_place(cards: list[str], message: str) -> None:
    with pytest.raises(DeckError, match=message) as caught:
        Deck.parse(" ".join(cards))
    assert "\n" not in str(caught.value)


@given(decks(), st.data())
def test_decks_are_read_with_nothing_between_cards(deck: Deck, data: st.DataObject) -> None:
    shape = st.tuples(st.sampled_from(("", "", " ", ",", "\n", ", ")), st.integers(0, 3))
    shapes = data.draw(st.lists(shape, min_size=len(deck), max_size=len(deck)))
    forms = (str, lambda card: str(card).replace("T", "10"), lambda card: card.pretty + "\ufe0f")
    text = "".join(
        between + (str(card).lower() if form == 3 else forms[form](card))
        for card, (between, form) in zip(deck, shapes, strict=True)
    )
    assert Deck.parse(text, deck.ranks) == deck


@given(decks(ranks=3), st.integers(0, 11), st.integers(0, 11))
def test_a_repeated_card_is_named_with_the_one_it_displaces(deck: Deck, at: int, by: int) -> None:
    if at == by:
        return
    cards = [deck[by] if place == at else card for place, card in enumerate(deck)]
    first, second = sorted((at + 1, by + 1))
    with pytest.raises(DeckError) as caught:
        Deck.of(cards, 3)
    says = f"card {second} ({deck[by]}) repeats card {first}; missing: {deck[at]}"
    assert str(caught.value) == says


def test_small_decks_have_no_high_ranks() -> None:
    with pytest.raises(DeckError, match=r"card 2 \(3S\) is not in a deck of 2 ranks"):
        Deck.parse("AS 3S", 2)
    with pytest.raises(DeckError, match="a deck has 8 cards, not 1; missing: AC AD AH 2C 2D 2H an"):
        Deck.parse("AS", 2)


# Deals and ranges ------------------------------------------------------------------------


@given(st.integers(0, MOST))
def test_deals_are_found_again_by_their_name(number: int) -> None:
    deal = Deal.parse(str(number))
    assert deal.name == str(number)
    assert deal.label == f"deal {number}"
    assert deal.deck == Deck.numbered(number)
    assert list(parse_deals(str(number))) == [deal]


def test_a_typed_deck_has_no_name() -> None:
    deck = Deck.numbered(3)
    assert Deal.of(deck) == Deal(None, deck)
    assert Deal.of(deck).label == "the typed deck"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("7", "7"),
        (" 7 ", "7"),
        ("1-4", "1 2 3 4"),
        ("3-3", "3"),
        ("1-3,42,ms:617", "1 2 3 42 ms:617"),
        ("5,1-3, 2-6", "5 1 2 3 4 6"),
        ("1-6,3-4", "1 2 3 4 5 6"),
        ("4-6,1-9,5", "4 5 6 1 2 3 7 8 9"),
        ("1-2,ms:1-2,pysol:1-2,ms:2-3", "1 2 ms:1 ms:2 pysol:1 pysol:2 ms:3"),
        ("MS:5,Pysol:5", "ms:5 pysol:5"),
        (f"{MOST - 1}-{MOST}", f"{MOST - 1} {MOST}"),
        ("0", "0"),
    ],
)
def test_ranges(text: str, names: str) -> None:
    deals = list(parse_deals(text))
    assert [deal.name for deal in deals] == names.split()
    assert [deal.deck for deal in deals] == [Deal.parse(name).deck for name in names.split()]
    assert count_deals(text) == len(deals)


@given(
    st.lists(
        st.tuples(st.sampled_from(("", "ms:", "pysol:")), st.integers(1, 30), st.integers(0, 12)),
        min_size=1,
        max_size=6,
    )
)
def test_overlapping_ranges_give_each_deal_once(ranges: list[tuple[str, int, int]]) -> None:
    text = ",".join(f"{kind}{low}-{low + more}" for kind, low, more in ranges)
    listed = [f"{kind}{n}" for kind, low, more in ranges for n in range(low, low + more + 1)]
    names = [deal.name for deal in parse_deals(text)]
    assert names == list(dict.fromkeys(listed))
    assert count_deals(text) == len(names)


def test_huge_ranges_are_counted_and_made_lazily() -> None:
    text = f"0-{MOST},5-10"
    assert count_deals(text) == 2**64
    deals = parse_deals(text)
    assert [next(deals).name for _ in range(3)] == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a deal"),
        ("-1", "'-1' is not a deal"),
        ("1e3", "'1e3' is not a deal"),
        ("1.0", "'1.0' is not a deal"),
        ("+1", "'\\+1' is not a deal"),
        ("1,", "'' is not a deal"),
        ("1 2", "'1 2' is not a deal"),
        ("1-", "'1-' is not a deal"),
        ("1-2-3", "'1-2-3' is not a deal"),
        ("٣", "'٣' is not a deal"),
        ("ms:", "'ms:' is not a deal"),
        ("ms 1", "'ms 1' is not a deal"),
        ("gnu:1", "'gnu:1' is not a deal"),
        ("1-ms:2", "'1-ms:2' is not a deal"),
        ("x" * 99, f"'{'x' * 40}…' is not a deal"),
        ("007", "'007': a deal number has no leading zeros"),
        ("1-07", "'1-07': a deal number has no leading zeros"),
        ("10-5", "'10-5': the range ends before it begins"),
        (str(2**64), f"deal numbers of this kind go from 0 to {MOST}"),
        ("9" * 5000, f"deal numbers of this kind go from 0 to {MOST}"),
        ("ms:0", "'ms:0': deal numbers of this kind go from 1 to 8589934591"),
        (f"ms:{2**33}", "deal numbers of this kind go from 1 to 8589934591"),
        ("pysol:0", "deal numbers of this kind go from 1 to 100000000000000000000"),
        (f"pysol:{10**20 + 1}", "deal numbers of this kind go from 1 to 100000000000000000000"),
        (",".join(["1"] * 10_001), "more than 10,000 ranges of deals"),
    ],
)
def test_what_names_no_deal_is_refused_before_any_is_made(text: str, message: str) -> None:
    with pytest.raises(DeckError, match=message) as caught:
        parse_deals(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 160
    with pytest.raises(DeckError):
        parse_deals("1-5," + text)
    with pytest.raises(DeckError):
        count_deals(text)


@pytest.mark.parametrize("text", ["1-2", "1,2", "1,ms:1"])
def test_one_deal_where_one_is_wanted(text: str) -> None:
    with pytest.raises(DeckError, match=f"'{text}' names more than one deal"):
        Deal.parse(text)


def test_small_decks_have_plain_numbers_only() -> None:
    assert [deal.deck.ranks for deal in parse_deals("1-3", 5)] == [5, 5, 5]
    with pytest.raises(DeckError, match="only plain deal numbers exist for 5 ranks"):
        parse_deals("1,ms:1", 5)
    with pytest.raises(DeckError, match="only plain deal numbers exist for 5 ranks"):
        make_deal("ms:", 1, 5)
