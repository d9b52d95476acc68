"""Measurements, side by side with the bare database and with peers."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum, auto
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NoReturn

import psycopg
import typer
from rich.console import Console

from bench import machine, plots
from bench.quality import making, sets
from bench.report import pages, texts
from bench.results import INSTALL, Measured, Result, Say, all_of
from bench.safety import checks
from docgraph.engine import ServerVersionWarning

app = typer.Typer(
    help=__doc__,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)

Url = Annotated[
    str | None, typer.Option(help="A server, as its superuser. Default: an embedded one with 2 GB.")
]
RESULTS = Path("bench/results")
Output = Annotated[
    Path | None,
    typer.Option(
        help="A folder for the JSON and the Markdown of the figures. Default: bench/results, which the report"
        " is made from; bench/results/small for what is small."
    ),
]
Check = Annotated[
    bool,
    typer.Option("--check", help="Exit code 1 where a target is missed or something was not measured."),
]
PICTURES = "plots"
SPEED = ("plan", "retrieve", "account", "filtered", "lexical", "expand", "hub", "ingest")
SCALE = ("retrieve", "expand")
SAFETY = (*checks.NAMES, "identities", "timing", "soak")
_SAFE = "bench.safety"
THREADS = "OPENBLAS_NUM_THREADS"

console = Console(highlight=False, markup=False, soft_wrap=True, stderr=True)


@contextmanager
def measuring(part: str, url: str | None, output: Path) -> Iterator[tuple[str, Result]]:
    """A server and an empty result, which is written and shown afterwards."""
    # Which server it is stands in the result.
    warnings.simplefilter("ignore", ServerVersionWarning)
    with machine.server(url) as server:
        # Where a server stands, and who gets in by what, is nobody's business.
        shown = [word if "://" not in word and "=" not in word else "..." for word in sys.argv[1:]]
        about = {"command": " ".join(["python -m bench", *shown])} | machine.description(server)
        result = Result(part, about)
        yield server, result
    written, page = result.write(output), _page(result, output)
    page.write_text(pages.alone(result), "utf-8")
    console.print(f"written: {written}, {page}")
    print(page.read_text("utf-8"))  # noqa: T201 - what was asked for


def end(result: Result, output: Path, failed: Sequence[str] = (), *, strict: bool) -> NoReturn:
    """Says in a line or two how it went. A part that failed is an error; all else only where asked for."""
    page = _page(result, output)
    if result.without:
        console.print(f"{len(result.without)} not measured: see «Not measured» in {page}")
    if failed:
        console.print(f"failed: {', '.join(failed)}")
    missed = sum(not target.met for target in result.targets)
    if missed:
        console.print(f"{missed} of {len(result.targets)} targets missed: see «Targets» in {page}")
    elif result.targets:
        console.print(f"{len(result.targets)} of {len(result.targets)} targets met: see {page}")
    raise typer.Exit(1 if failed or (strict and (missed or result.without)) else 0)


def _page(result: Result, folder: Path) -> Path:
    return folder / f"{result.part}.md"


class Models(StrEnum):
    minilm = auto()
    wordllama = auto()


class Kinds(StrEnum):
    hotpotqa = "hotpotqa"
    two_wiki = "2wikimultihop"
    musique = "musique"


@app.callback()
def _main() -> None:
    """One command a part."""


@app.command()
def quality(
    folder: Annotated[
        Path,
        typer.Argument(
            exists=True,
            file_okay=False,
            help="Sets of questions, as `questions` makes them and bench/quality/sets.py describes.",
        ),
    ],
    model: Annotated[Models, typer.Option(help="wordllama is much faster and finds less.")] = Models.minilm,
    url: Url = None,
    output: Output = None,
    *,
    check: Check = False,
) -> None:
    """How much of what answers a question is found: flat, and planned."""
    from bench.quality.command import ALL, measure  # noqa: PLC0415 - what other parts need may not be installed
    from bench.quality.stores import not_there  # noqa: PLC0415 - as above

    if not (there := sets.names(folder) & ALL):
        raise typer.BadParameter(f"in {folder} is none of {', '.join(sorted(ALL))}: see `questions --help`")
    if missing := not_there(model.value):
        raise typer.BadParameter(missing)
    # What is only a part does not take the place of the whole.
    part = "-".join(["quality", model.value, *(sorted(there) if there != ALL else ())])
    output = output or RESULTS
    with measuring(part, url, output) as (server, result):
        measure(server, folder, model.value, result, Say(console.print, result.without))
    end(result, output, strict=check)


@app.command()
def questions(
    kind: Annotated[Kinds, typer.Argument(help="Whose file it is.")],
    source: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="As it is published.")],
    folder: Annotated[Path, typer.Argument(help="For the sets: the one that `quality` is given.")],
    count: Annotated[int, typer.Option(min=making.LEAST, help="How many questions.")] = 500,
) -> None:
    """Makes a set for `quality` from a development set of HotpotQA, 2WikiMultihopQA or MuSiQue.

    Of hotpot_dev_distractor_v1.json, dev.json of 2WikiMultihopQA, or musique_ans_v1.0_dev.jsonl. The sets
    behind the published figures are other samples of the same questions. docs/benchmarks.md has where the
    files come from, and what a set of your own looks like.
    """
    target = folder / f"{kind.value}.json.gz"
    try:
        asked, documents = making.write(kind.value, source, target, count)
    except making.WrongFileError as error:
        raise typer.BadParameter(str(error)) from error
    console.print(f"written: {target}, {asked:,} questions, {documents:,} documents")


class Sizes(StrEnum):
    small = auto()
    full = auto()


Only = Annotated[list[str] | None, typer.Option(help="One part of it; several times for several.")]


@app.command()
def speed(
    size: Sizes = Sizes.small,
    only: Only = None,
    url: Url = None,
    output: Output = None,
    *,
    check: Check = False,
) -> None:
    """How long things take, beside the bare database and those peers that are installed.

    Parts: plan, retrieve, account, filtered, lexical, expand, hub, ingest.
    `small` takes minutes, `full` more than an hour.
    """
    _measure_parts("speed", size, SPEED, only, url, output, strict=check)


@app.command()
def scale(
    size: Sizes = Sizes.small,
    only: Only = None,
    url: Url = None,
    output: Output = None,
    *,
    check: Check = False,
) -> None:
    """How they grow.

    Parts: retrieve, expand. `full` takes 1,000,000 chunks, 10,000,000 relationships, and hours.
    """
    _measure_parts("scale", size, SCALE, only, url, output, strict=check)


@app.command()
def safety(size: Sizes = Sizes.small, only: Only = None, url: Url = None, output: Output = None) -> None:
    """What must never happen, tried very often.

    Parts: the project's own tests, with the counts raised (access, plans, execution, stages, writing, hidden,
    mutants, forgeries, injections, kills, faults, cancels, isolation, dumps); identities (through PgBouncer);
    timing (what the clock tells of hidden documents); soak (documents come and go for an hour). `full` takes
    most of a day. Exit code 1 where something failed or was not tried.
    """
    _measure_parts("safety", size, SAFETY, only, url, output, strict=True)


@app.command()
def report(
    results: Annotated[Path, typer.Option(help="The folder that the other commands have written.")] = RESULTS,
    page: Annotated[
        Path, typer.Option(help="What is made from it, with pages of tables in a folder of that name.")
    ] = Path("docs/benchmarks.md"),
) -> None:
    """Makes the pages of figures, and the pictures, from the results of the other commands."""
    if not (found := all_of(results)):
        raise typer.BadParameter(f"in {results} are no results, which the other commands write as *.json")
    folder = page.parent / PICTURES
    try:
        plots.draw(found, folder)
    except ImportError as error:
        console.print(f"pictures: as they were, because {error}. {INSTALL}")
    tables = page.with_suffix("")
    tables.mkdir(parents=True, exist_ok=True)
    page.write_text(pages.main_page(found, plots.pictures(folder), tables.name), "utf-8")
    for command in texts.COMMANDS:
        (tables / f"{command}.md").write_text(pages.tables_page(command, found, page.name), "utf-8")
    console.print(f"written: {page}, {tables}/*.md")


def _measure_parts(  # noqa: PLR0917 - what the commands above have in common
    name: str,
    size: Sizes,
    parts: Sequence[str],
    only: Sequence[str] | None,
    url: str | None,
    output: Path | None,
    *,
    strict: bool,
) -> None:
    if unknown := {*(only or ())} - {*parts}:
        raise typer.BadParameter(f"{', '.join(sorted(unknown))} is none of {', '.join(parts)}")
    if THREADS not in os.environ:
        # The threads of NumPy's library go on spinning after a call, on the core that the next in turn needs.
        # It reads this when it is imported.
        os.environ[THREADS] = "1"
        os.execv(sys.executable, [sys.executable, "-m", "bench", *sys.argv[1:]])  # noqa: S606 - ourselves
    output = output or (RESULTS if size is Sizes.full else RESULTS / size.value)
    package = _SAFE if name == "safety" else "bench.speed"
    if package == _SAFE and (missing := checks.not_installed()):
        raise typer.BadParameter(f"safety needs {missing}. {INSTALL}")
    sized = f"{name}-{size.value}"
    chosen = import_module(f"{package}.sizes").SIZES[sized]
    # What is only a part does not take the place of the whole.
    with measuring("-".join([sized, *(only or ())]), url, output) as (server, result):
        result.about |= machine.peers(name)
        say = Say(console.print, result.without)
        failed = [*(only or parts)]
        for part in only or parts:
            # A part that fails does not take the others with it.
            with say.peer(part):
                found = _measure_of(package, part)(server, chosen, say)
                result.tables += found.tables
                result.targets += found.targets
                failed.remove(part)
    end(result, output, failed, strict=strict)


def _measure_of(package: str, part: str) -> Callable[[str, Any, Say], Measured]:
    if package == _SAFE and part in checks.NAMES:
        return partial(checks.measure, part)
    measure: Callable[[str, Any, Say], Measured] = import_module(f"{package}.{part}").measure
    return measure


if __name__ == "__main__":
    try:
        app()
    except psycopg.OperationalError as failed:
        console.print(f"Error: {failed}")
        sys.exit(1)
