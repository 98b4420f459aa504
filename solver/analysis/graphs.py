"""The position graph of a small deal, through networkx: to look at, to measure, to export.

A node is a key of the rules (`Game.key`): positions that only differ in what does not matter
are one. An edge is every move from one to the other. Nodes and edges carry what is proved:

* node: ``text`` (one position as text), ``won`` (whether it is a win), ``verdict``,
  ``fewest_left`` (where cards are counted), ``depth`` (fewest moves from the start),
  ``gate`` (whether every win goes through it);
* edge: ``moves`` (the moves, or after folding the chains of moves, as lists of texts).

The numbers of nodes grow quickly; beyond the limit there is no graph (`GraphLimit`), since a
part of one would say wrong things about wins and gates.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Final

from rules.errors import DealproofError
from rules.game import Game, State
from rules.position import Position
from solver.progress import tell
from solver.verdict import Verdict

LIMIT: Final = 20_000
FORMATS: Final = ("graphml", "dot", "json")
SCHEMA: Final = 1
"""The version of the JSON form."""


class GraphLimit(DealproofError):
    """A deal has more positions than the graph may have."""


@dataclass(frozen=True, slots=True)
class PositionGraph:
    """``graph``: a ``networkx.DiGraph`` with integer nodes, 0 the start.

    ``gates``: the nodes that every win goes through, from the start on (empty if the deal is
    lost). ``folded``: whether chains without a decision are single edges.
    """

    game: Game
    graph: Any
    gates: tuple[int, ...]
    folded: bool = False

    @property
    def winnable(self) -> bool:
        return bool(self.graph.nodes[0]["verdict"] == Verdict.WINNABLE.value)


def position_graph(game: Game, state: State, *, limit: int = LIMIT) -> PositionGraph:
    """The graph of every position that play can reach from *state*.

    Raises `GraphLimit` if there are more than *limit*.
    """
    import networkx as nx

    graph = nx.DiGraph()
    numbers: dict[Hashable, int] = {}
    states: list[Any] = []

    def node(at: State, depth: int) -> int:
        key = game.key(at)
        if key not in numbers:
            if len(numbers) >= limit:
                raise GraphLimit(
                    f"{game.name}: more than {limit:,} positions; a graph of a part of them would "
                    "say wrong things (a later position or --limit helps)"
                )
            numbers[key] = len(numbers)
            states.append(at)
            text = Position(game, at).text()
            graph.add_node(numbers[key], text=text, won=game.is_won(at), depth=depth)
        return numbers[key]

    pending = deque([node(state, 0)])
    while pending:
        here = pending.popleft()
        tell("positions", len(numbers))
        for move, after in game.successors(states[here]):
            known = len(numbers)
            there = node(after, graph.nodes[here]["depth"] + 1)
            if there == known:
                pending.append(there)
            if graph.has_edge(here, there):
                graph.edges[here, there]["moves"].append([str(move)])
            else:
                graph.add_edge(here, there, moves=[[str(move)]])
    _judge(game, graph, states)
    gates = _gates(graph)
    for number, data in graph.nodes(data=True):
        data["gate"] = number in gates
    return PositionGraph(game, graph, gates)


def _judge(game: Game, graph: Any, states: list[Any]) -> None:
    """Give every node its verdict, and the fewest cards left where they are counted."""
    won = _leading_to(graph, [n for n, data in graph.nodes(data=True) if data["won"]])
    for number, data in graph.nodes(data=True):
        data["verdict"] = (Verdict.WINNABLE if number in won else Verdict.UNWINNABLE).value
    if not game.counts_cards:
        return
    ends: dict[int, list[int]] = {}
    for number, state in enumerate(states):
        left = game.cards_left(state)
        if left is not None:
            ends.setdefault(left, []).append(number)
    for left in sorted(ends):
        for number in _leading_to(graph, ends[left]):
            graph.nodes[number].setdefault("fewest_left", left)


def _leading_to(graph: Any, ends: list[int]) -> set[int]:
    """The nodes from which some node of *ends* can be reached, those included."""
    found, pending = set(ends), list(ends)
    while pending:
        for before in graph.predecessors(pending.pop()):
            if before not in found:
                found.add(before)
                pending.append(before)
    return found


def _gates(graph: Any) -> tuple[int, ...]:
    """The nodes on every way from the start to a win: the dominators of a node after all wins."""
    import networkx as nx

    wins = [number for number, data in graph.nodes(data=True) if data["won"]]
    if not wins:
        return ()
    goal = -1
    ways = nx.DiGraph()
    ways.add_node(0)
    ways.add_edges_from(graph.edges())
    ways.add_edges_from((win, goal) for win in wins)
    above = nx.immediate_dominators(ways, 0)
    found = []
    at = above[goal]
    while True:
        found.append(at)
        if at == 0:
            break
        at = above[at]
    return tuple(reversed(found))


def fold(found: PositionGraph) -> PositionGraph:
    """The same with every chain without a decision as one edge.

    A position goes into an edge if one other leads to it and it leads to one other. The start
    and wins stay, as do positions that would leave an edge from a node to itself.
    """
    graph = found.graph.copy()
    for number in list(graph.nodes):
        if number == 0 or graph.nodes[number]["won"]:
            continue
        if graph.in_degree(number) != 1 or graph.out_degree(number) != 1:
            continue
        (before,) = graph.predecessors(number)
        (after,) = graph.successors(number)
        if before == after or number in (before, after):
            continue
        chains = [
            first + second
            for first in graph.edges[before, number]["moves"]
            for second in graph.edges[number, after]["moves"]
        ]
        graph.remove_node(number)
        if graph.has_edge(before, after):
            graph.edges[before, after]["moves"] += chains
        else:
            graph.add_edge(before, after, moves=chains)
    gates = tuple(number for number in found.gates if number in graph)
    return PositionGraph(found.game, graph, gates, folded=True)


# Export ------------------------------------------------------------------------------------


def export(found: PositionGraph, form: str) -> str:
    """The graph as text in one of `FORMATS`.

    GraphML and DOT hold an edge's chains in one string: moves apart by blanks, chains by
    ``" | "``. JSON is networkx's node-link form with lists of lists.
    """
    import networkx as nx

    if form == "json":
        data = nx.node_link_data(found.graph, edges="edges")
        data["schema"] = SCHEMA
        data["game"] = found.game.name
        data["gates"] = list(found.gates)
        data["folded"] = found.folded
        return json.dumps(data, indent=1) + "\n"
    flat = found.graph.copy()
    for _, _, data in flat.edges(data=True):
        data["moves"] = " | ".join(" ".join(chain) for chain in data["moves"])
    if form == "graphml":
        return "\n".join(nx.generate_graphml(flat)) + "\n"
    if form == "dot":
        return _dot(found, flat)
    raise ValueError(f"the formats are {', '.join(FORMATS)}, not {form!r}")


_COLORS: Final = {"winnable": "#2a7f3f", "unwinnable": "#b03030"}


def _dot(found: PositionGraph, flat: Any) -> str:
    lines = [f"digraph {_quoted(found.game.name)} {{", '  node [shape=box, fontname="monospace"];']
    for number, data in flat.nodes(data=True):
        label = data["text"].partition("\n")[2].rstrip("\n").replace("\n", "\\l") + "\\l"
        shape = ", peripheries=2" if data["won"] else ""
        gate = ", penwidth=3" if data["gate"] else ""
        lines.append(
            f'  {number} [label="{label}", color="{_COLORS[data["verdict"]]}"{shape}{gate}];'
        )
    lines += [
        f"  {before} -> {after} [label={_quoted(data['moves'])}];"
        for before, after, data in flat.edges(data=True)
    ]
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
