"""`docgraph mcp`: language models ask docgraph, by the Model Context Protocol."""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn

from docgraph.cli.console import err
from docgraph.client import DocGraph


def mcp(client: DocGraph) -> None:
    """Serve language models over standard input and output: the tools plan, context and explain (MCP).

    They only read, in the tenant and by the claim given here, which no model can change. A database that
    cannot be reached is an error of the single call. Ends with its input.
    """
    from docgraph.integrations.mcp import serve  # noqa: PLC0415 - an extra

    def end(number: int, _: object) -> NoReturn:
        client.close()
        os._exit(128 + number)

    # A thread that waits for input would keep the program alive until the next line.
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, end)
    if sys.stdin.isatty():
        err.print("Waiting for a program that speaks MCP. By hand there is nothing to type; Ctrl-C ends it.")
    serve(client)
