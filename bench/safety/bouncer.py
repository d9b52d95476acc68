"""PgBouncer in front of a server, in transaction mode."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

_PORT = 6432
_PATIENCE = 10.0
_POOL = 4
"""Connections to the server for each login: far fewer than clients, so that each serves many."""


class NotThere(Exception):
    """PgBouncer is not installed."""


@contextmanager
def bouncer(conninfo: str, logins: Iterable[str]) -> Iterator[str]:
    """A conninfo through it, without a login."""
    program = shutil.which("pgbouncer")
    if program is None:
        raise NotThere("pgbouncer is not on the PATH: apt-get install pgbouncer")
    given = conninfo_to_dict(conninfo)
    host, database = str(given["host"]), str(given["dbname"])
    folder = Path(tempfile.mkdtemp(prefix="docgraph-bench-", dir="/tmp"))
    try:
        (folder / "users.txt").write_text("".join(f'"{login}" ""\n' for login in logins))
        (folder / "bouncer.ini").write_text(
            f"""[databases]
{database} = host={host} port={given.get("port", 5432)}
[pgbouncer]
listen_addr =
unix_socket_dir = {folder}
unix_socket_mode = 0777
listen_port = {_PORT}
auth_type = trust
auth_file = {folder}/users.txt
pool_mode = transaction
default_pool_size = {_POOL}
max_client_conn = 1000
logfile = {folder}/log
"""
        )
        # Nobody but the owner of the server's socket may get at it, and PgBouncer does not run as root.
        owner = Path(host).stat() if host.startswith("/") and os.geteuid() == 0 else None
        if owner:
            for path in (folder, *folder.iterdir()):
                os.chown(path, owner.st_uid, owner.st_gid)
        command = [program, "--quiet", str(folder / "bouncer.ini")]
        running = subprocess.Popen(  # noqa: S603 - the one that is installed
            command, user=owner.st_uid if owner else None, group=owner.st_gid if owner else None
        )
        try:
            through = make_conninfo(host=str(folder), port=_PORT, dbname=database)
            _wait(make_conninfo(through, user=next(iter(logins))), folder)
            yield through
        finally:
            running.terminate()
            running.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait(conninfo: str, folder: Path) -> None:
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            psycopg.connect(conninfo).close()
        except psycopg.OperationalError as error:
            if time.monotonic() > until:
                log = folder / "log"
                said = log.read_text() if log.exists() else ""
                raise RuntimeError(f"PgBouncer does not answer: {said[-1000:]}") from error
            time.sleep(0.1)
        else:
            return
