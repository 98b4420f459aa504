"""JSON records of the analyses: hint, review, rate."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rules.decks import Deal
from rules.moves import Move
from rules.position import Position
from solver.analysis.hints import Hint
from solver.analysis.ratings import Rating, Share
from solver.analysis.reviews import Review
from solver.analysis.session import Fate
from solver.show.json.records import SCHEMA, given_record, result_record


def moves_record(line: Iterable[Move] | None) -> list[str] | None:
    return None if line is None else [str(move) for move in line]


def fate_record(fate: Fate) -> dict[str, Any]:
    return {"verdict": fate.verdict.value, "fewest_left": fate.fewest_left}


def hint_record(found: Hint, given: Deal | Position, source: str | None = None) -> dict[str, Any]:
    """A hint: the position's verdict, and its legal moves, best first."""
    return {
        "schema": SCHEMA,
        "game": found.game.name,
        "options": found.game.all_options(),
        **given_record(given),
        "source": source,
        **fate_record(found.fate),
        "moves": [
            {
                "move": str(option.move),
                **fate_record(option.fate),
                "positions": option.fate.positions,
                "why": option.why,
                "line": moves_record(option.line),
                "same_as": None if option.same_as is None else str(option.same_as),
            }
            for option in found.options
        ],
        "positions": found.positions,
        "seconds": round(found.seconds, 6),
    }


def review_record(found: Review, source: str | None = None) -> dict[str, Any]:
    """A review: the verdict after each move, blunders, and decisions counted."""
    return {
        "schema": SCHEMA,
        "game": found.game.name,
        "options": found.game.all_options(),
        **given_record(found.given),
        "source": source,
        "won": found.won,
        "before": fate_record(found.fates[0]),
        "moves": [
            {
                "move": str(move),
                **fate_record(fate),
                "kind": found.steps[index].kind if index < len(found.steps) else None,
            }
            for index, (move, fate) in enumerate(zip(found.line, found.fates[1:], strict=True))
        ],
        "kinds": dict(found.kinds),
        "blunders": [
            {
                "number": blunder.number,
                "move": str(blunder.step.move),
                "better": str(blunder.better),
                "line": moves_record(blunder.line),
            }
            for blunder in found.blunders
        ],
        "between": None if found.between is None else list(found.between),
    }


def rating_record(found: Rating, source: str | None = None) -> dict[str, Any]:
    """A rating; its figures are null for a deal that is not proved winnable."""
    rated = found.random is not None
    record = result_record(found.result, source)
    del record["line"], record["shortest"], record["best_left"], record["outcome"]
    return record | {
        "word": found.word,
        "guesswork": None if found.guesswork is None else round(found.guesswork, 6),
        "moves": len(found.steps) if rated else None,
        "decisions": found.decisions if rated else None,
        "kinds": dict(found.kinds) if rated else None,
        "random": share_record(found.random),
        "greedy": share_record(found.greedy),
    }


def share_record(share: Share | None) -> dict[str, Any] | None:
    if share is None:
        return None
    return {"won": share.won, "plays": share.plays, "low": share.low, "high": share.high}
