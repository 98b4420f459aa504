"""What the kernels and the Python code that drives them agree on: registers and codes.

A kernel works in slices. Between them its whole state lies in arrays: a table of the
positions visited, a stack of frames (positions still to be looked at, with their depths), the
path to the present one, the path to the best one, and the registers below.
"""

from __future__ import annotations

# Places in the register array.
SP, POSITIONS, TRANSPOSITIONS, DEPTH, DEAD_ENDS, FILLED, BEST, BEST_DEPTH, WON, EPOCH = range(10)
REGISTERS = 10

# What a slice came back with.
# (AGAIN: in the midst of a position; nothing is to be done but to go on.)
EXHAUSTED, FINISHED, TABLE_FULL, FRAMES_FULL, PATH_FULL, SLICE, AGAIN = range(7)

NONE_LEFT_YET = 99  # BEST as long as nothing was found
MARGIN = 4096  # more successors than any position has: 52 * 53 / 2 straight, 51 * 50 / 2 round
