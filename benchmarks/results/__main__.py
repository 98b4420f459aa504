"""``python -m benchmarks.results``: the results page, from the summaries that are kept."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.results.kept import ResultsError, keep, read_kept, text_of
from benchmarks.results.page import results_page
from rules.errors import DealproofError
from solver.surveys.store import Store

DOCS = Path(__file__).parents[2] / "docs"
ABOUT = """\
Print the results page (Markdown), made of the summaries in docs/results/ and of the surveys
given. Nothing is written without --write: then the surveys' summaries are kept, each under its
file's name, and the page and its pictures are brought up to date.
"""


def main(words: Sequence[str] | None = None) -> int:
    """0, or 2 with a line on stderr."""
    parser = argparse.ArgumentParser("python -m benchmarks.results", description=ABOUT)
    parser.add_argument("files", metavar="FILE.db", nargs="*", type=Path, help="a survey to add")
    parser.add_argument("--write", action="store_true", help="write what has changed")
    parser.add_argument(
        "--docs", metavar="FOLDER", type=Path, default=DOCS,
        help="where results.md and results/ are; without it, the repository's docs/",
    )  # fmt: skip
    given = parser.parse_args(words)
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        return _make(given.files, given.docs, given.write)
    except DealproofError as error:
        print(f"results: {error}", file=sys.stderr)
    except OSError as error:
        print(f"results: {error.filename}: {(error.strerror or '').lower()}", file=sys.stderr)
    return 2


def _make(files: Sequence[Path], docs: Path, write: bool) -> int:
    folder = docs / "results"
    fresh = {}
    for path in files:
        with Store.read(path) as store:
            fresh[path.stem] = keep(store)
    if write:
        folder.mkdir(parents=True, exist_ok=True)
        for name, summary in fresh.items():
            (folder / f"{name}.json").write_text(text_of(summary), encoding="utf-8")
    kept = read_kept(folder, fresh)
    if not kept:
        raise ResultsError(f"{folder}: no summaries are kept there; give surveys (FILE.db ...)")
    page = results_page(kept)
    if not write:
        sys.stdout.write(page.text)
        return 0
    (docs / "results.md").write_text(page.text, encoding="utf-8")
    for old in folder.glob("*.svg"):
        if old.name not in page.pictures:
            old.unlink()
    for name, picture in page.pictures.items():
        (folder / name).write_text(picture, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
