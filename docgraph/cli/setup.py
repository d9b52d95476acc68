"""`docgraph init`: from nothing to a database that can be used. What tells others to run it is here too."""

from __future__ import annotations

import os
import shlex
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docgraph import calls, defaults
from docgraph.access import Ceiling, EmbeddingSpace
from docgraph.any_client import DEFAULT_TENANT
from docgraph.cli.console import out
from docgraph.cli.options import DatabaseUrl, Home, Keep
from docgraph.client import DocGraph
from docgraph.errors import InvalidArgument, NotConfigured, NotInstalled, UnknownModel
from docgraph.sources import URL_VARIABLE

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
    if embedding_model is not None and dimensions is not None:
        from docgraph.ingest.embedding.resolve import refuse_wrong_dimensions  # noqa: PLC0415 - only where one is named

        refuse_wrong_dimensions(embedding_model, dimensions)
    said = {
        "model": embedding_model,
        "dimensions": dimensions,
        "metric": metric,
        "text_search": text_search,
    }
    with DocGraph(database_url, home=home, keep=keep) as client:
        done = set_up(client, database_url, home, said)
    for line in done:
        out.print(line)


def set_up(
    client: DocGraph, database_url: str | None, home: Path | None, said: dict[str, Any] | None = None
) -> list[str]:
    """Does what is still to be done on the client's database; where it is, and what was done."""
    from docgraph import migrate  # noqa: PLC0415 - Alembic takes long to load

    if client.database.embedded:
        client.database.embedded.start()  # which makes it where there is none
    before, after = migrate.upgrade(database_url, home=home)
    done = [f"Upgraded to revision {after}."] if before != after else []
    done += _configure(client, said or {})
    return [f"Database: {client.database.describe()}.", *(done or ["Nothing to do."])]


def _configure(client: DocGraph, said: dict[str, Any]) -> Iterator[str]:
    """Does what is still to be done, and says what it did."""
    from docgraph.ingest.embedding import why_unresolved  # noqa: PLC0415 - only where a database is set up

    recorded = client.embedding_space()
    # What is not said stays as it was recorded.
    wanted = recorded or EmbeddingSpace(
        defaults.MODEL, defaults.DIMENSIONS, defaults.METRIC, defaults.TEXT_SEARCH, defaults.AVERAGE_LENGTH
    )
    wanted = replace(wanted, **{name: value for name, value in said.items() if value is not None})
    if client.configure_embedding_space(wanted):
        yield (
            f"Embedding space: {wanted.model}, {wanted.dimensions} dimensions, {wanted.metric}; "
            f"text search: {wanted.text_search}."
            + (f" Before: {recorded.model}, {recorded.dimensions}, {recorded.metric}." if recorded else "")
        )
        if reason := why_unresolved(wanted.model, wanted.dimensions):
            yield reason
            yield "Without an embedder, documents and questions must bring their own vectors."

    with client.database.connection() as connection:
        login = calls.session_login(connection)
    # A ceiling that an administrator has narrowed stays narrow.
    if not any(ceiling.login == login for ceiling in client.list_access()):
        client.grant_access(Ceiling(login, None, None, None, None, None))
        yield f'Login "{login}" may see everything in tenant "{DEFAULT_TENANT}".'


@contextmanager
def saying_how_to_set_up(database_url: str | None, home: Path | None) -> Iterator[None]:
    """On a database that is not set up, or for a model that nobody has here, the error says which command
    mends it.
    """
    try:
        yield
    except (NotInstalled, NotConfigured) as error:
        raise type(error)(
            error.message, detail=error.detail, hint=_how_to_set_up(database_url, home)
        ) from error
    except UnknownModel as error:
        from docgraph.ingest.embedding.resolve import HAND_IT_OVER  # noqa: PLC0415 - it is there already

        hint = (error.hint or "").replace(f"{HAND_IT_OVER}\n", "")
        init, place = "docgraph init", _place(database_url, home)
        raise UnknownModel(error.message, hint=hint.replace(init, f"{init}{place}")) from error


def _how_to_set_up(database_url: str | None, home: Path | None) -> str:
    place = _place(database_url, home)
    return f"Run{', with the same URL' if '--database-url' in place else ''}: docgraph init{place}"


def _place(database_url: str | None, home: Path | None) -> str:
    """The options that say which database it is."""
    place = f" --home {shlex.quote(str(home))}" if home else ""
    if database_url and database_url != os.environ.get(URL_VARIABLE):
        # Never the URL itself: there may be a password in it.
        place += ' --database-url "..."'
    return place
