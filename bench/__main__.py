"""Measurements, side by side with the bare database and with peers: `python -m bench --help`."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from bench import machine
from bench.results import Result, markdown
from docgraph.engine import ServerVersionWarning

app = typer.Typer(help=__doc__, no_args_is_help=True, pretty_exceptions_enable=False)

Url = Annotated[
    str | None, typer.Option(help="A server, as its superuser. Default: an embedded one as it is shipped.")
]
Output = Annotated[Path, typer.Option(help="A folder for the JSON and the Markdown of the figures.")]
RESULTS = Path("bench/results")

console = Console(highlight=False, markup=False, soft_wrap=True, stderr=True)


@contextmanager
def measuring(part: str, url: str | None, output: Path) -> Iterator[tuple[str, Result]]:
    """A server and an empty result, which is written and shown at the end."""
    # Which server it is stands in the result.
    warnings.simplefilter("ignore", ServerVersionWarning)
    with machine.server(url) as server:
        about = {"command": " ".join(["python -m bench", *sys.argv[1:]])} | machine.description(server)
        result = Result(part, about)
        yield server, result
    for path in result.write(output):
        console.print(f"written: {path}")
    print("\n".join(markdown(result)))  # noqa: T201 - what was asked for
    raise typer.Exit(0 if all(target.met for target in result.targets) else 1)


@app.callback()
def _main() -> None:
    """One command a part."""


@app.command()
def quality(
    folder: Annotated[Path, typer.Argument(exists=True, file_okay=False, help="The sets of questions.")],
    model: Annotated[str, typer.Option(help="minilm, or wordllama: much faster, finds less.")] = "minilm",
    url: Url = None,
    output: Output = RESULTS,
) -> None:
    """How much of what answers a question is found: flat, and planned. Sets: see bench/quality/sets.py."""
    from bench.quality.command import measure  # noqa: PLC0415 - what other parts need may not be installed

    with measuring(f"quality-{model}", url, output) as (server, result):
        measure(server, folder, model, result, console.print)


if __name__ == "__main__":
    app()
