"""How messages say things: what was given, quoted and short; how many; one of several."""

from __future__ import annotations

from collections.abc import Iterable


def brief(value: object, most: int = 57) -> str:
    """*value* as a message quotes it, on one line; of a text its first *most* characters.

    >>> brief("a\\nb"), brief("a word too long", 6), brief(True)
    ("'a\\\\nb'", "'a word…'", 'True')
    """
    if isinstance(value, str):
        return repr(value if len(value) <= most else value[:most] + "…")
    try:
        text = repr(value)
    except ValueError:  # Python refuses to write out integers of more than 4,300 digits
        return "a number of thousands of digits"
    return text if len(text) <= most + 3 else text[: most + 2] + "…"


def plural(number: int, noun: str) -> str:
    """``1 move``, ``1,234 moves``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def either(words: Iterable[str], last: str = "or") -> str:
    """``a``, ``a or b``, ``a, b or c``; with another *last* word ``a, b and c``."""
    words = list(words)
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
