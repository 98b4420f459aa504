"""Results in words: the verdict, the figures of the search, rows and sums for many deals."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rich.text import Text

from rules.errors import GameError
from rules.game import Game
from rules.registry import get_game
from rules.words import plural
from solver.kernels import has_kernel
from solver.show.glyphs import Glyphs
from solver.verdict import Result, Verdict

if TYPE_CHECKING:
    from solver.show.json.deals import Verified

STYLES = {
    Verdict.WINNABLE: "bold green",
    Verdict.UNWINNABLE: "bold red",
    Verdict.UNKNOWN: "bold yellow",
}
LIMITS = {"time": "--timeout", "positions": "--max-positions", "memory": "--memory"}


def duration(seconds: float) -> str:
    """Seconds as people say them: ``0.004 s``, ``2.13 s``, ``3 min 5 s``."""
    if seconds < 1:
        return f"{seconds:.3f} s"
    if seconds < 100:
        return f"{seconds:.2f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def game_label(game: Game) -> str:
    """The game's title, and the options that differ from the registered game of that name."""
    try:
        usual = get_game(game.name).all_options()
    except GameError:
        return game.title
    options = game.all_options()
    changed = [f"{key}={options[key]}" for key in options if usual.get(key) != options[key]]
    return f"{game.title} ({', '.join(changed)})" if changed else game.title


def detail(result: Result, *, advice: bool = False) -> str:
    """What there is to say besides the verdict: moves, cards left, the limit.

    *advice*: say which option raises the limit.
    """
    parts = []
    if result.outcome is not None and result.dealt is not None:
        parts.append(f"{result.outcome} after {plural(result.dealt, 'card')} dealt")
    if result.verdict is Verdict.WINNABLE and result.line is not None:
        fewest = ", the fewest there are" if result.shortest else ""
        parts.append(plural(len(result.line), "move") + fewest)
    if result.game.counts_cards and result.outcome is None:
        if result.fewest_left is not None and result.verdict is not Verdict.WINNABLE:
            parts.append(f"{plural(result.fewest_left, 'card')} left at best")
        elif result.fewest_left is None and result.best_left is not None:
            parts.append(f"{plural(result.best_left, 'card')} left in the best line found")
    if result.limit is not None:
        parts.append(f"{result.limit} limit reached")
        if advice:
            parts[-1] += f" (raise {LIMITS[result.limit]})"
    return "; ".join(parts)


def verdict_text(result: Result, name: str) -> Text:
    """The verdict on one deal in one line.

    ``Single Left, deal 4: winnable (190 moves)``; ``...: unknown: time limit reached (raise
    --timeout)``.
    """
    text = Text(f"{game_label(result.game)}, {name}: ")
    text.append(result.verdict.value, style=STYLES[result.verdict])
    more = detail(result, advice=True)
    if more:
        text.append(f": {more}" if result.limit is not None else f" ({more})")
    return text


def stats_text(result: Result, glyphs: Glyphs) -> Text:
    """What the search did, in one line."""
    stats = result.stats
    parts = [
        plural(stats.positions, "position"),
        plural(stats.transpositions, "transposition"),
        f"depth {stats.depth:,}",
        plural(stats.dead_ends, "dead end"),
        duration(stats.seconds),
        result.engine if result.engine == "playthrough" else f"{result.engine} engine",
    ]
    if result.reductions:
        parts.append("reductions " + ", ".join(result.reductions))
    return Text(f" {glyphs.dot} ".join(parts), style="dim")


def row_text(result: Result, name: str, name_width: int = 12) -> Text:
    """One deal of many in one line: deal, verdict, figures."""
    text = Text(f"{name:<{name_width}}  ")
    text.append(f"{result.verdict.value:<10}", style=STYLES[result.verdict])
    text.append(f"  {plural(result.stats.positions, 'position'):>20}")
    text.append(f"  {duration(result.stats.seconds):>9}")
    more = detail(result)
    if more:
        text.append(f"  {more}", style="dim")
    return text


class Tally:
    """Sums over many results, for the last line of a batch."""

    def __init__(self) -> None:
        self.verdicts: Counter[Verdict] = Counter()
        self.left: Counter[int] = Counter()
        self.positions = 0
        self.seconds = 0.0
        self.without_kernel = 0

    def add(self, result: Result) -> None:
        self.verdicts[result.verdict] += 1
        self.positions += result.stats.positions
        self.seconds += result.stats.seconds
        if result.fewest_left is not None and result.outcome is None:
            self.left[result.fewest_left] += 1
        if result.engine == "reference" and not has_kernel(result.game, result.reductions):
            self.without_kernel += 1

    def text(self) -> Text:
        """``20 deals: 9 winnable, 11 unwinnable, 0 unknown; 1,234 positions, 0.512 s``."""
        text = Text(f"{plural(self.verdicts.total(), 'deal')}: ")
        for index, verdict in enumerate(Verdict):
            text.append(", " if index else "")
            many = self.verdicts[verdict]
            text.append(f"{many:,} {verdict.value}", style=STYLES[verdict] if many else "")
        text.append(f"; {plural(self.positions, 'position')}, {duration(self.seconds)}")
        if self.left:
            total = sum(left * many for left, many in self.left.items())
            mean = total / self.left.total()
            text.append(f"; cards left at best: least {min(self.left)}, mean {mean:.2f}")
        if self.without_kernel:
            text.append("\nSearched by the readable engine: no compiled one fits these options.")
        return text


def check_text(game: Game, record: Verified) -> Text:
    """The referee's word on a line (see `solver.show.json.deals.verified`), in one line."""
    text = Text(f"{game_label(game)}, {record.label}: ")
    fault = record.fault
    if fault is not None:
        text.append("illegal", style="bold red")
        text.append(f" at move {fault.move} ({fault.text}): {fault.reason}")
        return text
    text.append("legal", style="bold green")
    text.append(f", {plural(record.moves, 'move')}, and ")
    if record.won:
        text.append("wins", style="bold green")
    else:
        text.append("does not win", style="bold yellow")
    if record.cards_left is not None:
        text.append(f" ({plural(record.cards_left, 'card')} left)")
    return text
