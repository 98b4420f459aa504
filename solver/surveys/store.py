"""Surveys on disk: what is being surveyed, and one row per deal, in one SQLite file.

The promises. A row is written once and never changed; its key is the deal's place in the
survey's list of deals, so no deal can be counted twice. Rows are committed in batches (WAL):
whatever ends the process, the file is sound and lacks at most the batch in flight. What
would make rows incomparable (another game, option, limit, engine, format or version) is
refused by name. One process writes at a time; reports may read meanwhile.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import IO, Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import Meta, Struct, structs

from rules.decks import check_numbering, deal_ranges
from rules.errors import DealproofError, DeckError, GameError
from rules.game import Game
from rules.registry import restored
from rules.words import brief
from solver.kernels.batch import Chunk
from solver.stats import Count
from solver.verdict import LimitName, Limits
from solver.version import version

FORMAT: Final = 1
ERROR: Final[Literal["error"]] = "error"
MOST_DEALS: Final = 10**12
RowVerdict = Literal["winnable", "unwinnable", "unknown", "error"]
VERDICTS: Final[tuple[RowVerdict, ...]] = get_args(RowVerdict)


class StoreError(DealproofError):
    """A survey's file that cannot be used, or not for this survey."""


class Row(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """One deal's result. Two runs of one survey differ in ``seconds`` at most.

    ``place``: of the deal in the survey's list, from 0. ``verdict``: one of `VERDICTS`;
    ``error`` is a deal whose worker died over it or that broke the solver, and ``note`` says
    which. ``limit_hit``: the limit that was reached. ``fewest_left``, ``best_left``,
    ``outcome``, ``dealt``: as in `solver.verdict.Result`. ``removed``: cards removed when
    nothing more can be (pairing games without decisions).
    """

    place: int
    deal: str
    verdict: RowVerdict
    limit_hit: LimitName | None = None
    positions: int | None = None
    seconds: float | None = None
    fewest_left: int | None = None
    best_left: int | None = None
    outcome: Literal["won", "lost", "drawn"] | None = None
    dealt: int | None = None
    removed: int | None = None
    engine: str | None = None
    version: str
    note: str | None = None


COLUMNS: Final = Row.__struct_fields__
TIMELESS: Final = tuple(name for name in COLUMNS if name != "seconds")
"""The columns that are the same in every run of a survey."""

_TYPES: Final = {"place": "INTEGER PRIMARY KEY", "seconds": "REAL"} | dict.fromkeys(
    ("positions", "fewest_left", "best_left", "dealt", "removed"), "INTEGER"
)
_NOT_NULL: Final = ("deal", "verdict", "version")


@dataclass(frozen=True)
class Deals:
    """The list of deals of a survey: ranges of numbers, made into deals one by one."""

    ranges: tuple[tuple[str, int, int], ...]

    @classmethod
    def parse(cls, text: str, ranks: int = 13, packs: int = 1) -> Deals:
        """Raises `DeckError` if *text* names no deals of *packs* packs of *ranks* ranks."""
        ranges = tuple(deal_ranges(text))
        for numbering, _, _ in ranges:
            check_numbering(numbering, ranks, packs)
        if sum(high - low + 1 for _, low, high in ranges) > MOST_DEALS:
            raise DeckError(f"{brief(text)}: a survey has at most {MOST_DEALS:,} deals")
        return cls(ranges)

    def __len__(self) -> int:
        return sum(high - low + 1 for _, low, high in self.ranges)

    def __str__(self) -> str:
        return ",".join(
            f"{numbering}{low}" if low == high else f"{numbering}{low}-{high}"
            for numbering, low, high in self.ranges
        )

    def pieces(self, first: int, stop: int) -> Iterator[Chunk]:
        """Places ``first .. stop - 1`` as chunks of consecutive numbers of one numbering."""
        starts = list(accumulate((high - low + 1 for _, low, high in self.ranges), initial=0))
        while first < stop:
            index = bisect_right(starts, first) - 1
            numbering, low, _ = self.ranges[index]
            size = min(stop, starts[index + 1]) - first
            yield Chunk(first, numbering, low + first - starts[index], size)
            first += size

    def begins_with(self, other: Deals) -> bool:
        """Whether *other* is the beginning of this list, so that its places mean the same."""
        n = len(other.ranges)
        if not n or n > len(self.ranges):
            return not n
        *most, (numbering, low, high) = other.ranges
        mine = self.ranges[n - 1]
        return (
            tuple(most) == self.ranges[: n - 1] and mine[:2] == (numbering, low) and high <= mine[2]
        )


@dataclass(frozen=True)
class Settings:
    """What is surveyed, as plain values: it crosses to other processes and into the file.

    ``options``: every option of the game as text. ``seconds``, ``positions``, ``memory``:
    the limits; ``memory`` is the total for all workers of a machine.
    """

    game: str
    family: str
    title: str
    options: tuple[tuple[str, str], ...]
    deals: Deals
    seconds: float | None
    positions: int | None
    memory: int | None
    engine: str
    reductions: tuple[str, ...]

    @classmethod
    def of(
        cls, game: Game, deals: Deals, limits: Limits, engine: str, reductions: tuple[str, ...]
    ) -> Settings:
        return cls(
            game.name, game.family, game.title, tuple(game.all_options().items()), deals,
            limits.seconds, limits.positions, limits.memory, engine, reductions,
        )  # fmt: skip

    def make_game(self) -> Game:
        """The game; raises a `DealproofError` if this version has no such family or option."""
        return surveyed_game(self.game, self.family, self.title, dict(self.options))

    @property
    def limits(self) -> Limits:
        return Limits(self.seconds, self.positions, self.memory)

    def facts(self) -> dict[str, Any]:
        """Everything but the deals by name: what two runs must have in common.

        As this version has the game: a file of a former family is still resumed.
        """
        game = self.make_game()
        options = {f"option {key}": value for key, value in game.all_options().items()}
        return {"game": game.name, "family": game.family} | options | {
            "time limit": self.seconds,
            "positions limit": self.positions,
            "memory limit": self.memory,
            "engine": self.engine,
            "reductions": ",".join(self.reductions) or "none",
        }  # fmt: skip

    def to_json(self) -> str:
        return json.dumps(
            {
                "game": self.game, "family": self.family, "title": self.title,
                "options": dict(self.options), "deals": str(self.deals),
                "seconds": self.seconds, "positions": self.positions, "memory": self.memory,
                "engine": self.engine, "reductions": list(self.reductions),
            }
        )  # fmt: skip

    @classmethod
    def from_json(cls, text: str) -> Settings:
        """Raises `ValueError` or `DeckError` if *text* is not what `to_json` writes."""
        kept = msgspec.json.decode(text, type=_Kept)
        ranks, packs = (int(kept.options.get(name, usual)) for name, usual in _DECK.items())
        return cls(
            kept.game, kept.family, kept.title, tuple(kept.options.items()),
            Deals.parse(kept.deals, ranks, packs), kept.seconds, kept.positions, kept.memory,
            kept.engine, tuple(kept.reductions),
        )  # fmt: skip


_DECK: Final = {"ranks": "13", "decks": "1"}
"""The options that say how many cards there are, with their defaults."""


class _Kept(Struct):
    """The settings as they stand in the file."""

    game: str
    family: str
    title: str
    options: dict[str, str]
    deals: str
    seconds: Annotated[float, Meta(ge=0)] | None
    positions: Count | None
    memory: Count | None
    engine: str
    reductions: list[str]


def surveyed_game(name: str, family: str, title: str, options: dict[str, str]) -> Game:
    """The game that these are of; raises a `DealproofError` if this version has none like it."""
    try:
        return restored(family, name, options, title=title)
    except GameError as error:
        raise StoreError(str(error)) from None


@dataclass
class Store:
    """An open survey file. Made by `create_or_resume` (writing) or `read` (reports)."""

    path: Path
    settings: Settings
    connection: sqlite3.Connection
    lock: contextlib.AbstractContextManager[object] = field(
        default_factory=contextlib.nullcontext, repr=False
    )

    @classmethod
    def create_or_resume(cls, path: Path, settings: Settings) -> Store:
        """Open *path* for this survey, new or begun; raises `StoreError` saying why not."""
        lock = _Lock(path)
        try:
            fresh = not path.exists() or path.stat().st_size == 0
            if not fresh:
                _must_be_sqlite(path)
            with _sqlite_errors(path):
                connection = sqlite3.connect(path, isolation_level=None)
                try:
                    if fresh or _is_blank(connection):
                        _create(connection, settings)
                    store = cls(path, _stored_settings(connection, path), connection, lock)
                    store._admit(settings)
                    connection.execute("PRAGMA synchronous = NORMAL")
                except BaseException:
                    connection.close()
                    raise
            return store
        except BaseException:
            lock.__exit__(None, None, None)
            raise

    @classmethod
    def read(cls, path: Path) -> Store:
        """Open *path* for reading only; raises `StoreError` if it is no survey."""
        if not path.exists():
            raise StoreError(f"{path}: no such file")
        _must_be_sqlite(path)
        with _sqlite_errors(path):
            base = path.resolve().as_uri()
            # Not as read-only: the last one to close then folds the WAL in and removes it.
            connection = sqlite3.connect(f"{base}?mode=rw", uri=True)
            try:
                connection.execute("PRAGMA query_only = ON")
                connection.execute("PRAGMA trusted_schema = OFF")
                settings = _stored_settings(connection, path)
            except sqlite3.OperationalError:
                # A directory that cannot be written to has no room for the WAL's index.
                connection.close()
                connection = sqlite3.connect(f"{base}?immutable=1", uri=True)
                settings = _stored_settings(connection, path)
            try:
                _check_rows(connection, path, settings)
            except BaseException:
                connection.close()
                raise
            return cls(path, settings, connection)

    def _admit(self, wanted: Settings) -> None:
        """Refuse what is not the same survey; take over a longer list of deals."""
        made_by = self.meta("version")
        if _series(made_by) != _series(version()):
            raise StoreError(
                f"{self.path}: its version is {made_by}, this is {version()}; rows of both "
                "would not be comparable"
            )
        mine, theirs = self.settings.facts(), wanted.facts()
        for name in [*mine, *(name for name in theirs if name not in mine)]:
            if mine.get(name) != theirs.get(name):
                raise StoreError(
                    f"{self.path}: its {name} is {_shown(mine.get(name))}, not "
                    f"{_shown(theirs.get(name))}; take another file for another survey"
                )
        if not wanted.deals.begins_with(self.settings.deals):
            raise StoreError(
                f"{self.path}: its deals are {brief(str(self.settings.deals))}, not "
                f"{brief(str(wanted.deals))}; deals can only be added after those"
            )
        if wanted.deals != self.settings.deals:
            with self._transaction():
                self.connection.execute(
                    "UPDATE meta SET value = ? WHERE key = 'settings'", (wanted.to_json(),)
                )
        self.settings = wanted

    def meta(self, key: str) -> str:
        found = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(found[0]) if found else ""

    def gaps(self) -> Iterator[tuple[int, int]]:
        """The places that have no row yet, as ``(first, stop)``, in order."""
        following = 0
        for (place,) in self.connection.execute("SELECT place FROM deals ORDER BY place"):
            if place > following:
                yield following, place
            following = place + 1
        if following < len(self.settings.deals):
            yield following, len(self.settings.deals)

    def add(self, rows: Sequence[Row]) -> None:
        """Write *rows* and commit, all or none; raises `StoreError` if that fails.

        A row whose place has one already is left out: it says the same.
        """
        holes = ",".join("?" * len(COLUMNS))
        try:
            with self._transaction():
                self.connection.executemany(
                    f"INSERT OR IGNORE INTO deals VALUES ({holes})", map(structs.astuple, rows)
                )
        except sqlite3.Error as error:
            raise StoreError(
                f"{self.path}: {error}; what was committed before is kept, and the same "
                "command goes on from there"
            ) from None

    def forget_errors(self) -> None:
        """Drop the ``error`` rows, so that their deals are solved again."""
        with _sqlite_errors(self.path), self._transaction():
            self.connection.execute("DELETE FROM deals WHERE verdict = ?", (ERROR,))

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")
            raise

    def counts(self) -> dict[RowVerdict, int]:
        """Rows by verdict, every verdict included."""
        found = self.tally("verdict")
        return {verdict: found.get(verdict, 0) for verdict in VERDICTS}

    def tally(self, column: str) -> dict[Any, int]:
        """How often each value of *column* occurs, in order; those without one left out."""
        return dict(
            self.connection.execute(
                f"SELECT {column}, COUNT(*) FROM deals WHERE {column} IS NOT NULL "
                f"GROUP BY {column} ORDER BY {column}"
            )
        )

    def values(self, column: str) -> list[float]:
        """All values of *column*, in order."""
        found = self.connection.execute(
            f"SELECT {column} FROM deals WHERE {column} IS NOT NULL ORDER BY {column}"
        )
        return [value for (value,) in found]

    def rows(self, where: str = "", order: str = "place") -> Iterator[Row]:
        """The rows, in order of place unless *order* says otherwise (trusted SQL)."""
        clause = f"WHERE {where}" if where else ""
        found = self.connection.execute(
            f"SELECT {', '.join(COLUMNS)} FROM deals {clause} ORDER BY {order}"
        )
        return (Row(**dict(zip(COLUMNS, values, strict=True))) for values in found)

    def close(self) -> None:
        """Fold the WAL into the file and let go of it."""
        with contextlib.suppress(sqlite3.Error):
            self.connection.close()
        self.lock.__exit__(None, None, None)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: object
    ) -> None:
        self.close()
        if isinstance(error, sqlite3.Error):  # a page that is damaged comes up as it is read
            raise StoreError(f"{self.path}: {error}") from None


