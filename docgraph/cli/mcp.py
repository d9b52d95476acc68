"""`docgraph mcp`: language models ask docgraph, by the Model Context Protocol."""

from __future__ import annotations

from docgraph.client import DocGraph


def mcp(client: DocGraph) -> None:
    """Serve language models over standard input and output: the tools plan, context and explain (MCP).

    They only read, in the tenant and by the claim given here, which no model can change. A database that
    cannot be reached is an error of the single call. Ends with its input.
    """
    from docgraph.integrations.mcp import serve  # noqa: PLC0415 - an extra

    serve(client)
