"""Between a plan and its execution things happen: a plan is no authority, and what is gone is counted."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from docgraph import calls
from tests.conftest import Installed
from tests.sql.api.evidenced import (
    BOARD,
    EVERYTHING,
    bytes_of,
    document,
    evidence,
    executed,
    near,
    pieces,
    put_library,
    shown,
)
from tests.sql.api.test_plan_functions import seal
from tests.sql.asking import ALL_CALLS, Connection, ask, refusal
from tests.sql.layers import turn_off_row_security
from tests.sql.planning import Plan, plan, plan_text, sealed
from tests.sql.writing import put, relate, report

Change = Callable[[Connection], Any]


def put_all(connection: Connection) -> Plan:
    """a brings in b and c; secret is hidden from who has no tag, and elsewhere is of another tenant."""
    ask(connection, calls.GRANT_ACCESS, tenant="elsewhere", login=connection.info.user, **EVERYTHING)
    put(connection, document("elsewhere", 0, summary="Elsewhere."), tenant="elsewhere")
    put(connection, document("secret", 0, summary="Secret.", tags=["board"]), access=BOARD)
    return put_library(
        connection,
        [document("a", 1, 4, summary="Of a.")],
        [document("b", 2, summary="Of b."), document("c", 3, 5, summary="Of c.")],
    )


@pytest.fixture(params=["both layers", "predicate alone"])
def planned(request: pytest.FixtureRequest, undone: Connection) -> Plan:
    if request.param == "predicate alone":
        turn_off_row_security(undone)
    return put_all(undone)


def claiming(connection: Connection, made: Plan, *more: str, to: str = "expanded_documents") -> Plan:
    """The plan, with other documents in it as well, correctly sealed: by the database, and by hand."""
    changed = json.loads(json.dumps(made))
    for each in more:
        if to == "expanded_documents":
            entry: dict[str, Any] = {"via": [{"from": "a", "relation_type": "explains"}]}
        else:
            entry = {"rank": len(changed[to]) + 1, "origin": "given"}
        changed[to].append({"document_id": each, **entry})
    by_hand = sealed({**changed, "edited": True})
    assert seal(connection, changed) == by_hand
    return by_hand


def delete(*ids: str, access: str = "{}") -> Change:
    return lambda connection: ask(connection, calls.DELETE_DOCUMENTS, documents=list(ids), access=access)


def make_private(*ids: str) -> Change:
    def change(connection: Connection) -> None:
        given = {"documents": list(ids), "attributes": {"tags": ["board"]}}
        report(connection, "set_document_access", access=BOARD, **given)

    return change


class TestIdsThatSomebodyWroteIn:
    """Sealed anew, so the hash holds: it says what was sealed, not who may see it."""

    @pytest.mark.parametrize("to", ["seed_documents", "expanded_documents"])
    @pytest.mark.parametrize("written", ["secret", "elsewhere", "unknown"])
    def test_are_left_out_and_counted_as_missing(
        self, undone: Connection, planned: Plan, written: str, to: str
    ) -> None:
        usual = executed(undone, planned)
        made = claiming(undone, planned, written, to=to)
        found = executed(undone, made)
        assert sorted(shown(found)) == sorted(shown(usual)) == ["a/0", "a/1", "b/0", "c/0", "c/1"]
        assert found["accounting"]["documents"] == {
            "planned": 4,
            "over_caps": 0,
            "missing": 1,
            "with_evidence": 3,
        }
        assert {row.missing for row in evidence(undone, made)} == {1}
        assert "Secret." not in "".join(bytes_of(undone, made))
        assert "Elsewhere." not in "".join(bytes_of(undone, made))

    @pytest.mark.parametrize("to", ["seed_documents", "expanded_documents"])
    def test_hidden_ones_give_the_same_bytes_as_unknown_ones(
        self, undone: Connection, planned: Plan, to: str
    ) -> None:
        made = claiming(undone, planned, "secret", "elsewhere", to=to)
        before = bytes_of(undone, made)
        delete("secret", access='{"tags": ["board"]}')(undone)
        assert bytes_of(undone, made) == before
        undone.execute("DELETE FROM docgraph.document_nodes WHERE document_id IN ('secret', 'elsewhere')")
        assert bytes_of(undone, made) == before
        unknown = claiming(undone, planned, "nowher", "nowhere12", to=to)
        swapped = [
            text.replace("nowhere12", "elsewhere").replace("nowher", "secret")
            for text in bytes_of(undone, unknown)
        ]
        assert [text.replace(unknown["plan_hash"], made["plan_hash"]) for text in swapped] == before

    def test_who_may_see_it_gets_it(self, undone: Connection, planned: Plan) -> None:
        """The claim of the call counts, not that of the plan."""
        made = claiming(undone, planned, "secret", "elsewhere")
        found = executed(undone, made, access=BOARD)
        assert "secret/0" in shown(found)
        assert found["accounting"]["documents"]["missing"] == 1

    def test_all_of_them_hidden(self, undone: Connection, planned: Plan) -> None:
        """Nothing but the accounting is left."""
        empty = plan(undone, seeds=[])
        made = claiming(undone, empty, "secret", "elsewhere", "unknown", to="seed_documents")
        assert evidence(undone, made) == []
        found, accounting = pieces(undone, made)
        assert (found, accounting["documents"]["missing"]) == ([], 3)
        assert executed(undone, made)["context"] == {"documents": []}


class TestWhatHappenedMeanwhile:
    def test_a_document_is_deleted(self, undone: Connection, planned: Plan) -> None:
        delete("b")(undone)
        found = executed(undone, planned)
        assert shown(found) == ["a/0", "a/1", "c/0", "c/1"]
        assert [each["position"] for each in found["context"]["documents"]] == [1, 3]
        assert found["accounting"]["documents"]["missing"] == 1

    def test_its_seed_is_deleted(self, undone: Connection, planned: Plan) -> None:
        """What it brought in stays: the plan said so, and nothing is looked up again."""
        delete("a")(undone)
        found = executed(undone, planned)
        assert shown(found) == ["b/0", "c/0", "c/1"]
        assert [each["why"] for each in found["context"]["documents"]] == ["a explains this"] * 2

    def test_a_document_is_made_private(self, undone: Connection, planned: Plan) -> None:
        make_private("c")(undone)
        assert shown(executed(undone, planned)) == ["a/0", "a/1", "b/0"]
        assert shown(executed(undone, planned, access=BOARD)) == ["a/0", "a/1", "b/0", "c/0", "c/1"]

    def test_private_and_deleted_are_the_same_bytes(self, undone: Connection, planned: Plan) -> None:
        with undone.transaction(force_rollback=True):
            delete("a", "c")(undone)
            gone = bytes_of(undone, planned)
        make_private("a", "c")(undone)
        assert bytes_of(undone, planned) == gone

    def test_a_document_is_changed(self, undone: Connection, planned: Plan) -> None:
        """What it says now is what is given, ordered by what it says now."""
        put(undone, document("b", 6, 0, None, summary="Of b now."))
        found = executed(undone, planned)
        assert shown(found) == ["a/0", "a/1", "b/1", "b/0", "c/0", "c/1"]
        assert found["context"]["documents"][1]["summary"] == "Of b now."
        assert found["accounting"]["documents"]["missing"] == 0

    def test_a_document_is_put_back_under_its_id(self, undone: Connection, planned: Plan) -> None:
        delete("b")(undone)
        put(undone, document("b", 9))
        assert "b/0" in shown(executed(undone, planned))

    def test_a_chunk_loses_its_vector(self, undone: Connection, planned: Plan) -> None:
        undone.execute("UPDATE docgraph.vector_chunks SET embedding = NULL WHERE document_id = 'b'")
        found = executed(undone, planned)
        assert "b/0" not in shown(found)
        assert found["accounting"]["documents"]["missing"] == 0
        assert found["context"]["documents"][1]["summary"] == "Of b."

    def test_relationships_come_and_go(self, undone: Connection, planned: Plan) -> None:
        """They were looked at when the plan was made. Not one byte changes."""
        before = bytes_of(undone, planned)
        put(undone, document("new", 0, summary_embedding=near(0)))
        relate(undone, ("a", "explains", "new"), ("c", "explains", "new"), ("b", "cites", "a"))
        undone.execute("DELETE FROM docgraph.document_relationships WHERE to_document = 'b'")
        assert plan_text(undone, seeds=["a"]) != json.dumps(planned)
        assert bytes_of(undone, planned) == before

    def test_other_documents_come_and_go(self, undone: Connection, planned: Plan) -> None:
        before = bytes_of(undone, planned)
        put(undone, *(document(f"new{n}", 0, 0, summary="New.") for n in range(20)))
        assert bytes_of(undone, planned) == before


def test_a_ceiling_that_was_taken_away_counts_at_once(database: Installed, superuser: Connection) -> None:
    """Also for who made the plan."""
    login = database.reader("planned_before")
    put_all(superuser)
    with database.connect(login) as connection:
        made = plan(connection, seeds=["a"])
        assert shown(executed(connection, made)) == ["a/0", "a/1", "b/0", "c/0", "c/1"]
        ask(superuser, calls.GRANT_ACCESS, login=login, **{**EVERYTHING, "repositories": ["other"]})
        assert evidence(connection, made) == []
        assert executed(connection, made)["accounting"]["documents"]["missing"] == 3
        ask(superuser, calls.REVOKE_ACCESS, login=login)
        for name in ("execute_plan", "assemble_context", "retrieve_by_plan"):
            assert refusal(connection, ALL_CALLS[name], plan=json.dumps(made)).diag.sqlstate == "42501"


def test_the_revision_of_the_plan_is_noted(undone: Connection) -> None:
    """An upgrade does not void a plan; nor does it change what is given."""
    made = put_all(undone)
    ((here,),) = undone.execute("SELECT docgraph.revision()").fetchall()
    older = sealed({**made, "made_by": {**made["made_by"], "revision": "0004"}})
    found, usual = executed(undone, older), executed(undone, made)
    assert found["context"] == usual["context"]
    assert usual["accounting"]["revision"] == {"plan": here, "here": here}
    assert found["accounting"]["revision"] == {"plan": "0004", "here": here}
    assert pieces(undone, older)[1]["revision"] == {"plan": "0004", "here": here}


@pytest.mark.parametrize("edited", [True, False])
def test_whether_the_plan_was_edited_is_noted(undone: Connection, edited: bool) -> None:
    made = put_all(undone)
    made = seal(undone, made) if edited else made
    assert executed(undone, made)["accounting"]["edited"] is edited
