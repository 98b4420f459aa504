"""The statistics that surveys need: intervals for a proportion, tests of agreement, quantiles.

Written out here, since they are a page and the libraries that have them are a hundred
megabytes. ``successes`` and ``trials`` are whole numbers, 0 <= successes <= trials.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from msgspec import Meta, Struct

LEVEL: Final = 0.95
Z: Final = 1.959963984540054
"""The two-sided 95 % quantile of the normal distribution."""

Interval = tuple[float, float]
Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]
"""How many of something: what SQLite and the kernels can hold."""
_Amount = Annotated[float, Meta(ge=0)]


def wilson(successes: int, trials: int, z: float = Z) -> Interval:
    """Wilson's score interval (without continuity correction); (0, 1) without trials.

    >>> [round(x, 4) for x in wilson(2, 10)]
    [0.0567, 0.5098]
    """
    if not trials:
        return 0.0, 1.0
    share = successes / trials
    spread = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    middle, scale = share + z * z / (2 * trials), 1 + z * z / trials
    low = 0.0 if successes == 0 else (middle - spread) / scale
    high = 1.0 if successes == trials else (middle + spread) / scale
    return max(0.0, low), min(1.0, high)


def clopper_pearson(successes: int, trials: int, level: float = LEVEL) -> Interval:
    """The exact interval: beta quantiles, which never cover less than *level*.

    >>> [round(x, 4) for x in clopper_pearson(2, 10)]
    [0.0252, 0.5561]
    """
    tail = (1 - level) / 2
    low, high = 0.0, 1.0
    if successes > 0:
        low = beta_quantile(tail, successes, trials - successes + 1)
    if successes < trials:
        high = 1 - beta_quantile(tail, trials - successes, successes + 1)
    return low, high


def beta_quantile(probability: float, a: float, b: float) -> float:
    """The x at which the regularised incomplete beta function I_x(a, b) is *probability*."""
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if incomplete_beta(middle, a, b) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def incomplete_beta(x: float, a: float, b: float) -> float:
    """I_x(a, b), the regularised incomplete beta function, by its continued fraction."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(1 - x, b, a)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
        + a * math.log(x) + b * math.log1p(-x)
    )  # fmt: skip
    # Lentz's method; the fraction converges in some sqrt(max(a, b)) steps on this side.
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    fraction = d
    for m in range(1, 100_000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + numerator * d
            d = 1 / (d if abs(d) > tiny else tiny)
            c = 1 + numerator / c
            c = c if abs(c) > tiny else tiny
            step = c * d
            fraction *= step
        if abs(step - 1) < 1e-15:
            break
    return front * fraction / a


def two_sided(z: float) -> float:
    """The probability that a normal variable is at least |*z*| standard errors off."""
    return math.erfc(abs(z) / math.sqrt(2))


@dataclass(frozen=True, slots=True)
class Agreement:
    """Whether two figures for one thing may differ by chance alone.

    ``z``: their difference in standard errors, less what rounding may account for.
    ``p``: the probability of one at least as large. They agree unless ``p`` < 0.01.
    """

    difference: float
    z: float
    p: float

    @property
    def agrees(self) -> bool:
        return self.p >= 0.01


def agreement(ours: float, theirs: float, error: float, rounding: float = 0.0) -> Agreement:
    """Compare two figures. *error*: the standard error of their difference (may be 0).

    *rounding*: half a unit of the last place in which *theirs* was published.
    """
    difference = ours - theirs
    excess = max(0.0, abs(difference) - rounding)
    if error == 0:
        z = 0.0 if excess < 1e-12 else math.inf
    else:
        z = math.copysign(excess / error, difference)
    return Agreement(difference, z, two_sided(z))


def share_error(share: float, trials: int) -> float:
    """The standard error of a share found in *trials* trials."""
    return math.sqrt(share * (1 - share) / trials)


def quantile(ordered: Sequence[float], part: float) -> float:
    """The value below which the given part of the *ordered* values lies (nearest rank)."""
    return ordered[max(0, math.ceil(part * len(ordered)) - 1)]


class Quantiles(Struct, kw_only=True):
    """Mean, median, the 90th and the 99th percentile (nearest rank), and the greatest value."""

    mean: _Amount
    median: _Amount
    p90: _Amount
    p99: _Amount
    max: _Amount

    @classmethod
    def of(cls, values: Iterable[float]) -> Quantiles:
        """Of at least one value."""
        ordered = sorted(values)
        return Quantiles(
            mean=math.fsum(ordered) / len(ordered),
            median=quantile(ordered, 0.5),
            p90=quantile(ordered, 0.9),
            p99=quantile(ordered, 0.99),
            max=ordered[-1],
        )
