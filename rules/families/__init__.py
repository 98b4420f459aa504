"""The families: how states and moves of each kind of game work."""
