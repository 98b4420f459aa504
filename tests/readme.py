"""Write what commands print into the documents anew: ``python -m tests.readme``.

A document (README.md, CONTRIBUTING.md, docs/*.md, examples/README.md) marks a block with a
comment on the line above it::

    <!-- run: dealproof deal single-left 4 -->
    ```text
    ...
    ```

What stands in the fence is what the command, or ``python examples/NAME.py``, prints. With
``console`` instead of ``text`` the command itself stands there as well, after a ``$``.
A shell runs it, in a folder that has what the root has, so that what a reader copies is what is
tested; a command that makes a file there is refused (a ``>`` that should have been in quotes).
A command with ``--svg FILE`` is followed by no fence: FILE, seen from the root, is what it writes.
Commands run at 80 columns, without colours.

Times, which differ from run to run, stand there as ``… s``. ``tests/test_readme_blocks.py``
fails while anything differs.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MARK = re.compile(r"^[ ]{0,3}<!-- run: (?P<command>.*?) -->[ ]*$")
FENCE = re.compile(r"^(?P<fence>```+|~~~+)(?P<kind>[\w-]*)[ ]*$")
TIME = re.compile(r"[ ]*\b\d+\.\d+ s\b")
PART = re.compile(r"dealproof( [^|]*)?|head -\d+|python examples/\w+\.py")
"""What may stand between the pipes of a command."""


class BlockError(ValueError):
    """A marked block that cannot be filled: the document's name, the line, and why."""


def documents() -> list[Path]:
    """The documents that may hold marked blocks."""
    found = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
    found.append(ROOT / "examples" / "README.md")
    return [path for path in found if path.is_file()]


def output(command: str) -> str:
    """What *command* prints in a POSIX shell, ending in a newline.

    It is ``dealproof ...`` or ``python examples/NAME.py``, perhaps with ``| head -N``.
    Raises `ValueError` if it is no such command, if it complains, or if it makes a file.
    """
    if not all(PART.fullmatch(part.strip()) for part in command.split(" | ")):
        raise ValueError(f"not a plain dealproof command: {command}")
    with tempfile.TemporaryDirectory() as name:
        folder, programs = Path(name, "here"), Path(name, "bin")
        folder.mkdir()
        programs.mkdir()
        for entry in ROOT.iterdir():
            (folder / entry.name).symlink_to(entry)
        there = set(folder.iterdir())
        for program, options in (("dealproof", " -m solver.cli"), ("python", "")):
            script = programs / program
            script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)}{options} "$@"\n')
            script.chmod(0o755)
        env = {key: value for key, value in os.environ.items() if key != "TERM"}
        env |= {"COLUMNS": "80", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
        env |= {"PYTHONPATH": str(ROOT), "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=folder, env=env, capture_output=True, stdin=subprocess.DEVNULL, timeout=300,
            encoding="utf-8",
        )  # fmt: skip
        if done.returncode not in (0, 1, 3) or done.stderr:
            raise ValueError(f"{command}: exit code {done.returncode}: {done.stderr.strip()}")
        made = sorted(path.name for path in set(folder.iterdir()) - there)
        if made:
            raise ValueError(f"{command}: makes the file {made[0]}")
    return TIME.sub(" … s", done.stdout).rstrip("\n") + "\n"


def commands(text: str) -> list[str]:
    """The lines in *text* that a reader may copy: those in blocks, and those in backquotes."""
    blocks = re.findall(r"^```(?:sh|console)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    lines = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
    spans = re.findall(r"(?<!`)`(dealproof [^`]*)`(?!`)", text)
    return [
        " ".join(line.split()) for line in [*lines, *spans] if re.match(r"dealproof [a-z]", line)
    ]


def refreshed(text: str, name: str = "document") -> tuple[str, dict[str, str]]:
    """*text* with every marked block filled anew, and the drawings that it asks for.

    The drawings by file name, as it stands in the text. Raises `BlockError`.
    """
    lines = text.splitlines(keepends=True)
    done: list[str] = []
    drawings: dict[str, str] = {}
    fence = ""  # of the unmarked block that we are in
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        done.append(line)
        other = FENCE.match(line.rstrip("\n"))
        if fence:
            fence = "" if line.rstrip() == fence else fence
            continue
        mark = MARK.match(line.rstrip("\n"))
        if mark is None:
            fence = other["fence"] if other else ""
            continue
        command, number = mark["command"], at
        words = command.split()
        try:
            if "--svg" in words[:-1]:
                where = words.index("--svg") + 1
                shown = " ".join([*words[:where], "-", *words[where + 1 :]])
                drawings[words[where]] = output(shown)
                continue
            printed = output(command)
        except ValueError as error:
            raise BlockError(f"{name}:{number}: {error}") from None
        opening = FENCE.match(lines[at].rstrip("\n")) if at < len(lines) else None
        closing = next(
            (i for i in range(at + 1, len(lines)) if opening and lines[i].rstrip() == opening[1]),
            None,
        )
        if opening is None or closing is None:
            raise BlockError(f"{name}:{number}: a fenced block has to follow the mark")
        prompt = f"$ {command}\n" if opening["kind"] == "console" else ""
        done += [lines[at], prompt, printed, lines[closing]]
        at = closing + 1
    return "".join(done), drawings


def main(*names: str) -> None:
    """Renew the documents *names*, or all."""
    for path in [ROOT / name for name in names] or documents():
        text, drawings = refreshed(path.read_text(encoding="utf-8"), path.name)
        changes = {path: text} | {ROOT / name: image for name, image in drawings.items()}
        for target, content in changes.items():
            if not target.is_file() or target.read_text(encoding="utf-8") != content:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(content, encoding="utf-8")
                print(f"written: {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
