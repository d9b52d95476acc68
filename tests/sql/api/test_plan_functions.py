"""plan_documents, explain_plan, seal_plan, verify_plan: what they say of a plan, which they never look up."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docgraph import calls
from tests.conftest import Installed
from tests.documents import put_class
from tests.sql.asking import ALL_CALLS, PLAN, Connection, refusal
from tests.sql.planning import NORTH, Plan, changed, plan, put_seeds, put_world, sealed
from tests.sql.writing import put

HASH = json.loads(PLAN)["plan_hash"]
_MANY_REASONS = """
INSERT INTO docgraph.document_relationships (
    tenant_id, from_document, relation_type, to_document,
    from_access_class, to_access_class, declared, inferred
)
SELECT 'default', 's' || seed, 'kind ' || kind, 'x', %(class)s, %(class)s, true, false
FROM generate_series(0, 199) AS seed, generate_series(0, 50) AS kind
"""
FUNCTIONS = ["plan_documents", "explain_plan", "seal_plan", "verify_plan"]


def said(connection: Connection, function: str, made: str | Plan = PLAN) -> list[tuple[Any, ...]]:
    """The rows that a function gives of a plan."""
    text = made if isinstance(made, str) else json.dumps(made, ensure_ascii=False)
    return connection.execute(ALL_CALLS[function].statement.encode(), {"plan": text}).fetchall()


def tree(connection: Connection, made: str | Plan = PLAN) -> list[str]:
    """The lines of explain_plan."""
    ((text,),) = said(connection, "explain_plan", made)
    return str(text).split("\n")


def seal(connection: Connection, made: str | Plan = PLAN) -> Plan:
    ((answer,),) = said(connection, "seal_plan", made)
    assert isinstance(answer, dict)
    return answer


class TestPlanDocuments:
    def test_a_row_for_each_reason(self, boss: Connection) -> None:
        assert said(boss, "plan_documents") == [
            (1, "a.md", "seed", None, None, "seed 1, given"),
            (2, "b.md", "seed", None, None, "seed 2, found by search"),
            (3, "c.md", "expanded", "explains", "a.md", "seed 1 explains this"),
            (3, "c.md", "expanded", "cites", "b.md", "seed 2 cites this"),
            (4, "d.md", "expanded", "cites", "b.md", "seed 2 cites this"),
        ]

    def test_an_empty_plan_has_none(self, undone: Connection) -> None:
        assert said(undone, "plan_documents", plan(undone, seeds=[])) == []

    def test_the_order_is_that_of_the_plan(self, boss: Connection) -> None:
        """A plan that was edited may have another order, and gaps between its ranks."""
        made = changed("seed_documents.1.rank", 7)
        made["expanded_documents"].reverse()
        made["expanded_documents"][1]["via"].reverse()
        rows = said(boss, "plan_documents", sealed(made))
        assert [(row[0], row[1], row[3], row[5]) for row in rows[1:]] == [
            (2, "b.md", None, "seed 7, found by search"),
            (3, "d.md", "cites", "seed 7 cites this"),
            (4, "c.md", "cites", "seed 7 cites this"),
            (4, "c.md", "explains", "seed 1 explains this"),
        ]

    def test_nothing_is_looked_up(self, undone: Connection) -> None:
        """What a plan says stays, whatever becomes of its documents."""
        put_world(undone, ("a", "cites", "x"))
        made = plan(undone, seeds=["a"])
        before = {function: said(undone, function, made) for function in FUNCTIONS}
        undone.execute(
            "DELETE FROM docgraph.document_relationships; DELETE FROM docgraph.document_nodes;"
            "DELETE FROM docgraph.access_grants"
        )
        assert {function: said(undone, function, made) for function in FUNCTIONS} == before

    def test_400_documents(self, undone: Connection) -> None:
        ids = [f"{number:03}" for number in range(400)]
        made = sealed(
            {
                **json.loads(PLAN),
                "seed_documents": [{"document_id": "s", "rank": 1, "origin": "given"}],
                "expanded_documents": [
                    {"document_id": each, "via": [{"from": "s", "relation_type": "cites"}]} for each in ids
                ],
            }
        )
        assert [row[:2] for row in said(undone, "plan_documents", made)][1:] == [*enumerate(ids, start=2)]


class TestExplainPlan:
    def test_a_tree(self, boss: Connection) -> None:
        assert tree(boss) == [
            f"plan {HASH[:12]}",
            "tenant default, exact, semantic search in summaries, model test-model, revision 0004",
            "seeds: 2; brought in: 2, by one step along all relation types",
            "[1] a.md  (seed 1, given)",
            "     explains -> [3] c.md",
            "[2] b.md  (seed 2, found by search)",
            "     cites -> [3] c.md",
            "     cites -> [4] d.md",
        ]

    def test_what_was_cut_omitted_and_dropped(self, boss: Connection) -> None:
        made = changed("truncated", ["documents", "expanded_per_seed"]) | {"omitted": 3, "dropped": 2}
        made["constraints"] |= {"dominant_scope": "doc_type", "relation_types": ["cites", "explains"]}
        lines = tree(boss, sealed({**made, "edited": True}))
        assert lines[0].endswith(", edited")
        assert lines[2] == "seeds: 2; brought in: 2, by one step along cites, explains"
        assert lines[8:] == [
            "cut short by the limit documents, expanded_per_seed",
            "given, but not there or not to be seen: 3",
            "found, and dropped by the scope doc_type: 2",
        ]

    def test_an_empty_plan(self, undone: Connection) -> None:
        made = plan(undone, seeds=[], relation_types=[])
        assert tree(undone, made)[1:] == [
            f"tenant default, exact, revision {made['made_by']['revision']}",
            "seeds: 0; brought in: 0, by one step along no relation type",
        ]


class TestSealPlan:
    def test_sets_hash_and_mark_and_nothing_else(self, boss: Connection) -> None:
        made = changed("expanded_documents", [])
        assert seal(boss, made) == sealed({**made, "edited": True})
        assert said(boss, "plan_documents", seal(boss, made))[-1][1] == "b.md"

    def test_sealing_twice_is_sealing_once(self, boss: Connection) -> None:
        once = seal(boss)
        assert seal(boss, once) == once != json.loads(PLAN)

    def test_a_plan_written_by_hand_needs_no_hash(self, boss: Connection) -> None:
        made = json.loads(PLAN)
        del made["plan_hash"]
        assert seal(boss, made) == seal(boss)


class TestVerifyPlan:
    @pytest.mark.parametrize(
        ("path", "value", "expected"),
        [
            ("plan_hash", HASH, (True, True, True, True, False, None)),
            ("plan_hash", "0" * 64, (True, False, True, True, False, None)),
            ("omitted", 1, (True, False, True, True, False, None)),
            ("edited", True, (True, False, True, True, True, None)),
            ("made_by.revision", "0001", (True, False, True, False, False, None)),
            ("made_by.embedding_space", None, (True, False, True, True, False, None)),
            ("made_by.embedding_space.model", "Test-model", (True, False, False, True, False, None)),
            ("made_by.embedding_space.dimensions", 5, (True, False, False, True, False, None)),
            ("made_by.embedding_space.metric", "l2", (True, False, False, True, False, None)),
        ],
    )
    def test_each_column(
        self, undone: Connection, path: str, value: Any, expected: tuple[bool | None, ...]
    ) -> None:
        """In a database of the revision that the plan names, whichever this one is of."""
        undone.execute("UPDATE docgraph.alembic_version SET version_num = '0004'")
        found = changed(path, value)
        assert said(undone, "verify_plan", found) == [expected]
        resealed = (True, True, *expected[2:])
        assert said(undone, "verify_plan", sealed(found)) == [resealed]

    def test_a_plan_of_this_database(self, undone: Connection) -> None:
        put_seeds(undone, "a")
        for made in (plan(undone, query_embedding=NORTH), plan(undone, seeds=["a", "b"])):
            assert said(undone, "verify_plan", made) == [(True, True, True, True, False, None)]
            assert said(undone, "verify_plan", seal(undone, made)) == [(True, True, True, True, True, None)]

    def test_without_an_embedding_space(self, undone: Connection) -> None:
        undone.execute("DELETE FROM docgraph.embedding_space")
        assert said(undone, "verify_plan", plan(undone, seeds=[]))[0][2] is True
        assert said(undone, "verify_plan")[0][2] is False

    def test_a_plan_that_is_made_is_one_however_many_reasons_it_has(self, undone: Connection) -> None:
        """200 seeds, each with 51 relationships to the same document."""
        put(undone, {"id": "x"})
        put(undone, *({"id": f"s{number}"} for number in range(200)))
        undone.execute(_MANY_REASONS, {"class": put_class(undone)})
        made = plan(undone, seeds=[f"s{number}" for number in range(200)], max_documents=201)
        assert len(made["expanded_documents"][0]["via"]) == 10_200
        assert said(undone, "verify_plan", made) == [(True, True, True, True, False, None)]
        assert len(said(undone, "plan_documents", made)) == 10_400

    def test_after_the_space_has_changed(self, undone: Connection) -> None:
        """What a question took part in is of the old one; what was made from ids is of any."""
        asked, named = plan(undone, query_embedding=NORTH), plan(undone, seeds=[])
        undone.execute("UPDATE docgraph.embedding_space SET model = 'another'")
        assert said(undone, "verify_plan", asked)[0][2] is False
        assert said(undone, "verify_plan", named)[0][2] is True
        assert said(undone, "plan_documents", named) == []


def test_the_form_of_the_json_is_no_change(boss: Connection) -> None:
    """Order of keys, spaces, escapes, a key said twice: the same plan."""
    made = json.loads(PLAN)
    turned = {key: made[key] for key in reversed(made)}
    forms = [
        json.dumps(turned, indent=3),
        json.dumps(turned, separators=(",", ":")),
        PLAN.replace("a.md", "\\u0061.md"),
        PLAN.replace('"omitted"', '"omitted": 7, "omitted"'),
        f"\n\t {PLAN} ",
    ]
    for function in FUNCTIONS:
        for form in forms:
            assert said(boss, function, form) == said(boss, function)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_reader_needs_no_ceiling_and_another_login_no_right(
    shared: Installed, boss: Connection, function: str
) -> None:
    """A plan says what it says to whoever has it; nothing of the tenant is read."""
    name = f"no_ceiling_{function}"
    shared.cluster.login(name, member_of="docgraph_reader")
    shared.cluster.login(f"{name}_no_role")
    with shared.connect(name) as connection, shared.connect(f"{name}_no_role") as other:
        assert said(connection, function) == said(boss, function)
        assert refusal(other, ALL_CALLS[function]).diag.sqlstate == "42501"
        assert refusal(connection, calls.PLAN_RETRIEVAL).diag.sqlstate == "42501"
