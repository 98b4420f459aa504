"""Help as a user reads it: paragraphs that fill the line, no types, every option explained."""

from __future__ import annotations

import itertools
import os

import pytest

from solver.cli.app import COMMANDS, command_named
from tests.cli.conftest import Here


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_reads_well(here: Here, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(os.environ, "COLUMNS", "80")
    code, out = here(*([name] if name else []), "--help")
    assert code == 0
    for noise in ("<bool>", "<str>", "<list[", "<Path>"):
        assert noise not in out
    lines = [line.rstrip() for line in out.splitlines()]
    assert max(map(len, lines)) <= 80
    head = lines[: next(i for i, line in enumerate(lines) if line in ("Look:", "Examples:"))]
    for line, following in itertools.pairwise(head):
        if line and following:  # a line ends where the next word would not have fitted
            assert len(line) + len(following.split()[0]) >= 78, (line, following)


def test_the_usage_line_is_short(here: Here) -> None:
    usage = {name: here(name, "--help")[1].splitlines()[0] for name in COMMANDS}
    assert usage["solve"] == "Usage: dealproof solve [OPTIONS] GAME DEALS..."
    assert not [line for line in usage.values() if "[[" in line or "]]]" in line]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_explained(name: str) -> None:
    made = command_named(name)
    assert made.help
    for param in made.params:
        assert param.help, param.name
