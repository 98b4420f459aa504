"""Exit codes, like grep's: each number stands here and nowhere else."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.verdict import Verdict


class Exit(IntEnum):
    """What a command ends with, and what that says."""

    DONE = 0
    NO = 1
    USAGE = 2
    UNKNOWN = 3
    INTERRUPTED = 130
    CLOSED_PIPE = 141


SUMMARY = (
    f"Exit codes: {Exit.DONE:d} winnable, valid or done; {Exit.NO:d} unwinnable or invalid; "
    f"{Exit.USAGE:d} bad input; {Exit.UNKNOWN:d} unknown (a limit was reached); "
    f"{Exit.INTERRUPTED:d} interrupted."
)


def exit_code(verdict: Verdict) -> Exit:
    """The exit code that tells of *verdict*."""
    from solver.verdict import Verdict

    return {
        Verdict.WINNABLE: Exit.DONE, Verdict.UNWINNABLE: Exit.NO, Verdict.UNKNOWN: Exit.UNKNOWN,
    }[verdict]  # fmt: skip
