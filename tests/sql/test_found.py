"""Rules that do not hold yet."""

from __future__ import annotations

from docgraph import migrate
from docgraph.engine import Database
from docgraph.verify import verify
from tests.conftest import Cluster


def test_verify_reads_past_a_schema_whose_name_needs_quoting(cluster: Cluster) -> None:
    name = cluster.create()
    with cluster.superuser(name) as connection:
        connection.execute('CREATE SCHEMA "Ext, ensions"; CREATE EXTENSION vector SCHEMA "Ext, ensions"')
    migrate.upgrade(cluster.server.conninfo(name))
    with Database(cluster.server.conninfo(name)) as database:
        assert verify(database) == []
