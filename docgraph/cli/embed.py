"""`docgraph embed`: a question as a vector, for psql and whatever else calls the functions."""

from __future__ import annotations

from typing import Annotated

import typer

from docgraph.cli.console import write
from docgraph.cli.options import DatabaseUrl, Home
from docgraph.cli.setup import saying_how_to_set_up
from docgraph.client import DocGraph


def embed(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="In quotes.")],
    *,
    database_url: DatabaseUrl = None,
    home: Home = None,
) -> None:
    """Print a question as a vector, made with the model that the database records.

    As PostgreSQL writes an array: in psql, \\set question `docgraph embed "How do I ...?"`, then :'question'.
    """
    with saying_how_to_set_up(database_url, home), DocGraph(database_url, home=home) as client:
        vector = client.embed(question)
    write(f"{{{','.join(map(repr, vector))}}}")
