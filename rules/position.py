"""Positions as text: any state of a game, written and read as people write boards.

Common to all families: one pile a line, ``#`` starts a comment, blank lines are skipped,
labels in any case, cards as everywhere (`rules.cards`), ``--`` for what is empty. A first
line ``Game: NAME`` is written, and checked if it is there; so is ``Options: KEY=VALUE ...`` if
they are not those of the registered game of that name. A drawing is no such text, and refused.

Klondike (foundations by their height; the waste's top last; the stock's next card first; then a
line for each column, left to right, oldest card first, face-down cards as ``<7H>``)::

    Game: single-left
    Foundations: C-3 D-0 H-A S-2
    Waste: 5C 9H
    Stock: 7H 2D QS
    <8C> <3D> KH QS
    --

``Passes: 2`` is written where the game allows several: passes still allowed, this included.
With several packs each foundation is named: ``C-3 C-A D-0 D-0 ...``. Games without a stock have
neither of its two lines.

Decade, one stack (oldest card first), or several (``gone`` is an eliminated stack, ``--``
one that has not been dealt to; ``Turn`` is the stack that is dealt to next)::

    Game: decade                            Game: decade-seven
    Line: 4H 8S 3C                          1: 4H 8S
    Stock: KD 2C                            2: gone
    Removed: 5D 5H                          3: 7C
                                            Turn: 3
                                            Stock: KD 2C
                                            Removed: 5D 5H

Pairing::

    Game: block-ten
    Slots: 9H AS TC -- --
    Stock: --
    Removed: 5D 5H

Any other family: a line for each part of its states, see `rules.plain`.

``Removed`` may be left out: then the cards that lie nowhere have been removed. Talon is
read as Stock, and a column line may begin with a colon, as other programs write it.

``Position.parse(position.text(), game) == position`` for every state that play can reach.
What play cannot have made is refused by name (`PositionError`): cards missing, repeated or
in an impossible place, gaps that would have been filled, face-up cards that are no run,
removed cards that no removals make up. (Not every position that passes can be reached.)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from rules.cards import RANKS, SUITS, Card
from rules.decks import Deal
from rules.errors import CardError, DealproofError, MoveError, PositionError
from rules.families.decade import Decade, DecadeState, Stack
from rules.families.klondike import Column, Klondike, KlondikeState
from rules.families.pairing import Pairing, PairingState, show_rank_set
from rules.game import Game, State
from rules.moves import Move, parse_line
from rules.plain import read_plain, show_plain
from rules.referee import replay
from rules.registry import get_game
from rules.words import brief, plural

EMPTY: Final = "--"
GONE: Final = "gone"
_MOST_CHARACTERS: Final = 20_000
_LABEL: Final = re.compile(r"\s*([A-Za-z]+|\d+)\s*:(.*)")
_HEIGHT: Final = re.compile(r"([CDHS♣♦♥♠])-?(0|10|[A2-9TJQK])")

_DRAWN: Final = re.compile(
    r"[╭╰]|^ *\+--\+|^(waste|stock) (empty$|\(\d+, )|^foundations {2}|^the line is empty$"
    r"|^ 1 {3,}2\b",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """A state of a game, and where it comes from if that is known.

    ``deal`` and ``moves``: the deal and the line of play that led here; None and empty for
    a position read from text. They take no part in comparison.
    """

    game: Game
    state: State
    deal: Deal | None = field(default=None, compare=False)
    moves: tuple[Move, ...] = field(default=(), compare=False)

    @classmethod
    def parse(cls, text: str, game: Game) -> Position:
        """Read a position of *game*; raises `PositionError` naming what is wrong."""
        _, read = _FORMS.get(game.family, _PLAIN)
        return cls(game, read(game, _Lines(text, game)))

    @classmethod
    def after(cls, game: Game, deal: Deal, line: str | Iterable[Move] = ()) -> Position:
        """The position of *deal* after *line*; raises `MoveError` or `IllegalMove`."""
        moves = parse_line(line) if isinstance(line, str) else tuple(line)
        played, states = replay(game, game.initial(deal.deck), moves)
        return cls(game, states[-1], deal, tuple(played))

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves: found as they are asked for, counted with `len`, asked with ``in``.

        >>> from rules import Deal, get_game
        >>> game = get_game("block-ten")
        >>> position = Position.after(game, game.deal("1"))
        >>> len(position.legal_moves), Move.parse("QS+QD") in position.legal_moves
        (2, True)
        """
        return LegalMoves(self.game, self.state)

    @property
    def is_won(self) -> bool:
        """Whether the deal is won here."""
        return self.game.is_won(self.state)

    def play(self, move: Move | str) -> Position:
        """The position after *move*; raises `MoveError` with the reason if it is not legal."""
        move = Move.parse(move) if isinstance(move, str) else move
        played, state = self.game.play(self.state, move)
        moves = () if self.deal is None else (*self.moves, played)
        return Position(self.game, state, self.deal, moves)

    @property
    def label(self) -> str:
        """What to call the position in print."""
        if self.deal is None:
            return "the position given"
        if not self.moves:
            return self.deal.label
        return f"{self.deal.label} after {plural(len(self.moves), 'move')}"

    def text(self) -> str:
        """The text form, a line a pile, with a final newline."""
        write, _ = _FORMS.get(self.game.family, _PLAIN)
        options = _unusual(self.game)
        head = [f"Game: {self.game.name}", *([f"Options: {options}"] if options else [])]
        return "".join(f"{line}\n" for line in (*head, *write(self.game, self.state)))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Position {self.game.name}, {self.label}>"