def _create(connection: sqlite3.Connection, settings: Settings) -> None:
    columns = ", ".join(
        f"{name} {_TYPES.get(name, 'TEXT')}{' NOT NULL' if name in _NOT_NULL else ''}"
        for name in COLUMNS
    )
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
    connection.execute(f"CREATE TABLE deals ({columns})")
    connection.executemany(
        "INSERT INTO meta VALUES (?, ?)",
        [
            ("format", f"dealproof survey {FORMAT}"),
            ("version", version()),
            ("settings", settings.to_json()),
        ],
    )
    connection.execute("COMMIT")


def _is_blank(connection: sqlite3.Connection) -> bool:
    """Whether a run was ended between making the file and making its tables."""
    return not connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]


def _stored_settings(connection: sqlite3.Connection, path: Path) -> Settings:
    tables = {
        name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")
    }
    if not {"meta", "deals"} <= tables:
        raise StoreError(f"{path}: a database, but not a survey")
    meta = dict(connection.execute("SELECT key, value FROM meta"))
    if meta.get("format") != f"dealproof survey {FORMAT}":
        raise StoreError(
            f"{path}: its format is {_shown(meta.get('format'))}, not 'dealproof survey {FORMAT}'"
        )
    try:
        return Settings.from_json(meta["settings"])
    except (KeyError, ValueError, TypeError, DeckError):
        raise StoreError(f"{path}: its settings cannot be read") from None


