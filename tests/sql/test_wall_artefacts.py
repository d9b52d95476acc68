"""What is hidden from a call is in nothing that it leaves: artefacts, errors, messages, plans, the log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from psycopg.errors import Diagnostic

from tests.conftest import Installed
from tests.servers import Server
from tests.sql.asking import Connection, refused
from tests.sql.layers import turn_off_row_security
from tests.sql.staged_wall import FILTERS, NAMED, SEEN, STAGES, answer, secret, walled_database

LOGIN = "stages_artefacts"
CALLS = {
    "search": "search_nodes('{}', '{{}}', '{{1,0,0,0}}')",
    "search by words": "search_nodes('{}', '{{}}', query_text => 'summary', mode => 'bm25')",
    "texts": "candidate_texts('{}', '{{}}', '{{begin,hidden by tags}}')",
    "expand": "expand_dependency_tree('{}', '{{}}', '{{begin}}', direction => 'both')",
    "fetch": "fetch_node_texts('{}', '{{}}', seeds => '{{begin,hidden by tags}}', budget_tokens => 100000)",
    "pipeline": "run_pipeline('{}', '{{}}', '{{1,0,0,0}}')",
}
"""The stages in a tenant, with no claims."""
REFUSED = [
    "search_nodes('default', '{}', query_text => 'text', mode => 'bm25', max_nodes => -1)",
    "search_nodes('default', '{}', query_text => 'text', mode => 'bm25', rerank => 'hidden by tags')",
    "candidate_texts('default', '{}', '{hidden by tags}', '{0,0}')",
    "expand_dependency_tree('default', '{}', '{hidden by tags}', max_depth => 11)",
    "fetch_node_texts('default', '{}', seeds => '{hidden by tags}', max_chars => 0)",
    "run_pipeline('default', '{}', seeds => '{hidden by tags}', prioritization => 'hidden by tags')",
    "search_nodes('other', '{}', '{1,0,0,0}')",
]


@pytest.fixture(scope="module")
def predicate_alone(server: Server, worker: str, template: str) -> Iterator[Installed]:
    """Row security is off."""
    with walled_database(server, worker, template, LOGIN) as database:
        with database.connect() as superuser:
            turn_off_row_security(superuser)
        yield database


@pytest.fixture
def reader(predicate_alone: Installed) -> Iterator[Connection]:
    with predicate_alone.connect(LOGIN) as found:
        yield found


class TestThePipeline:
    """What holds for each stage holds for all of them together."""

    def test_nothing_hidden_in_any_artefact(self, reader: Connection) -> None:
        found = answer(
            reader,
            "SELECT docgraph.run_pipeline('default', %(claim)s, %(north)s, search_in => 'chunks',"
            " seed_limit => 200, direction => 'both', max_depth => 5, budget_tokens => 100000)",
        )
        assert "text of begin" in found
        assert not [kind for kind in FILTERS if secret(kind) in found]

    def test_nothing_hidden_from_given_seeds(self, reader: Connection) -> None:
        statement = "SELECT docgraph.run_pipeline('default', %(claim)s, seeds => %(named)s)"
        found = json.loads(answer(reader, statement))
        assert [node["id"] for node in found["expanded_nodes"]] == SEEN
        assert [hit["document_id"] for hit in found["retrieval_seed_nodes"]] == ["begin"]
        assert found["accounting"]["omitted"] == len(NAMED) - 1
        assert found["accounting"]["texts"]["sensitivity"] == {
            "tags": ["hr"],
            "labels": ["internal"],
            "clearance": 1,
        }


@pytest.mark.parametrize("call", CALLS)
def test_a_tenant_of_others_reads_as_one_that_is_not_there(reader: Connection, call: str) -> None:
    errors = [
        fields(refused(reader, f"SELECT docgraph.{CALLS[call].format(tenant)}").diag)
        for tenant in ("other", "nowhere")
    ]
    assert errors[0] == [field.replace("nowhere", "other") for field in errors[1]]
    assert "42501" in errors[0]


def fields(said: Diagnostic) -> list[str]:
    """Everything that the server says with an error or a message: detail, hint, context and all others."""
    names = [name for name in dir(Diagnostic) if not name.startswith("_")]
    values = [getattr(said, name) for name in names]
    return [value for value in values if isinstance(value, str)]


def log_of(server: Server) -> Path | None:
    """Its file, where it is on this machine."""
    return server.embedded.home / "server.log" if server.embedded else None


def test_texts_of_hidden_documents_are_nowhere(
    server: Server, predicate_alone: Installed, reader: Connection
) -> None:
    log = log_of(server)
    already = log.stat().st_size if log else 0
    results = [stage.ask(reader) for stage in STAGES.values()]
    said: list[str] = []
    reader.add_notice_handler(lambda notice: said.extend(fields(notice)))
    reader.execute("SET client_min_messages = debug5")
    for stage in STAGES.values():
        stage.ask(reader)
    for call in CALLS.values():
        statement = f"EXPLAIN (ANALYZE, VERBOSE) SELECT * FROM docgraph.{call.format('default')}"
        results += [line for (line,) in reader.execute(statement.encode())]
    for call in REFUSED:
        said += fields(refused(reader, f"SELECT docgraph.{call}").diag)
    logged = log.read_bytes()[already:].decode() if log else ""
    assert any("text of begin" in each for each in results)
    assert any("Function Scan on docgraph.candidate_texts" in each for each in results)
    assert any("PL/pgSQL function" in each for each in said)
    assert log is None or all(f"SELECT docgraph.{call}" in logged for call in REFUSED)
    for kind in FILTERS:
        for text in (f"text of {secret(kind)}", f"summary of {secret(kind)}"):
            assert not [each for each in [*results, *said, logged] if text in each]
