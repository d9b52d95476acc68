"""The wall around searches and plans: with either layer alone, and round no corner."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from docgraph import calls
from tests.conftest import Installed
from tests.servers import Server
from tests.sql.asking import ALL_CALLS, PLAN, Connection, refusal, refused, words
from tests.sql.layers import Layers, turn_off_row_security
from tests.sql.planning import NORTH, expanded_of, found, plan, plan_text, seeds_of
from tests.sql.scratch import scratch_database
from tests.sql.test_wall import SHADOWS
from tests.sql.writing import put, relate

READER = "wall_planner"
CLAIM = {"tags": ["hr", "law"], "labels": ["secret"], "clearance": 9}
WIDE = {"tags": ["hr", "law"], "labels": ["secret"], "clearance": 9}
HIDDEN: dict[str, dict[str, Any]] = {
    "of law": {"tags": ["law"]},
    "secret": {"labels": ["secret"]},
    "high": {"clearance": 9},
    "elsewhere": {"repository": "theirs"},
}
SEEN = ["of hr", "public"]
SAME_NUMBERS = """
INSERT INTO docgraph.access_classes
SELECT 'other', c.access_class, c.repository, c.snapshot, c.tags, c.labels, c.clearance, c.fingerprint
FROM docgraph.access_classes c
WHERE c.tenant_id = 'default'
"""
"""Classes of two tenants may have one number: the tenant counts as well."""
EVERY = {"max_documents": 400, "expanded_per_seed": 200, "seed_limit": 200}


@pytest.fixture(scope="module", params=Layers, ids=lambda layers: layers.value)
def walled(request: pytest.FixtureRequest, server: Server, worker: str, template: str) -> Iterator[Installed]:
    """Two documents that the reader sees, four that it does not; the same in a tenant of others."""
    with scratch_database(server, worker, template) as database, database.connect() as superuser:
        database.grant(superuser.info.user, "other")
        documents = {"public": {}, "of hr": {"tags": ["hr"]}, **HIDDEN}
        for tenant in ("default", "other"):
            if tenant == "other":
                superuser.execute(SAME_NUMBERS)
            for each, attributes in documents.items():
                chunk = {"text": each, "embedding": NORTH}
                shown = {"repository": "ours", "summary_embedding": NORTH, "chunks": [chunk]}
                put(superuser, {"id": each, **shown, **attributes}, tenant=tenant, access=WIDE)
            pairs = [(a, "cites", b) for a in documents for b in documents if a != b]
            relate(superuser, *pairs, tenant=tenant, access=WIDE)
        # What is hidden here is open there, under the same id.
        put(superuser, {"id": "high", "repository": "ours"}, tenant="other", access=WIDE)
        put(superuser, {"id": "beyond", "repository": "ours"}, tenant="other", access=WIDE)
        relate(superuser, ("public", "cites", "beyond"), tenant="other", access=WIDE)
        if request.param is Layers.PREDICATE:
            turn_off_row_security(superuser)
        database.reader(READER, repositories=["ours"], snapshots=None, tags=["hr"], labels=[], clearance=1)
        superuser.execute(f"CREATE SCHEMA lair AUTHORIZATION {READER}".encode())
        yield database


@pytest.fixture
def reader(walled: Installed) -> Iterator[Connection]:
    with walled.connect(READER) as connection:
        yield connection


def holds(connection: Connection) -> None:
    """The reader finds what it may see, by every way there is, and nothing else."""
    for search_in in ("summaries", "chunks"):
        for method in ("exact", "approximate"):
            how = {"search_in": search_in, "method": method, "access": CLAIM}
            assert found(connection, **how) == SEEN
            for scope in ("none", "ingestion", "doc_type", "cluster"):
                made = plan(connection, query_embedding=NORTH, dominant_scope=scope, **how)
                assert seeds_of(made) == SEEN
    for types in (None, ["cites"]):
        made = plan(connection, seeds=["public", *HIDDEN], access=CLAIM, relation_types=types, **EVERY)
        assert (seeds_of(made), expanded_of(made)) == (["public"], {"of hr": [("public", "cites")]})
        assert made["omitted"] == len(HIDDEN)
    assert made["scope"] == {"tenant": "default", "repositories": ["ours"], "snapshots": None}
    for call in (calls.SEARCH_NODES, calls.PLAN_RETRIEVAL):
        assert refusal(connection, call, tenant="other").diag.sqlstate == "42501"


def test_it_finds_what_its_ceiling_allows(reader: Connection) -> None:
    holds(reader)


@pytest.mark.parametrize(
    "setting",
    [
        "search_path = lair, public, docgraph",
        "search_path = pg_temp, lair, pg_catalog",
        "plan_cache_mode = force_generic_plan",
        "plan_cache_mode = force_custom_plan",
        "enable_seqscan = off",
        "enable_indexscan = off",
        "enable_sort = off",
        "docgraph.tenant = 'other'",
        "role = 'docgraph_reader'",
        "default_transaction_read_only = on",
        "default_transaction_isolation = 'serializable'",
        "hnsw.ef_search = 1",
        "hnsw.iterative_scan = off",
        "hnsw.max_scan_tuples = 1",
        "client_encoding = 'LATIN1'",
    ],
)
def test_no_setting_widens_it(reader: Connection, setting: str) -> None:
    reader.execute(f"SET {setting}".encode())
    holds(reader)


@pytest.mark.parametrize("path", ["lair", "lair, pg_catalog, docgraph", "pg_temp, lair, pg_catalog"])
def test_objects_of_the_same_name_are_not_taken_for_ours(reader: Connection, path: str) -> None:
    own = """
    CREATE FUNCTION lair.visible_among(text, bigint[], text[]) RETURNS text[] LANGUAGE sql AS 'SELECT $3';
    CREATE FUNCTION lair.classes_within(text, text[], text[], text[], text[], integer) RETURNS bigint[]
        LANGUAGE sql AS $$SELECT array_agg(n) FROM generate_series(1, 99) AS n$$;
    CREATE FUNCTION lair.array_position(text[], text) RETURNS integer LANGUAGE sql AS 'SELECT 1';
    CREATE FUNCTION lair.cardinality(text[]) RETURNS integer LANGUAGE sql AS 'SELECT 0';
    CREATE FUNCTION lair.sha256(bytea) RETURNS bytea LANGUAGE sql AS 'SELECT $1';
    CREATE FUNCTION lair.anything(bigint, bigint) RETURNS boolean LANGUAGE sql AS 'SELECT true';
    CREATE OPERATOR lair.= (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = lair.anything);
    CREATE TABLE lair.document_nodes (tenant_id text, document_id text, access_class bigint);
    CREATE TEMPORARY TABLE document_relationships (tenant_id text);
    """
    with reader.transaction(force_rollback=True):
        reader.execute(SHADOWS.replace("wall_reader", READER).encode())
        reader.execute(own)
        reader.execute(f"SET LOCAL search_path = {path}".encode())
        holds(reader)


def test_hidden_and_unknown_ids_read_the_same(reader: Connection) -> None:
    """In plans with the same number of them, byte for byte."""
    for hidden in HIDDEN:
        for asked in ({}, {"query_embedding": NORTH}, {"max_documents": 1}):
            texts = {
                plan_text(reader, seeds=["public", each, "nobody"], access=CLAIM, **asked)
                for each in (hidden, f"{hidden}?", "nothing")
            }
            assert len(texts) == 1


def test_what_is_hidden_does_not_count_towards_a_limit(reader: Connection) -> None:
    """Six documents are related to each other; for the reader one is related to one."""
    for types in (None, ["cites"]):
        limits = {"max_documents": 2, "expanded_per_seed": 1, "relation_types": types}
        made = plan(reader, seeds=["public"], access=CLAIM, **limits)
        assert (expanded_of(made), made["truncated"]) == ({"of hr": [("public", "cites")]}, [])


@pytest.mark.parametrize("call", [calls.SEARCH_NODES, calls.PLAN_RETRIEVAL], ids=lambda call: call.function)
def test_a_tenant_of_others_reads_as_one_that_is_not_there(reader: Connection, call: Any) -> None:
    """Whatever else is wrong with the call."""
    for changes in ({}, {"method": "nearest"}, {"query_embedding": [1.0]}, {"query_embedding": None}):
        errors = [words(refusal(reader, call, tenant=tenant, **changes)) for tenant in ("other", "nowhere")]
        assert errors[0] == errors[1]
        assert errors[0][0] == "42501"


def test_explain_shows_nothing_of_the_inside(reader: Connection) -> None:
    rows = reader.execute(
        "EXPLAIN (ANALYZE, VERBOSE) SELECT * FROM docgraph.search_nodes('default', '{}', '{1,0,0,0}'),"
        " docgraph.plan_retrieval('default', '{}', seeds => '{public}')"
    )
    text = "\n".join(line for (line,) in rows)
    assert "Function Scan on docgraph.search_nodes" in text
    assert "document_nodes" not in text
    assert "access_class" not in text


def test_core_functions_cannot_be_called(reader: Connection) -> None:
    """They believe what they are given, which is why nobody may give them anything."""
    for statement in (
        "docgraph.visible_among('default', '{1,2,3,4,5,6}', '{secret}')",
        "docgraph.expand_once('default', '{1,2,3,4,5,6}', '{public}', NULL, 10, 39)",
        "docgraph.all_links('default', '{1,2,3,4,5,6}', '{public}', NULL, 10)",
        "docgraph.first_links('default', '{1,2,3,4,5,6}', '{public}', NULL, 10, 39)",
        "docgraph.nearest_documents('default', '{1,2,3}', '[1,0,0,0]', 'cosine', 'chunks', 'exact', 5, '{}')",
        "docgraph.dominant_scope('default', '{1,2}', '{secret,public}', 'doc_type', 0.35)",
        "docgraph.choose_method('default', '{1,2}', 'summaries', 'auto')",
        "docgraph.plan_origin('ids', NULL, NULL, NULL, false)",
    ):
        assert refused(reader, f"SELECT {statement}").diag.sqlstate == "42501"


def test_the_plan_of_another_login_opens_nothing(walled: Installed, reader: Connection) -> None:
    """Reading a plan looks nothing up; planning with its ids is asked for each of them."""
    with walled.connect() as superuser:
        made = plan(superuser, seeds=["secret"], access=WIDE)
    rows = reader.execute(calls.PLAN_DOCUMENTS.statement.encode(), {"plan": json.dumps(made)}).fetchall()
    assert rows[0][1] == "secret"
    assert plan(reader, seeds=[row[1] for row in rows], access=CLAIM)["omitted"] == 4


@pytest.mark.parametrize("role", ["docgraph_reader", "docgraph_writer", "docgraph_admin"])
def test_every_role_may_plan_with_all_defaults(walled: Installed, role: str) -> None:
    """Defaults are evaluated with the rights of the caller, who may not call what is not in the API."""
    login = walled.cluster.login(f"wall_planning_{role}", member_of=role)
    walled.grant(login)
    with walled.connect(login) as connection:
        assert len(found(connection, access=WIDE)) == 6
        assert seeds_of(plan(connection, seeds=["high"], access=WIDE)) == ["high"]
        for function in ("plan_documents", "explain_plan", "seal_plan", "verify_plan"):
            assert connection.execute(ALL_CALLS[function].statement.encode(), {"plan": PLAN}).fetchall()


def test_without_a_limit_everything_that_is_claimed_is_seen(walled: Installed) -> None:
    with walled.connect() as superuser:
        assert sorted(found(superuser, access=WIDE)) == sorted([*SEEN, *HIDDEN])
        assert seeds_of(plan(superuser, seeds=[*HIDDEN], access=WIDE)) == [*HIDDEN]
        assert found(superuser) == ["elsewhere", "public"]
