"""check: certificates, without any of the search that made them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rules.words import either
from solver.cli.codes import Exit
from solver.cli.inputs import complete_words
from solver.cli.options import LIMITS, OutputOptions, arg, opt
from solver.cli.progress import Watch, watching
from solver.cli.terms import UsageError, bytes_text, count_text, parse_bytes, parse_count
from solver.proof.certificate import MAX_BYTES
from solver.proof.checker import CHECKERS, MAX_POSITIONS

if TYPE_CHECKING:
    from solver.proof import Certificate, Checked
    from solver.show.json.surveys import CheckedCertificate

EXAMPLES = (
    "dealproof solve single-left 10 --certificate ten.cert",
    "dealproof check ten.cert",
)


def check(
    output: OutputOptions,
    files: Annotated[
        list[Path] | None,
        arg("FILE...", "Certificates, as `dealproof solve --certificate FILE` writes them."),
    ] = None,
    max_positions: Annotated[
        str, opt("--max-positions N", "Refuse to look at larger sets; or none.", LIMITS)
    ] = count_text(MAX_POSITIONS),
    checker: Annotated[
        str,
        opt(
            "--checker CHECKER", f"{either(CHECKERS)}; compiled is for large sets of klondike.",
            complete=complete_words(*CHECKERS),
        ),
    ] = CHECKERS[0],
    memory: Annotated[
        str, opt("--memory SIZE", "Unpack at most as much: 1G, 512M, or none.", LIMITS)
    ] = bytes_text(MAX_BYTES),
) -> int:  # fmt: skip
    """Check certificates, without any of the search that made them.

    Exit code 0 if each proves what it claims, 1 if one does not, 2 if one is no certificate,
    3 if one is too large for the limits.
    """
    if not files:
        raise UsageError("which file? `dealproof solve GAME DEAL --certificate FILE` writes one")
    most = parse_count(max_positions, "--max-positions")
    size = parse_bytes(memory) or sys.maxsize - 1
    code = Exit.DONE
    with output.open() as out, watching(len(files)) as watch:
        for path in files:
            watch.begin(str(path))
            record, one = _judge(path, most, size, checker, watch)
            watch.finish("accepted" if record.accepted else "refused")
            code = max(code, one)
            if output.json:
                out.json(record)
            else:
                out.show(_words(record), wrap=False)
    return code


def _judge(
    path: Path, most: int | None, size: int, checker: str, watch: Watch
) -> tuple[CheckedCertificate, Exit]:
    from solver.proof import (
        Certificate,
        CertificateError,
        CertificateLimit,
        CertificateRefused,
        check,
    )

    certificate: Certificate | None = None
    try:
        with open(path, "rb") as stream:
            data = stream.read(size + 1)
        if len(data) > size:
            raise CertificateLimit(f"the file is larger than {size} bytes")
        certificate = Certificate.from_bytes(data, max_bytes=size)
        many = len(certificate.records)

        def tell(number: int) -> None:
            watch.work("positions checked", number, many)

        done = check(certificate, max_positions=most, checker=checker, watch=tell, say=watch.say)
        return _record(path, certificate, done, None), Exit.DONE
    except CertificateLimit as error:
        return _record(path, certificate, None, str(error)), Exit.UNKNOWN
    except CertificateRefused as error:
        return _record(path, certificate, None, str(error)), Exit.NO
    except CertificateError as error:
        raise type(error)(f"{path}: {error}") from None


def _record(
    path: Path, certificate: Certificate | None, done: Checked | None, reason: str | None
) -> CheckedCertificate:
    from solver.show.json.surveys import checked

    title = None if certificate is None else _title(certificate)
    return checked(path, certificate, title, done, reason)


def _title(certificate: Certificate) -> str:
    """The game in words; one that is not registered with every option that is not usual."""
    from rules.registry import game_names
    from solver.show.text.results import game_label

    game = certificate.game
    if game.name in game_names():
        return game_label(game)
    changed = ", ".join(f"{key}={value}" for key, value in game.changed_options().items())
    return f"{game.name} ({game.family}{': ' if changed else ''}{changed})"


def _words(record: CheckedCertificate) -> str:
    where = f"{record.file}: "
    claim = ""
    if record.game is not None:
        claim = f"{record.title}, {record.given}: {record.verdict}"
        if record.fewest_left is not None:
            claim += f", {record.fewest_left} cards left at best"
    if not record.accepted:
        return f"{where}refused: {record.reason}" + (f" ({claim})" if claim else "")
    if not record.positions:
        return f"{where}{claim}: proved by its line"
    names = ", ".join(record.reductions or ()) or "none"
    return f"{where}{claim}: proved ({record.positions:,} positions, reductions: {names})"
