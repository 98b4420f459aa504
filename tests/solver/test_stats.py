"""Intervals and tests against exact sums and published values."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.stats import (
    agreement,
    clopper_pearson,
    incomplete_beta,
    quantile,
    share_error,
    two_sided,
    wilson,
)


def at_least(successes: int, trials: int, chance: Fraction) -> float:
    """P(X >= successes) for a binomial X, summed exactly."""
    return float(
        sum(
            math.comb(trials, k) * chance**k * (1 - chance) ** (trials - k)
            for k in range(successes, trials + 1)
        )
    )


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_clopper_pearson_meets_its_definition(case: tuple[int, int]) -> None:
    successes, trials = case
    low, high = clopper_pearson(successes, trials)
    assert low <= successes / trials <= high
    if successes:
        assert at_least(successes, trials, Fraction(low)) == pytest.approx(0.025, rel=1e-9)
    else:
        assert low == 0
    if successes < trials:
        assert 1 - at_least(successes + 1, trials, Fraction(high)) == pytest.approx(0.025, rel=1e-9)
    else:
        assert high == 1


@given(
    st.integers(1, 40), st.integers(1, 40), st.fractions(0, 1, max_denominator=997)
)  # fmt: skip
def test_incomplete_beta_is_a_binomial_tail(a: int, b: int, x: Fraction) -> None:
    expected = at_least(a, a + b - 1, x)
    assert incomplete_beta(float(x), a, b) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_large_numbers() -> None:
    """At a million trials both intervals are the normal one to three digits."""
    for successes in (36_000, 500_000, 984_315):
        share = successes / 1_000_000
        half = 1.96 * share_error(share, 1_000_000)
        for low, high in (wilson(successes, 1_000_000), clopper_pearson(successes, 1_000_000)):
            assert low == pytest.approx(share - half, abs=half / 50)
            assert high == pytest.approx(share + half, abs=half / 50)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    # Newcombe (1998), Statistics in Medicine 17, 857-872, table I, methods 3 and 5.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611),
     (1, 29, 0.0061, 0.1718)],
)  # fmt: skip
def test_wilson_published(successes: int, trials: int, low: float, high: float) -> None:
    assert [round(end, 4) for end in wilson(successes, trials)] == [low, high]


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2527, 0.3676), (15, 148, 0.0578, 0.1617), (0, 20, 0.0, 0.1684),
     (1, 29, 0.0009, 0.1776)],
)  # fmt: skip
def test_clopper_pearson_published(successes: int, trials: int, low: float, high: float) -> None:
    assert [round(end, 4) for end in clopper_pearson(successes, trials)] == [low, high]


def test_no_trials_say_nothing() -> None:
    assert wilson(0, 0) == clopper_pearson(0, 0) == (0.0, 1.0)


def test_agreement() -> None:
    assert two_sided(1.959963984540054) == pytest.approx(0.05)
    assert agreement(0.5, 0.5, 0.0).agrees
    assert not agreement(0.5, 0.4, 0.01).agrees
    assert agreement(0.5, 0.49, 0.01).agrees
    assert agreement(0.52, 0.5, 0.0, rounding=0.025).agrees  # within what rounding hides
    assert not agreement(0.53, 0.5, 0.0, rounding=0.025).agrees
    assert agreement(0.47, 0.5, 0.01, rounding=0.01).z == pytest.approx(-2)


def test_quantiles_are_values_that_occur() -> None:
    assert [quantile([1, 2, 3, 4], part) for part in (0, 0.25, 0.5, 0.75, 0.99, 1)] == [
        1, 1, 2, 3, 4, 4,
    ]  # fmt: skip
