"""Help as a user reads it: paragraphs that fill the line, no types, every option explained."""

from __future__ import annotations

import itertools
import os

import pytest

from solver.cli.app import command
from tests.cli.conftest import Here

COMMANDS = sorted(command().commands)


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_reads_well(here: Here, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(os.environ, "COLUMNS", "80")
    code, out = here(*([name] if name else []), "--help")
    assert code == 0
    for noise in ("<bool>", "<str>", "<list[", "<Path>"):
        assert noise not in out
    lines = [line.rstrip() for line in out.splitlines()]
    assert max(map(len, lines)) <= 80
    head = lines[: next(i for i, line in enumerate(lines) if line.startswith(("╭", "+")))]
    for line, following in itertools.pairwise(head):
        if line and following:  # a line ends where the next word would not have fitted
            assert len(line) + len(following.split()[0]) >= 78, (line, following)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_explained(name: str) -> None:
    made = command().commands[name]
    assert made.help
    for param in made.params:
        assert param.help, param.name
