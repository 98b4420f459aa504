"""What has to be read to trust a certificate that was checked readably: what is loaded for it."""

from __future__ import annotations

import ast
import functools
import re
import subprocess
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).parents[3]
DOCUMENT = ROOT / "docs" / "certificates.md"
CHECK = """
import sys
from solver.proof.checker import check
from solver.proof.certificate import Certificate
check(Certificate.from_bytes(open(sys.argv[1], "rb").read()), checker="readable")
print(*sorted(sys.modules))
"""
MAKE = """
import sys
from dealproof import certify, solve
open(sys.argv[1], "wb").write(certify(solve("single-left", 12, engine="reference")).to_bytes())
"""


@functools.cache
def loaded(folder: Path) -> frozenset[str]:
    """The modules in a fresh process that has read and checked a certificate of a "no"."""
    file = folder / "file"
    subprocess.run([sys.executable, "-c", MAKE, file], cwd=ROOT, check=True)
    done = subprocess.run(
        [sys.executable, "-c", CHECK, file], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return frozenset(done.stdout.split())


def code_lines(path: Path) -> int:
    """Lines with code on them: no comments, no docstrings, no blank ones."""
    text = path.read_text(encoding="utf-8")
    said: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            said.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    passed = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    lines: set[int] = set()
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type not in passed and token.type not in (
                tokenize.ENCODING, tokenize.ENDMARKER
            ):  # fmt: skip
                lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - said)


def source(module: str) -> Path:
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def test_the_checker_loads_the_rules_and_its_own_room_alone(tmp_path: Path) -> None:
    modules = loaded(tmp_path)
    ours = {name for name in modules if name.split(".")[0] in ("rules", "solver", "dealproof")}
    others = {name for name in ours if name.split(".")[0] != "rules"}
    assert "solver.proof.reduced" in others  # what is listed is what did the work
    assert {name for name in others if not name.startswith("solver.proof")} == {"solver"}
    assert not modules & {"numba", "numpy", "networkx", "sortedcontainers"}


def test_the_document_tells_how_much_that_is(tmp_path: Path) -> None:
    """To within a twentieth: the numbers in the document are rounded."""
    modules = loaded(tmp_path)
    text = DOCUMENT.read_text(encoding="utf-8")
    pattern = r"about ([\d,]+) lines of code in\s`solver/proof/`.*?about ([\d,]+) in\s`rules/`"
    told = re.search(pattern, text, re.DOTALL)
    assert told is not None
    for number, room in zip(told.groups(), ("solver.proof", "rules"), strict=True):
        paths = [source(name) for name in modules if f"{name}.".startswith(f"{room}.")]
        count = sum(map(code_lines, paths))
        assert abs(int(number.replace(",", "")) - count) <= count / 20, (room, count)


def test_lines_of_code_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "some.py"
    path.write_text('"""Said."""\n\n# why\nx = [\n    1,\n]  # so\n\n\ndef f():\n    """Does."""\n')
    assert code_lines(path) == 4
