"""Position graphs in words."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from rich.text import Text

from rules.moves import Move, parse_line
from rules.words import plural
from solver.analysis.graphs import PositionGraph
from solver.show.glyphs import UNICODE, Glyphs
from solver.show.text.lines import chain_text, chains
from solver.show.text.results import STYLES, game_label
from solver.verdict import Verdict


def graph_text(found: PositionGraph, label: str, glyphs: Glyphs = UNICODE) -> Text:
    """Figures about a graph, and the gates: what every win goes through."""
    graph = found.graph
    verdict = Verdict.WINNABLE if found.winnable else Verdict.UNWINNABLE
    text = Text(f"{game_label(found.game)}, {label}: ")
    text.append(verdict.value, style=STYLES[verdict])
    nodes = [data for _, data in graph.nodes(data=True)]
    won = sum(data["verdict"] == Verdict.WINNABLE.value for data in nodes)
    ends = sum(graph.out_degree(number) == 0 for number in graph.nodes)
    folded = ", chains folded" if found.folded else ""
    text.append(
        f"\n{plural(len(nodes), 'position')}, {plural(graph.number_of_edges(), 'edge')}{folded}; "
        f"{won:,} can be won, {len(nodes) - won:,} cannot; "
        f"{plural(sum(data['won'] for data in nodes), 'win')}, {plural(ends, 'end')}"
    )
    if not found.winnable:
        return text
    text.append(f"\nevery win goes through {plural(len(found.gates), 'position')}")
    for depth, moves, ways in _stretches(found):
        for start, _, chain in chains(moves):
            text.append("\n  ")
            text.append_text(chain_text(depth + start, chain, glyphs))
        if ways > 1:
            text.append(f"  (or {plural(ways - 1, 'other way')})", style="dim")
    return text


def _stretches(found: PositionGraph) -> Iterator[tuple[int, list[Move], int]]:
    """From gate to gate where one edge leads: moves before it, its moves, how many ways.

    Neighbours of one way each are put together.
    """
    graph = found.graph
    depth, moves = 0, list[Move]()
    for before, after in itertools.pairwise(found.gates):
        here = graph.nodes[before]["depth"]
        edge = graph.has_edge(before, after)
        ways = graph.edges[before, after]["moves"] if edge else []
        if moves and (len(ways) != 1 or depth + len(moves) != here):
            yield depth, moves, 1
            moves = []
        if len(ways) > 1:
            yield here, list(parse_line(" ".join(ways[0]))), len(ways)
        elif ways:
            depth = depth if moves else here
            moves += parse_line(" ".join(ways[0]))
    if moves:
        yield depth, moves, 1
