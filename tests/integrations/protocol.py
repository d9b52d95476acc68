"""Asking a server through the protocol's own client."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from mcp import Client
from mcp.types import CallToolResult, TextContent

from tests.integrations.conftest import QUESTION

T = TypeVar("T")

TOOLS = ("plan", "context", "explain")
ASKED = {"question": QUESTION}


def connected(server: Any, ask: Callable[[Client], Awaitable[T]], mode: str = "auto") -> T:
    """What is learnt from a connection to a server, in this process or as a command."""

    async def run() -> T:
        async with Client(server, mode=mode, read_timeout_seconds=60) as client:
            return await ask(client)

    return asyncio.run(run())


def text(found: CallToolResult) -> str:
    (content,) = found.content
    assert isinstance(content, TextContent)
    return content.text


def answered(server: Any, tool: str, arguments: dict[str, Any], mode: str = "auto") -> str:
    found = connected(server, lambda client: client.call_tool(tool, arguments), mode)
    assert not found.is_error, found
    return text(found)


def refused(server: Any, tool: str, arguments: dict[str, Any]) -> str:
    found = connected(server, lambda client: client.call_tool(tool, arguments))
    assert found.is_error, found
    assert "Traceback" not in text(found)
    return text(found)
