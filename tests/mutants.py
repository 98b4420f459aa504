"""Deliberate bugs, each planted in a scratch copy: ``python -m tests.mutants [NAME ...]``.

For each, the tests named with it are run in the copy, and have to fail. Prints a row a bug with
the first test that caught it; the exit code is 1 if one was missed. The tests are those that
ought to notice, so that a bug takes seconds; the whole suite is stricter still.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PROOF = "tests/solver/proof/test_proof.py"
REDUCED = "tests/solver/proof/test_proof_reduced.py"
DECIDE = f"{REDUCED}::test_reductions_decide_as_plain_search_and_certify_it"
SEARCH = "tests/solver/search/test_search.py"
FUZZ = "tests/fuzz"
INDEPENDENT = "tests/rules/test_independent.py"


@dataclass(frozen=True, slots=True)
class Mutant:
    """In *file*, *old* (found once) becomes *new*; *tests* are pytest's arguments."""

    name: str
    what: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


MUTANTS = (
    Mutant(
        "safe-empties",
        "`safe` plays the only card of a column whatever is in the stock",
        "solver/reductions/klondike/safe.py",
        "    return 1 if fill == (STOCK, WASTE) else 0",
        "    return 52",
        (DECIDE,),
    ),
    Mutant(
        "safe-heights",
        "`safe` asks one of the other colour's foundations instead of both",
        "solver/reductions/klondike/safe.py",
        "    other = min(",
        "    other = max(",
        (DECIDE,),
    ),
    Mutant(
        "deal-gaps",
        "`deal` puts deals off although the waste fills an empty column",
        "solver/reductions/klondike/deal.py",
        "    return not (board.gaps and WASTE in board.layout.fill)",
        "    return True",
        (DECIDE,),
    ),
    Mutant(
        "deal-emptying",
        "`deal` forgets the moves that empty a column",
        "solver/reductions/klondike/deal.py",
        "    emptying = list(_emptying(board)) if STOCK in fill or WASTE in fill else []",
        "    emptying: list[Act] = []",
        (DECIDE,),
    ),
    Mutant(
        "dead-gaps",
        "`dead` forgets that the stock fills gaps",
        "solver/reductions/klondike/dead.py",
        "        self.fillers = self.stock if self.from_stock or self.from_waste else set()",
        "        self.fillers = set()",
        (DECIDE,),
    ),
    Mutant(
        "runs-key",
        "the key of `runs` leaves the waste out",
        "solver/reductions/klondike/runs.py",
        "    def key(self, node: Position) -> Position:\n        return node",
        "    def key(self, node: Position) -> Position:\n        return node._replace(waste=())",
        (DECIDE,),
    ),
    Mutant(
        "left-key",
        "the key of the klondike family keeps only the last card of each column",
        "rules/families/klondike.py",
        "tuple(sorted(state.columns))",
        "tuple(sorted(up[-1:] for _, up in state.columns))",
        (SEARCH, FUZZ),
    ),
    Mutant(
        "decade-key",
        "the key of the decade family forgets the order of a stack",
        "rules/families/decade.py",
        "tuple([values[card.rank - 1] for card in stack])",
        "tuple(sorted(values[card.rank - 1] for card in stack))",
        ("tests/test_perft.py", "tests/rules/test_properties.py"),
    ),
    Mutant(
        "fill-order",
        "gaps of the klondike family fill from the last source that can give",
        "rules/families/klondike.py",
        "next((source for source in self.fill if gives[source]), None)",
        "next((source for source in self.fill[::-1] if gives[source]), None)",
        (INDEPENDENT,),
    ),
    Mutant(
        "stock-end",
        "pairing games refill from the wrong end of the stock",
        "rules/families/pairing.py",
        "        drawn = state.stock[: len(slots)]",
        "        drawn = state.stock[::-1][: len(slots)]",
        (INDEPENDENT,),
    ),
    Mutant(
        "limit-is-proof",
        "the search takes a limit for the end of the space",
        "solver/search/depth_first.py",
        "        outcome.complete = outcome.limit is None\n        if",
        "        outcome.complete = True\n        if",
        (SEARCH,),
    ),
    Mutant(
        "kernel-limit-is-proof",
        "the kernels take a limit for the end of the space",
        "solver/kernels/driver.py",
        "        elif limit is None:\n            outcome.verdict = Verdict.UNWINNABLE",
        "        else:\n            outcome.verdict = Verdict.UNWINNABLE",
        (FUZZ,),
    ),
    Mutant(
        "hash-for-key",
        "the compiled table lets a hash stand in for a position",
        "solver/kernels/pairs.py",
        "        if there == word1 and table[i, 0] == word0:",
        "        if there != 0:",
        (FUZZ, REDUCED),
    ),
    Mutant(
        "free-of-choice",
        "every pairing game is played out, whether its sets overlap or not",
        "rules/families/pairing.py",
        "        return all(count == 1 for count in uses.values())",
        "        return True",
        (SEARCH, FUZZ),
    ),
    Mutant(
        "checker-skips",
        "the checker does not look at where moves lead",
        "solver/proof/checker.py",
        "            if form.encode(after) not in members:",
        "            if False:",
        (PROOF,),
    ),
    Mutant(
        "checker-start",
        "the checker does not ask whether the start is in the set",
        "solver/proof/checker.py",
        "    if form.encode(start) not in members:",
        "    if False:",
        (PROOF,),
    ),
)


def run(mutant: Mutant) -> str | None:
    """Plant *mutant* in a scratch copy and run its tests: the first that fails, or None."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as name:
        copy = _copy_to(Path(name))
        path = copy / mutant.file
        text = path.read_text(encoding="utf-8")
        if text.count(mutant.old) != 1:
            raise SystemExit(f"{mutant.name}: the text to change is not in {mutant.file} once")
        path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        return _first_failure(copy, mutant.tests)


def run_unchanged() -> str | None:
    """Run all those tests in a copy without a bug: what fails there would catch nothing."""
    tests = {test: None for mutant in MUTANTS for test in mutant.tests}
    with tempfile.TemporaryDirectory(prefix="mutant-") as name:
        return _first_failure(_copy_to(Path(name)), tuple(tests))


def _copy_to(copy: Path) -> Path:
    for part in ("rules", "solver", "tests", "fixtures", "docs"):
        shutil.copytree(ROOT / part, copy / part)
    for part in ("pyproject.toml", "README.md"):
        shutil.copy2(ROOT / part, copy / part)
    return copy


def _first_failure(copy: Path, tests: Iterable[str]) -> str | None:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    command.append("--hypothesis-profile=unshrunk")
    done = subprocess.run([*command, *tests], cwd=copy, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"the tests could not be run\n{done.stdout}{done.stderr}")
    found = re.search(r"^FAILED (.+?)(?: - |$)", done.stdout, re.M)
    return found[1] if found else None


def main(names: list[str]) -> int:
    missed = 0
    if not names and (failing := run_unchanged()):
        raise SystemExit(f"{failing} fails without any bug")
    for mutant in MUTANTS:
        if names and mutant.name not in names:
            continue
        caught = run(mutant)
        missed += caught is None
        print(f"| {mutant.what} | {f'`{caught}`' if caught else '**nothing**'} |", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
