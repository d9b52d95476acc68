"""Handles on embedded servers, in this process and in others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, cast

import psycopg
import pytest

from docgraph.embedded import EmbeddedServer, package_bin_dir
from tests.servers import FAST

AS_ROOT = os.geteuid() == 0
only_root = pytest.mark.skipif(not AS_ROOT, reason="about what root does")

CLIENT = """
import os, sys
from pathlib import Path
from docgraph.embedded import EmbeddedServer, package_bin_dir
server = EmbeddedServer(Path(sys.argv[1]), settings={"fsync": "off"}).start()
print(server.status().pid, flush=True)
sys.stdin.readline()
"""


class Client:
    """Another process that holds the server."""

    def __init__(self, home: Path, code: str = CLIENT) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, str(home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def line(self) -> str:
        return cast("IO[str]", self.process.stdout).readline().strip()

    def end(self) -> None:
        """Let it end as a program does."""
        out, _ = self.process.communicate("\n", timeout=60)
        assert (self.process.returncode, out) == (0, "")

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


def server_at(home: Path, **kwargs: object) -> EmbeddedServer:
    return EmbeddedServer(home, settings=FAST, **kwargs)  # type: ignore[arg-type]  # passed on as they come


def query(server: EmbeddedServer, sql: str) -> list[tuple[object, ...]]:
    with psycopg.connect(server.conninfo, autocommit=True) as conn:
        cursor = conn.execute(sql)
        return cursor.fetchall() if cursor.description else []


def running(home: Path) -> bool:
    return EmbeddedServer(home).status().running


def pid_of(home: Path) -> int:
    pid = EmbeddedServer(home).status().pid
    assert pid
    return pid


def kill_server(home: Path) -> None:
    pid = pid_of(home)
    os.kill(pid, signal.SIGKILL)
    while running(home):
        time.sleep(0.01)


def _release() -> str:
    said = subprocess.run(
        [package_bin_dir() / "postgres", "--version"], capture_output=True, text=True, check=True
    )
    return said.stdout.split()[2]


RELEASE = _release()
"""Of the PostgreSQL in the wheel."""
