"""Position graphs against brute force; exports that networkx and JSON read back."""

from __future__ import annotations

import io
import json
from typing import Any

import networkx as nx
import pytest

from rules import Deal, Position, get_game, parse_line, replay
from solver.analysis.graphs import FORMATS, GraphLimit, export, fold, position_graph
from tests.solver.brute import SMALL, fates, mixed_decks, reachable, small

SMALL_GRAPHS = [name for name in SMALL if name not in ("left", "left none", "left passes")]


def _reaches(graph: Any, start: int, wins: set[int], without: int) -> bool:
    if start == without:
        return False
    seen, pending = {start}, [start]
    while pending:
        here = pending.pop()
        if here in wins:
            return True
        for after in graph.successors(here):
            if after not in seen and after != without:
                seen.add(after)
                pending.append(after)
    return False


@pytest.mark.parametrize("name", SMALL_GRAPHS)
def test_nodes_verdicts_and_gates_are_brute_forces(name: str) -> None:
    game = small(name)
    for deck in mixed_decks(name, 1):
        start = game.initial(deck)
        truth = fates(game, start)
        found = position_graph(game, start)
        graph = found.graph
        keys = {game.key(state): state for state in truth}
        assert len(graph) == len(keys)
        by_key = {}
        for number, data in graph.nodes(data=True):
            state = Position.parse(data["text"], game).state
            by_key[game.key(state)] = number
            assert data["verdict"] == ("winnable" if truth[state][0] else "unwinnable")
            assert data.get("fewest_left") == truth[state][1]
            assert data["won"] is game.is_won(state)
        assert set(by_key) == set(keys)
        edges = {
            (by_key[game.key(state)], by_key[game.key(after)])
            for state in keys.values()
            for _, after in game.successors(state)
        }
        assert set(graph.edges) == edges
        distance = reachable(game, start)
        for state, moves in distance.items():
            assert graph.nodes[by_key[game.key(state)]]["depth"] <= moves
        wins = {number for number, data in graph.nodes(data=True) if data["won"]}
        gates = [n for n in graph if wins and not _reaches(graph, 0, wins, n)]
        assert sorted(found.gates) == sorted(gates)
        assert found.winnable is truth[start][0]
        assert {n for n, data in graph.nodes(data=True) if data["gate"]} == set(gates)


@pytest.mark.parametrize("name", SMALL_GRAPHS)
def test_folding_keeps_every_decision_and_every_line(name: str) -> None:
    game = small(name)
    for deck in mixed_decks(name, 1):
        start = game.initial(deck)
        whole = position_graph(game, start)
        folded = fold(whole)
        assert folded.winnable is whole.winnable
        for number, data in whole.graph.nodes(data=True):
            if data["won"] or number == 0 or whole.graph.out_degree(number) != 1:
                assert number in folded.graph
        assert set(folded.gates) <= set(whole.gates)
        for before, after, data in folded.graph.edges(data=True):
            state = Position.parse(folded.graph.nodes[before]["text"], game).state
            goal = Position.parse(folded.graph.nodes[after]["text"], game).state
            for chain in data["moves"]:
                at = state
                for move in parse_line(" ".join(chain)):
                    step = [s for m, s in game.successors(at) if m == move]
                    if not step:  # an equal position may name other cards
                        break
                    at = step[0]
                else:
                    assert game.key(at) == game.key(goal)
        lengths = sum(len(chain) for *_, data in folded.graph.edges(data=True)
                      for chain in data["moves"])  # fmt: skip
        assert lengths >= whole.graph.number_of_edges()


def test_a_chain_becomes_one_edge() -> None:
    game = get_game("decade")
    deal = Deal.parse("3")
    folded = fold(position_graph(game, game.initial(deal.deck)))
    for number in folded.graph:
        if number and not folded.graph.nodes[number]["won"]:
            degrees = (folded.graph.in_degree(number), folded.graph.out_degree(number))
            assert degrees != (1, 1)
    first = folded.graph.edges[0, folded.gates[1]]["moves"][0]
    _, states = replay(game, game.initial(deal.deck), parse_line(" ".join(first)))
    text = folded.graph.nodes[folded.gates[1]]["text"]
    assert game.key(states[-1]) == game.key(Position.parse(text, game).state)


@pytest.mark.parametrize("folded", [False, True])
def test_exports_are_read_back(folded: bool) -> None:
    game = small("decade free")
    found = position_graph(game, game.initial(mixed_decks("decade free", 1)[0]))
    found = fold(found) if folded else found
    texts = {form: export(found, form) for form in FORMATS}
    read = nx.read_graphml(io.BytesIO(texts["graphml"].encode()))
    data = json.loads(texts["json"])
    again = nx.node_link_graph(data, edges="edges")
    assert data["gates"] == list(found.gates)
    assert data["folded"] is folded
    assert set(again.edges) == set(found.graph.edges)
    for number, attributes in found.graph.nodes(data=True):
        assert again.nodes[number] == attributes
        assert read.nodes[str(number)] == attributes
    for before, after, attributes in found.graph.edges(data=True):
        assert again.edges[before, after] == attributes
        flat = " | ".join(map(" ".join, attributes["moves"]))
        assert read.edges[str(before), str(after)]["moves"] == flat
    rows = texts["dot"].splitlines()
    assert sum(" -> " in row for row in rows) == found.graph.number_of_edges()
    assert sum("[label=" in row and "->" not in row for row in rows) == len(found.graph)
    with pytest.raises(ValueError, match="formats"):
        export(found, "png")


def test_too_large_a_graph_is_refused() -> None:
    game = get_game("decade")
    start = game.initial(Deal.parse("3").deck)
    size = len(position_graph(game, start).graph)
    assert len(position_graph(game, start, limit=size).graph) == size
    with pytest.raises(GraphLimit, match=f"more than {size - 1} positions"):
        position_graph(game, start, limit=size - 1)
