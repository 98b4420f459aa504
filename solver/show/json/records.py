"""Results as JSON records. ``SCHEMA`` is the version of their form; it grows with every
change that a reader could trip over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rules.decks import Deal
from rules.errors import IllegalMove
from rules.game import Game
from rules.moves import Move
from rules.position import Position
from solver.verdict import Result

if TYPE_CHECKING:
    from solver.analysis.explanations import Explanation

SCHEMA: Final = 1


def game_record(game: Game[Any]) -> dict[str, Any]:
    """A game: name, title, family, every option as text, and whether play decides anything."""
    return {
        "schema": SCHEMA,
        "game": game.name,
        "title": game.title,
        "family": game.family,
        "options": game.all_options(),
        "changed": game.changed_options(),
        "decision_free": game.decision_free,
        "counts_cards": game.counts_cards,
        "source": game.source,
    }


def result_record(result: Result, source: str | None = None) -> dict[str, Any]:
    """The result on one deal. ``source``: file and line that a typed deck came from."""
    stats = result.stats
    return {
        "schema": SCHEMA,
        "game": result.game.name,
        "options": result.game.all_options(),
        **given_record(result.given),
        "source": source,
        "verdict": result.verdict.value,
        "limit": result.limit,
        "line": None if result.line is None else [str(move) for move in result.line],
        "shortest": result.shortest,
        "fewest_left": result.fewest_left,
        "best_left": result.best_left,
        "outcome": result.outcome,
        "dealt": result.dealt,
        "positions": stats.positions,
        "transpositions": stats.transpositions,
        "depth": stats.depth,
        "dead_ends": stats.dead_ends,
        "memory": stats.memory,
        "seconds": round(stats.seconds, 6),
        "engine": result.engine,
        "reductions": list(result.reductions),
    }


def given_record(given: Deal | Position) -> dict[str, Any]:
    """Deal, deck, and for a position its text and the moves that led to it."""
    deal = given if isinstance(given, Deal) else given.deal
    place = given if isinstance(given, Position) else None
    return {
        "deal": None if deal is None else deal.name,
        "deck": None if deal is None else deal.deck.text(),
        "position": None if place is None else place.text(),
        "after": [] if place is None else [str(move) for move in place.moves],
    }


def board_record(
    game: Game[Any], state: Any, given: Deal | Position, source: str | None = None
) -> dict[str, Any]:
    """A state as its piles, oldest card first (the stock: next card first)."""
    return {
        "schema": SCHEMA,
        "game": game.name,
        "options": game.all_options(),
        **given_record(given),
        "source": source,
        "piles": [
            {
                "role": pile.role,
                "label": pile.label,
                "cards": [str(card) for card in pile.cards],
                "face_down": pile.face_down,
                "gone": pile.gone,
            }
            for pile in game.layout(state)
        ],
    }


def check_record(
    game: Game[Any],
    given: Deal | Position,
    line: tuple[Move, ...],
    *,
    label: str,
    end: Any = None,
    fault: IllegalMove | None = None,
) -> dict[str, Any]:
    """The referee's word on a line: legal to the *end* state, or the *fault* in it."""
    return {
        "schema": SCHEMA,
        "game": game.name,
        "options": game.all_options(),
        **given_record(given),
        "label": label,
        "moves": len(line),
        "legal": fault is None,
        "won": fault is None and game.is_won(end),
        "cards_left": game.cards_left(end) if fault is None else None,
        "fault": None
        if fault is None
        else {"move": fault.index + 1, "text": fault.move, "reason": fault.reason},
    }


def explanation_record(found: Explanation, source: str | None = None) -> dict[str, Any]:
    """An explanation: the result, and per move of its line the fates of the other moves."""
    reasons = found.reasons
    return result_record(found.result, source) | {
        "steps": [
            {
                "move": str(step.move),
                "kind": step.kind,
                "others": [
                    {
                        "move": str(other.move),
                        "verdict": other.fate.verdict.value,
                        "fewest_left": other.fate.fewest_left,
                        "positions": other.fate.positions,
                        "same": other.same,
                        "line": [str(move) for move in other.line],
                    }
                    for other in step.others
                ],
            }
            for step in found.steps
        ],
        "kinds": dict(found.kinds),
        "sure_from": found.sure_from,
        "phases": [{"first": phase.first, "title": phase.title} for phase in found.phases],
        "tries": [
            {
                "line": [str(move) for move in attempt.line],
                "stuck": attempt.stuck,
                "moves_needed": attempt.needed,
            }
            for attempt in found.tries
        ],
        "reasons": None
        if reasons is None
        else {
            "complete": reasons.complete,
            "sentences": list(reasons.sentences),
            "facts": reasons.facts,
            "best_line": None
            if reasons.best_line is None
            else [str(move) for move in reasons.best_line],
        },
    }
