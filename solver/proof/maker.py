"""Making certificates: the closed set is gathered by plain exploration of the rules."""

from __future__ import annotations

from typing import Any

from rules.game import Game
from rules.position import Position
from solver.proof.certificate import Certificate
from solver.proof.errors import CertificateError, CertificateLimit
from solver.proof.records import Records, state_records
from solver.verdict import DEFAULT_LIMITS, Clock, Limits, Result, Verdict

_CHECK_EVERY = 256


def certify(result: Result, *, limits: Limits = DEFAULT_LIMITS) -> Certificate:
    """The certificate of *result*'s verdict, and of its ``fewest_left`` if that is proven.

    Raises `CertificateError` for an unknown verdict, `CertificateLimit` if the closed set
    cannot be gathered within *limits*.
    """
    if result.verdict is Verdict.UNKNOWN:
        raise CertificateError("nothing is proved: a limit was reached, so there is no certificate")
    game, start = result.game, result.start
    given = result.given
    if isinstance(given, Position) and given.deal is not None and not given.moves:
        given = given.deal
    fewest = result.fewest_left if game.counts_cards else None
    line = result.line if result.verdict is Verdict.WINNABLE or fewest is not None else None
    if result.verdict is Verdict.WINNABLE and not fewest:
        return Certificate(game, given, "winnable", fewest, line, made_by=_made_by())
    records = closed_set(game, start, limits)
    return Certificate(
        game, given, str(result.verdict), fewest, line, (), "states", records, _made_by()
    )


def closed_set(game: Game[Any], start: Any, limits: Limits) -> tuple[bytes, ...]:
    """The records of all positions that can be reached from *start*, sorted."""
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
    return tuple(sorted(found))


def _made_by() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"dealproof {version('dealproof')}"
    except PackageNotFoundError:
        return "dealproof"
