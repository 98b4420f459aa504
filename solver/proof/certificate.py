"""The file: a claim about one deal or position, and the evidence for it.

The format is described in ``docs/certificates.md``: two lines of text, a JSON header, an
empty line, and the packed records. Reading never executes anything and never allocates
more than the caller's bounds: every length is checked against the header and the header's
own size is bounded.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from rules.decks import Deal, Deck
from rules.errors import DealproofError
from rules.game import Game
from rules.moves import Move, parse_line
from rules.position import Position
from rules.referee import replay
from rules.registry import game_names, get_game, restored
from solver.proof.errors import CertificateError, CertificateLimit, CertificateRefused

VERSION: Final = 1
MAGIC: Final = b"dealproof certificate "
MAX_RECORD: Final = 255
MAX_BYTES: Final = 1 << 31
_MAX_HEADER: Final = 256 * 1024

_KEYS: Final = {
    "game", "family", "options", "deal", "deck", "moves", "position", "verdict",
    "fewest_left", "line", "reductions", "encoding", "count", "bytes", "packed", "made_by",
}  # fmt: skip


@dataclass(frozen=True, slots=True, repr=False)
class Certificate:
    """A claim and its evidence.

    ``given``: the deal or position that the claim is about. ``verdict``: ``winnable`` or
    ``unwinnable``. ``fewest_left``: the fewest cards that any line leaves, where that is
    claimed too. ``line``: moves from the start, or None. ``reductions``: the names of those
    that the closed set rests on. ``encoding``: how a position is written as a record, or ""
    if there are none. ``records``: sorted, none twice.
    """

    game: Game[Any]
    given: Deal | Position
    verdict: str
    fewest_left: int | None = None
    line: tuple[Move, ...] | None = None
    reductions: tuple[str, ...] = ()
    encoding: str = ""
    records: tuple[bytes, ...] = field(default=(), repr=False)
    made_by: str = ""

    def __repr__(self) -> str:
        return f"<{self.__class__.__name__} {self.summary}>"

    @property
    def summary(self) -> str:
        """The claim and its evidence in a few words."""
        line = "" if self.line is None else f", a line of {len(self.line)}"
        records = f", {len(self.records)} records" if self.records else ""
        return f"{self.game.name}, {self.given.label}: {self.verdict}{line}{records}"

    @property
    def start(self) -> Any:
        """The state that the claim is about."""
        if isinstance(self.given, Position):
            return self.given.state
        return self.game.initial(self.given.deck)

    def to_bytes(self) -> bytes:
        """The file's content."""
        packed, size = pack(self.records) if self.encoding else (b"", 0)
        body = json.dumps(self._header(size, len(packed)), indent=1, ensure_ascii=False)
        rest = body.encode() + b"\n\n" + packed
        digest = hashlib.sha256(rest).hexdigest().encode()
        return b"%s%d\nsha256 %s\n%s" % (MAGIC, VERSION, digest, rest)

    def _header(self, size: int, packed: int) -> dict[str, Any]:
        given = self.given
        deal = given if isinstance(given, Deal) else given.deal
        return {
            "game": self.game.name,
            "family": self.game.family,
            "options": self.game.all_options(),
            "deal": deal.name if deal else None,
            "deck": str(deal.deck) if deal else None,
            "moves": " ".join(map(str, given.moves)) if isinstance(given, Position) else "",
            "position": None if deal else given.text() if isinstance(given, Position) else None,
            "verdict": self.verdict,
            "fewest_left": self.fewest_left,
            "line": None if self.line is None else " ".join(map(str, self.line)),
            "reductions": list(self.reductions),
            "encoding": self.encoding,
            "count": len(self.records),
            "bytes": size,
            "packed": packed,
            "made_by": self.made_by,
        }

    @classmethod
    def from_bytes(cls, data: bytes, *, max_bytes: int = MAX_BYTES) -> Certificate:
        """Read a file's content, unpacking at most *max_bytes* bytes of records.

        Raises `CertificateError` if it is no certificate, `CertificateRefused` if it is a
        damaged or inconsistent one, `CertificateLimit` if it is too large.
        """
        header, packed = _split(data)
        game = _read_game(header)
        given = _read_given(game, header)
        verdict = header["verdict"]
        if verdict not in ("winnable", "unwinnable"):
            raise CertificateRefused(f"the verdict is no verdict: {_brief(verdict)}")
        line = _text(header, "line", optional=True)
        try:
            moves = None if line is None else parse_line(line)
        except DealproofError as error:
            raise CertificateRefused(f"line: {error}") from None
        fewest = header["fewest_left"]
        if fewest is not None:
            fewest = _number(header, "fewest_left")
        names = header["reductions"]
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise CertificateRefused("reductions is not a list of names")
        encoding = _text(header, "encoding") or ""
        records = _read_records(header, encoding, packed, max_bytes)
        return cls(
            game,
            given,
            verdict,
            fewest,
            moves,
            tuple(names),
            encoding,
            records,
            _text(header, "made_by") or "",
        )


# The records, packed -----------------------------------------------------------------------


def pack(records: Iterable[bytes]) -> tuple[bytes, int]:
    """Front-coded and compressed *records*, and the front code's length in bytes.

    The front code of a record: how many bytes it shares with the one before, how many
    follow, and those.
    """
    out = bytearray()
    before = b""
    for record in records:
        most = min(len(before), len(record))
        shared = 0
        while shared < most and before[shared] == record[shared]:
            shared += 1
        out.append(shared)
        out.append(len(record) - shared)
        out += record[shared:]
        before = record
    return lzma.compress(bytes(out), preset=4), len(out)