def _check_rows(connection: sqlite3.Connection, path: Path, settings: Settings) -> None:
    """Refuse a file with a row that no survey writes: SQLite itself takes any value anywhere."""

    def number(column: str, most: float) -> str:
        kinds = "'integer', 'real'" if _TYPES.get(column) == "REAL" else "'integer'"
        return (
            f"({column} IS NULL OR typeof({column}) IN ({kinds}) AND {column} BETWEEN 0 AND {most})"
        )

    def text(column: str, most: int) -> str:
        return f"({column} IS NULL OR typeof({column}) = 'text' AND length({column}) <= {most})"

    def word(column: str, *words: str) -> str:
        return f"({column} IS NULL OR {column} IN ({', '.join(map(repr, words))}))"

    conditions = [
        number("place", len(settings.deals) - 1), number("positions", 2**63 - 1),
        number("seconds", 1e12), text("deal", 40), word("verdict", *VERDICTS),
        word("limit_hit", "time", "positions", "memory"), word("outcome", "won", "lost", "drawn"),
        text("engine", 40), text("version", 100), text("note", 10_000),
        *(number(column, 52) for column in ("fewest_left", "best_left", "removed")),
        number("dealt", 2**31),  # cards that come back are dealt again
        *(f"{column} IS NOT NULL" for column in ("place", *_NOT_NULL)),
    ]  # fmt: skip
    query = f"SELECT place FROM deals WHERE NOT ({' AND '.join(conditions)}) LIMIT 1"
    found = connection.execute(query).fetchone()
    if found is not None:
        raise StoreError(f"{path}: no survey writes a row like its row {_shown(found[0])}")


