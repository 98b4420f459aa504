"""Perft: how many positions lie exactly so many moves away, the counts that pin the rules.

``perft(game, state, depth)`` counts the different states that some line of exactly
0, 1, ..., *depth* moves leads to. A state that can be reached in three moves and in five is
counted at both depths. With ``keyed=True`` states with equal canonical keys count once. The
counts do not depend on the order of moves, so they pin what is legal and nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from typing import Any

from rules.game import Game


def layers(game: Game[Any], state: Any, *, keyed: bool = False) -> Iterator[Collection[Any]]:
    """The different states exactly 0, 1, 2, ... moves from *state*, until there are none.

    With *keyed*, one state stands for all of its key. In a game whose moves can be undone
    the layers never end.
    """
    layer: dict[Hashable, Any] = {state: state}
    while layer:
        yield layer.values()
        following: dict[Hashable, Any] = {}
        for before in layer.values():
            for _, after in game.successors(before):
                following.setdefault(game.key(after) if keyed else after, after)
        layer = following


def perft(game: Game[Any], state: Any, depth: int, *, keyed: bool = False) -> list[int]:
    """``depth + 1`` counts of positions: at 0 moves (always 1), at 1, ..., at *depth* moves."""
    counts = [0] * (depth + 1)
    found = layers(game, state, keyed=keyed)
    for ply, layer in zip(range(depth + 1), found, strict=False):
        counts[ply] = len(layer)
    return counts
