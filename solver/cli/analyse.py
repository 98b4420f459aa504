"""Commands that analyse: hint, review, rate, graph."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rules.decks import Deal
from rules.errors import DealproofError, MoveError
from rules.game import Game
from rules.moves import Move, parse_line
from rules.position import Position
from rules.referee import replay
from solver.cli.inputs import (
    Given,
    choose_game,
    complete_game,
    complete_words,
    read_moves,
    take,
    take_one,
)
from solver.cli.options import (
    After,
    DealName,
    DealNames,
    DeckText,
    Engine,
    GameName,
    Json,
    MaxPositions,
    Memory,
    NoColor,
    OutputFile,
    PositionFile,
    Reductions,
    Rules,
    Settings,
    Timeout,
)
from solver.cli.output import Output, note, open_output
from solver.cli.terms import UsageError, parse_count, parse_limits
from solver.verdict import Verdict

if TYPE_CHECKING:
    from solver.analysis.hints import Hint

PANEL = "Analyse"
CODES = {Verdict.WINNABLE: 0, Verdict.UNWINNABLE: 1, Verdict.UNKNOWN: 3}

AnswerTime = Annotated[
    str,
    typer.Option(
        "--timeout", "-t", metavar="TIME", rich_help_panel="Limits",
        help="Time for the whole answer: 0.3, 90s, 2m, 1h, or none.",
    ),
]  # fmt: skip
Budget = Annotated[
    str,
    typer.Option(
        "--budget", metavar="N", rich_help_panel="Limits",
        help="Positions to visit for each question, or none.",
    ),
]  # fmt: skip


def register(app: typer.Typer) -> None:
    app.command(rich_help_panel=PANEL)(hint)
    app.command(rich_help_panel=PANEL)(review)
    app.command(rich_help_panel=PANEL)(rate)
    app.command(rich_help_panel=PANEL)(graph)


def hint(
    name: GameName = None,
    deal: DealName = None,
    rules: Rules = None,
    option: Settings = None,
    deck: DeckText = None,
    position: PositionFile = None,
    after: After = None,
    follow: Annotated[
        bool,
        typer.Option(
            "--follow", metavar="", rich_help_panel="Game and deal",
            help="Then read moves from stdin, a line of them at a time (or undo), and give a "
            "hint after each. What was proved before is not proved again.",
        ),
    ] = False,
    timeout: AnswerTime = "10s",
    budget: Budget = "none",
    memory: Memory = None,
    engine: Engine = "auto",
    reductions: Reductions = "all",
    as_json: Json = False,
    no_color: NoColor = False,
    output: OutputFile = None,
) -> int:  # fmt: skip
    """Say what to play: every legal move with its verdict, best first, and why.

    Exit codes as for solve, for the position asked about (with --follow: the last one).
    """
    limits = parse_limits(timeout, None, memory)
    positions = parse_count(budget, "--budget")
    game, rest = choose_game([name, *(deal or ())], rules, option or ())
    if follow and ("-" in rest or str(position) == "-" or after == "-"):
        raise UsageError("--follow reads moves from stdin; nothing else can come from there")
    given = take_one(game, rest, deck, position, after)
    from solver.analysis.hints import hint_at
    from solver.analysis.session import Session

    with open_output(output, no_color=no_color) as out:
        session = Session(game, given.state(game), engine=engine, reductions=reductions)
        places = _followed(game, given) if follow else iter((given,))
        for place in places:
            found = hint_at(session, place.state(game), limits=limits, budget=positions)
            if as_json:
                from solver.show.json.analyses import hint_record

                out.json(hint_record(found, place.what, place.source))
            else:
                _show_hint(out, found, place.label)
    return CODES[found.fate.verdict]


def _show_hint(out: Output, found: Hint, label: str) -> None:
    from solver.show.text.hints import hint_table, hint_text, work_text

    out.show(hint_text(found, label))
    if found.options:
        out.show()
        out.show(hint_table(found, out.glyphs))
    out.show()
    out.show(work_text(found.positions, found.seconds, out.glyphs))
    out.stream.flush()


def _followed(game: Game[Any], given: Given) -> Iterator[Given]:
    """*given*, and the positions after each line of moves on stdin; ``undo`` takes one back.

    A line that cannot be played is refused with a message, and the position stays.
    """
    yield given
    start = given.state(game)
    played: list[tuple[Move, ...]] = []
    for row in sys.stdin:
        text = row.strip()
        if text.lower() == "undo":
            if not played:
                note("nothing to undo")
                continue
            played.pop()
        else:
            try:
                moves = parse_line(text)
                if not moves:
                    continue
                replay(game, start, [move for line in played for move in line] + [*moves])
            except DealproofError as error:
                note(str(error))
                continue
            played.append(moves)
        line = [move for moves in played for move in moves]
        full, states = replay(game, start, line)
        what = given.what
        deal = what if isinstance(what, Deal) else what.deal
        before = what.moves if isinstance(what, Position) else ()
        yield Given(Position(game, states[-1], deal, (*before, *full)), given.source)


Reviewed = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="GAME DEAL LINE", show_default=False, autocompletion=complete_game,
        help="A game and a deal, then a line of play: its moves (quoted, for > means "
        "something to the shell), a file, or - for stdin. The JSON of `solve` is read too.",
    ),
]  # fmt: skip


def review(
    words: Reviewed = None,
    rules: Rules = None,
    option: Settings = None,
    deck: DeckText = None,
    position: PositionFile = None,
    timeout: AnswerTime = "60s",
    budget: Budget = "1000000",
    memory: Memory = None,
    engine: Engine = "auto",
    reductions: Reductions = "all",
    as_json: Json = False,
    no_color: NoColor = False,
    output: OutputFile = None,
) -> int:  # fmt: skip
    """Play a line through: the verdict after each move, and the move that lost the win.

    Exit code 0 if nothing was given away, 1 if something was, 3 if that is not known.
    """
    limits = parse_limits(timeout, None, memory)
    positions = parse_count(budget, "--budget")
    game, rest = choose_game(words or (), rules, option or ())
    deals = [] if deck is not None or position is not None else rest[:1]
    moves = rest[len(deals) :]
    if moves == ["-"] and ("-" in deals or str(position) == "-"):
        raise UsageError("the deal and the line cannot both come from stdin")
    given = take_one(game, deals, deck, position)
    line = read_moves(moves)
    if not line:
        raise MoveError("which line? its moves, a file, or - for stdin")
    from solver.analysis.reviews import review as go_through

    with open_output(output, no_color=no_color) as out:
        found = go_through(
            game, given.what, line, limits=limits, budget=positions, engine=engine,
            reductions=reductions,
        )  # fmt: skip
        if as_json:
            from solver.show.json.analyses import review_record

            out.json(review_record(found, given.source))
        else:
            from solver.show.text.reviews import review_text, review_tree

            out.show(review_text(found, given.label))
            out.show()
            out.show(review_tree(found, out.glyphs))
    if found.blunders or found.between:
        return 1
    return 0 if found.settled else 3


def rate(
    name: GameName = None,
    deals: DealNames = None,
    rules: Rules = None,
    option: Settings = None,
    deck: DeckText = None,
    position: PositionFile = None,
    after: After = None,
    plays: Annotated[
        int,
        typer.Option("--plays", metavar="N", min=1, max=10_000_000, help="Games of each player."),
    ] = 1000,
    seed: Annotated[
        int,
        typer.Option(
            "--seed", metavar="N", min=0, max=(1 << 64) - 1,
            help="Seed of the games; the same seed gives the same figures.",
        ),
    ] = 0,
    timeout: Timeout = None,
    max_positions: MaxPositions = None,
    budget: Budget = "1000000",
    memory: Memory = None,
    engine: Engine = "auto",
    reductions: Reductions = "all",
    as_json: Json = False,
    no_color: NoColor = False,
    output: OutputFile = None,
) -> int:  # fmt: skip
    """Rate how hard deals are to win, from trivial to fiendish, with the figures behind it.

    The word goes by the guesswork: the bits of luck that one needs to win along the line found
    without looking ahead. One deal: exit codes as for solve. Several: 0 when done.
    """
    limits = parse_limits(timeout, max_positions, memory)
    positions = parse_count(budget, "--budget")
    game, rest = choose_game([name, *(deals or ())], rules, option or ())
    givens = take(game, rest, deck, position, after)
    from solver.analysis.ratings import rate as judge

    with open_output(output, no_color=no_color) as out:
        words: Counter[str] = Counter()
        for given in givens.deals:
            found = judge(
                game, given.what, limits=limits, budget=positions, plays=plays, seed=seed,
                engine=engine, reductions=reductions,
            )  # fmt: skip
            if as_json:
                from solver.show.json.analyses import rating_record

                out.json(rating_record(found, given.source))
                continue
            from solver.show.text.ratings import rating_row, rating_text

            if givens.total == 1:
                out.show(rating_text(found, given.label, out.glyphs))
            else:
                words[found.word or ""] += 1
                out.show(rating_row(found, given.name), wrap=False)
                out.stream.flush()
        if givens.total > 1 and not as_json:
            from solver.show.text.ratings import spread_text

            out.show(spread_text(words), wrap=False)
    return CODES[found.result.verdict] if givens.total == 1 else 0


def graph(
    name: GameName = None,
    deal: DealName = None,
    rules: Rules = None,
    option: Settings = None,
    deck: DeckText = None,
    position: PositionFile = None,
    after: After = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="FORMAT", rich_help_panel="Output",
            autocompletion=complete_words("graphml", "dot", "json"),
            help="Print the graph: graphml, dot or json (default: figures about it).",
        ),
    ] = None,
    fold: Annotated[
        bool,
        typer.Option(
            "--fold", metavar="", rich_help_panel="Output",
            help="Make every chain without a decision one edge.",
        ),
    ] = False,
    limit: Annotated[
        int,
        typer.Option(
            "--limit", metavar="N", min=1, max=10_000_000, rich_help_panel="Limits",
            help="Most positions; a larger graph is refused, with exit code 3.",
        ),
    ] = 20_000,
    no_color: NoColor = False,
    output: OutputFile = None,
) -> int:  # fmt: skip
    """Draw up the graph of all positions of a small deal, and the gates that every win passes.

    Exit code 0 when done, 3 if there are more positions than the limit.
    """
    game, rest = choose_game([name, *(deal or ())], rules, option or ())
    if form is not None and form not in ("graphml", "dot", "json"):
        raise UsageError(f"--format: {form[:40]!r} is none of graphml, dot, json")
    given = take_one(game, rest, deck, position, after)
    from solver.analysis import graphs

    try:
        found = graphs.position_graph(game, given.state(game), limit=limit)
    except graphs.GraphLimit as error:
        note(str(error))
        return 3
    if fold:
        found = graphs.fold(found)
    with open_output(output, no_color=no_color) as out:
        if form is not None:
            out.stream.write(graphs.export(found, form))
        else:
            from solver.show.text.graphs import graph_text

            out.show(graph_text(found, given.label, out.glyphs))
    return 0
