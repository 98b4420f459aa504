"""Making certificates.

Without reductions the closed set is gathered by plain exploration of the rules; with the
reductions of the klondike family it is what the search visits, its positions written anew.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, NamedTuple, cast

from rules.families.klondike import Klondike
from rules.game import Game
from rules.position import Position
from solver.families import support
from solver.proof.certificate import Certificate
from solver.proof.errors import CertificateError, CertificateLimit
from solver.proof.records import Records, state_records
from solver.proof.runs import RunsRecords
from solver.reductions import space_for
from solver.reductions.klondike.runs import Position as RunsPosition
from solver.search.depth_first import Table, search
from solver.verdict import DEFAULT_LIMITS, Clock, Limits, Result, Verdict
from solver.version import version

_CHECK_EVERY = 256


def certify(result: Result, *, limits: Limits = DEFAULT_LIMITS) -> Certificate:
    """The certificate of *result*'s verdict, and of its ``fewest_left`` if that is proven.

    Raises `CertificateError` for an unknown verdict, `CertificateLimit` if the closed set
    cannot be gathered within *limits*.
    """
    if result.verdict is Verdict.UNKNOWN:
        raise CertificateError("nothing is proved: a limit was reached, so there is no certificate")
    game, given = result.game, result.given
    maker = f"dealproof {version()}"
    if isinstance(given, Position) and given.deal is not None and not given.moves:
        given = given.deal
    fewest = result.fewest_left if game.counts_cards else None
    line = result.line if result.verdict is Verdict.WINNABLE or fewest is not None else None
    if result.verdict is Verdict.WINNABLE and not fewest:
        return Certificate(game, given, "winnable", fewest, line, made_by=maker)
    found = support(game).closed_set(result, limits)
    return Certificate(
        game, given, str(result.verdict), fewest, line, found.reductions, found.encoding,
        found.records, maker,
    )  # fmt: skip


class ClosedSet(NamedTuple):
    """Records, sorted, with their encoding and the reductions that they rest on."""

    encoding: str
    reductions: tuple[str, ...]
    records: tuple[bytes, ...]


def states_set(game: Game[Any], start: Any, limits: Limits) -> ClosedSet:
    """All positions that can be reached from *start*.

    The reductions of the decade family are not needed: they leave out moves, hardly positions.
    """
    form: Records = state_records(game, start)
    clock = Clock(limits)
    first = form.encode(start)
    found = {first}
    pending = [start]
    size = len(first) + 120
    while pending:
        if len(found) % _CHECK_EVERY < 16:
            limit = clock.hit(len(found), len(found) * size)
            if limit is not None:
                raise CertificateLimit(
                    f"the {limit} limit was reached with {len(found)} positions in the closed set"
                )
        for _, after in game.successors(pending.pop()):
            record = form.encode(after)
            if record not in found:
                found.add(record)
                pending.append(after)
    return ClosedSet("states", (), tuple(sorted(found)))


def runs_set(game: Klondike, result: Result, limits: Limits) -> ClosedSet:
    """All positions that the search visits under the reductions of *result*, ``runs`` among them.

    `solver.proof.reduced` says what they have to fulfil; it does not matter how they are found.
    """
    start, names = result.start, result.reductions
    form = RunsRecords(game, start)
    if result.engine != "reference":
        from solver.kernels.klondike.search import RunsSearch

        kernel = RunsSearch(game, start, names, limits)
        limit = kernel.go()
        found: Iterable[RunsPosition] = kernel.visited()
        count = kernel.positions
    else:
        table = Table()
        limit = search(space_for(game, start, names), limits, table=table).limit
        found, count = cast("set[RunsPosition]", table.keys), len(table.keys)
    if limit is not None:
        raise CertificateLimit(
            f"the {limit} limit was reached with {count} positions in the closed set"
        )
    records = map(functools.partial(_runs_record, form), found)
    return ClosedSet("runs", names, tuple(sorted(records)))


def _runs_record(form: RunsRecords, position: RunsPosition) -> bytes:
    """A position of the search, written as the checker reads it."""
    waste = sum(1 << form.place[card] for card in position.waste)
    bases = [0 if card is None else card + 1 for card in position.bases]
    return form.record(position.foundations, position.down, bases, position.dealt, waste)
