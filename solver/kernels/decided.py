"""What the kernels find of many deals in one call."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Decided:
    """One array entry a deal, in their order.

    ``won``: whether a win was found. ``decided``: False where a limit was reached; then a deal
    that was not won may yet be winnable, and ``left`` is merely what was found. Games that are
    searched have ``left``, the fewest cards that any line leaves, and ``positions``, the number
    visited; games that are played out have ``removed``, the number of cards removed in the end
    (0 exactly if there is no move at all). Else these are None.
    """

    won: NDArray[np.bool_]
    decided: NDArray[np.bool_]
    left: NDArray[np.uint8] | None = None
    positions: NDArray[np.int64] | None = None
    removed: NDArray[np.uint8] | None = None
