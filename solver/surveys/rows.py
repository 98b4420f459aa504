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
from typing import Final

import msgspec

from rules.errors import DealproofError
from rules.game import Game
from solver.families import support
from solver.kernels import has_kernel, head_start_left
from solver.kernels.batch import Batch, Chunk, find_batch
from solver.surveys.store import ERROR, Row, Settings
from solver.verdict import Limits
from solver.version import version

SLICE: Final = 10_000
"""Deals that go to a batch kernel at once."""

_ROOMY: Final = 64 << 20  # bytes: more than any batch kernel takes


@functools.lru_cache(maxsize=4)
def _game(settings: Settings) -> Game:
    return settings.make_game()


def rows_of(
    settings: Settings,
    chunk: Chunk,
    memory: int | None,
    *,
    alone: bool = False,
    first: bool = False,
) -> Iterator[list[Row]]:
    """The rows of *chunk*, a few at a time as they come.

    *memory*: bytes for the tables of one deal. *alone*: one row at a time. ``auto`` means the
    kernel where there is one: a row must not tell what its worker had done before. But if these
    may be the *first* rows of few, no kernel is loaded before that pays, and the engine tells.
    """
    game = _game(settings)
    while first and chunk.size and settings.engine == "auto" and _begins(game, settings):
        part, chunk = chunk.split(1)
        yield [_row(game, settings, part, 0, replace(settings.limits, memory=memory))]
    kernel = has_kernel(game, settings.reductions) and not game.decision_free
    if settings.engine == "auto" and kernel:
        settings = replace(settings, engine="compiled")
    limits = replace(settings.limits, memory=memory)
    batch = _batch(game, settings, chunk, limits)
    if batch is None:
        for index in range(chunk.size):
            yield [_row(game, settings, chunk, index, limits)]
        return
    while chunk.size:
        part, chunk = chunk.split(min(chunk.size, 1 if alone else SLICE))
        yield _tried(batch, part)


def _begins(game: Game, settings: Settings) -> bool:
    """Whether the head start of the readable search lasts; playing through is not searching."""
    return not game.decision_free and head_start_left(game, settings.reductions) > 0


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
    game: Game, settings: Settings, chunk: Chunk, limits: Limits
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
    decide = find_batch(game, settings.reductions, chunk.numbering)
    return None if decide is None else functools.partial(_rows, game, settings, decide, limits)


def _rows(
    game: Game, settings: Settings, decide: Batch, limits: Limits, chunk: Chunk
) -> list[Row]:  # fmt: skip
    """The rows of *chunk* by a batch kernel; each deal's time is the mean."""
    start = time.perf_counter()
    found = decide(chunk, limits)
    seconds = round((time.perf_counter() - start) / chunk.size, 9)
    played = found.removed is not None
    columns = (found.won, found.decided, found.left, found.positions, found.removed)
    lists = ([None] * chunk.size if column is None else column.tolist() for column in columns)
    return [
        Row(
            place=chunk.place + index,
            deal=chunk.name(index),
            verdict="winnable" if won else "unwinnable",
            positions=positions,
            seconds=seconds,
            fewest_left=left,
            best_left=left,
            outcome=("won" if won else "lost") if played else None,
            removed=removed,
            engine="compiled",
            version=version(),
        )
        if decided
        else _row(game, settings, chunk, index, limits)
        for index, (won, decided, left, positions, removed) in enumerate(zip(*lists, strict=True))
    ]


def _row(
    game: Game, settings: Settings, chunk: Chunk, index: int, limits: Limits
) -> Row:  # fmt: skip
    from solver.solve import prove

    place, name = chunk.place + index, chunk.name(index)
    try:
        deal = chunk.deal(index, game)
        result = prove(
            game, deal, limits=limits, engine=settings.engine, reductions=settings.reductions
        )
    except DealproofError:
        raise
    except Exception as error:
        return error_row(place, name, f"{type(error).__name__}: {error}")
    removed = support(game).cards_removed(deal.deck)
    return Row(
        place=place,
        deal=name,
        verdict=result.verdict.value,
        limit_hit=result.limit,
        positions=result.positions,
        seconds=round(result.stats.seconds, 7),
        fewest_left=result.fewest_left,
        best_left=result.best_left,
        outcome=result.outcome,
        dealt=result.dealt,
        removed=removed,
        engine=result.engine,
        version=version(),
    )


def error_row(place: int, name: str, note: str) -> Row:
    """The row of a deal that could not be solved, for a reason that is not a limit."""
    note = " ".join(note.split())[:200]
    return Row(place=place, deal=name, verdict=ERROR, version=version(), note=note)


_packer = msgspec.msgpack.Encoder()
_unpacker = msgspec.msgpack.Decoder(list[Row])


def pack(rows: list[Row]) -> bytes:
    """*rows* as they travel from a worker; `unpack` reads them."""
    return _packer.encode(rows)


def unpack(data: bytes) -> list[Row]:
    return _unpacker.decode(data)
