"""Every planted bug of `tests.mutants` is caught by the tests that ought to notice it."""

from __future__ import annotations

import pytest

from tests.mutants import MUTANTS, ROOT, Mutant, run, run_unchanged


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_text_to_change_is_there(mutant: Mutant) -> None:
    assert (ROOT / mutant.file).read_text(encoding="utf-8").count(mutant.old) == 1
    assert mutant.old != mutant.new


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_bug_is_caught(mutant: Mutant) -> None:
    assert run(mutant) is not None


@pytest.mark.slow
def test_without_a_bug_nothing_fails() -> None:
    assert run_unchanged() is None
