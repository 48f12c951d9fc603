"""`jourdain reproduce`: the numbers of the sources again, beside theirs, in one page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .exits import Exit, epilogue, print_json

if TYPE_CHECKING:
    from ..study.published import Case, CaseOutcome

EPILOGUE = epilogue(
    "jourdain reproduce                          all of them, into out/reproduce/reproduce.html",
    "jourdain reproduce --quick                  the quick half",
    "jourdain reproduce gonthier --word pendulum   of one source, and what has a word in its title",
    "jourdain reproduce --list                   what there is",
    notes=(
        "Numbers printed in a source, independent re-runs of its cases and theory are counted apart. A number is met,",
        "differs for a reason that is known, is of another case than the source's, or failed. A case that breaks off",
        "fails, and the others go on. The page has the same numbers beside it as JSON and CSV.",
        "Exit code 1: a number failed.",
    ),
)


def seeds() -> list[str]:
    """Sources, for the shell to complete."""
    from ..study.published import SEEDS

    return list(SEEDS)


def reproduce(
    seed: Annotated[
        str | None,
        typer.Argument(
            metavar="[SEED]",
            help="Of this source alone: gonthier, damaren_sharf, kim, chen or nato.",
            autocompletion=seeds,
        ),
    ] = None,
    word: Annotated[str | None, typer.Option("--word", "-w", help="Cases with this in their name or title.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="The quick half.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="List the cases instead.")] = False,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Folder for the page.")] = Path(
        "out/reproduce"
    ),
    workers: Annotated[int | None, typer.Option("--workers", min=1, help="Processes; one a core by default.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout, text on stderr.")] = False,
) -> None:
    """Compute the numbers of the sources again, in one page.

    Runs the cases of the sources and writes one page of what is met, what differs and why, and what failed: of numbers
    that are printed, of independent re-runs, and of theory, each by itself.
    """
    from ..study.progress import ProgressReporter
    from ..study.published import KINDS, find_cases
    from ..study.reproduction import counted, in_order, in_words, run_cases, write_reproduction

    cases = find_cases(seed, word, quick)
    if listed:
        list_cases(cases, as_json)
        return
    reporter, done = ProgressReporter(), []
    for outcome in run_cases(cases, workers):
        done.append(outcome)
        reporter.say(f"{len(done)} of {len(cases)}: {stated(outcome)}")
    done = in_order(done, cases)
    files, counts = write_reproduction(done, out), counted(done)
    code = Exit.LIMITS if any(one.failed for one in done) else Exit.DONE
    if as_json:
        words: dict[str, Any] = {"verdicts": counts, "broken": sum(bool(one.error) for one in done)}
        print_json({**words, "files": {name: str(path) for name, path in files.items()}, "exit_code": int(code)})
    else:
        for kind, said in KINDS.items():
            typer.echo(f"{said}: {in_words(counts[kind])}")
        typer.echo(files["html"])
    raise typer.Exit(int(code))


def stated(outcome: CaseOutcome) -> str:
    """A case in a line: how many of its numbers are met, and what is wrong."""
    from ..study.published import VERDICTS

    verdicts = [row.verdict for row in outcome.rows]
    parts = [f"{verdicts.count(one)} {one}" for one in VERDICTS if one in verdicts]
    parts += [outcome.error] if outcome.error else []
    return f"{outcome.case.name}: {', '.join(parts)} ({outcome.seconds:.1f} s)"


def list_cases(cases: list[Case], as_json: bool) -> None:
    """One line each, by source."""
    from ..study.published import SEEDS

    if as_json:
        facts = [{"seed": one.seed, "name": one.name, "title": one.stated, "quick": one.quick} for one in cases]
        print_json({"cases": facts, "exit_code": 0})
        return
    for seed, title in SEEDS.items():
        own = [one for one in cases if one.seed == seed]
        if own:
            typer.echo(f"\n{title}")
        for one in own:
            typer.echo(f"  {one.name}{' (quick)' if one.quick else ''}\n      {one.stated}")
