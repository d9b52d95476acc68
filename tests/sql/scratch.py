"""A database for a whole module of tests, where a clone for each test would cost more than the test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.conftest import Cluster, Installed
from tests.servers import Server


@contextmanager
def scratch_database(server: Server, worker: str, template: str) -> Iterator[Installed]:
    """A clone of the template. Tests that share it ask, are refused, or keep to tenants of their own."""
    cluster = Cluster(server, f"{worker}_scratch")
    try:
        yield Installed(cluster, cluster.create(template))
    finally:
        cluster.clean()
