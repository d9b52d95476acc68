"""begin_ingestion and finish_ingestion: a run has an owner, a source and an end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from docgraph import calls
from tests.conftest import Installed
from tests.sql.asking import Connection, nothing_written, refusal, words
from tests.sql.writing import get, listed, put, report, row_versions, rows


def begin(connection: Connection, ingestion: str, source: str = "/srv", **more: Any) -> None:
    rows(connection, "begin_ingestion", ingestion=ingestion, source=source, **more)


def finish(connection: Connection, ingestion: str, state: str = "finished", **more: Any) -> Any:
    return report(
        connection, "finish_ingestion", **{"ingestion": ingestion, "state": state, "report": {}, **more}
    )


def runs(superuser: Connection) -> list[tuple[Any, ...]]:
    return superuser.execute(
        """
        SELECT ingestion_id, source, state, finished_at IS NOT NULL, report, login::text
        FROM docgraph.ingestion_requests WHERE tenant_id = 'default' ORDER BY 1
        """
    ).fetchall()


def test_from_the_beginning_to_the_end(undone: Connection) -> None:
    begin(undone, "monday", "/srv/handbook")
    assert runs(undone) == [("monday", "/srv/handbook", "running", False, {}, "postgres")]
    finish(undone, "monday", report={"added": 3})
    assert runs(undone) == [("monday", "/srv/handbook", "finished", True, {"added": 3}, "postgres")]
    finish(undone, "monday", "failed")
    assert runs(undone) == [("monday", "/srv/handbook", "failed", True, {}, "postgres")]
    begin(undone, "monday", "/srv/handbook")
    assert [run[2:4] for run in runs(undone)] == [("running", False)]


def test_beginning_again_does_no_harm(undone: Connection) -> None:
    for _ in range(3):
        begin(undone, "monday")
        put(undone, {"id": "a"}, ingestion="monday")
    assert len(runs(undone)) == 1
    assert get(undone, "a")["ingestion"] == "monday"


def test_a_run_keeps_its_source(undone: Connection) -> None:
    """Else its documents would be pruned with those of another source."""
    begin(undone, "monday", "/srv/a")
    with nothing_written(undone):
        error = refusal(undone, calls.BEGIN_INGESTION, ingestion="monday", source="/srv/b")
    assert error.diag.sqlstate == "22023"
    assert error.diag.message_primary == "source must be the one that the ingestion was begun with"


@pytest.mark.parametrize("end", ["finished", "failed"])
def test_a_run_that_has_ended_takes_no_documents(undone: Connection, end: str) -> None:
    begin(undone, "monday")
    finish(undone, "monday", end)
    for call in (calls.PUT_DOCUMENTS, calls.UNCHANGED_DOCUMENTS):
        with nothing_written(undone):
            error = refusal(undone, call, ingestion="monday")
        assert error.diag.sqlstate == "22023"
        assert (
            error.diag.message_primary == "ingestion must be one that this login has begun and not finished"
        )
    begin(undone, "monday")
    assert put(undone, {"id": "a"}, ingestion="monday")["added"] == ["a"]


def test_finishing_says_what_still_waits(undone: Connection) -> None:
    link = {"relation_type": "references", "to": "b"}
    begin(undone, "monday")
    put(undone, {"id": "a", "links": [link, {**link, "to": "c"}]}, ingestion="monday")
    put(undone, {"id": "x", "links": [link, {**link, "to": "z"}]})
    assert finish(undone, "monday") == {"waiting": 2}
    put(undone, {"id": "b"})
    assert finish(undone, "monday") == {"waiting": 1}


class TestSources:
    """Whose documents a later run of the same source may prune."""

    def test_of_all_runs_of_a_source(self, undone: Connection) -> None:
        begin(undone, "monday", "/srv/a")
        begin(undone, "tuesday", "/srv/a")
        begin(undone, "other", "/srv/b")
        put(undone, {"id": "a"}, {"id": "c"}, ingestion="monday")
        put(undone, {"id": "b"}, {"id": "c", "title": "new"}, ingestion="tuesday")
        put(undone, {"id": "d"}, ingestion="other")
        put(undone, {"id": "e"})
        assert listed(undone, ingested_from="/srv/a") == ["a", "b", "c"]
        assert listed(undone, ingested_from="/srv/b") == ["d"]
        assert listed(undone, ingested_from="/srv") == []
        assert listed(undone, ingested_from="") == []
        assert listed(undone, ingested_from="/srv/a", after="a", page=1) == ["b"]
        assert listed(undone) == ["a", "b", "c", "d", "e"]

    def test_a_document_moves_to_the_source_that_found_it_last(self, undone: Connection) -> None:
        begin(undone, "a", "/srv/a")
        begin(undone, "b", "/srv/b")
        put(undone, {"id": "x", "chunks": [{"text": "t"}]}, ingestion="a")
        asked: dict[str, Any] = {"documents": [{"id": "x", "chunks": [{"text": "t"}]}]}
        assert report(undone, "unchanged_documents", **asked, ingestion="a") == ["x"]
        assert report(undone, "unchanged_documents", **asked) == ["x"]
        assert report(undone, "unchanged_documents", **asked, ingestion="b") == []
        said = put(undone, *asked["documents"], ingestion="b")
        assert (said["changed"], said["unchanged"]) == ([], ["x"])
        assert listed(undone, ingested_from="/srv/a") == []
        assert listed(undone, ingested_from="/srv/b") == ["x"]

    def test_another_run_of_the_same_source_writes_nothing(self, undone: Connection) -> None:
        begin(undone, "monday")
        begin(undone, "tuesday")
        put(undone, {"id": "x"}, ingestion="monday")
        before = row_versions(undone)
        assert put(undone, {"id": "x"}, ingestion="tuesday")["unchanged"] == ["x"]
        assert put(undone, {"id": "x"})["unchanged"] == ["x"]
        assert row_versions(undone) == before
        assert get(undone, "x")["ingestion"] == "monday"

    def test_a_document_without_a_run_moves_into_one(self, undone: Connection) -> None:
        begin(undone, "monday", "")
        put(undone, {"id": "x"})
        assert listed(undone, ingested_from="") == []
        put(undone, {"id": "x"}, ingestion="monday")
        assert listed(undone, ingested_from="") == ["x"]

    def test_a_change_without_a_run_stays_in_the_source(self, undone: Connection) -> None:
        begin(undone, "monday")
        put(undone, {"id": "x"}, ingestion="monday")
        put(undone, {"id": "x", "title": "by hand"})
        assert listed(undone, ingested_from="/srv") == ["x"]


@pytest.fixture(scope="module")
def logins(shared: Installed) -> Iterator[tuple[Connection, Connection]]:
    """Two writers that may see everything, in a tenant that no other test looks at."""
    for name in ("runs_one", "runs_two"):
        shared.writer(name, "shared")
        shared.grant(name, "another")
    with shared.connect("runs_one") as one, shared.connect("runs_two") as two:
        yield one, two


def test_a_run_belongs_to_its_login(logins: tuple[Connection, Connection], boss: Connection) -> None:
    one, two = logins
    begin(one, "theirs", tenant="shared")
    with nothing_written(boss):
        taken = refusal(two, calls.BEGIN_INGESTION, tenant="shared", ingestion="theirs", source="/srv")
        assert taken.diag.sqlstate == "42501"
        assert taken.diag.message_primary == "ingestion is outside what this call may write"
        for call in (calls.PUT_DOCUMENTS, calls.FINISH_INGESTION):
            errors = [words(refusal(two, call, tenant="shared", ingestion=run)) for run in ("theirs", "none")]
            assert errors[0][0] == "22023"
            assert errors[0] == errors[1]
    assert put(one, {"id": "a"}, tenant="shared", ingestion="theirs")["added"] == ["a"]
    # A document may change hands all the same.
    begin(two, "ours", tenant="shared")
    assert put(two, {"id": "a", "title": "ours"}, tenant="shared", ingestion="ours")["changed"] == ["a"]


def test_a_run_belongs_to_its_tenant(logins: tuple[Connection, Connection]) -> None:
    one, _ = logins
    begin(one, "here", tenant="shared")
    error = refusal(one, calls.PUT_DOCUMENTS, tenant="another", ingestion="here")
    assert error.diag.sqlstate == "22023"
    begin(one, "here", "/another", tenant="another")
    put(one, {"id": "t"}, tenant="another", ingestion="here")
    assert listed(one, tenant="shared", ingested_from="/another") == []
    assert listed(one, tenant="another", ingested_from="/another") == ["t"]


def test_a_report_is_data(undone: Connection) -> None:
    strange = {"'; DROP TABLE x; --": ["é", None, 1.5, {"%s": "{}"}]}
    begin(undone, "monday")
    finish(undone, "monday", report=json.dumps(strange))
    assert runs(undone)[0][4] == strange