def check_not_drawn(text: str) -> None:
    """Refuse the drawing of a table, which does not tell all that a position is."""
    if _DRAWN.search(text):
        raise PositionError(
            "this is a drawing, which cannot be read back; `dealproof deal ... --text` prints a "
            "position that can"
        )


def _unusual(game: Game) -> str:
    """The options that are not those of the registered game of this name, if there is one."""
    try:
        usual = get_game(game.name).all_options()
    except DealproofError:
        return ""
    changed = (f"{key}={text}" for key, text in game.all_options().items() if usual[key] != text)
    return " ".join(changed)


class LegalMoves(Collection[Move]):
    """The legal moves in a state, in the order of the rules."""

    def __init__(self, game: Game, state: State) -> None:
        self._game, self._state = game, state

    def __iter__(self) -> Iterator[Move]:
        return (move for move, _ in self._game.successors(self._state))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def __contains__(self, move: object) -> bool:
        """Whether *move* can be played; what it shows need not be given, but has to be right."""
        if not isinstance(move, Move):
            return False
        try:
            self._game.play(self._state, move)
        except MoveError:
            return False
        return True

    def __repr__(self) -> str:
        return f"<LegalMoves: {' '.join(map(str, self))}>"


def _cards(cards: Iterable[Card | None]) -> str:
    return " ".join(EMPTY if card is None else str(card) for card in cards) or EMPTY


# Reading, as far as all families share it --------------------------------------------------


class _Lines:
    """The lines of a position's text, taken by label; what nobody took is refused.

    ``bare``: the lines without a label, in order.
    """

    def __init__(self, text: str, game: Game) -> None:
        if len(text) > _MOST_CHARACTERS:
            raise PositionError(f"a position is at most {_MOST_CHARACTERS} characters")
        check_not_drawn(text)
        self.game = game
        self.bare: list[str] = []
        self._labelled: dict[str, str] = {}
        for row in text.lstrip("\ufeff").splitlines():
            line = row.partition("#")[0].strip()
            match = _LABEL.fullmatch(line)
            if match is None:
                if line:
                    self.bare.append(line)
                continue
            label = match[1].capitalize()
            if game.family in _FORMS:
                label = {"Talon": "Stock", "Foundation": "Foundations"}.get(label, label)
            if label in self._labelled:
                raise PositionError(f"there are two lines {label}")
            self._labelled[label] = match[2].strip()
        if not self.bare and not self._labelled:
            raise PositionError("the position is empty")
        name = self._labelled.pop("Game", game.name)
        if name != game.name:
            raise PositionError(f"the position is one of {brief(name)}, not of {game.name}")
        options = self._labelled.pop("Options", None)
        if options is not None and options != _unusual(game):
            raise PositionError(
                f"the position has the options {options or 'of the game'}, "
                f"not {_unusual(game) or 'those of the game'} (-o KEY=VALUE changes one)"
            )

    def take(self, label: str, default: str | None = None) -> str:
        """The line *label*; without it *default*, or an error if there is none."""
        found = self._labelled.pop(label, default)
        if found is None:
            raise PositionError(f"the line {label}: is missing ({self.game.family} family)")
        return found

    def has(self, label: str) -> bool:
        return label in self._labelled

    def finish(self) -> None:
        """Refuse what was not taken."""
        for label in self._labelled:
            raise PositionError(f"{label}: is no line of a {self.game.family} position")
        for line in self.bare:
            raise PositionError(f"{brief(line)} is no line of a {self.game.family} position")

    def number(self, label: str, most: int) -> int:
        """The line *label* as an integer 1..most."""
        text = self.take(label)
        if not (text.isascii() and text.isdecimal() and len(text) < 4 and 1 <= int(text) <= most):
            raise PositionError(f"{label}: a number 1 to {most}, not {brief(text)}")
        return int(text)


