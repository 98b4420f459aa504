"""Records that are read back from files."""

from __future__ import annotations

from pathlib import Path
from typing import Final, TypeVar

import msgspec

from rules.errors import DealproofError

MOST_BYTES: Final = 16 << 20
"""The largest file that is looked into."""

T = TypeVar("T", bound=msgspec.Struct)


class ReadError(DealproofError):
    """A file that does not hold what it should."""


def read(path: Path, form: type[T], what: str) -> T:
    """The record of type *form* in the file *path*; raises `ReadError` if it is not *what*.

    Keys that *form* does not have are skipped: a later version may have added them.
    """
    with open(path, "rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ReadError(f"{path}: not {what} (over {MOST_BYTES:,} bytes)")
    try:
        version = form.__struct_config__.tag_field
        if version is not None and version not in msgspec.json.decode(data, type=dict):
            raise ReadError(f"{path}: not {what} (without {version!r})")
        return msgspec.json.decode(data, type=form)
    except msgspec.ValidationError as error:
        raise ReadError(f"{path}: not {what} ({_placed(error)})") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise ReadError(f"{path}: not {what} (no JSON)") from None


def _placed(error: msgspec.ValidationError) -> str:
    """``measures[...].seconds: expected number``."""
    what, _, place = str(error).replace("`", "").partition(" - at ")
    what = what[:1].lower() + what[1:]
    return f"{place.removeprefix('$.')}: {what}" if place else what