def unpack(packed: bytes, size: int, count: int) -> tuple[bytes, ...]:
    """The records of *packed*, whose front code has *size* bytes and holds *count* records.

    Raises `CertificateRefused` unless they are exactly that, in ascending order, none twice.
    """
    return tuple(_front_decoded(_decompress(packed, size), count))


def _decompress(packed: bytes, size: int) -> bytes:
    unpacker = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=256 << 20)
    try:
        raw = unpacker.decompress(packed, max_length=size + 1)
    except (lzma.LZMAError, MemoryError) as error:
        raise CertificateRefused(f"the records cannot be unpacked: {error}") from None
    if len(raw) != size or unpacker.unused_data or not unpacker.eof:
        raise CertificateRefused("the records are longer or shorter than the header says")
    return raw


def _front_decoded(raw: bytes, count: int) -> Iterator[bytes]:
    at = found = 0
    before = b""
    while at < len(raw):
        if at + 2 > len(raw):
            raise CertificateRefused("the last record is cut off")
        shared, more = raw[at], raw[at + 1]
        record = before[:shared] + raw[at + 2 : at + 2 + more]
        at += 2 + more
        if at > len(raw) or shared > len(before) or shared + more > MAX_RECORD:
            raise CertificateRefused(f"record {found + 1} is malformed")
        if record <= before:
            raise CertificateRefused(f"record {found + 1} is out of order or comes twice")
        found += 1
        yield record
        before = record
    if found != count:
        raise CertificateRefused(f"the header says {count} records, there are {found}")


# Reading the header ------------------------------------------------------------------------


def _split(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The checked header and the packed records."""
    if not data.startswith(MAGIC):
        raise CertificateError("this is no dealproof certificate")
    first, _, rest = data.partition(b"\n")
    version = first[len(MAGIC) :]
    if version != str(VERSION).encode():
        raise CertificateError(
            f"this certificate has format {_brief(version.decode('ascii', 'replace'))}; "
            f"this program reads format {VERSION}"
        )
    second, _, rest = rest.partition(b"\n")
    digest = hashlib.sha256(rest).hexdigest()
    if second != b"sha256 " + digest.encode():
        raise CertificateRefused("the checksum does not match: the file was damaged or edited")
    end = rest.find(b"\n\n", 0, _MAX_HEADER)
    if end < 0:
        raise CertificateRefused(f"no header of at most {_MAX_HEADER} bytes")
    try:
        header = json.loads(rest[:end])
    except (ValueError, RecursionError) as error:
        raise CertificateRefused(f"the header is not JSON: {_brief(str(error))}") from None
    if not isinstance(header, dict):
        raise CertificateRefused("the header is not a JSON object")
    for key in sorted(_KEYS ^ set(header)):
        kind = "lacks" if key in _KEYS else "has an unknown key"
        raise CertificateRefused(f"the header {kind} {_brief(key)}")
    return header, rest[end + 2 :]


def _read_game(header: Mapping[str, Any]) -> Game[Any]:
    name, family = _text(header, "game") or "", _text(header, "family")
    options = header["options"]
    if family is None:
        raise CertificateRefused(f"unknown family {_brief(family)}")
    if not isinstance(options, dict) or not all(isinstance(v, str) for v in options.values()):
        raise CertificateRefused("options is not a table of texts")
    title = get_game(name).title if name in game_names() else ""
    try:
        return restored(family, name, options, title=title)
    except DealproofError as error:
        raise CertificateRefused(str(error)) from None


def _read_given(game: Game[Any], header: Mapping[str, Any]) -> Deal | Position:
    name, deck = _text(header, "deal", optional=True), _text(header, "deck", optional=True)
    position, moves = _text(header, "position", optional=True), _text(header, "moves")
    if (deck is None) == (position is None):
        raise CertificateRefused("one of deck and position is needed")
    try:
        if position is not None:
            if name is not None or moves:
                raise CertificateRefused("a position has no deal and no moves")
            return Position.parse(position, game)
        deal = Deal(name, Deck.parse(deck or "", game.ranks, game.packs))
        if name is not None and game.deal(name) != deal:
            raise CertificateRefused(f"the deck is not that of deal {_brief(name)}")
        if moves:
            played, states = replay(game, game.initial(deal.deck), parse_line(moves))
            return Position(game, states[-1], deal, tuple(played))
    except CertificateRefused:
        raise
    except DealproofError as error:
        raise CertificateRefused(f"the start: {error}") from None
    return deal


def _read_records(
    header: Mapping[str, Any], encoding: str, packed: bytes, max_bytes: int
) -> tuple[bytes, ...]:
    count, size = _number(header, "count"), _number(header, "bytes")
    if _number(header, "packed") != len(packed):
        raise CertificateRefused("the file is longer or shorter than the header says")
    if not encoding:
        if count or size or packed:
            raise CertificateRefused("there are records, but no encoding is named")
        return ()
    if size > max_bytes:
        raise CertificateLimit(f"the records take {size} bytes; the limit is {max_bytes}")
    return unpack(packed, size, count)


def _text(header: Mapping[str, Any], key: str, *, optional: bool = False) -> str | None:
    value = header[key]
    if value is None and optional:
        return None
    if not isinstance(value, str):
        raise CertificateRefused(f"{key} is not a text")
    return value


def _number(header: Mapping[str, Any], key: str) -> int:
    value = header[key]
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise CertificateRefused(f"{key} is not a number")
    return value


def _brief(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"
