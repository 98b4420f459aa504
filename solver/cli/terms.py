"""Small languages of the command line: times, sizes, counts, ``key=value``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from rules.errors import DealproofError
from rules.words import brief


class UsageError(DealproofError):
    """An option's value that cannot be used."""


_UNITS: Final = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_SIZES: Final = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}


def parse_seconds(text: str) -> float | None:
    """``0.3``, ``90s``, ``2m``, ``1h`` as seconds; ``none`` is no limit.

    >>> parse_seconds("2m"), parse_seconds("0.3"), parse_seconds("none")
    (120.0, 0.3, None)
    """
    if text.strip().lower() == "none":
        return None
    match = re.fullmatch(r"(\d{1,12}(?:\.\d{0,9})?|\.\d{1,9})\s*(ms|s|min|m|h|)", text.strip())
    seconds = float(match[1]) * _UNITS[match[2]] if match else 0.0
    if seconds <= 0:
        raise UsageError(
            f"--timeout: {brief(text, 40)} is not a time above 0 "
            "(0.3, 90s, 2m, 1h; none for no limit)"
        )
    return seconds


def parse_bytes(text: str) -> int | None:
    """``8G``, ``512M``, ``1.5GiB`` as bytes (powers of 1024); ``none`` is no limit.

    >>> parse_bytes("512M"), parse_bytes("1.5G")
    (536870912, 1610612736)
    """
    if text.strip().lower() == "none":
        return None
    match = re.fullmatch(r"(\d{1,15}(?:\.\d{1,9})?)\s*([KMGT]?)(?:I?B)?", text.strip().upper())
    size = int(float(match[1]) * (1 << _SIZES[match[2]])) if match else 0
    if size <= 0:
        raise UsageError(
            f"--memory: {brief(text, 40)} is not a size above 0 (8G, 512M; none for no limit)"
        )
    return size


def seconds_text(seconds: float | None) -> str:
    """Seconds as `parse_seconds` reads them.

    >>> seconds_text(60.0), seconds_text(0.3), seconds_text(None)
    ('60s', '0.3s', 'none')
    """
    return "none" if seconds is None else f"{seconds:g}s"


def bytes_text(size: int | None) -> str:
    """A size as `parse_bytes` reads it.

    >>> bytes_text(4 << 30), bytes_text(512 << 20), bytes_text(None)
    ('4G', '512M', 'none')
    """
    if size is None:
        return "none"
    unit = next((unit for unit in "TGMK" if size % (1 << _SIZES[unit]) == 0), "")
    return f"{size >> _SIZES[unit]}{unit}"


def count_text(number: int | None) -> str:
    """A number as `parse_count` reads it."""
    return "none" if number is None else str(number)


def parse_count(text: str, name: str) -> int | None:
    """A whole number above 0; ``none`` is no limit."""
    if text.strip().lower() == "none":
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 18 and int(text) > 0):
        raise UsageError(
            f"{name}: {brief(text, 40)} is not a whole number above 0 (none for no limit)"
        )
    return int(text)


def parse_pairs(pairs: Iterable[str]) -> dict[str, str]:
    """``key=value`` texts as a dictionary; a key given twice is refused."""
    found: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not equals or not key:
            raise UsageError(f"-o {brief(pair, 40)}: write key=value")
        key = key.replace("-", "_")
        if key in found:
            raise UsageError(f"-o {key}: given twice ({found[key]} and {value})")
        found[key] = value
    return found
