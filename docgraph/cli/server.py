"""`docgraph db start | stop | status | url`: the embedded server from the command line."""

import os
from dataclasses import asdict

import typer

from docgraph.cli.console import err, out
from docgraph.cli.options import Home, Json, User, unwrapped
from docgraph.cli.psql import SETTINGS, psql
from docgraph.embedded import EmbeddedServer
from docgraph.sources import URL_VARIABLE

NOT_RUNNING = 3
"""Exit code of `status`, as init scripts have it."""


def register(db: typer.Typer) -> None:
    """Add the commands of this module to `docgraph db`."""
    for command in (start, stop, status, url):
        db.command()(unwrapped(command))
    db.command(context_settings=SETTINGS)(unwrapped(psql))


def start(home: Home = None) -> None:
    """Start the embedded server, and keep it running when no program uses it."""
    with EmbeddedServer(home, keep=True) as server:
        out.print(f"Running: {server.describe()}")
    if os.environ.get(URL_VARIABLE):
        err.print(f"Programs will not use it as long as {URL_VARIABLE} is set.")


def stop(home: Home = None) -> None:
    """Stop the embedded server, also under programs that are connected to it."""
    server = EmbeddedServer(home)
    in_use = server.status().in_use
    if not server.stop():
        out.print(f"Not running: {server.describe()}")
        return
    out.print(f"Stopped: {server.describe()}")
    if in_use:
        err.print("It was in use. A program that goes on using it will start it again.")


def status(home: Home = None, *, json: Json = False) -> None:
    """Say whether the embedded server runs. The exit code is 0 if it does, 3 if not."""
    server = EmbeddedServer(home)
    found = server.status()
    if json:
        out.print_json(data=asdict(found), default=str)
    elif found.running:
        kept = "kept running, " if found.kept else ""
        used = "in use" if found.in_use else "not in use"
        out.print(f"Running: {server.describe()} (process {found.pid}, {kept}{used})")
    else:
        out.print(f"Not running: {server.describe()}")
    if not found.running:
        raise typer.Exit(NOT_RUNNING)


def url(home: Home = None, *, user: User = None) -> None:
    """Print the URL of the embedded server, for psql, pg_dump, DocGraph(...) and other programs.

    They run as the system user that the server belongs to, or as root. It does not start the server:
    `docgraph db start` does, and keeps it running.
    """
    server = EmbeddedServer(home)
    out.print(server.url(user))
    if not server.alive():
        err.print("It does not run. `docgraph db start` starts it, and keeps it running.", style="yellow")
