"""Every check in one command: ``python -m tests.checks``.

Runs ruff (lint, then format), mypy, and all tests but the slow ones with branch coverage, in
that order, and stops at the first that fails. Arguments go to pytest.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

STEPS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy", "-p", "rules", "-p", "solver"),
    ("pytest", "-q", "-n", "auto", "-m", "not slow", "--cov", "--cov-report=term"),
)


def main(arguments: list[str]) -> int:
    """Run the steps; the exit code of the first that fails, or 0."""
    for step in STEPS:
        command = [sys.executable, "-m", *step]
        if step[0] == "pytest":
            command += arguments
        print("$", " ".join(("python", "-m", *command[2:])), flush=True)
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        if code:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
