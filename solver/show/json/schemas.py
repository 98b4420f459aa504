"""JSON Schemas (draft 2020-12) of what commands print with ``--json``, one per command.

They are written by hand, apart from the code that makes the records, so that a change of
one is noticed by the tests of the other. They name every key and allow no other: a schema
is what this very version prints. Within a version of ``SCHEMA`` keys may be added: a
program that reads the records should ignore keys that it does not know.
"""

from __future__ import annotations

from typing import Final

from solver.show.json.schema_parts import Schema
from solver.show.json.schemas_deals import ONE_DEAL
from solver.show.json.schemas_many import MANY_DEALS

_RECORDS: Final = ONE_DEAL | MANY_DEALS

_MEANINGS: Final = {
    "accepted": "whether everything that the certificate claims is proved",
    "after": "moves played from the deal before anything else",
    "before": "the verdict on the position before the first move",
    "best_left": "cards left at the end of `line`",
    "between": "the numbers of two moves between which the win was given away, where the limits "
    "kept it from being pinned down",
    "blunders": "moves that gave something away, with the better move and a line that follows it",
    "cards_left": "cards left at the end of the line; null if it is not legal",
    "changed": "the options that differ from the family's usual ones",
    "counts": "deals by verdict",
    "counts_cards": "whether a deal that cannot be won still has a fewest number of cards left",
    "dead_ends": "positions without a move that were met",
    "deal": "the deal's number, as in 7, ms:617, pysol:1, solvitaire:22; null for a deck typed in",
    "deals": "the deals of the survey, as ranges",
    "dealt": "cards dealt when the game ended, for games that are played, not searched",
    "decision_free": "whether no choice of the player's matters",
    "decisions": "moves along the line at which some other move does worse",
    "deck": "the cards, first dealt first; null for a position of unknown origin",
    "depth": "moves in the longest line looked at",
    "directed": "part of the node-link form",
    "done": "deals with a row in the file",
    "edges": "moves: the two positions, and chains of moves between them",
    "engine": "what searched: compiled or reference",
    "engines": "deals by engine",
    "errors": "the first deals whose worker died over them or that broke the solver",
    "exact": "the exact odds, where the game has them",
    "family": "the family of games, which says what options there are",
    "fault": "the first illegal move: its number from 1, its text and the reason",
    "fewest_left": "the fewest cards that any line leaves; null where that is unknown or no matter",
    "file": "the file's name",
    "folded": "whether chains without a decision are one edge",
    "game": "the game's name",
    "gates": "positions (by id) that every winning line passes through",
    "given": "what the certificate is about, in words",
    "graph": "part of the node-link form",
    "greedy": "games won by a player who takes what looks best, with a 95 % interval",
    "guesswork": "the bits of luck that one needs to win along the line without looking ahead",
    "hardest": "the deals whose proofs took the most positions",
    "kept": "the version of this form",
    "kinds": "how many moves of the line were forced, free, a choice, critical or unknown",
    "label": "the deal or position in words",
    "legal": "whether every move of the line is legal",
    "limit": "the limit that was reached, if one was",
    "limits": "the limits on each deal (memory in bytes, for all workers together)",
    "limits_hit": "deals by the limit that was reached",
    "line": "the winning line, or the one that leaves fewest cards; null if there is none",
    "machine": "what it was run on",
    "mean_removed": "the expected number of cards removed, a fraction",
    "mean_removed_decimal": "the same as a decimal",
    "measures": "what was measured of each engine on each game",
    "memory": "bytes in the largest tables",
    "moves": "moves: those that there are with their verdicts (hint), those that were made with "
    "the verdict after each (review), or how many",
    "multigraph": "part of the node-link form",
    "no_move": "the probability that no card can ever be removed, a fraction",
    "no_move_decimal": "the same as a decimal",
    "nodes": "positions, with the verdict on each",
    "options": "every option of the game, as text",
    "outcome": "for games that are played, not searched: won, lost or drawn",
    "outcomes": "deals by outcome, for games that are played, not searched",
    "phases": "what the line does, by the number of the move with which it begins",
    "piles": "the piles, oldest card first (the stock: the next card first)",
    "position": "the position as text, which --position reads; null for a whole deal",
    "positions": "positions visited",
    "python": "the version of Python",
    "random": "games won by a player who moves at random, with a 95 % interval",
    "ratios": "how many times as many deals a second as the slowest engine",
    "reason": "why the certificate was refused",
    "reasons": "why the deal cannot be won: in words, and as facts",
    "reductions": "the reductions in force, which change no verdict",
    "removed": "cards removed when nothing more can be: how many, or how often",
    "removed_decimal": "the same as decimals",
    "ruling": "how the game is played, a paragraph each",
    "schema": "the version of this form",
    "seconds": "time taken",
    "shortest": "whether no winning line has fewer moves, proved",
    "source": "file and line that a typed deck came from; of a game: where its rules are from",
    "states": "states that were counted",
    "steps": "the line, with the other moves at each step and what becomes of them",
    "sure_from": "the number of the first move from which on no other move does worse, if known",
    "title": "the game's name in words",
    "total": "deals of the survey",
    "transpositions": "positions met again",
    "tries": "for a deal that cannot be won: the lines that come nearest",
    "verdict": "winnable or unwinnable, both proved; unknown if a limit was reached",
    "version": "the version of dealproof that proved it",
    "versions": "deals by the version of dealproof",
    "winnability": "the share of winnable deals, with 95 % intervals",
    "winning": "the probability of winning, a fraction",
    "winning_decimal": "the same as a decimal",
    "won": "whether the line wins",
    "word": "how hard the deal is to win",
}
"""What the keys of records mean, by name."""


def schema_names() -> tuple[str, ...]:
    """The commands whose output has a schema here."""
    return tuple(_RECORDS)


def schema(command: str) -> Schema:
    """The JSON Schema of one object that ``dealproof COMMAND --json`` prints.

    >>> schema("solve")["properties"]["verdict"]["enum"]
    ['winnable', 'unwinnable', 'unknown']
    """
    about, form = _RECORDS[command]
    keys = {
        name: value | {"description": _MEANINGS[name]} for name, value in form["properties"].items()
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"dealproof {command}",
        "description": about[0].upper() + about[1:] + ".",
        **form,
        "properties": keys,
    }