_OFTEN: Final = {2: "twice", 3: "three times", 4: "four times"}


class _Table:
    """Where each card lies. `put` reads a pile and refuses a card that is put too often."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.places: dict[Card, list[str]] = {}

    def add(self, card: Card, place: str) -> Card:
        if card.rank > self.game.ranks:
            raise PositionError(f"{place}: {card} is not in a deck of {self.game.ranks} ranks")
        there = self.places.setdefault(card, [])
        there.append(place)
        if len(there) > self.game.packs:
            raise PositionError(
                f"{card} lies {_OFTEN[len(there)]}: {', '.join(there[:-1])} and {place}"
            )
        return card

    def read(self, token: str, place: str) -> Card:
        try:
            return self.add(Card.parse(token), place)
        except CardError as error:
            raise PositionError(f"{place}: {error}") from None

    def put(self, text: str, place: str) -> tuple[Card, ...]:
        """A pile of cards; nothing or ``--`` is an empty one."""
        return () if text in ("", EMPTY) else tuple(self.read(t, place) for t in _tokens(text))

    def absent(self) -> list[Card]:
        there = Counter({card: len(places) for card, places in self.places.items()})
        return list((Counter(self.game.fresh) - there).elements())

    def removed(self, lines: _Lines) -> tuple[Card, ...]:
        """The cards out of play: as the line ``Removed`` lists them, or all absent ones."""
        if not lines.has("Removed"):
            return tuple(self.absent())
        removed = self.put(lines.take("Removed"), "the removed cards")
        self.complete()
        return removed

    def complete(self) -> None:
        """Refuse a position in which a card of the deck lies nowhere."""
        absent = self.absent()
        if absent:
            more = f" and {len(absent) - 6} more" if len(absent) > 6 else ""
            raise PositionError(f"missing: {' '.join(map(str, absent[:6]))}{more}")


def _tokens(text: str) -> list[str]:
    return [token for token in re.split(r"[\s,;]+", text) if token]


# Klondike ----------------------------------------------------------------------------------


def _show_klondike(game: Klondike, state: KlondikeState) -> list[str]:
    heights = (
        f"{SUITS[place // game.packs]}-{RANKS[height - 1] if height else 0}"
        for place, height in enumerate(state.foundations)
    )
    lines = [f"Foundations: {' '.join(heights)}"]
    if game.has_stock:
        lines += [f"Waste: {_cards(state.waste)}", f"Stock: {_cards(state.stock)}"]
    if game.passes > 1:
        lines.append(f"Passes: {state.passes}")
    for down, up in state.columns:
        lines.append(" ".join([f"<{card}>" for card in down] + [str(card) for card in up]) or EMPTY)
    return lines


def _read_klondike(game: Klondike, lines: _Lines) -> KlondikeState:
    table = _Table(game)
    foundations = _read_heights(game, table, lines.take("Foundations", ""))
    waste: tuple[Card, ...] = ()
    stock: tuple[Card, ...] = ()
    if game.has_stock:
        waste = table.put(lines.take("Waste", EMPTY), "the waste")
        stock = table.put(lines.take("Stock", EMPTY), "the stock")
    passes = game.passes
    if passes > 1 or (passes == 1 and lines.has("Passes")):
        passes = lines.number("Passes", passes)
    rows, lines.bare = lines.bare, []
    lines.finish()
    count = len(game.sizes)
    if len(rows) != count:
        raise PositionError(f"{len(rows)} columns are given; {game.name} has {count} (-- is empty)")
    columns = tuple(_read_column(game, table, row, i) for i, row in enumerate(rows))
    table.complete()
    state = KlondikeState(foundations, columns, waste, stock, passes)
    most = game.deck_size - sum(down + up for down, up in game.sizes)
    if len(stock) + len(waste) > most:
        raise PositionError(
            f"the stock and the waste hold {len(stock) + len(waste)} cards; "
            f"{game.name} deals {most} to them"
        )
    gap = game.unfilled(state)
    if gap is not None:
        raise PositionError(f"column {gap[0] + 1} is empty; the {gap[1]} would have filled it")
    return state


def _read_heights(game: Klondike, table: _Table, text: str) -> tuple[int, ...]:
    heights: list[list[int]] = [[], [], [], []]
    for token in [] if text == EMPTY else _tokens(text):
        match = _HEIGHT.fullmatch(token.upper())
        if match is None:
            raise PositionError(
                f"the foundations: {brief(token)} is no height (such as H-0, H-A or H-9)"
            )
        suit = (SUITS + "♣♦♥♠").index(match[1]) % 4
        height = 0 if match[2] == "0" else Card.parse(match[2] + "C").rank
        if len(heights[suit]) == game.packs:
            raise PositionError(f"the foundations: {SUITS[suit]} is given {_OFTEN[game.packs + 1]}")
        if height > game.ranks:
            raise PositionError(f"the foundations: {token} is above the deck's {game.ranks} ranks")
        heights[suit].append(height)
        for rank in range(1, height + 1):
            table.add(Card.of(rank, suit), f"the {SUITS[suit]} foundation")
    return tuple(
        height
        for given in heights
        for height in (*sorted(given, reverse=True), *[0] * (game.packs - len(given)))
    )


def _read_column(game: Klondike, table: _Table, row: str, index: int) -> Column:
    place = f"column {index + 1}"
    text = row.lstrip(":").strip()
    down: list[Card] = []
    up: list[Card] = []
    for token in [] if text in ("", EMPTY) else _tokens(text):
        hidden = token.startswith("<") and token.endswith(">")
        card = table.read(token[1:-1] if hidden else token, place)
        if hidden and up:
            raise PositionError(f"{place}: {card} is face down on the face-up {up[-1]}")
        if not hidden and up and game.only_runs and not game.fits(card, up[-1]):
            raise PositionError(f"{place}: the face-up cards are no run ({card} on {up[-1]})")
        (down if hidden else up).append(card)
    if down and not up:
        raise PositionError(f"{place}: {down[-1]} is face down and nothing covers it")
    most = game.sizes[index][0]
    if len(down) > most:
        raise PositionError(
            f"{place}: {len(down)} cards are face down; {game.name} deals at most {most} there"
        )
    return tuple(down), tuple(up)


# Decade ------------------------------------------------------------------------------------


def _show_decade(game: Decade, state: DecadeState) -> list[str]:
    def pile(stack: Stack) -> str:
        return GONE if stack is None else _cards(stack)

    if game.stacks == 1:
        lines = [f"Line: {pile(state.stacks[0])}"]
    else:
        lines = [f"{number}: {pile(stack)}" for number, stack in enumerate(state.stacks, 1)]
        lines.append(f"Turn: {state.turn + 1}")
    lines.append(f"Stock: {_cards(state.stock)}")
    if not game.returns:
        there = {card for stack in (*state.stacks, state.stock) for card in stack or ()}
        gone = (card for card in game.fresh if card not in there)
        lines.append(f"Removed: {_cards(gone)}")
    return lines


def _read_decade(game: Decade, lines: _Lines) -> DecadeState:
    table = _Table(game)
    if game.stacks == 1:
        stacks: tuple[Stack, ...] = (table.put(lines.take("Line"), "the line"),)
        turn = 0
    else:
        texts = [lines.take(str(number)) for number in range(1, game.stacks + 1)]
        stacks = tuple(
            None if text.lower() == GONE else table.put(text, f"stack {number}")
            for number, text in enumerate(texts, 1)
        )
        turn = lines.number("Turn", game.stacks) - 1
    stock = table.put(lines.take("Stock"), "the stock")
    removed: tuple[Card, ...] = ()
    if game.returns:
        table.complete()
    else:
        removed = table.removed(lines)
    lines.finish()
    state = DecadeState(stacks, stock, turn)
    _check_dealing(game, state)
    if not game.returns:
        _check_discards(game, state, removed)
    return state


def _check_dealing(game: Decade, state: DecadeState) -> None:
    """Whether the turn and the empty stacks are such as dealing in turn leaves them."""
    stacks, turn = state.stacks, state.turn
    dealt = game.deck_size - len(state.stock)
    opening = min(game.opening, game.deck_size)
    if not game.returns and dealt < opening:
        raise PositionError(f"{dealt} cards are dealt; the opening deals {opening}")
    if game.stacks == 1:
        return
    if stacks[turn] is None and any(stack is not None for stack in stacks):
        raise PositionError(f"the turn is at stack {turn + 1}, which is eliminated")
    if all(stack is None for stack in stacks):
        if turn:
            raise PositionError("every stack is eliminated: the turn is 1")
        return
    empty = next((i for i, stack in enumerate(stacks) if stack == ()), None)
    if empty is not None:
        late = next((i for i in range(empty, game.stacks) if stacks[i] != ()), None)
        if late is not None:
            raise PositionError(
                f"stack {empty + 1} is empty but stack {late + 1}, after it, has been dealt to"
            )
        if turn != empty or (not game.returns and dealt != empty):
            raise PositionError(f"stack {empty + 1} is empty but not the next to be dealt to")
    elif dealt < game.stacks and not game.returns:
        raise PositionError(f"{dealt} cards are dealt, too few for {game.stacks} stacks")
    if not game.returns and None not in stacks and turn != dealt % game.stacks:
        raise PositionError(
            f"after {dealt} cards the turn is at stack {dealt % game.stacks + 1}, not {turn + 1}"
        )


def _check_discards(game: Decade, state: DecadeState, removed: tuple[Card, ...]) -> None:
    """Whether some number of groups has as many cards, and such a total, as were removed."""
    count, total = len(removed), sum(map(game.value, removed))
    reachable = 1  # bit t: the groups so far can total t
    groups = 0
    while groups * game.group_min <= count:
        if count <= groups * game.group_max and reachable >> total & 1:
            break
        following = 0
        for amount in game.sums:
            following |= reachable << amount
        reachable = following & ((1 << (total + 1)) - 1)
        groups += 1
    else:
        raise _missing(removed, f"no discards add up to {count} cards that total {total}")
    if not removed and None in state.stacks:
        raise PositionError(f"stack {state.stacks.index(None) + 1} is gone, but no card is")


# Pairing -----------------------------------------------------------------------------------


def _show_pairing(game: Pairing, state: PairingState) -> list[str]:
    there = {card for card in (*state.slots, *state.stock) if card is not None}
    gone = (card for card in game.fresh if card not in there)
    return [
        f"Slots: {_cards(state.slots)}",
        f"Stock: {_cards(state.stock)}",
        f"Removed: {_cards(gone)}",
    ]


def _read_pairing(game: Pairing, lines: _Lines) -> PairingState:
    table = _Table(game)
    slots = tuple(
        None if token == EMPTY else table.read(token, f"slot {number}")
        for number, token in enumerate(_tokens(lines.take("Slots")), 1)
    )
    if len(slots) != game.slots:
        raise PositionError(
            f"{len(slots)} slots are given; {game.name} has {game.slots} (-- is empty)"
        )
    stock = table.put(lines.take("Stock"), "the stock")
    removed = table.removed(lines)
    lines.finish()
    if None in slots and stock:
        raise PositionError(
            f"slot {slots.index(None) + 1} is empty; the stock would have filled it"
        )
    _check_removed(game, removed)
    return PairingState(slots, stock)


def _check_removed(game: Pairing, removed: tuple[Card, ...]) -> None:
    """Whether removable sets make up the removed cards (undecided beyond 100,000 steps)."""
    counts = Counter(card.rank for card in removed)
    start = tuple(counts.get(rank, 0) for rank in range(1, 14))
    sets = [tuple(Counter(ranks).get(rank, 0) for rank in range(1, 14)) for ranks in game.removable]
    seen = {start}
    pending = [start]
    while pending and len(seen) < 100_000:
        left = pending.pop()
        lowest = next((i for i, count in enumerate(left) if count), None)
        if lowest is None:
            return
        for ranks in sets:
            if ranks[lowest]:
                after = tuple(a - b for a, b in zip(left, ranks, strict=True))
                if min(after) >= 0 and after not in seen:
                    seen.add(after)
                    pending.append(after)
    if pending:
        return
    shown = show_rank_set(tuple(sorted(card.rank for card in removed)))
    raise _missing(removed, f"no removals make up {brief(shown, 40)}")


def _missing(cards: tuple[Card, ...], why: str) -> PositionError:
    few = " ".join(map(str, cards[:6])) + (" …" if len(cards) > 6 else "")
    return PositionError(f"missing: {few} ({why})")


_Form = tuple[Callable[[Any, Any], list[str]], Callable[[Any, _Lines], Any]]

_FORMS: Final[dict[str, _Form]] = {
    "klondike": (_show_klondike, _read_klondike),
    "decade": (_show_decade, _read_decade),
    "pairing": (_show_pairing, _read_pairing),
}
_PLAIN: Final[_Form] = (show_plain, read_plain)
