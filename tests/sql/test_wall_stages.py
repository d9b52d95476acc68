"""The access invariant as a matrix: each stage, each filter, each layer, where only that stage could leak.

A stage is handed what another one that leaks would hand it: a seed from which hidden documents are one step
away, or the ids of hidden documents themselves. The predicate alone must hold every filter. Row security
alone knows tenants and nothing else: with the predicate taken away every other filter is gone, which shows
that each of these tests could fail; the wall between tenants stands even when a function forgets the tenant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from docgraph.resources import SQL
from tests.conftest import Installed
from tests.servers import Server
from tests.sql.asking import Connection, refused
from tests.sql.layers import turn_off_row_security
from tests.sql.planning import NORTH
from tests.sql.scratch import scratch_database
from tests.sql.writing import put, relate

HELD: dict[str, Any] = {
    "repository": "ours",
    "snapshot": "main",
    "tags": ["hr"],
    "labels": ["internal"],
    "clearance": 1,
}
CLAIM = {
    "repositories": ["ours"],
    "snapshots": ["main"],
    "tags": ["hr"],
    "labels": ["internal"],
    "clearance": 1,
}
WIDE = {"tags": ["hr", "law"], "labels": ["internal", "secret"], "clearance": 9}
HIDDEN: dict[str, dict[str, Any]] = {
    "repository": {"repository": "theirs"},
    "snapshot": {"snapshot": "dev"},
    "tags": {"tags": ["law"]},
    "labels": {"labels": ["internal", "secret"]},
    "clearance": {"clearance": 2},
}
"""For each filter the one attribute by which its document is hidden."""
FILTERS = ["tenant", *HIDDEN]
SEEN = ["begin", "next"]
NO_CLAIMS = """
CREATE OR REPLACE FUNCTION docgraph.classes_within(
    tenant text, held_repositories text[], held_snapshots text[], held_tags text[], held_labels text[],
    held_clearance integer
) RETURNS bigint[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
AS $$BEGIN RETURN ARRAY(SELECT c.access_class FROM docgraph.access_classes c); END$$
"""
"""The predicate taken away: every class there is, of whatever tenant."""
FORGETFUL = {
    "search": ["nearest_exactly"],
    "expand": ["visible_among", "links_from", "links_to"],
    "fetch": ["order_nodes", "measure_texts", "read_text", "sensitivity_of"],
}
"""The functions in which a stage says of which tenant it reads."""


def secret(kind: str) -> str:
    """The id of the document that is hidden by that filter, and part of its text."""
    return f"hidden by {kind}"


@contextmanager
def walled_database(server: Server, worker: str, template: str, login: str) -> Iterator[Installed]:
    """What can be seen leads to what cannot, and only by way of that to something else that can."""
    with scratch_database(server, worker, template) as database, database.connect() as superuser:
        database.grant(superuser.info.user, "other")

        def add(name: str, tenant: str = "default", **attributes: Any) -> None:
            texts = {"summary": f"about {name}", "chunks": [{"text": f"text of {name}", "embedding": NORTH}]}
            document = {"id": name, "summary_embedding": NORTH, **texts, **HELD, **attributes}
            put(superuser, document, tenant=tenant, access=WIDE)

        for each in SEEN:
            add(each)
        relate(superuser, ("begin", "cites", "next"), access=WIDE)
        for kind, attributes in HIDDEN.items():
            add(secret(kind), **attributes)
            add(f"behind {kind}")
            pairs = [("begin", secret(kind)), (secret(kind), "begin"), (secret(kind), f"behind {kind}")]
            relate(superuser, *[(a, "cites", b) for a, b in pairs], access=WIDE)
        for each in ("begin", secret("tenant")):
            add(each, "other")
        edges = [("begin", "cites", secret("tenant")), (secret("tenant"), "cites", "begin")]
        relate(superuser, *edges, tenant="other", access=WIDE)
        database.reader(
            login, repositories=["ours"], snapshots=["main"], tags=["hr"], labels=["internal"], clearance=1
        )
        yield database


def forget(superuser: Connection, stage: str) -> None:
    """The functions of a stage as if their author had forgotten the tenant, and the predicate taken away."""
    superuser.execute(
        "SELECT set_config('docgraph.pgvector_path', format('pg_catalog, %I', n.nspname), false)"
        " FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'"
    )
    for name in FORGETFUL[stage]:
        text = (SQL / "functions" / "core" / f"{name}.sql").read_text(encoding="utf-8")
        forgetful, count = re.subn(r"\b[a-z]\.tenant_id = tenant\b", "true", text)
        assert count
        with superuser.transaction():
            superuser.execute(forgetful.encode())


@pytest.fixture(scope="module")
def predicate_alone(server: Server, worker: str, template: str) -> Iterator[Connection]:
    """A reader, where row security is off."""
    login = "stages_predicate"
    with walled_database(server, worker, template, login) as database:
        with database.connect() as superuser:
            turn_off_row_security(superuser)
        with database.connect(login) as reader:
            yield reader


@pytest.fixture(scope="module")
def row_security_alone(server: Server, worker: str, template: str) -> Iterator[Connection]:
    """A reader, where no function applies the predicate."""
    login = "stages_row_security"
    with walled_database(server, worker, template, login) as database:
        with database.connect() as superuser:
            superuser.execute(NO_CLAIMS)
        with database.connect(login) as reader:
            yield reader


def search(reader: Connection) -> str:
    """Every document is as near as any other."""
    return answer(
        reader,
        "SELECT jsonb_agg(s) FROM docgraph.search_nodes('default', %(claim)s, %(north)s, max_nodes => 200) s",
    )


def expand(reader: Connection) -> str:
    """From a seed that can be seen, whichever way."""
    return answer(
        reader,
        "SELECT docgraph.expand_dependency_tree('default', %(claim)s, '{begin}', 5, direction => 'both')",
    )


def fetch(reader: Connection) -> str:
    """Hidden ids handed over as nodes and as seeds."""
    nodes = [
        {"id": each, "depth": 0, "parent": None, "is_seed": True} for each in ("begin", *map(secret, FILTERS))
    ]
    return answer(
        reader,
        "SELECT jsonb_agg(t) FROM docgraph.fetch_node_texts('default', %(claim)s, %(nodes)s, %(seeds)s,"
        " budget_tokens => 100000) t WHERE t.accounting IS NULL",
        nodes=json.dumps(nodes),
        seeds=[node["id"] for node in nodes],
    )


def answer(reader: Connection, statement: str, **values: Any) -> str:
    values |= {"claim": json.dumps(CLAIM), "north": NORTH}
    ((found,),) = reader.execute(statement.encode(), values).fetchall()
    return json.dumps(found)


STAGES: dict[str, Callable[[Connection], str]] = {"search": search, "expand": expand, "fetch": fetch}


@pytest.mark.parametrize("kind", FILTERS)
@pytest.mark.parametrize("stage", STAGES)
def test_the_predicate_alone_holds(predicate_alone: Connection, stage: str, kind: str) -> None:
    found = STAGES[stage](predicate_alone)
    assert "begin" in found
    assert secret(kind) not in found
    if stage == "expand":
        assert f"behind {kind}" not in found


@pytest.mark.parametrize("kind", FILTERS)
@pytest.mark.parametrize("stage", STAGES)
def test_row_security_alone_knows_tenants_only(row_security_alone: Connection, stage: str, kind: str) -> None:
    """That the other filters are gone shows that it is the predicate, in this stage, that holds them."""
    found = STAGES[stage](row_security_alone)
    assert "begin" in found
    assert (secret(kind) in found) == (kind != "tenant")


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_that_forgets_the_tenant_meets_row_security(
    server: Server, worker: str, template: str, stage: str
) -> None:
    login = f"stages_forgetful_{stage}"
    with walled_database(server, worker, template, login) as database, database.connect() as superuser:
        superuser.execute(NO_CLAIMS)
        forget(superuser, stage)
        with database.connect(login) as reader:
            found = STAGES[stage](reader)
            assert "begin" in found
            assert secret("tenant") not in found
            turn_off_row_security(superuser)
            assert secret("tenant") in STAGES[stage](reader)


class TestThePipeline:
    """What holds for each stage holds for all of them together."""

    STATEMENT = (
        "SELECT docgraph.run_pipeline('default', %(claim)s, %(north)s, search_in => 'chunks',"
        " seed_limit => 200, direction => 'both', max_depth => 5, budget_tokens => 100000)"
    )

    def test_nothing_hidden_in_any_artefact(self, predicate_alone: Connection) -> None:
        found = answer(predicate_alone, self.STATEMENT)
        assert "text of begin" in found
        assert not [kind for kind in FILTERS if secret(kind) in found]

    def test_nothing_hidden_from_given_seeds(self, predicate_alone: Connection) -> None:
        statement = "SELECT docgraph.run_pipeline('default', %(claim)s, seeds => %(seeds)s)"
        seeds = ["begin", *map(secret, FILTERS)]
        found = json.loads(answer(predicate_alone, statement, seeds=seeds))
        assert [node["id"] for node in found["expanded_nodes"]] == SEEN
        assert [hit["document_id"] for hit in found["retrieval_seed_nodes"]] == ["begin"]
        assert found["accounting"]["omitted"] == len(FILTERS)
        assert found["accounting"]["texts"]["sensitivity"] == {
            "tags": ["hr"],
            "labels": ["internal"],
            "clearance": 1,
        }

    @pytest.mark.parametrize("stage", [*STAGES, "pipeline"])
    def test_a_tenant_of_others_reads_as_one_that_is_not_there(
        self, predicate_alone: Connection, stage: str
    ) -> None:
        calls = {
            "search": "search_nodes('{}', '{{}}', '{{1,0,0,0}}')",
            "expand": "expand_dependency_tree('{}', '{{}}', '{{begin}}')",
            "fetch": "fetch_node_texts('{}', '{{}}', seeds => '{{begin}}', budget_tokens => 1)",
            "pipeline": "run_pipeline('{}', '{{}}', '{{1,0,0,0}}')",
        }
        errors = [
            refused(predicate_alone, f"SELECT docgraph.{calls[stage].format(tenant)}").diag
            for tenant in ("other", "nowhere")
        ]
        assert errors[0].sqlstate == errors[1].sqlstate == "42501"
        assert errors[0].message_primary == errors[1].message_primary


def test_texts_of_hidden_documents_are_nowhere(server: Server, worker: str, template: str) -> None:
    """Not in results, errors, messages, plans, nor in the server's log at its usual level."""
    login = "stages_quiet"
    with walled_database(server, worker, template, login) as database, database.connect(login) as reader:
        said: list[str] = []
        reader.add_notice_handler(lambda notice: said.append(str(notice.message_primary)))
        reader.execute("SET client_min_messages = debug5")
        said += [stage(reader) for stage in STAGES.values()]
        for call in (
            "expand_dependency_tree('default', '{}', '{begin}', direction => 'both')",
            "fetch_node_texts('default', '{}', seeds => '{begin,hidden by tags}', max_chars => 100000)",
            "run_pipeline('default', '{}', '{1,0,0,0}')",
        ):
            shown = reader.execute(f"EXPLAIN (ANALYZE, VERBOSE) SELECT * FROM docgraph.{call}".encode())
            said += [line for (line,) in shown]
        for statement in (
            "SELECT docgraph.expand_dependency_tree('default', '{}', '{hidden by tags}', max_depth => 11)",
            "SELECT docgraph.fetch_node_texts('default', '{}', seeds => '{hidden by tags}', max_chars => 0)",
        ):
            said.append(repr(refused(reader, statement).diag.message_primary))
        assert any("text of begin" in each for each in said)
        for kind in FILTERS:
            for text in (f"text of {secret(kind)}", f"about {secret(kind)}"):
                assert not [each for each in said if text in each]
