"""How much memory a client takes that retrieves, and the server's process that works for it.

Each client in a process of its own, which imports nothing else.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from bench import machine
from bench.corpora import corpus
from bench.footprint import of_server
from bench.peers import langchain
from bench.results import Table

_ASKED = 100


def measure(superuser: str, login: str, dimensions: int, *, calls: int, peers: bool, title: str) -> Table:
    """A row for each kind of client."""
    kinds: dict[str, dict[str, Any]] = {"docgraph": {"conninfo": login, "tags": corpus.CLAIM["tags"]}}
    if peers:
        kinds["LangChain"] = langchain.how_to_open(superuser)
    questions = corpus.questions(_ASKED, dimensions)
    rows = [
        (kind, *_one(superuser, {"kind": kind, "how": how, "calls": calls, "questions": questions}))
        for kind, how in kinds.items()
    ]
    columns = ("what", "client MB, empty", "first call", f"after {calls:,}", "server's process MB")
    return Table(title, columns, rows)


def _one(superuser: str, task: dict[str, Any]) -> tuple[float, float, float, float | None]:
    _, before = machine.backends(superuser)
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "bench.speed.resident_client"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as client:
        if client.stdin is None or client.stdout is None:
            raise RuntimeError("a client without pipes")
        client.stdin.write(json.dumps(task) + "\n")
        client.stdin.flush()
        if not (answer := client.stdout.readline()):
            raise RuntimeError(f"the client for {task['kind']} ended with {client.wait()}")
        empty, first, last = json.loads(answer)
        host, now = machine.backends(superuser)
        server = of_server(host, now - before)
        client.stdin.close()
    return empty, first, last, server
