"""The rules of docs/planning.md, by their names, and examples of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docgraph import DocGraph
from tests.sql.asking import Connection
from tests.sql.planning import NORTH, by_ids, expanded_of, found, plan, plan_text, seeds_of, whole
from tests.sql.writing import put, relate

TEXT = "said-in-a-text"
EDGES = [
    ("D1", "explains", "D3"),
    ("D2", "decision_for", "D4"),
    ("D4", "derived_from", "D5"),
    ("D6", "explains", "D1"),
]
EXPANDED = {"D3": [("D1", "explains")], "D4": [("D2", "decision_for")]}


@pytest.fixture
def documents(undone: Connection) -> Connection:
    """D1 and D2 lie to the north, the others have no embedding; every text of theirs can be recognised."""
    near = {"D1": [9.0, 1.0, 0.0, 0.0], "D2": [9.0, 2.0, 0.0, 0.0]}
    for each in ("D1", "D2", "D3", "D4", "D5", "D6"):
        document = {
            "id": each,
            "title": TEXT,
            "summary": TEXT,
            "chunks": [{"text": f"{TEXT} in a chunk", **({"embedding": near[each]} if each in near else {})}],
            "metadata": {TEXT: TEXT},
        }
        put(undone, document | ({"summary_embedding": near[each]} if each in near else {}))
    return undone


@pytest.fixture
def related(documents: Connection) -> Connection:
    relate(documents, *EDGES)
    return documents


class TestTheExamples:
    @pytest.mark.parametrize(
        "asked", [{"query_embedding": NORTH}, {"query_embedding": NORTH, "search_in": "chunks"}]
    )
    def test_seeds_by_semantic_retrieval(self, related: Connection, asked: dict[str, Any]) -> None:
        """Seeds: [D1, D2]. Expanded: D3 (via D1 -> explains), D4 (via D2 -> decision_for)."""
        expected = whole(
            related,
            [("D1", "search"), ("D2", "search")],
            EXPANDED,
            search_in=asked.get("search_in", "summaries"),
        )
        assert plan(related, **asked) == expected

    def test_seeds_by_explicit_ids(self, related: Connection) -> None:
        expected = by_ids(related, [("D1", "given"), ("D2", "given")], EXPANDED)
        assert plan(related, seeds=["D1", "D2"]) == expected

    def test_ms4_one_expanded_document(self, documents: Connection) -> None:
        """D3 via explains from D1; max_relationship_depth 1, traversal_enabled false."""
        relate(documents, EDGES[0])
        made = plan(documents, query_embedding=NORTH)
        assert seeds_of(made) == ["D1", "D2"]
        assert made["expanded_documents"] == [
            {"document_id": "D3", "via": [{"from": "D1", "relation_type": "explains"}]}
        ]
        assert made["constraints"]["max_relationship_depth"] == 1
        assert made["constraints"]["traversal_enabled"] is False

    def test_from_python(self, related: Connection) -> None:
        with DocGraph(related) as client:
            made = client.plan(embedding=NORTH)
        assert made.seed_document_ids == ("D1", "D2")
        assert made.expanded_document_ids == ("D3", "D4")
        assert {
            each: [(via.from_document, via.relation_type) for via in found]
            for each, found in made.expansion_metadata.items()
        } == EXPANDED
        assert made.constraints.max_relationship_depth == 1
        assert made.constraints.traversal_enabled is False


class TestExpansionRules:
    def test_direction_outgoing_only(self, related: Connection) -> None:
        """D6 explains D1, and is not in."""
        assert expanded_of(plan(related, seeds=["D1"])) == {"D3": [("D1", "explains")]}
        assert expanded_of(plan(related, seeds=["D3"])) == {}

    def test_depth_exactly_one_hop(self, related: Connection) -> None:
        """D4 is derived from D5, which is two steps from D2."""
        assert expanded_of(plan(related, seeds=["D2"])) == {"D4": [("D2", "decision_for")]}

    @pytest.mark.parametrize("kind", ["explains", "decision_for", "derived_from", "a type of one's own"])
    def test_types_all_are_allowed(self, documents: Connection, kind: str) -> None:
        relate(documents, ("D1", kind, "D3"))
        assert expanded_of(plan(documents, seeds=["D1"])) == {"D3": [("D1", kind)]}

    @pytest.mark.parametrize(
        ("allowed", "expected"),
        [(["explains"], ["D3"]), (["decision_for"], ["D4"]), (["explains", "decision_for"], ["D3", "D4"])],
    )
    def test_optional_allowed_relation_type_filters(
        self, related: Connection, allowed: list[str], expected: list[str]
    ) -> None:
        assert [*expanded_of(plan(related, query_embedding=NORTH, relation_types=allowed))] == expected

    def test_ordering_no_implied_ranking(self, related: Connection) -> None:
        """What a seed brings in stands in order of type and id, however near to the query it is."""
        for each, vector in {"D3": [-1.0, 0.0, 0.0, 0.0], "D5": NORTH}.items():
            put(related, {"id": each, "summary_embedding": vector})
        relate(related, ("D1", "explains", "D5"))
        made = plan(related, query_embedding=NORTH, seeds=["D1"], seed_limit=0)
        assert [*expanded_of(made)] == ["D3", "D5"]

    def test_failure_missing_relationships_no_expansion(self, related: Connection) -> None:
        relate(related, ("D5", "explains", "D9, which is not there"))
        for seed in ("D3", "D5"):
            assert plan(related, seeds=[seed]) == by_ids(related, [(seed, "given")], {})

    def test_cycles_are_no_special_case(self, documents: Connection) -> None:
        relate(documents, ("D1", "explains", "D2"), ("D2", "explains", "D3"), ("D3", "explains", "D1"))
        assert expanded_of(plan(documents, seeds=["D1"])) == {"D2": [("D1", "explains")]}
        assert expanded_of(plan(documents, seeds=["D1", "D2", "D3"])) == {}


class TestCompatibility:
    @pytest.mark.parametrize("search_in", ["summaries", "chunks"])
    def test_if_no_relationships_exist(self, documents: Connection, search_in: str) -> None:
        """The plan is what the search finds, and nothing else."""
        made = plan(documents, query_embedding=NORTH, search_in=search_in)
        assert seeds_of(made) == found(documents, search_in=search_in) == ["D1", "D2"]
        assert made == whole(documents, [("D1", "search"), ("D2", "search")], {}, search_in=search_in)

    def test_semantic_retrieval_remains_the_primary_signal(self, documents: Connection) -> None:
        """Relationships change neither which seeds are found nor their order, nor what a search finds."""
        before = plan(documents, query_embedding=NORTH), found(documents)
        relate(documents, *EDGES, *((f"D{n}", "explains", "D2") for n in (1, 3, 4, 5, 6)))
        after = plan(documents, query_embedding=NORTH), found(documents)
        for each in after[0]["seed_documents"]:
            each.pop("via", None)
        assert after[0]["seed_documents"] == before[0]["seed_documents"]
        assert after[1] == before[1]

    def test_additive_and_reversible(self, documents: Connection) -> None:
        before = plan_text(documents, query_embedding=NORTH)
        relate(documents, *EDGES)
        assert plan_text(documents, query_embedding=NORTH) != before
        documents.execute("DELETE FROM docgraph.document_relationships")
        assert plan_text(documents, query_embedding=NORTH) == before


class TestThePlan:
    def test_a_plan_not_retrieved_content(self, related: Connection) -> None:
        """No title, no summary, no chunk, no metadata."""
        assert TEXT in json.dumps(related.execute("SELECT title FROM docgraph.document_nodes").fetchall())
        assert TEXT not in plan_text(related, query_embedding=NORTH, search_in="chunks")

    def test_same_input_same_plan(self, related: Connection) -> None:
        assert len({plan_text(related, query_embedding=NORTH) for _ in range(10)}) == 1

    def test_relationship_metadata_is_preserved_for_explainability(self, related: Connection) -> None:
        relate(related, ("D2", "explains", "D3"), ("D1", "decision_for", "D3"))
        assert expanded_of(plan(related, query_embedding=NORTH))["D3"] == [
            ("D1", "decision_for"),
            ("D1", "explains"),
            ("D2", "explains"),
        ]

    def test_only_existing_persisted_data(self, related: Connection) -> None:
        """What planning does not need may be gone: the plan is the same."""
        before = plan_text(related, query_embedding=NORTH)
        related.execute(
            """
            ALTER TABLE docgraph.document_references RENAME TO gone_1;
            ALTER TABLE docgraph.document_names RENAME TO gone_2;
            ALTER TABLE docgraph.lexical_terms RENAME TO gone_3;
            ALTER TABLE docgraph.ingestion_requests RENAME TO gone_4;
            ALTER TABLE docgraph.vector_chunks RENAME TO gone_5;
            ALTER TABLE docgraph.document_nodes DROP COLUMN title, DROP COLUMN summary, DROP COLUMN metadata
            """
        )
        assert plan_text(related, query_embedding=NORTH) == before
