"""`docgraph db start | stop | status | psql`: the embedded server from the command line."""

import os
import shutil
import signal
import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import Conninfo

from docgraph.cli.console import err, out
from docgraph.cli.options import DatabaseUrl, Home, Json, Keep
from docgraph.embedded import EmbeddedServer, package_bin_dir
from docgraph.errors import EmbeddedServerError, InvalidArgument
from docgraph.sources import URL_VARIABLE, conninfo_of

NOT_RUNNING = 3
"""Exit code of `status`, as init scripts have it."""


def register(db: typer.Typer) -> None:
    """Add the commands of this module to `docgraph db`."""
    db.command("start")(start)
    db.command("stop")(stop)
    db.command("status")(status)
    db.command("psql", context_settings={"ignore_unknown_options": True})(psql)


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


def psql(
    args: Annotated[
        list[str] | None, typer.Argument(help="Arguments for psql; those that docgraph has too, after --.")
    ] = None,
    *,
    database_url: DatabaseUrl = None,
    home: Home = None,
    keep: Keep = False,
) -> None:
    """Open psql on the database: `docgraph db psql -c 'SELECT 1'`."""
    if database_url and home:
        raise InvalidArgument("--database-url and --home are both given.", hint="Give one of them.")
    if not home and (url := database_url or os.environ.get(URL_VARIABLE)):
        code = _psql_at(conninfo_of(url), args or [])
    else:
        server = EmbeddedServer(home, keep=keep)
        try:
            server.ensure()
            code = _run(server.psql, server.conninfo, args or [], dict(os.environ))
        finally:
            server.release()
    raise typer.Exit(code)


def _psql_at(conninfo: str, args: list[str]) -> int:
    params = conninfo_to_dict(conninfo)
    del params["fallback_application_name"]  # psql has its own
    env, rest = dict(os.environ), dict[str, str]()
    for option in Conninfo.get_defaults():
        name = option.keyword.decode()
        if (value := params.get(name)) is None:
            continue
        # A process's arguments are for all to see, its environment is not.
        if option.envvar:
            env[option.envvar.decode()] = str(value)
        elif option.dispchar != b"*":
            rest[name] = str(value)
    return _run(_any_psql(), make_conninfo(**rest), args, env)


def _any_psql() -> Path:
    try:
        return package_bin_dir() / "psql"
    except EmbeddedServerError:
        if found := shutil.which("psql"):
            return Path(found)
        raise


def _run(program: Path, conninfo: str, args: list[str], env: dict[str, str]) -> int:
    command = [str(program), *(["--dbname", conninfo] if conninfo else []), *args]
    process = subprocess.Popen(command, env=env)  # noqa: S603 - what the user asked for
    # From here on Ctrl-C is for psql, which cancels a query with it; we have to be there when it ends.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        code = process.wait()
    finally:
        signal.signal(signal.SIGINT, before)
    return code if code >= 0 else 128 - code
