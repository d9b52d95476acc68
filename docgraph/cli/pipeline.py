"""`docgraph pipeline`: the three stages as a file of settings says, in one call."""

from __future__ import annotations

from typing import Annotated

import typer

from docgraph.cli.console import out, plain, write_json
from docgraph.cli.options import Json
from docgraph.cli.stages import show_bill, show_texts, show_tree
from docgraph.client import DocGraph
from docgraph.errors import InvalidArgument
from docgraph.plain import counted
from docgraph.stages import PipelineResult, PipelineSettings
from docgraph.stages.settings import naming_settings


def pipeline(
    client: DocGraph,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The settings of the stages, as YAML.")],
    question: Annotated[
        str | None, typer.Argument(metavar="QUESTION", help="In quotes.", show_default=False)
    ] = None,
    *,
    seed: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Begin with this document, in place of a question; several times."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Search, expand and fetch in one call and one snapshot, with the settings of a file.

    What is not in the file is as usual. The claim is that of the command: a file says how, not as whom.
    """
    settings = PipelineSettings.read(file)
    if question is not None and not question.strip():
        raise InvalidArgument("the question is empty", hint='Ask: `docgraph pipeline FILE "How do I ...?"`.')
    if question is None and not seed:
        raise InvalidArgument(
            "there is no question, nor a document to begin with",
            hint='`docgraph pipeline FILE "How do I ...?"`, or `docgraph pipeline FILE --seed ID`.',
        )
    if question is not None and seed:
        raise InvalidArgument(
            "a question and --seed are both given", hint="Seeds take the place of a search: leave one out."
        )
    with naming_settings(file):
        found = client.pipeline(question, seeds=seed or None, **settings.options)
    if as_json:
        write_json(found.to_json())
        return
    _show(found, settings.name)


def _show(found: PipelineResult, name: str) -> None:
    if name:
        out.print(plain(name), style="bold")
    stages = (
        counted(len(found.retrieval_seed_nodes), "seed"),
        counted(len(found.expanded_nodes), "node"),
        counted(len(found.dependency_edges), "edge"),
        counted(len(found.node_texts), "text"),
    )
    out.print(", ".join(stages), style="cyan")
    show_tree(found.expanded_nodes, found.dependency_edges)
    out.print()
    show_texts(found.node_texts)
    show_bill(found.accounting, found.notes)
