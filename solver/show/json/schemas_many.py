"""JSON Schemas of what commands on certificates, graphs, many deals and speed print."""

from __future__ import annotations

from typing import Final

from solver.analysis.graphs import SCHEMA as GRAPH
from solver.show.json.schema_parts import (
    AMOUNT,
    COUNT,
    DEAL,
    FLAG,
    FRACTION,
    GAME,
    MOVES,
    OPTIONS,
    SHARE,
    TEXT,
    TEXTS,
    VERDICT,
    Schema,
    or_null,
    record,
    several,
    table,
)
from solver.surveys.published import KEPT

_RANGE: Final = r"(ms:|pysol:|solvitaire:)?\d+(-\d+)?"
_NUMBER: Final = "^[0-9]+$"
_INTERVAL: Final[Schema] = {"type": "array", "items": SHARE, "minItems": 2, "maxItems": 2}
_BIN: Final[Schema] = {
    "type": "array", "prefixItems": [AMOUNT, AMOUNT, COUNT], "minItems": 3, "maxItems": 3,
}  # fmt: skip
_SPREAD: Final = record(
    {
        "count": COUNT,
        "mean": AMOUNT,
        "least": AMOUNT,
        "median": AMOUNT,
        "p90": AMOUNT,
        "p99": AMOUNT,
        "most": AMOUNT,
        "histogram": several(_BIN),
    }
)
_COUNTED: Final = record(
    {"count": COUNT, "mean": AMOUNT, "deviation": AMOUNT, "distribution": table(COUNT, _NUMBER)}
)
_WINNABILITY: Final = record(
    {
        "won": COUNT,
        "lost": COUNT,
        "undecided": COUNT,
        "deals": COUNT,
        "low": SHARE,
        "high": SHARE,
        "share": or_null(SHARE),
        "wilson": _INTERVAL,
        "clopper_pearson": _INTERVAL,
    }
)
_SUMMARY: Final[Schema] = {
    "game": TEXT,
    "title": TEXT,
    "family": TEXT,
    "options": OPTIONS,
    "deals": {"type": "string", "pattern": f"^{_RANGE}(,{_RANGE})*$"},
    "total": COUNT,
    "done": COUNT,
    "counts": record(
        {"winnable": COUNT, "unwinnable": COUNT, "unknown": COUNT, "error": COUNT}
    ),
    "winnability": _WINNABILITY,
    "limits": record(
        {"seconds": or_null(AMOUNT), "positions": or_null(COUNT), "memory": or_null(COUNT)}
    ),
    "limits_hit": table(COUNT, "^(time|positions|memory)$"),
    "reductions": TEXTS,
    "engines": table(COUNT, "^(compiled|reference|playthrough)$"),
    "versions": table(COUNT),
    "outcomes": table(COUNT, "^(won|lost|drawn)$"),
    "positions": or_null(_SPREAD),
    "seconds": or_null(_SPREAD),
    "fewest_left": or_null(_COUNTED),
    "removed": or_null(_COUNTED),
    "dealt": or_null(_COUNTED),
    "hardest": several(
        record({"deal": DEAL, "verdict": {"enum": [*VERDICT["enum"], "error"]}, "positions": COUNT})
    ),
    "errors": several(record({"deal": DEAL, "note": or_null(TEXT)})),
}  # fmt: skip
_MEASURED: Final[Schema] = record(
    {"mean": AMOUNT, "median": AMOUNT, "p90": AMOUNT, "p99": AMOUNT, "max": AMOUNT}
)
_ENGINE: Final[Schema] = {"enum": ["compiled", "reference", "batch"]}
_MEASURE: Final = record(
    {
        "name": TEXT,
        "game": TEXT,
        "options": OPTIONS,
        "engine": _ENGINE,
        "deals": COUNT,
        "counts": record(
            {
                "winnable": COUNT,
                "unwinnable": COUNT,
                "unknown": COUNT,
                "positions": COUNT,
                "digest": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
            }
        ),
        "seconds": AMOUNT,
        "deals_per_second": or_null(AMOUNT),
        "positions_per_second": or_null(AMOUNT),
        "positions_per_deal": _MEASURED,
        "seconds_per_deal": or_null(_MEASURED),
        "memory": COUNT,
    }
)
_NODE: Final = record(
    {
        "id": COUNT,
        "text": TEXT,
        "won": FLAG,
        "depth": COUNT,
        "verdict": {"enum": ["winnable", "unwinnable"]},
        "gate": FLAG,
    },
    {"fewest_left": COUNT},  # where cards are counted
)
_EDGE: Final = record({"source": COUNT, "target": COUNT, "moves": several(MOVES)})

MANY_DEALS: Final[dict[str, tuple[str, Schema]]] = {
    "graph": (
        "with --format json: the positions of a deal and the moves between them, as networkx "
        "reads them (node-link form)",
        record(
            {
                "schema": {"const": GRAPH},
                "game": TEXT,
                "directed": {"const": True},
                "multigraph": {"const": False},
                "graph": record({}),
                "nodes": several(_NODE),
                "edges": several(_EDGE),
                "gates": several(COUNT),
                "folded": FLAG,
            }
        ),
    ),
    "check": (
        "the checker's word on a certificate; one object a line",
        record(
            {
                "schema": GAME["schema"],
                "file": TEXT,
                "accepted": FLAG,
                "reason": or_null(TEXT),
                "game": or_null(TEXT),
                "title": or_null(TEXT),
                "options": or_null(OPTIONS),
                "given": or_null(TEXT),
                "verdict": {"enum": ["winnable", "unwinnable", None]},
                "fewest_left": or_null(COUNT),
                "reductions": or_null(TEXTS),
                "positions": or_null(COUNT),
                "moves": or_null(COUNT),
                "seconds": or_null(AMOUNT),
            }
        ),
    ),
    "survey": ("what a survey's file holds", record({"schema": GAME["schema"], **_SUMMARY})),
    "odds": (
        "exact odds, as fractions and as decimals",
        record(
            {
                **GAME,
                "winning": FRACTION,
                "winning_decimal": SHARE,
                "no_move": FRACTION,
                "no_move_decimal": SHARE,
                "mean_removed": FRACTION,
                "mean_removed_decimal": AMOUNT,
                "removed": table(FRACTION, _NUMBER),
                "removed_decimal": table(SHARE, _NUMBER),
                "states": COUNT,
            }
        ),
    ),
    "results": (
        "a kept summary of a survey, as `results` writes one beside its page",
        record(
            {
                "kept": {"const": KEPT},
                **_SUMMARY,
                "exact": or_null(
                    record(
                        {
                            "won": FRACTION,
                            "no_move": FRACTION,
                            "removed": FRACTION,
                            "deviation": AMOUNT,
                            "distribution": table(SHARE, _NUMBER),
                        }
                    )
                ),
                "machine": record(
                    {
                        "cpu": TEXT,
                        "cores": COUNT,
                        "system": TEXT,
                        "python": TEXT,
                        "numba": or_null(TEXT),
                    }
                ),
            }
        ),
    ),
    "bench": (
        "a run of measurements; what --save writes and --compare reads",
        record(
            {
                "schema": GAME["schema"],
                "python": TEXT,
                "machine": TEXT,
                "measures": several(_MEASURE),
                "ratios": several(
                    record({"game": TEXT, "engine": _ENGINE, "against": _ENGINE, "ratio": AMOUNT})
                ),
            }
        ),
    ),
}
