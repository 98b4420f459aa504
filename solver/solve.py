"""`solve`: one deal of one game, from whatever names them to a `Result`."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import replace

from rules.cards import Card, card_words
from rules.decks import Deal, Deck
from rules.errors import CardError, DeckError, OptionError, PositionError
from rules.game import Game, State
from rules.moves import Move
from rules.position import Position
from rules.referee import replay
from rules.registry import get_game
from solver import reductions as _reductions
from solver.kernels import find_kernel, has_kernel, search_readably, warm
from solver.search.depth_first import Outcome, search
from solver.search.playout import play_out
from solver.search.straighten import straighten
from solver.verdict import DEFAULT_LIMITS, ENGINES, NO_LIMITS, Clock, Limits, Result, Verdict


def solve(
    game: str | Game,
    deal: int | str | Deal | Deck | Position,
    *,
    limits: Limits = DEFAULT_LIMITS,
    engine: str = "auto",
    reductions: str = "all",
    exhaustive: bool = False,
    shortest: bool = False,
) -> Result:
    """Prove whether *deal* of *game* can be won.

    Its line is the one that every command shows: as it was found, straightened.

    *game*: a registered name or a `Game`. *deal*: a deal number, a name such as ``ms:617``,
    the cards of a deck as text, a `Deal`, a `Deck`, or a `Position` of the game. *engine*:
    ``auto`` begins readably and hands over to a compiled kernel when that begins to pay.
    *exhaustive*: search even a game without decisions. *shortest*: a winning line of fewest
    moves; ``result.shortest`` says whether it is proved to be one.

    Raises `rules.errors.DealproofError` for anything that names no game, deal or option.
    Every line in the result has been replayed by the referee.

    >>> solve("block-ten", 1).verdict
    <Verdict.UNWINNABLE: 'unwinnable'>
    """
    result = prove(
        game, deal, limits=limits, engine=engine, reductions=reductions, exhaustive=exhaustive
    )
    game, line = result.game, result.line
    searched = result.engine != "playthrough"
    if searched and line is not None:
        result = replace(result, line=straighten(game, result.start, line))
    if shortest and result.verdict is Verdict.WINNABLE:
        return _shortened(result, limits)
    return result


def prove(
    game: str | Game,
    deal: int | str | Deal | Deck | Position,
    *,
    limits: Limits = DEFAULT_LIMITS,
    engine: str = "auto",
    reductions: str | tuple[str, ...] = "all",
    exhaustive: bool = False,
) -> Result:
    """As `solve`, but with the line as it was found, which may wander.

    For those who want the verdict and the counts and look at no line, a survey for one.
    *reductions* may be the names in force, as `solver.reductions.select` gives them.
    """
    game = get_game(game) if isinstance(game, str) else game
    given = as_given(game, deal)
    if engine not in ENGINES:
        raise OptionError(f"engine is one of {', '.join(ENGINES)}, not {engine!r}")
    names = _reductions.select(game, reductions) if isinstance(reductions, str) else reductions
    state = given.state if isinstance(given, Position) else game.initial(given.deck)
    if game.decision_free and not exhaustive and engine != "compiled":
        return _played(game, given, state, limits)
    outcome, used = search_state(game, state, names, limits, engine)
    return Result(
        game,
        given,
        outcome.verdict,
        outcome.limit,
        outcome.line,
        outcome.best_left if outcome.complete and game.counts_cards else None,
        outcome.best_left,
        stats=outcome.stats,
        engine=used,
        reductions=names,
        dealt=count_dealt(game, given, outcome.line),
    )


def as_deal(game: Game, deal: int | str | Deal | Deck) -> Deal:
    """*deal*, its name or its cards, as one of *game*.

    Raises `DeckError` if it names none or has the wrong cards.
    """
    if isinstance(deal, Deal):
        Deck.of(deal.deck, game.ranks, game.packs)
        if deal.name is not None and ":" in deal.name and game.deal(deal.name) != deal:
            raise DeckError(f"{deal.label} is dealt otherwise in {game.name}: give its name")
        return deal
    if isinstance(deal, Deck):
        return Deal.of(Deck.of(deal, game.ranks, game.packs))
    if isinstance(deal, str) and _is_deck(deal):
        return Deal.of(Deck.parse(deal, game.ranks, game.packs))
    return game.deal(str(deal))


def _is_deck(text: str) -> bool:
    """Whether *text* is meant as the cards of a deck, not as the name of a deal."""
    first = next(card_words(text), None)
    try:
        return first is not None and Card.parse(first[0]) is not None
    except CardError:
        return False


def as_given(game: Game, given: int | str | Deal | Deck | Position) -> Deal | Position:
    """*given* as a deal or a position of *game*; raises `DeckError` or `PositionError`."""
    if not isinstance(given, Position):
        return as_deal(game, given)
    if given.game != game:
        raise PositionError(
            f"the position is one of {given.game.name}, not of {game.name} with these options"
        )
    return given


def search_state(
    game: Game,
    state: State,
    names: tuple[str, ...],
    limits: Limits = DEFAULT_LIMITS,
    engine: str = "auto",
) -> tuple[Outcome, str]:
    """Search from any state of *game*: the outcome, and the engine that ended the search.

    ``auto`` begins in the readable engine and hands over to a kernel when that begins to pay;
    the kernel starts again from *state*. Loading it costs none of the time in *limits*.
    """
    if engine == "compiled" and not has_kernel(game, names):
        under = ",".join(names) or "none"
        raise OptionError(f"no compiled engine for {game.name} with reductions {under}")
    clock = Clock(NO_LIMITS)
    space = functools.partial(_reductions.space_for, game, state, names)
    outcome, rest = search_readably(
        game, names, limits, engine, lambda within: search(space(), within)
    )
    if outcome is not None:
        return outcome, "reference"
    seconds = clock.seconds
    kernel = find_kernel(game, names)
    assert kernel is not None
    warm(game, names)
    outcome = kernel(game, state, names, rest)
    outcome.stats.seconds += seconds
    return outcome, "compiled"


def count_dealt(game: Game, given: Deal | Position, line: Iterable[Move] | None) -> int | None:
    """Cards dealt from the opening to the end of *line*, where that is a fact of the deal.

    None where the player chooses, so that another line may deal another number, where cards
    are not counted, and for a position with discards that came back, if its moves are unknown.
    """
    if line is None or not (game.counts_cards and game.decision_free):
        return None
    moves = list(line)
    if isinstance(given, Deal):
        state = game.initial(given.deck)
    elif given.deal is not None:
        state = game.initial(given.deal.deck)
        moves += given.moves
    elif game.options.get("returns"):
        return None
    else:
        state = given.state
    deals = sum(move.kind == "deal" for move in moves)
    return game.deck_size - len(state.stock) + deals


def _played(game: Game, given: Deal | Position, state: State, limits: Limits) -> Result:
    outcome, ending = play_out(game, state, limits)
    return Result(
        game,
        given,
        outcome.verdict,
        outcome.limit,
        outcome.line,
        outcome.best_left,
        outcome.best_left,
        outcome=ending,
        stats=outcome.stats,
        engine="playthrough",
        dealt=count_dealt(game, given, outcome.line),
    )


def _shortened(result: Result, limits: Limits) -> Result:
    """*result* with the shortest line that can be found within what is left of *limits*."""
    from solver.search.best_first import best_first
    from solver.search.shortest import shortest

    game, state = result.game, result.start
    clock = Clock(limits)
    candidates = [result.line]
    if not game.decision_free:
        quick = replace(limits, positions=min(limits.positions or 20_000, 20_000))
        candidates.append(best_first(game, state, quick).line)
    seconds = None
    if limits.seconds is not None:
        seconds = max(0.0, limits.seconds - result.stats.seconds - clock.seconds)
    proof = shortest(game, state, replace(limits, seconds=seconds))
    candidates.append(proof.line)
    line = min((moves for moves in candidates if moves is not None), key=len)
    end = replay(game, state, line)[1][-1]
    proved = proof.verdict is Verdict.WINNABLE
    stats = replace(result.stats, seconds=result.stats.seconds + clock.seconds)
    return replace(
        result,
        line=line,
        shortest=proved,
        best_left=game.cards_left(end),
        limit=result.limit if proved else proof.limit,
        stats=stats,
    )
