"""``python -m tests.fuzz [--seconds N] [--seed N] [--only PROPERTY]``: see the package."""

from __future__ import annotations

import argparse
import sys
import time

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from tests.fuzz.parsers import PARSERS
from tests.fuzz.properties import PROPERTIES, examples

ALL = PROPERTIES | PARSERS
_EXAMPLES = 50


def main() -> int:
    """Try the properties in turn until the time is up; 1 at the first that fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long (default: 60)")
    parser.add_argument("--seed", type=int, help="repeat a run (default: a new one)")
    parser.add_argument("--only", choices=[*ALL, "parsers"], help="one property, or all parsers")
    arguments = parser.parse_args()
    number = time.time_ns() % 10**9 if arguments.seed is None else arguments.seed
    names = list(ALL) if not arguments.only else [arguments.only]
    if arguments.only == "parsers":
        names = list(PARSERS)
    end = time.monotonic() + arguments.seconds
    rounds = 0
    while rounds == 0 or time.monotonic() < end:
        for name in names:
            if rounds and time.monotonic() >= end:
                break
            if not _try(name, number + rounds):
                return 1
        rounds += 1
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"peak memory {peak} MiB")
    print(f"{rounds} rounds of {_EXAMPLES} cases for each property; nothing found")
    return 0


def _try(name: str, number: int) -> bool:
    @seed(number)
    @settings(
        max_examples=examples(name, _EXAMPLES),
        derandomize=False,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )
    @given(data=st.data())
    def attempt(data: DataObject) -> None:
        ALL[name](data)

    try:
        attempt()
    except BaseException:
        print(
            f"{name} fails; again: python -m tests.fuzz --seed {number} --only {name}",
            file=sys.stderr,
        )
        raise
    return True


if __name__ == "__main__":
    sys.exit(main())
