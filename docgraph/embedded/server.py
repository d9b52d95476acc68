"""A handle on an embedded server: started by the first who needs it, stopped by the last."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self
from urllib.parse import quote

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import Conninfo

from docgraph.embedded.accounts import account_for_server
from docgraph.embedded.data import major_version_of, require_data
from docgraph.embedded.hints import ANOTHER_FOLDER, USE_A_URL, not_made
from docgraph.embedded.places import Places, default_home
from docgraph.embedded.process import PATIENCE, PORT, ServerProcess
from docgraph.embedded.programs import package_bin_dir, usable_bin_dir
from docgraph.embedded.sharing import Sharing
from docgraph.errors import EmbeddedServerError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from docgraph.embedded.accounts import Account

DATABASE = "docgraph"


@dataclass(frozen=True)
class Status:
    """What is known of an embedded server. `in_use`: some process, perhaps this one, holds it open."""

    home: Path
    running: bool = False
    pid: int | None = None
    version: str | None = None
    socket_dir: Path | None = None
    kept: bool = False
    in_use: bool = False


class EmbeddedServer:
    """A handle on the server of a home folder. Several handles, and several processes, share one server."""

    def __init__(
        self,
        home: Path | str | None = None,
        *,
        keep: bool = False,
        bin_dir: Path | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        if os.name != "posix":
            raise EmbeddedServerError("The embedded server does not run on this system.", hint=USE_A_URL)
        self.home = Path(home or default_home()).expanduser().resolve()
        self.keep = keep
        self.version: str | None = None
        self._given_bin_dir = bin_dir
        self._settings = dict(settings or {})
        self._places = Places(self.home)
        self._sharing = Sharing(self._places, at_exit=self.release)
        self._process = ServerProcess(self._places)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.release()

    def __repr__(self) -> str:
        return f"EmbeddedServer({str(self.home)!r})"

    def describe(self) -> str:
        return f"embedded PostgreSQL{' ' + self.version if self.version else ''}, in {self.home}"

    @property
    def bin_dir(self) -> Path:
        return self._given_bin_dir or package_bin_dir()

    @property
    def psql(self) -> Path:
        return self.bin_dir / "psql"

    @property
    def conninfo(self) -> str:
        return self.conninfo_for(DATABASE)

    def conninfo_for(self, dbname: str) -> str:
        """How to connect to a database of this server, once it is started."""
        with self._readable_errors():
            server = self._process.found()
            folder = (server and server.socket_dir) or self._places.socket_dir()
            self._places.require_private(folder)
        given = {
            "host": str(folder),
            "port": PORT,
            "user": "postgres",
            "dbname": dbname,
            "gssencmode": "disable",
            "channel_binding": "disable",
            "client_encoding": "UTF8",
        }
        return make_conninfo(**(_without_environment() | given))

    def url(self, user: str | None = None) -> str:
        """Of its database, for other programs of this system user; they connect as any login they name."""
        params = conninfo_to_dict(self.conninfo)
        login, host, port = user or params["user"], params["host"], params["port"]
        if major_version_of(self._places.pgdata) is None:
            raise not_made(self.home)
        return f"postgresql://{quote(str(login), safe='')}@/{DATABASE}?host={quote(str(host))}&port={port}"

    def alive(self) -> bool:
        """Whether the server runs, by its pid file alone: cheap enough to ask before every call."""
        with self._readable_errors():
            return self._process.found() is not None

    @property
    def ready(self) -> bool:
        """Whether this process holds the server and it runs: what `ensure` asks before it does anything."""
        return self._sharing.held and self.alive()

    def ensure(self) -> None:
        """Start the server if this process does not hold it yet, or if it went away; never make a new one.

        Whoever opens a database comes here: of a folder that was mistyped nobody wants an empty server.
        """
        if self.ready:
            return
        with self._readable_errors():
            self.bin_dir  # noqa: B018 - without the package there is no use in looking
            there = major_version_of(self._places.pgdata) is not None
        if not there:
            raise not_made(self.home)
        self.start()

    def start(self) -> Self:
        """Start the server, or join the running one; without one in the folder a new one is made.

        Calling it again makes sure that it still runs.
        """
        with self._readable_errors():
            self.bin_dir  # noqa: B018 - without the package nothing is made
            account = account_for_server()
            self._places.make(account)
            with self._sharing.turn():
                self._sharing.hold()
                try:
                    self._bring_up(account)
                    if self.keep:
                        os.close(self._places.open_file(self._places.keep.name))
                except BaseException:
                    self._let_go()
                    raise
        return self

    def release(self) -> None:
        """Let go of the server; the last client to do so stops it, unless it is to be kept."""
        if not self._sharing.held:
            return
        with self._readable_errors():
            try:
                with self._sharing.turn():
                    self._let_go()
            except FileNotFoundError:
                # The home was deleted. PostgreSQL stops by itself when its files are gone.
                self._sharing.drop()

    def stop(self) -> bool:
        """Stop the server now, whoever is connected, and no longer keep it. False if it was not running."""
        with self._readable_errors():
            if not self._places.made():
                return False
            with self._sharing.turn():
                self._places.keep.unlink(missing_ok=True)
                return self._process.shut_down()

    def status(self) -> Status:
        with self._readable_errors():
            if not self._places.made():
                return Status(self.home)
            with self._sharing.turn():
                server = self._process.found()
                if server:
                    self._answers()  # with its version
                return Status(
                    home=self.home,
                    running=server is not None,
                    pid=server.pid if server else None,
                    version=self.version or major_version_of(self._places.pgdata),
                    socket_dir=server.socket_dir if server else None,
                    kept=self._places.keep.exists(),
                    in_use=not self._sharing.nobody_holds(),
                )

    # ---------------------------------------------------------------- in our turn

    def _let_go(self) -> None:
        """Drop the hold, and stop the server if that was the last one."""
        self._sharing.drop()
        if self._sharing.nobody_holds() and not self._places.keep.exists():
            self._process.shut_down()

    def _bring_up(self, account: Account) -> None:
        # Asked first, because the process id of a server in another container is not to be seen from here.
        if self._answers():
            return
        process = self._process
        deadline = time.monotonic() + PATIENCE
        seen = process.end_of_log()
        launched: int | None = None
        while not self._answers():
            if not self.alive() and (launched is None or not process.is_at(launched)):
                if launched:
                    said = process.said_since(seen)
                    # The processes of a server that was killed may outlive it for a moment.
                    if "pre-existing shared memory block" not in said and "lock file" not in said:
                        raise process.failure("did not start", said)
                    time.sleep(0.2)
                launched = self._launch(account)
            if time.monotonic() > deadline:
                raise process.failure(f"did not start within {PATIENCE:.0f} s", process.said_since(seen))
            time.sleep(0.02)

    def _answers(self) -> bool:
        """Whether a server takes connections; if so, its database is there afterwards."""
        try:
            with psycopg.connect(self.conninfo_for("postgres"), autocommit=True, connect_timeout=10) as conn:
                self.version = (conn.info.parameter_status("server_version") or "").split(" ")[0]
                found = conn.execute("SELECT FROM pg_catalog.pg_database WHERE datname = %s", [DATABASE])
                if found.rowcount == 0:
                    conn.execute(f'CREATE DATABASE "{DATABASE}"')
        except psycopg.OperationalError as error:
            return "too many clients" in str(error)
        return True

    def _launch(self, account: Account) -> int:
        socket_dir = self._places.make_socket_dir(account)
        # Where a socket may be, programs may be too: initdb pastes the path of postgres into a shell command.
        bin_dir = usable_bin_dir(self.bin_dir, socket_dir, account)
        sync = self._settings.get("fsync") != "off"
        require_data(self._places.pgdata, bin_dir, account, sync=sync)
        return self._process.launch(account, bin_dir, socket_dir, self._settings)

    @contextmanager
    def _readable_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise EmbeddedServerError(
                f"The embedded server in {self.home} cannot be used: {error}", hint=ANOTHER_FOLDER
            ) from error


def _without_environment() -> dict[str, str]:
    """PG* variables are meant for another server: what is given in their place keeps them without effect."""
    if "PGSERVICE" in os.environ:
        raise EmbeddedServerError(
            "PGSERVICE names a server, and libpq would use it in place of the embedded one.",
            hint=f"Unset PGSERVICE. {USE_A_URL}",
        )
    found = {
        option.keyword.decode(): (option.compiled or b"").decode()
        for option in Conninfo.get_defaults()
        if option.envvar and option.envvar.decode() in os.environ
    }
    # The one whose default cannot be written down as nothing.
    return found | ({"sslcertmode": "disable"} if "sslcertmode" in found else {})
