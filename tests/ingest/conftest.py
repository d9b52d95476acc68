from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from docgraph.async_client import AsyncDocGraph
from docgraph.client import DocGraph
from tests.conftest import Cluster, Installed

Do = Callable[..., Any]
"""`do(method, ...)`: a method of one of the two clients, in the test's database."""


@pytest.fixture(params=["sync", "async"])
def do(request: pytest.FixtureRequest, database: Installed) -> Do:
    """Either client: what a test asks of one holds for the other."""

    def blocking(method: str, *args: Any, **kwargs: Any) -> Any:
        with DocGraph(database.conninfo) as client:
            return getattr(client, method)(*args, **kwargs)

    def awaited(method: str, *args: Any, **kwargs: Any) -> Any:
        async def ask() -> Any:
            client = AsyncDocGraph(database.conninfo)
            try:
                return await getattr(client, method)(*args, **kwargs)
            finally:
                await client.close()

        return asyncio.run(ask())

    return {"sync": blocking, "async": awaited}[request.param]


@pytest.fixture
def another(cluster: Cluster, template: str) -> Callable[[], Installed]:
    """More databases of the same kind, for comparison."""
    return lambda: Installed(cluster, cluster.create(template))
