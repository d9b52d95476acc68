"""On a hot standby, where nothing can be written, planning gives the same bytes."""

from __future__ import annotations

import json

import psycopg

from tests.conftest import Installed
from tests.migrations.test_standby import let_it_follow, standby  # noqa: F401 - a fixture
from tests.sql.api.guardrails import EDGES, directionality, expansion_depth, put_maze
from tests.sql.api.test_plan_functions import FUNCTIONS, said
from tests.sql.asking import Connection
from tests.sql.planning import NORTH, found, plan, plan_text


def test_plans_on_a_standby(database: Installed, superuser: Connection, standby: str) -> None:  # noqa: F811 - a fixture, asked for by its name
    put_maze(superuser)
    let_it_follow(database, standby)
    with psycopg.connect(standby, autocommit=True) as connection:
        assert connection.execute("SELECT pg_is_in_recovery()").fetchone() == (True,)
        for asked in (
            {"query_embedding": NORTH},
            {"query_embedding": NORTH, "method": "approximate", "search_in": "chunks", "seeds": ["z"]},
            {"seeds": sorted({edge[0] for edge in EDGES}), "dominant_scope": "cluster"},
        ):
            assert plan_text(connection, **asked) == plan_text(superuser, **asked)
        assert found(connection) == found(superuser)
        expansion_depth(connection)
        directionality(connection)
        made = json.dumps(plan(connection, seeds=["a"]))
        for function in FUNCTIONS:
            assert said(connection, function, made) == said(superuser, function, made)
