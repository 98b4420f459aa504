"""Searches over any space of positions; none of them knows a game."""
