"""Searches and plans where pgvector lives in a schema that the caller has no right on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docgraph import migrate
from docgraph.access import Ceiling
from docgraph.client import DocGraph
from tests.conftest import EVERYTHING, SPACE, Cluster, Installed
from tests.sql.planning import NORTH, expanded_of, found, plan, put_world, seeds_of


@pytest.mark.parametrize("metric", ["cosine", "l2", "ip"])
def test_everything_is_found(cluster: Cluster, metric: str) -> None:
    database = Installed(cluster, cluster.create())
    with database.connect() as superuser:
        superuser.execute('CREATE SCHEMA "Ext, ensions"; CREATE EXTENSION vector SCHEMA "Ext, ensions"')
        migrate.upgrade(database.conninfo)
        with DocGraph(superuser) as client:
            client.configure_embedding_space(replace(SPACE, metric=metric))
            client.grant_access(Ceiling(superuser.info.user, *EVERYTHING))
        put_world(superuser, ("a", "cites", "x"), summaries={"b": [1, 1, 0, 0], "a": NORTH})
    login = database.reader(f"elsewhere_{metric}")
    with database.connect(login) as connection:
        for method in ("auto", "exact", "approximate"):
            assert found(connection, method=method) == ["a", "b"]
            made = plan(
                connection, query_embedding=NORTH, method=method, dominant_scope="cluster", scope_distance=2
            )
            assert (seeds_of(made), expanded_of(made)) == (["a", "b"], {"x": [("a", "cites")]})
