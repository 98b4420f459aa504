"""results: the results page, from the summaries of surveys that are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from solver.cli.options import TextOptions, arg, opt
from solver.cli.output import note, open_output

EXAMPLES = ("dealproof results block-ten.db --output docs/results.md",)


def results(
    output: TextOptions,
    files: Annotated[
        list[Path] | None,
        arg("[FILE.db]...", "Surveys whose summaries are to be kept as well."),
    ] = None,
    folder: Annotated[Path, opt("--kept FOLDER", "Where the kept summaries are.")] = Path(
        "docs/results"
    ),
) -> None:
    """Write the results page (Markdown) from the summaries of surveys that are kept.

    With surveys, their summaries are kept first, each under its file's name. One whose deals
    are not done without gaps is left out, and named.
    """
    import json

    from solver.surveys.published import ResultsError, keep, read_kept
    from solver.surveys.store import Store

    fresh = []
    for path in files or ():
        with Store.read(path) as store:
            try:
                fresh.append((folder / f"{path.stem}.json", keep(store)))
            except ResultsError as error:
                note(f"{error}; left out")
    if fresh:
        folder.mkdir(parents=True, exist_ok=True)
    for place, summary in fresh:
        with open_output(place) as out:
            out.write(json.dumps(summary, indent=1, ensure_ascii=False) + "\n")
    kept = read_kept(folder)
    if not kept:
        raise ResultsError(f"{folder}: no summaries are kept there; give surveys (FILE.db...)")
    from solver.show.json.fits import misfit
    from solver.show.json.schemas import schema
    from solver.show.text.results_page import results_page

    for name, summary in kept.items():
        fault = misfit(schema("results"), summary)
        if fault is not None:
            raise ResultsError(f"{name}: not a kept summary ({fault})")
    page = results_page(kept)
    with output.open() as out:
        out.write(page)
