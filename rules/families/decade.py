"""The decade family (Decade, its variations, Ten-Twenty-Thirty): discard what adds up.

A state is a `DecadeState`. A stack's cards lie in the order in which they were dealt; the
last one is its top (the right-hand end of the line).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import ClassVar, NamedTuple

from rules.cards import RANKS, Card
from rules.errors import OptionError
from rules.game import Game, Pile
from rules.moves import Move
from rules.options import Option, boolean, choice, integer, read_integer, sequence
from rules.words import either

Stack = tuple[Card, ...] | None


class DecadeState(NamedTuple):
    """``stacks``: cards oldest first, or None once eliminated. ``stock``: next card first.

    ``turn``: the stack that is dealt to next (an index; it is never an eliminated one
    unless all are).
    """

    stacks: tuple[Stack, ...]
    stock: tuple[Card, ...]
    turn: int


def _amount(text: str) -> int:
    number = read_integer(text)
    if number > 1000:
        raise ValueError(text)
    return number


class Decade(Game[DecadeState]):
    """Consecutive cards of a stack that total 10, 20 or 30 are discarded."""

    family: ClassVar[str] = "decade"
    summary: ClassVar[str] = "discard neighbouring cards that total 10, 20 or 30"
    notation: ClassVar[str] = "7H+3C for a discard and deal=4D for the card that is dealt"
    table: ClassVar[tuple[Option, ...]] = (
        sequence("sums", (10, 20, 30), "integers 0 to 1000, none twice",
                 "totals that may be discarded", _amount),
        integer("group_min", 2, 1, 52, "fewest cards in a group"),
        integer("group_max", None, 1, 52, "most cards in a group", none="none"),
        boolean("loop", False, "whether a group may run from the top on to the oldest cards"),
        choice("where", "anywhere", ("anywhere", "top"),
               "whether a group may lie anywhere or must hold the stack's newest card"),
        integer("stacks", 1, 1, 13, "stacks, dealt to in turn"),
        boolean("forced", True, "whether a discard must be made before the next card is dealt"),
        integer("opening", None, 1, 52,
                "cards dealt before play begins (none: 3 for one stack, 1 for several)",
                none="none"),
        boolean("returns", False, "whether discarded cards go to the bottom of the stock"),
        integer("win_at", 0, 0, 51, "most cards that may be left in a win (one stack)"),
        sequence("values", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10),
                 "13 integers 0 to 1000", "values of A 2 ... K", _amount,
                 distinct=False),
        choice("choice", "free", ("free", "first"),
               "whether the player chooses among the groups or the first one found is taken"),
        integer("ranks", 13, 1, 13, "ranks in the deck (fewer make a small deck)"),
    )  # fmt: skip

    def setup(self) -> None:
        get = self.options
        self._ranks: int = get["ranks"]
        self.stacks: int = get["stacks"]
        self.sums: frozenset[int] = frozenset(get["sums"])
        self.values: tuple[int, ...] = get["values"]
        self.group_min: int = get["group_min"]
        self.group_max: int = get["group_max"] or 52
        self.loop: bool = get["loop"]
        self.forced: bool = get["forced"]
        self.top_only: bool = get["where"] == "top"
        self.returns: bool = get["returns"]
        self.win_at: int = get["win_at"]
        self.first_only: bool = get["choice"] == "first"
        self.opening: int = get["opening"] or (3 if self.stacks == 1 else 1)
        if len(self.values) != 13:
            raise OptionError(f"option values: 13 values are needed, not {len(self.values)}")
        if self.group_min > self.group_max:
            raise OptionError(
                f"option group_max: {self.group_max} is less than group_min ({self.group_min})"
            )
        if self.win_at and self.stacks > 1:
            raise OptionError("option win_at: only with one stack")
        if self.first_only and not self.forced:
            raise OptionError("option choice: first needs forced = true")

    @property
    def ranks(self) -> int:
        return self._ranks

    @property
    def counts_cards(self) -> bool:
        return True

    @property
    def only_values_matter(self) -> bool:
        return self.ranks == 13 and self.values == (*range(1, 10), 10, 10, 10, 10)

    @property
    def decision_free(self) -> bool:
        """With ``choice = first`` nothing is ever chosen."""
        return self.first_only

    def value(self, card: Card) -> int:
        return self.values[card.rank - 1]

    def initial(self, deck: tuple[Card, ...]) -> DecadeState:
        piles: list[list[Card]] = [[] for _ in range(self.stacks)]
        opening = min(self.opening, len(deck))
        for number, card in enumerate(deck[:opening]):
            piles[number % self.stacks].append(card)
        stacks = tuple(tuple(pile) for pile in piles)
        return DecadeState(stacks, tuple(deck[opening:]), opening % self.stacks)

    def is_won(self, state: DecadeState) -> bool:
        if self.stacks > 1:
            return all(stack is None for stack in state.stacks)
        return not state.stock and len(state.stacks[0] or ()) <= self.win_at

    def cards_left(self, state: DecadeState) -> int | None:
        """Cards in the stacks once nothing more is dealt; None before that.

        Where a discard is still to be made, the state after it counts fewer, so a minimum
        over all states of a line is the count at its end. (Where discards return to the
        stock it is the least at any moment at which the stock is used up.)
        """
        if state.stock and any(stack is not None for stack in state.stacks):
            return None
        return sum(len(stack) for stack in state.stacks if stack is not None)

    def key(self, state: DecadeState) -> Hashable:
        """The values in the stacks, the turn, and the stock: suits never matter.

        Without returns the stock's length tells which cards are in it; with them its values
        are listed. (So a position repeats, in Ten-Twenty-Thirty, when its values do.)
        """
        values = self.values
        stacks = tuple(
            None if stack is None else tuple([values[card.rank - 1] for card in stack])
            for stack in state.stacks
        )
        if not self.returns:
            return (stacks, len(state.stock), state.turn)
        return (stacks, tuple([values[card.rank - 1] for card in state.stock]), state.turn)

    def groups(self, stack: tuple[Card, ...]) -> Iterator[tuple[int, ...]]:
        """Indices of the cards of each group that may be discarded from *stack*.

        Groups that wrap round come first (fewest cards from the top first, then most from
        the bottom), their indices top part first; then straight ones by their oldest card,
        then by size. With groups of three this is the contest's order: first two and last;
        first and last two; last three.
        """
        n = len(stack)
        values = [self.value(card) for card in stack]
        if self.loop:
            for a in range(1, min(n - 1, self.group_max)):
                top = sum(values[n - a :])
                for b in range(min(n - 1 - a, self.group_max - a), 0, -1):
                    if a + b >= self.group_min and top + sum(values[:b]) in self.sums:
                        yield (*range(n - a, n), *range(b))
        for start in range(n):
            total = 0
            for end in range(start, min(n, start + self.group_max)):
                total += values[end]
                if total in self.sums and end - start + 1 >= self.group_min:
                    if self.top_only and end != n - 1:
                        continue
                    yield tuple(range(start, end + 1))

    def successors(self, state: DecadeState) -> Iterator[tuple[Move, DecadeState]]:
        """Discards, stack by stack, in the order of `groups`; then a deal, if allowed."""
        found = False
        for index, stack in enumerate(state.stacks):
            for group in self.groups(stack) if stack else ():
                found = True
                yield self._discard(state, index, group)
                if self.first_only:
                    return
        if state.stock and not (found and self.forced) and state.stacks[state.turn] is not None:
            card = state.stock[0]
            stacks = list(state.stacks)
            stacks[state.turn] = (*(stacks[state.turn] or ()), card)
            turn = self._next(stacks, state.turn)
            yield Move("deal", shown=(card,)), DecadeState(tuple(stacks), state.stock[1:], turn)

    def _next(self, stacks: list[Stack], turn: int) -> int:
        """The first stack after *turn* that is not eliminated (or 0 if all are)."""
        for step in range(1, self.stacks + 1):
            if stacks[(turn + step) % self.stacks] is not None:
                return (turn + step) % self.stacks
        return 0

    def _discard(
        self, state: DecadeState, index: int, group: tuple[int, ...]
    ) -> tuple[Move, DecadeState]:
        stacks = list(state.stacks)
        stack = stacks[index]
        assert stack is not None
        stays = [card for place, card in enumerate(stack) if place not in group]
        turn = state.turn
        stacks[index] = tuple(stays)
        if not stays and self.stacks > 1:
            stacks[index] = None
            if turn == index or all(pile is None for pile in stacks):
                turn = self._next(stacks, turn)
        stock = state.stock
        if self.returns:
            stock += tuple(stack[place] for place in sorted(group))
        move = Move("remove", tuple(stack[place] for place in group))
        return move, DecadeState(tuple(stacks), stock, turn)

    def normal(self, move: Move) -> Move:
        return move._replace(cards=tuple(sorted(move.cards)))

    def why_illegal(self, state: DecadeState, move: Move) -> str:
        if move.kind == "deal":
            if all(stack is None for stack in state.stacks):
                return "every stack is eliminated"
            if not state.stock:
                return "the stock is empty"
            group = next(move for move in self.legal_moves(state) if move.kind == "remove")
            return f"a discard must be made first ({group})"
        if move.kind != "remove":
            return "the moves in this game are discards, such as 7H+3C, and deal"
        return self._why_not_discard(state, move.cards)

    def _why_not_discard(self, state: DecadeState, cards: tuple[Card, ...]) -> str:
        if len(set(cards)) != len(cards):
            return "it names a card twice"
        homes = set()
        for card in cards:
            home = next((i for i, s in enumerate(state.stacks) if s and card in s), None)
            if home is None:
                where = "still in the stock" if card in state.stock else "not on the table"
                return f"{card} is {where}"
            homes.add(home)
        if len(homes) > 1:
            return "the cards lie in different stacks"
        most = "" if self.group_max == 52 else f" and at most {self.group_max}"
        if not self.group_min <= len(cards) <= self.group_max:
            return f"a group has at least {self.group_min}{most} cards"
        total = sum(map(self.value, cards))
        if total not in self.sums:
            return f"the cards total {total}"
        stack = state.stacks[homes.pop()]
        assert stack is not None
        if self.top_only and stack[-1] not in cards:
            return f"a group must hold the newest card ({stack[-1]})"
        wanted = sorted(stack.index(card) for card in cards)
        if any(sorted(group) == wanted for group in self.groups(stack)):
            return "another group is found first"
        return "the cards are not next to each other"

    def layout(self, state: DecadeState) -> tuple[Pile, ...]:
        piles = [
            Pile(
                "stack", "line" if self.stacks == 1 else str(number), stack or (), 0, stack is None
            )
            for number, stack in enumerate(state.stacks, 1)
        ]
        return (*piles, Pile("stock", "stock", state.stock, len(state.stock)))

    def ruling(self) -> tuple[str, ...]:
        totals = either(map(str, sorted(self.sums)))
        if self.group_max == 52:
            size = f"at least {self.group_min}"
        elif self.group_max == self.group_min:
            size = f"exactly {self.group_min}"
        else:
            size = f"{self.group_min} to {self.group_max}"
        values = " ".join(f"{rank}={value}" for rank, value in zip(RANKS, self.values, strict=True))
        return tuple(
            part
            for part in (
                f"Cards have the values {values}. A group of {size} consecutive cards of one "
                f"stack that totals {totals} may be discarded; what is left closes up.",
                self._loop_ruling(),
                self._deal_ruling(),
                self._discard_ruling(),
                self._end_ruling(),
            )
            if part
        )

    def _loop_ruling(self) -> str:
        parts = []
        if self.loop:
            parts.append(
                "The line is a loop: a group may also be some cards from the top followed by "
                "some of the oldest."
            )
        if self.top_only:
            parts.append("A group must hold the stack's newest card.")
        return " ".join(parts)

    def _deal_ruling(self) -> str:
        if self.stacks == 1:
            cards = "card is" if self.opening == 1 else f"{self.opening} cards are"
            return (
                f"The first {cards} dealt in a line; each further card goes to its right-hand "
                "end. An emptied line is not the end: dealing goes on."
            )
        return (
            f"Cards are dealt to {self.stacks} stacks in turn, left to right "
            f"({self.opening} before play begins). A stack whose last card is discarded is "
            "eliminated and gets no more cards."
        )

    def _discard_ruling(self) -> str:
        back = (
            " Discarded cards go to the bottom of the stock, oldest first; a position that "
            "comes back is a draw, which is no win."
            if self.returns
            else ""
        )
        if self.first_only:
            return (
                "The first group found is taken by force (wrapping groups with fewest cards "
                "from the top first, then straight ones from the oldest), until there is none; "
                "then the next card is dealt." + back
            )
        if self.forced:
            return (
                "While any group exists one must be discarded, of the player's choice; when "
                "none exists the next card is dealt." + back
            )
        return (
            "The player may deal although there is a group, and may discard after the stock "
            "has run out." + back
        )

    def _end_ruling(self) -> str:
        if self.stacks > 1:
            return "Won when every stack is eliminated, even if cards remain in the stock."
        most = f"at most {self.win_at} cards are left" if self.win_at else "no card is left"
        return (
            f"Won when the stock is used up and {most}. The object is to be left with as few "
            "cards as possible."
        )
