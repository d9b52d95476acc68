"""The server's process: found by its pid file, launched, and stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from docgraph.embedded.hints import USE_A_URL, last_lines
from docgraph.errors import EmbeddedServerError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docgraph.embedded.accounts import Account
    from docgraph.embedded.places import Places

PATIENCE = 60.0
"""Seconds that a start or a stop may take."""
PORT = "5432"
"""A part of the socket's name."""

_NO_PROCESS = b"2147483646"
"""A process id that no system hands out."""


@dataclass(frozen=True)
class Postmaster:
    """A running server as its pid file tells of it."""

    pid: int
    socket_dir: Path | None


class ServerProcess:
    """The process that serves the data folder of a home, if there is one."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._pid_file = places.pgdata / "postmaster.pid"

    def found(self) -> Postmaster | None:
        try:
            lines = self._pid_file.read_bytes().splitlines()
            pid = int(lines[0])
        except (FileNotFoundError, IndexError, ValueError):
            return None
        if not self.is_at(pid):
            return None
        return Postmaster(pid, Path(os.fsdecode(lines[4])) if len(lines) > 4 and lines[4] else None)

    def is_at(self, pid: int) -> bool:
        """Whether this process is the server of this folder, and no zombie: process ids are used again."""
        pgdata = os.fsencode(self._places.pgdata)
        if Path("/proc/self/cmdline").exists():
            try:
                return pgdata in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            except (FileNotFoundError, ProcessLookupError):
                return False
        ps = ["/bin/ps", "-ww", "-o", "command=", "-p", str(pid)]
        return pgdata in subprocess.run(ps, check=False, capture_output=True).stdout  # noqa: S603 - no shell, a number

    def launch(self, account: Account, bin_dir: Path, socket_dir: Path, settings: Mapping[str, str]) -> int:
        """Start the server without waiting for it; its process id."""
        self._clear_traces(socket_dir)
        settings = {
            "listen_addresses": "",
            "port": PORT,
            "unix_socket_directories": str(socket_dir),
            "unix_socket_permissions": "0700",
            **settings,
        }
        options = [arg for name, value in settings.items() for arg in ("-c", f"{name}={value}")]
        # Not a child of ours: stopped by somebody else, it would stay as a zombie, which looks alive.
        # Not pg_ctl, because it pastes paths into a shell command.
        shell = '"$@" </dev/null >>"$0" 2>&1 & echo $!'
        server: list[str | Path] = [bin_dir / "postgres", "-D", self._places.pgdata, *options]
        done = account.run("/bin/sh", "-c", shell, self._places.log, *server)
        if not done.stdout.strip().isdigit():
            raise self.failure("did not start", done.stderr)
        return int(done.stdout)

    def _clear_traces(self, socket_dir: Path) -> None:
        """What a killed server left must not be taken for a running one if its process id is in use again."""
        with suppress(FileNotFoundError):
            lines = self._pid_file.read_bytes().split(b"\n")
            if lines[0].strip().isdigit():
                # Only the id: with the rest, PostgreSQL makes sure that no process of that server is left.
                fd = os.open(self._pid_file, os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW)
                with os.fdopen(fd, "wb") as file:
                    file.write(b"\n".join([_NO_PROCESS, *lines[1:]]))
            else:
                self._pid_file.unlink()
        for name in (f".s.PGSQL.{PORT}", f".s.PGSQL.{PORT}.lock"):
            (socket_dir / name).unlink(missing_ok=True)

    def shut_down(self) -> bool:
        """Stop the server and wait until it is gone. False if there was none."""
        server = self.found()
        if server is None:
            return False
        with suppress(ProcessLookupError):
            os.kill(server.pid, signal.SIGINT)  # a fast shutdown
        deadline = time.monotonic() + PATIENCE
        while self.is_at(server.pid):
            if time.monotonic() > deadline:
                raise self.failure(f"is still stopping after {PATIENCE:.0f} s", self.said_since(0))
            time.sleep(0.02)
        return True

    # ---------------------------------------------------------------- what it said

    def end_of_log(self) -> int:
        """Where what the server says from now on begins, in a log that is put away once it is long."""
        log = self._places.log
        size = log.stat().st_size if log.exists() else 0
        if size <= 10_000_000:
            return size
        log.replace(log.with_suffix(".log.old"))
        return 0

    def said_since(self, place: int) -> str:
        return self._places.log.read_bytes()[place:].decode(errors="replace")

    def failure(self, what: str, said: str) -> EmbeddedServerError:
        return EmbeddedServerError(
            f"The embedded server in {self._places.home} {what}: {last_lines(said) or 'it said nothing'}",
            hint=f"All that it said is in {self._places.log}. {USE_A_URL}",
        )
