"""The layers: rules <- solver <- solver.show <- solver.cli. Nothing points back."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import dealproof

ROOT = Path(__file__).parent.parent
FORBIDDEN = {
    "rules": ("solver", "tests", "benchmarks"),
    "solver": ("solver.show", "solver.cli", "tests", "benchmarks"),
    "solver.show": ("solver.cli", "tests", "benchmarks"),
    "solver.cli": ("tests", "benchmarks"),
}
HEAVY = ("numba", "numpy", "networkx", "sortedcontainers", "pysol_cards")


def layer(module: str) -> str:
    for name in ("solver.show", "solver.cli"):
        if module == name or module.startswith(name + "."):
            return name
    return module.partition(".")[0]


def imports(source: str, module: str, is_package: bool) -> Iterator[str]:
    """The dotted names that *source* imports, wherever in it; relative ones made absolute."""
    package = module if is_package else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = package.split(".")
                base = ".".join([*parts[: len(parts) - node.level + 1], *filter(None, [base])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = ast.unparse(node.func)
            if called in ("importlib.import_module", "import_module", "__import__"):
                yield str(node.args[0].value)


def sources() -> list[tuple[str, Path]]:
    found = []
    for top in ("rules", "solver"):
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found.append((".".join(part for part in parts if part != "__init__"), path))
    return found


def points_back(module: str, names: Iterator[str]) -> list[str]:
    return [
        name
        for name in names
        for bad in FORBIDDEN[layer(module)]
        if name == bad or name.startswith(bad + ".")
    ]


@pytest.mark.parametrize(("module", "path"), sources(), ids=lambda value: str(value))
def test_nothing_points_back(module: str, path: Path) -> None:
    names = imports(path.read_text(encoding="utf-8"), module, path.name == "__init__.py")
    assert points_back(module, names) == []


@pytest.mark.parametrize(
    ("module", "source", "found"),
    [
        ("rules.families.klondike", "import solver", ["solver"]),
        (
            "rules.families.klondike",
            "def f():\n from solver.search.depth_first import x",
            ["solver.search.depth_first", "solver.search.depth_first.x"],
        ),
        ("solver.search.depth_first", "from solver import cli", ["solver.cli"]),
        ("solver.verdict", "from . import cli", ["solver.cli"]),
        (
            "solver.verdict",
            "from .show import boards",
            ["solver.show", "solver.show.boards"],
        ),
        (
            "solver.search.depth_first",
            "importlib.import_module('solver.cli.app')",
            ["solver.cli.app"],
        ),
        ("solver.show.web.svg", "from ...cli import app", ["solver.cli", "solver.cli.app"]),
        ("solver.cli.app", "from solver.show import svg\nfrom rules import Card", []),
        ("solver.show.web.svg", "from solver.search.depth_first import x\nfrom . import y", []),
    ],
)
def test_the_test_would_find_it(module: str, source: str, found: list[str]) -> None:
    names = list(imports(source, module, False))
    assert points_back(module, iter(names)) == found


def loads_by_name(source: str) -> bool:
    """Whether a module is imported whose name is only known when it runs."""
    return any(
        isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] in ("import_module", "__import__")
        and not (node.args and isinstance(node.args[0], ast.Constant))
        for node in ast.walk(ast.parse(source))
    )


def test_nothing_reaches_up_by_name() -> None:
    # The command line imports each command by its name, and nothing lies above it.
    found = [name for name, path in sources() if loads_by_name(path.read_text("utf-8"))]
    assert found == ["solver.cli.app"]
    assert {layer(home) for home in dealproof._HOMES.values()} == {"solver"}


def test_rules_import_nothing_heavy_at_the_top() -> None:
    """`pysol_cards` is imported where a deal needs it, the others not at all."""
    for module, path in sources():
        if layer(module) != "rules":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                names = [alias.name for alias in node.names]
                names.append(getattr(node, "module", None) or "")
                assert not any(name.partition(".")[0] in HEAVY for name in names), module