def _must_be_sqlite(path: Path) -> None:
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror or error}") from None
    if head != b"SQLite format 3\0":
        raise StoreError(f"{path}: not a survey (no SQLite database)")


@contextlib.contextmanager
def _sqlite_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {error}") from None


class _Lock(contextlib.AbstractContextManager[None]):
    """One writer per file: a lock on a file beside it, which the system drops if we die.

    Written here because the file goes with the lock. (filelock leaves it behind.)
    """

    def __init__(self, path: Path) -> None:
        self.path = Path(f"{path}-lock")
        while True:
            try:
                self.file: IO[bytes] = open(self.path, "ab")  # noqa: SIM115
            except OSError as error:
                raise StoreError(f"{path}: {(error.strerror or str(error)).lower()}") from None
            try:
                _lock(self.file)
            except OSError:
                self.file.close()
                raise StoreError(f"{path}: another survey is writing to it") from None
            # The holder before us removes the file as it lets go: take a lock that others see.
            with contextlib.suppress(OSError):
                if sys.platform == "win32" or os.path.samestat(
                    os.fstat(self.file.fileno()), os.stat(self.path)
                ):
                    return
            self.file.close()

    def __exit__(self, *exc: object) -> None:
        if not self.file.closed:
            if sys.platform != "win32":
                self.path.unlink(missing_ok=True)
            self.file.close()


if sys.platform == "win32":

    def _lock(file: IO[bytes]) -> None:
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:

    def _lock(file: IO[bytes]) -> None:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _series(text: str) -> list[str]:
    return text.split(".")[:2]


def _shown(value: object) -> str:
    return "none" if value is None else brief(value)
