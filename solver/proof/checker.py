"""The checker: accepts a certificate or says why it proves nothing.

What it verifies. *Winnable*: the line is legal, move by move, and ends in a win.
*Unwinnable*: the start is in the set; nothing in the set is won; every legal move from a
member leads back into the set. By induction on its length no line of play ever leaves the
set, so none wins. *Fewest left*: the line leaves that many cards, and no member of the set
leaves fewer. Reductions named by the certificate stand for legal moves that need not lead
back; each is defined in `solver.proof.reduced`, with its side conditions checked here.

It trusts the rules (``rules/``), the symmetries under which positions share a record
(`solver.proof.records`), the named reductions, and nothing else; ``docs/soundness.md``
argues for each.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rules.errors import DealproofError
from rules.game import Game
from rules.moves import Move
from rules.referee import replay
from solver.proof.certificate import Certificate
from solver.proof.errors import CertificateError, CertificateLimit, CertificateRefused
from solver.proof.records import Records, state_records
from solver.proof.reduced import RunsChecker, Watch, unwatched

MAX_POSITIONS: Final = 50_000_000
CHECKERS: Final = ("auto", "readable", "compiled")
# Positions from which on the compiled checker is the faster one, if its code is kept from an
# earlier run and if not. (Both, timed with `dealproof check --checker …` on `single-left 1`: the
# readable one 3 ms a position, loading 1 s, compiling 12 s.)
_KEPT: Final = 300
_COLD: Final = 4_000


def log(text: str) -> None:
    """Log *text* as information, by the logger ``dealproof``."""
    import logging

    logging.getLogger("dealproof").info(text)


@dataclass(frozen=True, slots=True, repr=False)
class Checked:
    """What an accepted certificate proves, and what it took.

    ``positions``: members of the closed set (0 where the line alone is the proof).
    ``moves``: legal moves that were followed.
    """

    certificate: Certificate
    positions: int
    moves: int
    seconds: float

    def __repr__(self) -> str:
        counts = f"{self.positions} positions and {self.moves} moves followed"
        return f"<Checked {self.certificate.summary}; {counts}>"


def check(
    certificate: Certificate,
    *,
    max_positions: int | None = MAX_POSITIONS,
    checker: str = "auto",
    watch: Watch = unwatched,
    say: Callable[[str], None] = log,
) -> Checked:
    """Verify *certificate*.

    *checker*: ``readable``, or ``compiled`` (for the encoding ``runs``; others are always
    checked by the readable one); ``auto`` takes the compiled one for large sets. *watch* is
    called now and then with the number of positions that are checked by then, *say* with what has
    to be waited for before that.

    Raises `CertificateRefused` with the reason, or `CertificateLimit` if its set holds
    more than *max_positions* (None: no bound).
    """
    began = time.perf_counter()
    if checker not in CHECKERS:
        raise CertificateError(f"checker is one of {', '.join(CHECKERS)}, not {checker!r}")
    if max_positions is not None and len(certificate.records) > max_positions:
        raise CertificateLimit(
            f"the set holds {len(certificate.records)} positions; the limit is {max_positions}"
        )
    ending = _replayed(certificate)
    game = certificate.game
    won, fewest = certificate.verdict == "winnable", certificate.fewest_left
    if won and (ending is None or not game.is_won(ending)):
        raise CertificateRefused("the line does not end in a win")
    if fewest is not None:
        left = None if ending is None else game.cards_left(ending)
        if left != fewest:
            shown = "no number of" if left is None else left
            raise CertificateRefused(f"the line leaves {shown} cards, not {fewest}")
    moves = 0
    if not won or (fewest is not None and fewest > 0):
        moves = _check_set(certificate, fewest or 0, checker, watch, say)
    elif certificate.records:
        raise CertificateRefused("there is a set of positions, but nothing that it would prove")
    seconds = time.perf_counter() - began
    return Checked(certificate, len(certificate.records), moves, seconds)


def _replayed(certificate: Certificate) -> Any:
    """The state that the line ends in, or None without a line."""
    if certificate.line is None:
        return None
    try:
        return replay(certificate.game, certificate.start, certificate.line)[1][-1]
    except DealproofError as error:
        raise CertificateRefused(f"the line is not legal: {error}") from None


def _check_set(
    certificate: Certificate,
    fewest: int,
    checker: str,
    watch: Watch,
    say: Callable[[str], None],
) -> int:
    encoding, names = certificate.encoding, certificate.reductions
    if encoding == "states":
        if names:
            raise CertificateRefused(f"the encoding states knows no reduction {names[0][:40]!r}")
        return _check_states(certificate, fewest, watch)
    if encoding != "runs":
        raise CertificateRefused(f"unknown encoding {encoding[:40]!r}")
    if fewest:
        raise CertificateRefused("no cards are counted in this game")
    records = certificate.records
    readable = RunsChecker(certificate.game, certificate.start, names, frozenset(records))
    small = len(records) < _KEPT or (len(records) < _COLD and not _is_kept())
    if checker == "readable" or (checker == "auto" and small):
        return readable.check_all(records, watch)
    from solver.proof.fast import KEPT, check_fast

    readable.check_start()
    if not _is_kept():
        later = "later runs skip this" if all(KEPT) else "in every run: no place to keep it"
        say(f"compiling the checker (about 12 s; {later})")
    return check_fast(readable.form, names, records, watch)


def _is_kept() -> bool:
    """Whether numba seems to have kept the compiled checker. (If wrong, only time is lost.)"""
    beside = Path(__file__).parent / "__pycache__"
    elsewhere = os.environ.get("NUMBA_CACHE_DIR")
    places = [beside] if not elsewhere else list(Path(elsewhere).glob("proof_*"))
    return any(next(place.glob("fast.check_slice-*.nbi"), None) for place in places)


def _check_states(certificate: Certificate, fewest: int, watch: Watch) -> int:
    game, start = certificate.game, certificate.start
    form = state_records(game, start)
    members = frozenset(certificate.records)
    if form.encode(start) not in members:
        raise CertificateRefused("the start is not in the set")
    unwinnable = certificate.verdict == "unwinnable"
    moves = 0
    for number, record in enumerate(certificate.records, 1):
        watch(number)
        state = _decoded(form, record, number)
        if unwinnable and game.is_won(state):
            raise CertificateRefused(f"position {number} is a win")
        left = game.cards_left(state)
        if left is not None and left < fewest:
            raise CertificateRefused(f"position {number} leaves {left} cards, fewer than {fewest}")
        for move, after in _ways(game, state, number):
            moves += 1
            if form.encode(after) not in members:
                raise CertificateRefused(f"position {number}: {move.bare} leads out of the set")
    return moves


def _decoded(form: Records, record: bytes, number: int) -> Any:
    try:
        state = form.decode(record)
    except ValueError as error:
        raise CertificateRefused(f"position {number} is malformed: {error}") from None
    if form.encode(state) != record:
        raise CertificateRefused(f"position {number} is not in its one form")
    return state


def _ways(game: Game[Any], state: Any, number: int) -> Iterator[tuple[Move, Any]]:
    """The legal moves; a position with impossible cards may make no sense to the rules."""
    try:
        yield from game.successors(state)
    except (ValueError, IndexError, AssertionError) as error:
        raise CertificateRefused(f"position {number} is impossible: {error}") from None
