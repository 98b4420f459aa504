"""Ratings in print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rich.text import Text

from solver.analysis.ratings import WORDS, Rating, Share
from solver.analysis.steps import KINDS
from solver.show.glyphs import UNICODE, Glyphs
from solver.show.text.results import STYLES, count, game_label


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
    yield "line", f"{count(len(found.steps), 'move')}, {count(found.decisions, 'decision')}"
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
    yield "proof", count(found.result.stats.positions, "position")


def share_words(share: Share, glyphs: Glyphs = UNICODE) -> str:
    """``20 of 1,000 games won (2.0 %; 95 %: 1.3–3.1 %)``."""
    return (
        f"{share.won:,} of {share.plays:,} games won ({share.value:.1%}; 95 %: "
        f"{share.low * 100:.1f}{glyphs.dash}{share.high * 100:.1f} %)"
    ).replace("%;", " %;")


def rating_row(found: Rating, name: str, width: int = 8) -> Text:
    """A rating in one line."""
    text = Text(f"{name:<{width}}  ")
    if not found.steps and found.random is None:
        text.append(found.result.verdict.value, style=STYLES[found.result.verdict])
        return text
    text.append(f"{found.word or 'not rated':<9}", style="bold")
    bits = "   ?" if found.guesswork is None else f"{found.guesswork:4.1f}"
    text.append(f"  {bits} bits")
    if found.random is not None and found.greedy is not None:
        text.append(f"  random {found.random.value:6.1%}  greedy {found.greedy.value:6.1%}")
    text.append(f"  {found.kinds['critical']:>3} critical")
    text.append(f"  {count(found.result.stats.positions, 'position'):>20}")
    return text


def spread_text(words: Counter[str]) -> Text:
    """How many deals got each word, and their share of those that got one."""
    total = sum(words[word] for word, _ in WORDS)
    parts = [
        f"{word} {words[word]:,}" + (f" ({words[word] / total:.0%})" if total else "")
        for word, _ in WORDS
    ]
    return Text(f"{count(total, 'deal')} rated: {', '.join(parts)}")
