"""`docgraph init`: from nothing to a database that can be used."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docgraph import calls, defaults, migrate
from docgraph.access import Ceiling, EmbeddingSpace
from docgraph.cli.console import out
from docgraph.cli.options import DatabaseUrl, Home, Keep
from docgraph.client import DEFAULT_TENANT, DocGraph
from docgraph.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterator


def init(
    *,
    database_url: DatabaseUrl = None,
    home: Home = None,
    keep: Keep = False,
    embedding_model: Annotated[
        str | None, typer.Option(help=f"Name of the embedding model. Default: {defaults.MODEL}.")
    ] = None,
    dimensions: Annotated[
        int | None, typer.Option(help=f"Elements of its vectors. Default: {defaults.DIMENSIONS}.")
    ] = None,
    metric: Annotated[str | None, typer.Option(help=f"cosine, l2 or ip. Default: {defaults.METRIC}.")] = None,
    text_search: Annotated[
        str | None, typer.Option(help=f"Text-search configuration. Default: {defaults.TEXT_SEARCH}.")
    ] = None,
) -> None:
    """Set the database up: upgrade it, record the embedding space, and let this login use it.

    Run it again at any time: what is there stays as it is.
    """
    if (embedding_model is None) != (dimensions is None):
        raise InvalidArgument(
            "a model and its dimensions go together", hint="Give both --embedding-model and --dimensions."
        )
    with DocGraph(database_url, home=home, keep=keep) as client:
        before, after = migrate.upgrade(database_url, home=home)
        done = [f"Upgraded to revision {after}."] if before != after else []
        done += _configure(client, embedding_model, dimensions, metric, text_search)
        out.print(f"Database: {client.database.describe()}.")
    for line in done:
        out.print(line)
    if not done:
        out.print("Nothing to do.")


def _configure(
    client: DocGraph, model: str | None, dimensions: int | None, metric: str | None, text_search: str | None
) -> Iterator[str]:
    """Does what is still to be done, and says what it did."""
    recorded = client.embedding_space()
    # What is not said stays as it was recorded.
    wanted = recorded or EmbeddingSpace(
        defaults.MODEL, defaults.DIMENSIONS, defaults.METRIC, defaults.TEXT_SEARCH, defaults.AVERAGE_LENGTH
    )
    said: dict[str, Any] = {
        "model": model,
        "dimensions": dimensions,
        "metric": metric,
        "text_search": text_search,
    }
    wanted = replace(wanted, **{name: value for name, value in said.items() if value is not None})
    if client.configure_embedding_space(wanted):
        yield (
            f"Embedding space: {wanted.model}, {wanted.dimensions} dimensions, {wanted.metric}; "
            f"text search: {wanted.text_search}."
            + (f" Before: {recorded.model}, {recorded.dimensions}, {recorded.metric}." if recorded else "")
        )

    with client.database.connection() as connection:
        login = calls.session_login(connection)
    # A ceiling that an administrator has narrowed stays narrow.
    if not any(ceiling.login == login for ceiling in client.list_access()):
        client.grant_access(Ceiling(login, None, None, None, None, None))
        yield f'Login "{login}" may see everything in tenant "{DEFAULT_TENANT}".'
