"""Nothing that only Unix has: not at all where deals are solved, elsewhere only where asked for."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from tests.test_layers import ROOT, imports, sources

UNIX_MODULES = {
    "curses", "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "select", "syslog",
    "termios", "tty",
}  # fmt: skip
UNIX_NAMES = {
    "os": {
        "chown", "fork", "forkpty", "getgid", "getpgid", "getppid", "getuid", "geteuid", "killpg",
        "mkfifo", "nice", "posix_spawn", "sched_getaffinity", "setpgid", "setsid", "statvfs",
        "sysconf", "uname", "wait", "waitpid",
    },
    "signal": {
        "SIGALRM", "SIGCHLD", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGSTOP", "SIGTSTP",
        "SIGUSR1", "SIGUSR2", "SIGWINCH", "alarm", "pause", "pthread_kill", "pthread_sigmask",
        "setitimer", "sigwait",
    },
    "multiprocessing": {"fork", "forkserver"},
}  # fmt: skip

Found = tuple[str, bool]
"""What was found, and whether it lies in a function (and so waits until it is called)."""


def unix_only(source: str) -> set[Found]:
    """The Unix-only modules that *source* imports and the Unix-only names that it uses."""
    found: set[Found] = set()

    def look(node: ast.AST, inside: bool) -> None:
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            base = node.module or ""
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            names = [f"{node.value.id}.{node.attr}"]
        elif (
            isinstance(node, ast.Call)
            and ast.unparse(node.func).endswith(("get_context", "set_start_method"))
            and node.args
            and isinstance(node.args[0], ast.Constant)
        ):
            names = [f"multiprocessing.{node.args[0].value}"]
        for name in names:
            base, _, rest = name.partition(".")
            if base in UNIX_MODULES:
                found.add((base, inside))
            elif rest in UNIX_NAMES.get(base, ()):
                found.add((name, inside))
        inside = inside or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for child in ast.iter_child_nodes(node):
            look(child, inside)

    look(ast.parse(source), False)
    return found


def reached(*starts: str) -> set[str]:
    """Our modules that *starts* import, wherever in them, and what those import in turn."""
    places = dict(sources())
    seen = {"solver"}  # names its functions' modules, and loads them when they are used
    pending = list(starts)
    while pending:
        module = pending.pop()
        if module in places and module not in seen:
            seen.add(module)
            path = places[module]
            text = path.read_text(encoding="utf-8")
            pending += imports(text, module, path.name == "__init__.py")
            pending.append(module.rpartition(".")[0])
    return seen - {"solver"}


def test_solving_uses_nothing_that_only_unix_has() -> None:
    """All that `solver.solve` can reach, certificates and explanations with it."""
    modules = reached(
        "solver.solve", "solver.analysis.explanations", "solver.odds", "solver.proof.checker"
    )
    assert {
        "rules.families.klondike",
        "solver.search.depth_first",
        "solver.kernels.klondike.search",
        "solver.kernels.jit",
    } <= modules
    places = dict(sources())
    for module in modules:
        assert unix_only(places[module].read_text(encoding="utf-8")) == set(), module


def test_elsewhere_it_stands_in_functions_that_know_another_way() -> None:
    """Each entry has been looked at: there is a test for the system, or a way without."""
    found = {module: unix_only(path.read_text(encoding="utf-8")) for module, path in sources()}
    assert {module: names for module, names in found.items() if names} == {
        "solver.cli": {("signal.pthread_kill", True)},
        "solver.cli.keys": {("termios", True), ("tty", True), ("select", True)},
        "solver.surveys.store": {("fcntl", True)},
        "solver.surveys.pool": {("os.sched_getaffinity", True), ("signal.pthread_sigmask", True)},
    }


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import os\nimport fcntl", {("fcntl", False)}),
        ("def f():\n from resource import getrusage", {("resource", True)}),
        ("import signal\nsignal.alarm(3)", {("signal.alarm", False)}),
        ("def f():\n if os.fork(): pass", {("os.fork", True)}),
        ("from os import waitpid", {("os.waitpid", False)}),
        ("multiprocessing.get_context('fork')", {("multiprocessing.fork", False)}),
        ("from . import select\nimport os.path\nos.cpu_count()", set()),
    ],
)
def test_the_test_would_find_it(source: str, found: set[Found]) -> None:
    assert unix_only(source) == found


def test_it_solves_where_all_that_is_missing() -> None:
    """A process without those modules and names (a kernel has none: see above)."""
    code = f"""
import os, signal, sys
import rich.console, typer  # others may use what their system has
for module in {sorted(UNIX_MODULES - {"posix"})!r}:
    sys.modules[module] = None
for module, names in ((os, {UNIX_NAMES["os"]!r}), (signal, {UNIX_NAMES["signal"]!r})):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
from solver.cli import run
codes = run(["solve", "block-ten", "1"]), run(["solve", "single-left", "13", "--engine=reference"])
print(codes, run(["explain", "decade", "3", "--engine=reference"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=300
    )
    assert done.stderr == ""
    assert done.stdout.endswith("(1, 0) 0\n")
