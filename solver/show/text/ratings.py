"""Ratings in print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rich.text import Text

from rules.words import plural
from solver.analysis.ratings import WORDS, Rating, Share
from solver.analysis.steps import KINDS
from solver.show.glyphs import UNICODE, Glyphs
from solver.show.text.results import STYLES, game_label


def rating_text(found: Rating, label: str, glyphs: Glyphs = UNICODE) -> Text:
    """A rating in full, a figure a line."""
    result = found.result
    text = Text(f"{game_label(result.game)}, {label}: ")
    if not found.steps and found.random is None:
        text.append(result.verdict.value, style=STYLES[result.verdict])
        text.append("; only deals that can be won are rated")
        return text
    text.append(found.word or "not rated", style="bold")
    for name, value in _figures(found, glyphs):
        text.append(f"\n  {name:<15}", style="dim")
        text.append(value)
    return text


def _figures(found: Rating, glyphs: Glyphs) -> Iterator[tuple[str, str]]:
    if found.guesswork is None:
        yield "guesswork", "not known: some decisions were not decided within the budget"
    else:
        yield (
            "guesswork",
            f"{found.guesswork:.1f} bits, one lucky line in {2**found.guesswork:,.0f}",
        )
    yield "line", f"{plural(len(found.steps), 'move')}, {plural(found.decisions, 'decision')}"
    kinds = found.kinds
    words = {"choice": "with worse moves"}
    parts = [
        f"{kinds[kind]} {words.get(kind, kind)}"
        for kind in KINDS
        if kinds[kind] and kind != "forced"
    ]
    yield "decisions", ", ".join(parts) or "none"
    if found.random is not None and found.greedy is not None:
        yield "random play", share_words(found.random, glyphs)
        yield "greedy play", share_words(found.greedy, glyphs)
    yield "proof", plural(found.result.stats.positions, "position")


def share_words(share: Share, glyphs: Glyphs = UNICODE) -> str:
    """``20 of 1,000 games won (2.0 %; 95 %: 1.3–3.1 %)``."""
    return (
        f"{share.won:,} of {share.plays:,} games won ({share.value:.1%}; 95 %: "
        f"{share.low * 100:.1f}{glyphs.dash}{share.high * 100:.1f} %)"
    ).replace("%;", " %;")


_ROW = "{:<13} {:<10} {:>5} {:>8} {:>8} {:>9} {:>12}"


def rating_head() -> Text:
    """What the columns of `rating_row` hold; they fit 80."""
    return Text(
        _ROW.format("deal", "rating", "bits", "random", "greedy", "critical", "positions"),
        style="dim",
    )


def rating_row(found: Rating, name: str) -> Text:
    """A rating in one line."""
    if not found.steps and found.random is None:
        text = Text(f"{name:<13} ")
        return text.append(found.result.verdict.value, style=STYLES[found.result.verdict])
    return Text(
        _ROW.format(
            name,
            found.word or "not rated",
            "?" if found.guesswork is None else f"{found.guesswork:.1f}",
            *(
                "" if share is None else f"{share.value:.1%}"
                for share in (found.random, found.greedy)
            ),
            found.kinds["critical"],
            f"{found.result.stats.positions:,}",
        )
    )


def spread_text(words: Counter[str]) -> Text:
    """How many deals got each word, with their share of those that got one."""
    total = sum(words[word] for word, _ in WORDS)
    parts = [
        f"{words[word]:,} {word} ({words[word] / total:.0%})" for word, _ in WORDS if words[word]
    ]
    return Text(f"{plural(total, 'deal')} rated{': ' if parts else ''}{', '.join(parts)}")
