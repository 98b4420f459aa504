"""From a chunk of deals to rows: what every worker of a survey does, wherever it runs.

What a row says (seconds apart) depends on the settings and the deal alone, never on the
chunk that it was computed in or on who computed it.
"""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np

from rules.decade import Decade
from rules.errors import DealproofError
from rules.game import Game
from rules.pairing import Pairing
from solver.odds import cards_removed
from solver.store import ERROR, Chunk, Row, Settings
from solver.verdict import Limits
from solver.version import version

SLICE: Final = 10_000
"""Deals that go to a batch kernel at once."""

_ROOMY: Final = 64 << 20  # bytes: more than any batch kernel takes


@functools.lru_cache(maxsize=4)
def _game(settings: Settings) -> Game[Any]:
    return settings.make_game()


def rows_of(
    settings: Settings, chunk: Chunk, memory: int | None, *, alone: bool = False
) -> Iterator[list[Row]]:
    """The rows of *chunk*, a few at a time as they come.

    *memory*: bytes for the tables of one deal. *alone*: one row at a time.
    """
    game = _game(settings)
    limits = replace(settings.limits, memory=memory)
    batch = _batch(game, settings, chunk, limits)
    if batch is None:
        for index in range(chunk.size):
            yield [_row(game, settings, chunk, index, limits)]
        return
    while chunk.size:
        part, chunk = chunk.split(min(chunk.size, 1 if alone else SLICE))
        yield _tried(batch, part)


def warm_up(settings: Settings) -> None:
    """Import and compile what will be needed, so that the first deal's time is its own."""
    game, limits = _game(settings), Limits(10.0, 1, _ROOMY)
    with contextlib.suppress(Exception):
        _row(game, settings, Chunk(0, "", 0, 1), 0, limits)
        batch = _batch(game, settings, Chunk(0, "", 0, 1), settings.limits)
        if batch is not None:
            batch(Chunk(0, "", 0, 1))


def _tried(batch: Callable[[Chunk], list[Row]], part: Chunk) -> list[Row]:
    """The rows of *part*; what breaks the solver costs its deal."""
    try:
        return batch(part)
    except DealproofError:
        raise
    except Exception as error:
        if part.size == 1:
            return [error_row(part.place, part.name(0), f"{type(error).__name__}: {error}")]
        one, rest = part.split(part.size // 2)
        return _tried(batch, one) + _tried(batch, rest)


def _batch(
    game: Game[Any], settings: Settings, chunk: Chunk, limits: Limits
) -> Callable[[Chunk], list[Row]] | None:
    """The way to solve many deals of *game* at once, or None if there is none.

    The batch kernels take small deals without looking at the limits, so they are used only
    where the limits are out of their reach.
    """
    tight = (
        limits.positions is not None
        or (limits.seconds is not None and limits.seconds < 1)
        or (limits.memory is not None and limits.memory < _ROOMY)
    )
    if settings.engine == "reference" or tight:
        return None
    if isinstance(game, Pairing) and game.decision_free:
        return functools.partial(_play_pairing, game)
    if isinstance(game, Decade) and not game.decision_free and not chunk.numbering:
        return functools.partial(_search_decade, game, settings, limits)
    return None


def _play_pairing(game: Pairing, chunk: Chunk) -> list[Row]:
    """Deals that are played out, not searched: they have no positions."""
    from solver.kernels import pairing

    start = time.perf_counter()
    if chunk.numbering:
        decks = [list(chunk.deal(index, game.ranks).deck) for index in range(chunk.size)]
        found = pairing.survey_decks(game, np.array(decks, np.int8))
    else:
        found = pairing.survey_own(game, chunk.number, chunk.size)
    seconds = round((time.perf_counter() - start) / chunk.size, 9)
    return [
        Row(
            chunk.place + index, chunk.name(index), "winnable" if won else "unwinnable", None,
            None, seconds, None, None, "won" if won else "lost", None, removed, "compiled",
            version(), None,
        )
        for index, (won, removed) in enumerate(
            zip(found.won.tolist(), found.removed.tolist(), strict=True)
        )
    ]  # fmt: skip


def _search_decade(game: Decade, settings: Settings, limits: Limits, chunk: Chunk) -> list[Row]:
    from solver.kernels import decade

    start = time.perf_counter()
    found = decade.survey_own(game, chunk.number, chunk.size, settings.reductions, limits)
    seconds = round((time.perf_counter() - start) / chunk.size, 9)
    columns = (found.won, found.left, found.positions, found.decided)
    return [
        Row(
            chunk.place + index, chunk.name(index), "winnable" if won else "unwinnable", None,
            positions, seconds, left, left, None, None, None, "compiled", version(), None,
        )
        if decided
        else _row(game, settings, chunk, index, limits)
        for index, (won, left, positions, decided) in enumerate(
            zip(*(column.tolist() for column in columns), strict=True)
        )
    ]  # fmt: skip


def _row(
    game: Game[Any], settings: Settings, chunk: Chunk, index: int, limits: Limits
) -> Row:  # fmt: skip
    from solver.api import prove

    place, name = chunk.place + index, chunk.name(index)
    try:
        deal = chunk.deal(index, game.ranks)
        result = prove(
            game, deal, limits=limits, engine=settings.engine,
            reductions=",".join(settings.reductions) or "none",
        )  # fmt: skip
    except DealproofError:
        raise
    except Exception as error:
        return error_row(place, name, f"{type(error).__name__}: {error}")
    removed = None
    if isinstance(game, Pairing) and game.decision_free:
        removed = cards_removed(game, deal.deck)
    return Row(
        place, name, result.verdict.value, result.limit, result.stats.positions,
        round(result.stats.seconds, 7), result.fewest_left, result.best_left, result.outcome,
        result.dealt if game.decision_free else None, removed, result.engine, version(), None,
    )  # fmt: skip


def error_row(place: int, name: str, note: str) -> Row:
    """The row of a deal that could not be solved, for a reason that is not a limit."""
    note = " ".join(note.split())[:200]
    return Row(
        place, name, ERROR, None, None, None, None, None, None, None, None, None, version(), note
    )
