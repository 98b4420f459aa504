"""What `explain` says, read back from its sentences and held against every reachable state.

A sentence is parsed into claims; one whose form is not known here is a failure. The claims are
decided over the states that legal play reaches, by nothing but the rules: what a card, a rank
or a pile does in any of them. No code of the product's reasons is used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rules import Card, Game, parse_line, replay
from rules.cards import RANKS, SUITS, SYMBOLS
from tests.solver.brute import fates, reachable

Claim = tuple[bool, str]
"""Whether it holds, and what was claimed."""

CARD = rf"(?:[{RANKS}][{SYMBOLS}])"
CARDS = rf"{CARD}(?:(?:, | and | or | ){CARD})*"
NAMES = (
    "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack",
    "queen", "king",
)  # fmt: skip
PLURALS = tuple("sixes" if name == "six" else name + "s" for name in NAMES)
NUMBERS = ("no", "one", *NAMES[1:10])


def cards(text: str) -> list[Card]:
    """The cards that a piece of a sentence names."""
    letters = text.translate(str.maketrans(SYMBOLS, SUITS))
    return [Card.parse(name) for name in re.findall(f"[{RANKS}][{SUITS}]", letters)]


def number(text: str) -> int:
    """``12``, ``1,234``, ``two``, ``a``."""
    if text in ("a", "an", "the"):
        return 1
    return NUMBERS.index(text) if text in NUMBERS else int(text.replace(",", ""))


def rank(text: str) -> int:
    """The rank of a noun, singular or plural."""
    return 1 + (NAMES.index(text) if text in NAMES else PLURALS.index(text))


class Truth:
    """Every state that play reaches from *start*, and what becomes of it."""

    def __init__(self, game: Game[Any], start: Any) -> None:
        self.game, self.start = game, start
        self.states = list(reachable(game, start))
        self.ends = [state for state in self.states if not game.legal_moves(state)]
        self.fates = fates(game, start)

    def never(self, holds: Callable[[Any], bool]) -> bool:
        return not any(map(holds, self.states))


def check(truth: Truth, record: dict[str, Any]) -> Iterator[Claim]:
    """The claims of the reasons in a record of `explain`, sentences first, then facts."""
    reasons = record["reasons"]
    for sentence in reasons["sentences"]:
        yield from _parsed(truth, reasons, sentence)
    yield from FACTS[truth.game.family](truth, reasons)


def _parsed(truth: Truth, reasons: dict[str, Any], sentence: str) -> Iterator[Claim]:
    for pattern, reader in SENTENCES[truth.game.family]:
        match = re.fullmatch(pattern, sentence)
        if match:
            for holds, claim in reader(truth, reasons, match):
                yield holds, f"{sentence!r}: {claim}"
            return
    yield False, f"no such sentence is known: {sentence!r}"


def _end(truth: Truth, reasons: dict[str, Any]) -> Any:
    line = parse_line(" ".join(reasons["best_line"]))
    return replay(truth.game, truth.start, line)[1][-1]


# The line, and what lies beside it ---------------------------------------------------------


def check_play(truth: Truth, record: dict[str, Any]) -> Iterator[Claim]:
    """The claims of a record of `explain` on the verdict, the line and the other moves."""
    game, start, worth = truth.game, truth.start, truth.fates
    won, fewest = worth[start]
    yield record["verdict"] == ("winnable" if won else "unwinnable"), "verdict"
    yield record["fewest_left"] == fewest, "fewest_left"
    yield (record["reasons"] is None) is won, "reasons where it is lost"
    for attempt in record["tries"]:
        end = replay(game, start, parse_line(" ".join(attempt["line"])))[1][-1]
        yield attempt["stuck"] is (end in truth.ends), "stuck"
    if record["line"] is None:
        yield not won and fewest is None, "no line"
        return
    states = replay(game, start, parse_line(" ".join(record["line"])))[1]
    yield game.is_won(states[-1]) is won, "the line wins if the deal can be won"
    yield record["best_left"] == game.cards_left(states[-1]), "best_left is what the line leaves"
    yield record["best_left"] == fewest, "the line leaves the fewest"
    kinds = []
    for step, before, after in zip(record["steps"], states, states[1:], strict=False):
        ahead = {str(move): state for move, state in game.successors(before)}
        told = {other["move"]: other for other in step["others"]}
        yield {step["move"], *told} == set(ahead), "all moves"
        for text, other in told.items():
            state = ahead[text]
            yield (other["verdict"] == "winnable", other["fewest_left"]) == worth[state], "fate"
            yield not other["same"] or worth[state] == worth[after], "the same"
            replay(game, state, parse_line(" ".join(other["line"])))
        elsewhere = [ahead[text] for text, other in told.items() if not other["same"]]
        bad = [state for state in elsewhere if worth[state] != worth[before]]
        yield worth[after] == worth[before], "the line gives nothing away"
        kinds.append(
            "forced" if not elsewhere
            else "free" if not bad
            else "critical" if len(bad) == len(elsewhere)
            else "choice"
        )  # fmt: skip
        if step["kind"] == "critical":  # moves that lead to equal positions count as one
            kinds[-1] = "critical" if bad else "free"
        yield step["kind"] == kinds[-1], f"the kind is {kinds[-1]}, not {step['kind']}"
    yield len(record["steps"]) == len(record["line"]), "a step for each move"
    yield record["kinds"] == {kind: kinds.count(kind) for kind in record["kinds"]}, "kinds"
    risky = [place for place, kind in enumerate(kinds, 1) if kind in ("choice", "critical")]
    yield record["sure_from"] == ((risky[-1] + 1 if risky else 1) if kinds else None), "sure_from"


# Pairing ---------------------------------------------------------------------------------


def _slots(state: Any) -> list[Card]:
    return [card for card in state.slots if card is not None]


def _ranks(state: Any) -> list[int]:
    return sorted(card.rank for card in _slots(state))


def _must_go(truth: Truth, state: Any) -> int:
    return sum(card.rank in truth.game.must_go for card in (*_slots(state), *state.stock))


def _stock_of(words: str) -> int:
    return 0 if words == "with the stock used up" else number(words.split()[1])


_STOCK = r"(with the stock used up|with [\d,]+ cards? still in the stock)"
_WITH_RANKS = rf"(\d+) cards? (?:is|are) dealt, {_STOCK}, and the slots hold ([^.]*)"


def _ending(truth: Truth, ends: list[Any], match: re.Match[str]) -> Iterator[Claim]:
    dealt, stock = int(match[1]), _stock_of(match[2])
    ranks = sorted(RANKS.index(name) + 1 for name in re.findall(f"[{RANKS}](?![a-z])", match[3]))
    for end in ends:
        yield truth.game.deck_size - len(end.stock) == dealt, "cards dealt"
        yield len(end.stock) == stock, "cards in the stock"
        yield _ranks(end) == ranks, "ranks in the slots"
        yield end in truth.ends, "no move is left"


def _every_end(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    yield from _ending(truth, truth.ends, match)


def _stuck(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    yield truth.states == [truth.start], "no move at all"
    yield from _ending(truth, truth.ends, match)


def _fewest(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    fewest = min(_must_go(truth, state) for state in truth.states)
    yield fewest == number(match[1]), "the fewest of the cards that must go"
    yield _must_go(truth, _end(truth, reasons)) == fewest, "the line leaves as few"


def _the_end(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    yield from _ending(truth, [_end(truth, reasons)], match)


def _pairing_ends(truth: Truth, reasons: dict[str, Any]) -> list[Any]:
    return truth.ends if truth.game.decision_free else [_end(truth, reasons)]


def _many(words: str) -> int:
    """``The``, ``Both``, ``All three``."""
    return {"The": 1, "Both": 2}.get(words) or number(words.removeprefix("All "))


def _unremovable(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    who = rank(match[1])
    yield all(who not in ranks for ranks in truth.game.removable), "in no removable set"
    for end in _pairing_ends(truth, reasons):
        yield who in _ranks(end), "in the slots"


_LACK = re.compile(
    r"(?P<many>\w+) (?P<more>more )?(?P<noun>\w+) "
    r"\((?P<places>none is|(?:" + CARD + r" is \d+ deep(?:, | and )?)+) in the stock\)"
)


def _needing(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    who, many = rank(match[2]), _many(match[1])
    sets = match[3].split("; or ")
    for end in _pairing_ends(truth, reasons):
        held = Counter(_ranks(end))
        yield held[who] == many, "so many in the slots"
        told = []
        for words in sets:
            lacks = list(_LACK.finditer(words))
            rest = _LACK.sub("", words).strip()
            yield rest in ("", "and", ",  and", ", and"), f"what is {rest!r}?"
            told.append(Counter({rank(lack["noun"]): number(lack["many"]) for lack in lacks}))
            for lack in lacks:
                noun = rank(lack["noun"])
                yield bool(lack["more"]) == bool(held[noun]), "more means that some are there"
                deep = {
                    cards(place)[0]: int(re.findall(r"\d+", place)[-1])
                    for place in re.findall(CARD + r" is \d+", lack["places"])
                }
                there = {c: d for d, c in enumerate(end.stock, 1) if c.rank == noun}
                yield deep == there, "depths in the stock"
        true = [
            Counter(ranks) - held for ranks in truth.game.removable if who in ranks
        ]  # fmt: skip
        yield all(true), "no set is complete"
        yield sorted(map(str, told)) == sorted({str(lack) for lack in true}), "what is lacking"


def _pairing_facts(truth: Truth, reasons: dict[str, Any]) -> Iterator[Claim]:
    facts, game = reasons["facts"], truth.game
    for end in _pairing_ends(truth, reasons):
        yield facts["ends_after"] == game.deck_size - len(end.stock), "ends_after"
        yield facts["in_stock"] == len(end.stock), "in_stock"
        yield facts["must_go_left"] == _must_go(truth, end), "must_go_left"
        yield [RANKS.index(r) + 1 for r in facts["ranks"]] == _ranks(end), "ranks"
        yield (
            [RANKS.index(p["rank"]) + 1 for p in facts["partners"]] == sorted(set(_ranks(end))),
            ("partners"),
        )
        held = Counter(_ranks(end))
        for partner in facts["partners"]:
            who = RANKS.index(partner["rank"]) + 1
            yield partner["held"] == held[who], "held"
            for ranks in partner["sets"]:
                names = [RANKS.index(name) + 1 for name in ranks["set"].split("+")]
                yield tuple(names) in game.removable and who in names, "a set with that rank"
                lacks = Counter(names) - held
                yield (
                    lacks
                    == Counter(
                        {RANKS.index(lack["rank"]) + 1: lack["count"] for lack in ranks["lacks"]}
                    ),
                    "lacks",
                )
                for lack in ranks["lacks"]:
                    there = [
                        {"card": str(card), "depth": depth}
                        for depth, card in enumerate(end.stock, 1)
                        if RANKS[card.rank - 1] == lack["rank"]
                    ]
                    yield lack["in_stock"] == there, "in_stock"
            yield len(partner["sets"]) == sum(who in ranks for ranks in game.removable), "sets"
    if not game.decision_free:
        fewest = min(_must_go(truth, state) for state in truth.states)
        yield facts["fewest_that_must_go"] == fewest, "fewest_that_must_go"


# Decade ----------------------------------------------------------------------------------


def _piles(state: Any) -> list[list[Card]]:
    return [list(stack) for stack in state.stacks if stack]


def _values(truth: Truth, state: Any) -> Any:
    """All that the rules go by: two states that agree in this have one future."""
    worth = truth.game.options["values"]
    return (
        tuple(None if stack is None else tuple(worth[c.rank - 1] for c in stack)
              for stack in state.stacks),
        tuple(worth[card.rank - 1] for card in state.stock),
        state.turn,
    )  # fmt: skip


def _choosing(truth: Truth) -> list[Any]:
    """The states from which two moves lead to different futures."""
    return [
        state
        for state in truth.states
        if len({_values(truth, after) for _, after in truth.game.successors(state)}) > 1
    ]


def _least(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    yield truth.fates[truth.start][1] == number(match[1]), "the fewest cards left"


def _leaves(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    end = _end(truth, reasons)
    piles = _piles(end)
    yield sum(map(len, piles)) == number(match[1]), "cards left by the line"
    yield [cards(pile) for pile in (match[2] or "").split(", ") if pile] == piles, "which cards"


def _endless(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    yield truth.never(lambda state: not state.stock), "the stock is never used up"


def _played_out(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    yield all(len(truth.game.legal_moves(state)) < 2 for state in truth.states), "no choice"
    yield from _leaves(truth, reasons, match)


def _repeats(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    yield all(len(truth.game.legal_moves(state)) < 2 for state in truth.states), "no choice"
    line = parse_line(" ".join(reasons["best_line"]))
    seen = [_values(truth, state) for state in replay(truth.game, truth.start, line)[1]]
    yield len(line) == number(match[1]), "so many moves"
    yield seen[-1] in seen[:-1] and len(set(seen)) == len(seen) - 1, "the position repeats"


def _no_choice(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    yield not _choosing(truth), "no choice anywhere"


def _moment(truth: Truth, words: str) -> Callable[[Any], int]:
    if words == "on the table":
        return lambda state: sum(map(len, _piles(state)))
    return lambda state: truth.game.deck_size - len(state.stock)


def _only_then(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    told = {int(digits) for digits in re.findall(r"\d+", match[1])}
    moment = _moment(truth, match[2])
    yield {moment(state) for state in _choosing(truth)} == told, "when there is a choice"
    if match[2] == "dealt":
        yield not truth.game.options["returns"], "no card is dealt twice"


def _many_times(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    moments = {_moment(truth, match[4])(state) for state in _choosing(truth)}
    yield len(moments) == number(match[1]), "how often"
    yield (min(moments), max(moments)) == (int(match[2]), int(match[3])), "first and last"
    if match[4] == "dealt":
        yield not truth.game.options["returns"], "no card is dealt twice"


def _decade_facts(truth: Truth, reasons: dict[str, Any]) -> Iterator[Claim]:
    facts, game = reasons["facts"], truth.game
    if reasons["best_line"] is None:
        yield facts["fewest_left"] is facts["left"] is truth.fates[truth.start][1] is None, "no end"
    elif game.decision_free:
        yield facts["ending"] in ("lost", "drawn"), "ending"
    else:
        end = _end(truth, reasons)
        yield facts["fewest_left"] == truth.fates[truth.start][1], "fewest_left"
        yield game.cards_left(end) == facts["fewest_left"], "the line leaves as few"
        yield (
            facts["left"]
            == [None if stack is None else list(map(str, stack)) for stack in end.stacks],
            "left",
        )
    table = game.options["returns"]
    told, other = facts["choices_at"], facts["choices_on_table"]
    if table:
        told, other = other, told
    moment = _moment(truth, "on the table" if table else "dealt")
    yield told == sorted({moment(state) for state in _choosing(truth)}), "choices"
    yield other is None, "the other way of counting is left open"


# Klondike --------------------------------------------------------------------------------


def _height(truth: Truth, state: Any, suit: int) -> int:
    packs = truth.game.packs
    return max(state.foundations[suit * packs : (suit + 1) * packs])


def _up(truth: Truth, state: Any, card: Card) -> bool:
    return _height(truth, state, card.suit) >= card.rank


def _face_down(state: Any, card: Card) -> bool:
    return any(card in down for down, _ in state.columns)


def _last(state: Any) -> list[Card]:
    return [up[-1] for _, up in state.columns if up]


def _free(state: Any, card: Card) -> bool:
    return card in _last(state) or card in state.waste[-1:]


def _in_stock_or_waste(state: Any, card: Card) -> bool:
    return card in state.waste or card in state.stock


class Mover:
    """A card that never moves: where it lies, and the states in which it could be moved.

    *column*: the one whose face-down cards it lies on, or None for the top of the waste.
    """

    def __init__(self, truth: Truth, card: Card, column: int | None) -> None:
        self.truth, self.card, self.column = truth, card, column

    def ready(self, state: Any) -> bool:
        if self.column is None:
            return self.card in state.waste[-1:]
        return self.card in state.columns[self.column][1][:1]


_NEVER = {
    "never turned up": _face_down,
    "never leaves the stock or the waste": _in_stock_or_waste,
    "never leave the stock or the waste": _in_stock_or_waste,
}
_BARRED = (
    rf"(?P<who>{CARDS}) to lie on, which "
    rf"(?P<how>(?:is|are) never turned up|never leaves? the stock or the waste|"
    rf"(?:is|are) never free at the right time)"
)


def _needs(mover: Mover, words: str) -> Iterator[Claim]:
    """What a card needs to move, each need with what bars it; and that no need is left out."""
    truth, game = mover.truth, mover.truth.game
    card, states = mover.card, truth.states
    told: set[Any] = set()
    yield any(map(mover.ready, states)), f"{card} is in a place to be moved from in some line"
    for need in re.split(r"; or |; |, or ", words):
        if match := re.fullmatch(_BARRED, need):
            for parent in cards(match["who"]):
                told.add(parent)
                yield game.fits(card, parent), f"{card} fits on {parent}"
                how = match["how"].removeprefix("is ").removeprefix("are ")
                if how in _NEVER:
                    barred = _NEVER[how]
                    yield all(barred(state, parent) for state in states), f"{parent} {how}"
                else:
                    yield (
                        not any(mover.ready(s) and parent in _last(s) for s in states),
                        (f"{parent} is free when {card} could go there"),
                    )
                    yield not all(_face_down(s, parent) for s in states), "turned up"
        elif match := re.fullmatch(rf"({CARD}) on its foundation, which never gets there", need):
            (below,) = cards(match[1])
            told.add("foundation")
            yield (below.rank, below.suit) == (card.rank - 1, card.suit), "the card below it"
            yield not any(_up(truth, s, below) for s in states), f"{below} gets up"
        elif match := re.fullmatch(rf"to be free when ({CARD}) is up, which it never is", need):
            (below,) = cards(match[1])
            told.add("foundation")
            yield (below.rank, below.suit) == (card.rank - 1, card.suit), "the card below it"
            yield any(_up(truth, s, below) for s in states), f"{below} never gets up"
            yield not any(_up(truth, s, below) and _free(s, card) for s in states), "free then"
        elif need == "to be free, which it never is":
            told.add("foundation")
            yield card.rank == 1, "an ace"
            yield truth.never(lambda s: _free(s, card)), "free"
        elif need == "an empty column, and none comes at the right time":
            told.add("space")
            yield game.takes(card), "goes to spaces"
            yield (
                truth.never(lambda s: mover.ready(s) and not all(up for _, up in s.columns)),
                "an empty column",
            )
        elif need == "a gap to fill, and none comes at the right time":
            told.add("space")
            yield game.takes(card) or bool({"stock", "waste"} & set(game.fill)), "fills gaps"
        elif match := re.fullmatch(
            r"a gap in column (\d+) that it fills, and none comes at the right time", need
        ):
            told.add("next")
            yield int(match[1]) == (mover.column or 0), "the column before"
        else:
            yield False, f"what is {need!r}?"
    wanted: set[Any] = {"foundation"}
    wanted |= {
        parent
        for parent in game.fresh
        if game.fits(card, parent) and (game.returns or not _up(truth, truth.start, parent))
    }
    if game.takes(card) or (mover.column is None and {"stock", "waste"} & set(game.fill)):
        wanted.add("space")
    if mover.column and "next-column" in game.fill:
        wanted.add("next")
    yield told == wanted, f"needs of {card}: {told ^ wanted} left out or one too many"


def _between(text: str | None) -> int:
    return 0 if text is None else number(text.split()[1])


def _stays(truth: Truth, card: Card) -> bool:
    return all(_in_stock_or_waste(state, card) for state in truth.states)


def _buried_in_column(
    truth: Truth, reasons: dict[str, Any], match: re.Match[str]
) -> Iterator[Claim]:
    (card,), (over,), column = cards(match[1]), cards(match[2]), int(match[3]) - 1
    between = _between(match[4])
    for state in truth.states:
        down, up = state.columns[column]
        pile = down + up
        yield card in down and over in pile, "both lie in the column"
        yield pile.index(over) - pile.index(card) - 1 == between, "cards between"
        yield pile.index(over) <= len(down), "face down or the first one face up"
    yield cards(match[5]) == [over], "one and the same card"
    if match[6]:
        yield from _needs(Mover(truth, over, column), match[6])


def _in_waste_under(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    (card,), (over,) = cards(match[1]), cards(match[2])
    between = _between(match[3])
    yield _stays(truth, card) and _stays(truth, over), "both stay"
    waste = truth.start.waste
    yield waste.index(over) - waste.index(card) - 1 == between, "cards between"
    yield cards(match[4]) == [over], "one and the same card"
    yield truth.never(lambda s: card in s.waste[-1:]), "never the top"
    yield from _needs(Mover(truth, over, None), match[5])


def _number_of(truth: Truth, card: Card, place: str) -> bool:
    if place.startswith("it lies in the waste"):
        return card in truth.start.waste
    return truth.start.stock.index(card) + 1 == int(re.findall(r"\d+", place)[0])


def _unplayed(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    (card,) = cards(match[1])
    yield _stays(truth, card), "it stays"
    yield _number_of(truth, card, match[2]), "where it lies"
    yield from _needs(Mover(truth, card, None), match[3])


def _never_top(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    (card,) = cards(match[1])
    yield _stays(truth, card), "it stays"
    yield _number_of(truth, card, match[2]), "where it lies"
    yield truth.never(lambda s: card in s.waste[-1:]), "never the top"
    over = {
        s.waste[s.waste.index(card) + 1]
        for s in truth.states
        if card in s.waste and s.waste[-1] != card
    }
    if match[3] == "other cards always lie on it":
        yield len(over) > 1, "several cards"
    else:
        yield over == set(cards(match[3])), "which card lies on it"
        if "never leaves" in match[3]:
            yield all(_stays(truth, one) for one in over), "that card stays"


def _never_free(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    (card,) = cards(match[1])
    yield (
        any(card in up for s in truth.states for _, up in s.columns)
        or any(not _in_stock_or_waste(s, card) and not _face_down(s, card) for s in truth.states),
        "it comes into play",
    )
    if match[2] is None:
        yield truth.never(lambda s: _free(s, card)), "free"
        return
    (below,) = cards(match[2])
    yield (below.rank, below.suit) == (card.rank - 1, card.suit), "the card below it"
    yield any(_up(truth, s, below) for s in truth.states), "it gets up"
    yield truth.never(lambda s: _up(truth, s, below) and _free(s, card)), "free then"


def _most(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    most = max(sum(state.foundations) for state in truth.states)
    yield most == number(match[1]), "cards on the foundations"
    yield truth.game.deck_size == number(match[2]), "cards in the deck"
    yield sum(_end(truth, reasons).foundations) == most, "the line gets as far"


def _heights(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    told = {card.suit: card.rank for card in cards(match[1])}
    none = re.findall(f"[{SYMBOLS}]", match[2] or "")
    told |= {SYMBOLS.index(suit): 0 for suit in none}
    yield (
        told == {suit: max(_height(truth, s, suit) for s in truth.states) for suit in range(4)},
        "how far the foundations get",
    )


def _none_up(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    yield truth.never(lambda s: any(s.foundations)), "nothing goes up"


def _hidden(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    told = set(cards(match[1]))
    yield (
        told == {c for c in truth.game.fresh if all(_face_down(s, c) for s in truth.states)},
        ("never turned up"),
    )


def _kept(truth: Truth, reasons: dict[str, Any], match: re.Match[str]) -> Iterator[Claim]:
    told = set(cards(match[1]))
    yield told == {c for c in truth.game.fresh if _stays(truth, c)}, "never leave"


def _klondike_facts(truth: Truth, reasons: dict[str, Any]) -> Iterator[Claim]:
    facts, game = reasons["facts"], truth.game
    yield facts["most_up"] == max(sum(s.foundations) for s in truth.states), "most_up"
    if game.packs > 1:
        return
    highest = [max(_height(truth, s, suit) for s in truth.states) for suit in range(4)]
    yield facts["highest"] == dict(zip(SUITS, highest, strict=True)), "highest"
    yield (
        facts["never_up"]
        == [
            str(Card.of(r, suit))
            for suit in range(4)
            for r in range(highest[suit] + 1, game.ranks + 1)
        ],
        "never_up",
    )
    hidden = {str(c) for c in game.fresh if all(_face_down(s, c) for s in truth.states)}
    yield set(facts["never_turned_up"]) == hidden, "never_turned_up"
    kept = [c for c in truth.start.waste + truth.start.stock if _stays(truth, c)]
    yield facts["never_leave_the_waste"] == list(map(str, kept)), "never_leave_the_waste"
    gone = [c for c in truth.start.waste + truth.start.stock if c not in kept]
    deepest = gone[-1] if gone else None
    yield (
        facts["deepest_played"]
        == (
            None
            if deepest is None
            else {
                "card": str(deepest),
                "depth": (truth.start.waste + truth.start.stock).index(deepest) + 1,
            }
        ),
        "deepest_played",
    )
    yield (
        {knot["card"] for knot in facts["knots"]}
        == {
            str(Card.of(height + 1, suit))
            for suit, height in enumerate(highest)
            if height < game.ranks
        },
        "knots",
    )
    yield {knot["sentence"] for knot in facts["knots"]} <= set(reasons["sentences"]), "knots"


_PLACE = r"it is number \d+ of the stock|it lies in the waste"
_BETWEEN = r"(?:, (with [\d,]+ cards? between them))?"
Reader = Callable[[Truth, dict[str, Any], "re.Match[str]"], Iterable[Claim]]

SENTENCES: dict[str, list[tuple[str, Reader]]] = {
    "pairing": [
        (rf"Whatever is removed first, no move is left once {_WITH_RANKS}\.", _every_end),
        (rf"No move can be made: {_WITH_RANKS}\.", _stuck),
        (
            r"No line removes all that must go: at best (\d+) of those cards (?:is|are) left\.",
            _fewest,
        ),
        (rf"The best line ends once {_WITH_RANKS}\.", _the_end),
        (r"(The|Both|All \w+) (\w+) needs? (.*)\.", _needing),
        (r"No set that can be removed has an? (\w+) in it\.", _unremovable),
    ],
    "decade": [
        (r"No line leaves fewer than ([\d,]+) cards?\.", _least),
        (r"In no line is the stock ever used up\.", _endless),
        (r"The line given leaves ([\d,]+) cards?(?:: (.*))?\.", _leaves),
        (
            r"Nothing is chosen, and at the end ([\d,]+) cards? (?:is|are) left(?:: (.*))?\.",
            _played_out,
        ),
        (r"Nothing is chosen, and after ([\d,]+) moves? the position repeats\.", _repeats),
        (r"There never is a choice: in every position all moves come to the same\.", _no_choice),
        (
            r"There can be a choice only when (.*) cards? (?:is|are) (dealt|on the table); at any "
            r"other time all moves come to the same\.",
            _only_then,
        ),
        (
            r"There can be a choice at (\d+) different times, from (\d+) cards? to (\d+) cards? "
            r"(dealt|on the table)\.",
            _many_times,
        ),
    ],
    "klondike": [
        (
            rf"No line frees ({CARD}): it lies under ({CARD}) in column (\d+){_BETWEEN}, and "
            rf"({CARD}) can never move(?:: it needs (.*))?\.",
            _buried_in_column,
        ),
        (
            rf"No line plays ({CARD}): it lies in the waste under ({CARD}){_BETWEEN}, and "
            rf"({CARD}) can never move: it needs (.*)\.",
            _in_waste_under,
        ),
        (
            rf"No line plays ({CARD}): ({_PLACE}), and can never leave it: it needs (.*)\.",
            _unplayed,
        ),
        (
            rf"No line plays ({CARD}): ({_PLACE}), and is never the top of the waste, where "
            rf"({CARD}(?:, which never leaves,)? always lies on it|other cards always lie on it)\.",
            _never_top,
        ),
        (
            rf"({CARD}) comes into play, but (?:is never free|in no line is it free once "
            rf"({CARD}) is up)\.",
            _never_free,
        ),
        (r"At best (\d+) of (\d+) cards are on the foundations at one time\.", _most),
        (
            rf"Over all lines the foundations get up to ({CARDS})(?:; no ([^.]*) goes up)?\.",
            _heights,
        ),
        (r"No card ever goes up\.", _none_up),
        (rf"Never turned up: ({CARDS})\.", _hidden),
        (rf"Never out of the stock and the waste: ({CARDS})\.", _kept),
    ],
}
"""Per family: every sentence that the reasons may hold, and what it claims."""

FACTS: dict[str, Callable[[Truth, dict[str, Any]], Iterable[Claim]]] = {
    "pairing": _pairing_facts,
    "decade": _decade_facts,
    "klondike": _klondike_facts,
}
