"""The same data gives the same plans, byte for byte, however it lies on disk and whatever a session sets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from psycopg import sql

from tests.conftest import Installed
from tests.migrations.test_dump_restore import dump, restore
from tests.properties import plan_database
from tests.properties.database import Asked
from tests.properties.plan_worlds import CALLERS, IDS, PlanWorld, plain_world, question
from tests.properties.planner import Question, Shelf, canonical
from tests.properties.test_hidden_changes import Caller
from tests.properties.worlds import LOGINS
from tests.sql.asking import Connection

NAMES = [*IDS, *(f"document {number}" for number in range(400))]
"""Some hundreds of documents with a handful of vectors: most places of a search are decided by a tie."""


def settled_questions() -> list[tuple[Caller, Question]]:
    chance = Random(2)
    return [(caller, question(chance)) for caller in CALLERS for _ in range(12)]


WORLD, QUESTIONS = plain_world(Random(9), NAMES), settled_questions()


def shuffled(world: PlanWorld, chance: Random) -> PlanWorld:
    """The same in another order, under other class numbers."""

    def mixed(found: dict[Any, Any]) -> dict[Any, Any]:
        return dict(chance.sample(list(found.items()), len(found)))

    numbers = dict(zip(range(1, 5), chance.sample(range(10, 90), 4), strict=True))
    return replace(
        world,
        access=replace(
            world.access,
            classes={
                t: {numbers[n]: c for n, c in mixed(f).items()} for t, f in world.access.classes.items()
            },
            documents={t: {d: numbers[n] for d, n in f.items()} for t, f in world.access.documents.items()},
        ),
        shelves={
            t: Shelf(mixed(found.documents), found.edges) for t, found in mixed({**world.shelves}).items()
        },
    )


def told(connections: dict[str, Connection]) -> list[Any]:
    """The plan and the search of every question."""
    return [
        (
            plan_database.plan(connections[caller.login], caller, each),
            each.query_embedding
            and plan_database.search(connections[caller.login], caller, each, each.seed_limit),
        )
        for caller, each in QUESTIONS
    ]


@pytest.fixture(scope="module")
def settled(guarded: Asked) -> Asked:
    plan_database.put(guarded.superuser, WORLD)
    return guarded


@pytest.fixture(scope="module")
def expected(settled: Asked) -> list[Any]:
    """As it is told first, without statistics; the plans are those of the model."""
    setting = plan_database.setting(settled.superuser)
    first = told(settled.logins)
    for (caller, each), (plan, _) in zip(QUESTIONS, first, strict=True):
        planner = WORLD.planner(caller.login, caller.tenant, caller.claim, setting)
        assert planner is not None
        assert plan == canonical(planner.plan(each))
    return first


def test_ties_and_limits_matter(expected: list[Any]) -> None:
    """What is compared below has something in it."""
    plans = "".join(plan for plan, _ in expected)
    assert plans.count('"via"') > 50
    assert '"truncated": ["documents", "expanded_per_seed"]' in plans
    assert sum(len(shelf.edges) for shelf in WORLD.shelves.values()) > 1000


@pytest.mark.parametrize(
    "statement",
    [
        "ANALYZE",
        "REINDEX SCHEMA docgraph",
        "VACUUM FULL ANALYZE",
        "CLUSTER docgraph.document_nodes USING document_nodes_class_key",
        "CLUSTER docgraph.document_relationships USING document_relationships_in_idx",
        "UPDATE docgraph.document_nodes SET title = title",
    ],
)
def test_maintenance_changes_nothing(settled: Asked, expected: list[Any], statement: str) -> None:
    settled.superuser.execute(statement.encode())
    assert told(settled.logins) == expected


@pytest.mark.parametrize("order", [1, 2])
def test_the_order_of_arrival_changes_nothing(settled: Asked, expected: list[Any], order: int) -> None:
    plan_database.put(settled.superuser, shuffled(WORLD, Random(order)))
    assert told(settled.logins) == expected


SESSIONS = [
    {"plan_cache_mode": "force_generic_plan"},
    {"plan_cache_mode": "force_custom_plan"},
    {"enable_seqscan": "off"},
    {"enable_indexscan": "off", "enable_indexonlyscan": "off"},
    {"enable_bitmapscan": "off"},
    {"enable_indexscan": "off", "enable_indexonlyscan": "off", "enable_bitmapscan": "off"},
    {"enable_sort": "off", "enable_incremental_sort": "off"},
    {"enable_hashjoin": "off", "enable_hashagg": "off"},
    {"enable_nestloop": "off"},
    {"enable_nestloop": "off", "enable_hashjoin": "off"},
    {"work_mem": "64kB", "hash_mem_multiplier": "1", "jit": "on", "jit_above_cost": "0"},
    {"from_collapse_limit": "1", "join_collapse_limit": "1", "cursor_tuple_fraction": "0.01"},
    {"parallel_setup_cost": "0", "parallel_tuple_cost": "0", "min_parallel_table_scan_size": "0"},
    {"extra_float_digits": "-15", "bytea_output": "escape", "standard_conforming_strings": "off"},
    {"TimeZone": "Pacific/Apia", "DateStyle": "Postgres, DMY", "IntervalStyle": "sql_standard"},
    {"search_path": "nowhere", "default_transaction_isolation": "serializable"},
    {"client_min_messages": "error", "array_nulls": "off", "transform_null_equals": "on"},
    {"default_transaction_read_only": "on", "lock_timeout": "1s", "quote_all_identifiers": "on"},
]


@pytest.mark.parametrize("settings", SESSIONS, ids=" ".join)
def test_no_setting_of_the_session_changes_anything(
    settled: Asked, expected: list[Any], settings: dict[str, str]
) -> None:
    connect = settled.installed.connect
    with connect(LOGINS[0]) as one, connect(LOGINS[1]) as other:
        for connection in (one, other):
            for name, value in settings.items():
                connection.execute(sql.SQL("SET {} = {}").format(sql.Identifier(name), value))
        assert told({LOGINS[0]: one, LOGINS[1]: other}) == expected


def elsewhere(found: Installed) -> Installed:
    """A new database; where the server knows locales, one that sorts as a dictionary does."""
    name = found.cluster.create()
    with found.cluster.superuser() as connection:
        if connection.execute("SELECT FROM pg_collation WHERE collname = 'en-x-icu'").fetchone():
            # Of the same name, so that the cluster drops it in the end.
            again = "TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'en'"
            connection.execute(f"DROP DATABASE {name}".encode())
            connection.execute(f"CREATE DATABASE {name} {again}".encode())
    return Installed(found.cluster, name)


def test_dump_and_restore_change_nothing(settled: Asked, expected: list[Any], tmp_path: Path) -> None:
    server, restored = settled.installed.cluster.server, elsewhere(settled.installed)
    dump(server, settled.installed.conninfo, tmp_path / "dump")
    restore(server, restored.conninfo, tmp_path / "dump")
    with restored.connect(LOGINS[0]) as one, restored.connect(LOGINS[1]) as other:
        assert told({LOGINS[0]: one, LOGINS[1]: other}) == expected
