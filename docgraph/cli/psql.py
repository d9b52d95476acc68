"""`docgraph db psql`: psql on the database of docgraph, as its usual login or as another one."""

import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Annotated

import typer
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import Conninfo

from docgraph.cli.options import DatabaseUrl, Home, Keep, User
from docgraph.embedded import EmbeddedServer, package_bin_dir
from docgraph.errors import EmbeddedServerError, InvalidArgument
from docgraph.sources import URL_VARIABLE, conninfo_of

SETTINGS = {"ignore_unknown_options": True, "help_option_names": ["--help"]}
"""What psql has options for is psql's, -h too."""


def psql(
    args: Annotated[
        list[str] | None, typer.Argument(help="Arguments for psql; those that docgraph has too, after --.")
    ] = None,
    *,
    user: User = None,
    database_url: DatabaseUrl = None,
    home: Home = None,
    keep: Keep = False,
) -> None:
    """Open psql on the database: `docgraph db psql -c 'SELECT 1'`. As another login: --user NAME."""
    if database_url and home:
        raise InvalidArgument("--database-url and --home are both given.", hint="Give one of them.")
    if not home and (url := database_url or os.environ.get(URL_VARIABLE)):
        code = _run(_any_psql(), _as_login(conninfo_of(url), user), args or [])
    else:
        server = EmbeddedServer(home, keep=keep)
        try:
            server.ensure()
            code = _run(server.psql, _as_login(server.conninfo, user), args or [])
        finally:
            server.release()
    raise typer.Exit(code)


def _as_login(conninfo: str, user: str | None) -> dict[str, object]:
    params: dict[str, object] = {**conninfo_to_dict(conninfo)}
    params.pop("fallback_application_name", None)  # psql has its own
    if user is not None and user != params.get("user"):
        params.pop("password", None)  # it is not this login's
        params["user"] = user
    return params


def _run(program: Path, params: dict[str, object], args: list[str]) -> int:
    """Where to connect goes into the environment. A process's arguments are for all to see; and where
    --dbname says it, psql leaves -U, -h, -p and names of its own arguments aside without a word.
    """
    env, rest = dict(os.environ), dict[str, str]()
    for option in Conninfo.get_defaults():
        name = option.keyword.decode()
        if (value := params.get(name)) is None:
            continue
        if option.envvar:
            env[option.envvar.decode()] = str(value)
        elif option.dispchar != b"*":
            rest[name] = str(value)
    command = [str(program), *(["--dbname", make_conninfo(**rest)] if rest else []), *args]
    process = subprocess.Popen(command, env=env)  # noqa: S603 - what the user asked for
    # From here on Ctrl-C is for psql, which cancels a query with it; we have to be there when it ends.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        code = process.wait()
    finally:
        signal.signal(signal.SIGINT, before)
    return code if code >= 0 else 128 - code


def _any_psql() -> Path:
    try:
        return package_bin_dir() / "psql"
    except EmbeddedServerError:
        if found := shutil.which("psql"):
            return Path(found)
        raise
