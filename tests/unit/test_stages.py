"""The stages as values: pipelines that are written down, results, and expansions drawn for people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docgraph import PipelineResult, PipelineSettings
from docgraph.errors import InvalidArgument
from docgraph.plan.rows import SearchHit
from docgraph.stages import TextAccounting, TreeEdge, TreeNode
from docgraph.stages.outline import beside_the_tree, outline
from docgraph.stages.settings import naming_settings

WHOLE = """
name: what calls this
stages:
  search_nodes: {mode: semantic, search_in: chunks, method: exact, max_nodes: 3}
  expand_dependency_tree:
    direction: incoming
    edge_allowlist: [calls, imports]
    max_depth: 4
    max_nodes: 100
    fan_out: 20
  fetch_node_texts: {budget_tokens: 2000, prioritization: graph_first}
"""


def refused(text: str | bytes) -> InvalidArgument:
    with pytest.raises(InvalidArgument) as caught:
        PipelineSettings.from_yaml(text)
    assert caught.value.hint
    return caught.value


class TestSettings:
    def test_every_setting(self) -> None:
        found = PipelineSettings.from_yaml(WHOLE)
        assert found.name == "what calls this"
        assert found.options == {
            "mode": "semantic",
            "search_in": "chunks",
            "method": "exact",
            "seed_limit": 3,
            "direction": "incoming",
            "edge_allowlist": ["calls", "imports"],
            "max_depth": 4,
            "max_nodes": 100,
            "fan_out": 20,
            "budget_tokens": 2000,
            "prioritization": "graph_first",
        }

    @pytest.mark.parametrize("text", ["stages: {}", "stages:\n  search_nodes:\n", b"\xef\xbb\xbfstages: {}"])
    def test_what_is_not_said_is_as_usual(self, text: str | bytes) -> None:
        assert PipelineSettings.from_yaml(text) == PipelineSettings("", {})

    @pytest.mark.parametrize(
        ("text", "message", "hint"),
        [
            (
                "stage: {}",
                'the pipeline has an unknown key "stage"',
                "Did you mean stages? The keys are name, stages.",
            ),
            (
                "stages: {search: {}}",
                'stages has an unknown key "search"',
                "Did you mean search_nodes? The keys are search_nodes, expand_dependency_tree, ",
            ),
            (
                "stages: {expand_dependency_tree: {depth: 1}}",
                'stages.expand_dependency_tree has an unknown key "depth"',
                "Did you mean max_depth? The keys are max_depth, max_nodes, fan_out, ",
            ),
            (
                "stages: {search_nodes: {tenant: x}}",
                'stages.search_nodes has an unknown key "tenant"',
                "The keys are ",
            ),
            (
                "access: {}\nstages: {}",
                'the pipeline has an unknown key "access"',
                "The keys are name, stages.",
            ),
            ("stages: {search_nodes: {}}\n1: 2", 'the pipeline has an unknown key "1"', "The keys are "),
            ("", "the pipeline is missing", "The keys are name, stages."),
            ("- stages", "the pipeline must be keys with values, not list", "The keys are "),
            ("name: x", "stages is missing", "The keys are search_nodes"),
            ("stages: [search_nodes]", "stages must be keys with values, not list", "The keys are "),
            (
                "stages: {search_nodes: 3}",
                "stages.search_nodes must be keys with values, not int",
                "The keys are ",
            ),
            ("name: 1\nstages: {}", "name must be a text", "Leave it out"),
            ("stages: {}\nstages: {}", "this is no YAML in line 2: stages is there twice", "For example"),
            (
                "stages: {search_nodes: {method: a, method: b}}",
                "this is no YAML in line 1: method is there twice",
                "",
            ),
            ("stages: !!python/object:os.system {}", "this is no YAML in line 1: could not determine", ""),
            ("stages: {", "this is no YAML in line 1: ", ""),
            (b"\xff\xfe\xff", "this is no YAML", ""),
            ("stages: &a {search_nodes: *a}", "", ""),
            ("stages: {? [a] : b}", "", ""),
        ],
    )
    def test_refused(self, text: str | bytes, message: str, hint: str) -> None:
        error = refused(text)
        assert error.message.startswith(message)
        assert str(error.hint).startswith(hint)

    def test_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "a.yaml").write_text(WHOLE)
        assert PipelineSettings.read(tmp_path / "a.yaml").name == "what calls this"
        (tmp_path / "b.yaml").write_text("stage: {}")
        for name, words in (
            ("b.yaml", "unknown key"),
            ("c.yaml", "cannot be read: No such file"),
            ("\0", "null byte"),
        ):
            with pytest.raises(InvalidArgument, match=words) as caught:
                PipelineSettings.read(tmp_path / name)
            assert str(tmp_path) in caught.value.message

    def test_a_refusal_names_the_place_in_the_file(self) -> None:
        for name, place in (
            ("seed_limit", "stages.search_nodes.max_nodes"),
            ("max_nodes", "stages.expand_dependency_tree.max_nodes"),
            ("budget_tokens", "stages.fetch_node_texts.budget_tokens"),
        ):
            with pytest.raises(InvalidArgument) as caught, naming_settings("p.yaml"):
                raise InvalidArgument(f"{name} must be small", hint="Less.")
            assert (caught.value.message, caught.value.hint) == (f'"p.yaml": {place} must be small', "Less.")
        with pytest.raises(InvalidArgument, match=r"^tenant must be"), naming_settings("p.yaml"):
            raise InvalidArgument("tenant must be a text")

    @pytest.mark.parametrize(
        ("name", "hint", "expected"),
        [
            # Of the search it is max_nodes, which is another parameter of the call.
            ("seed_limit", "For example seed_limit=3.", "For example max_nodes: 3."),
            ("max_nodes", "For example max_nodes=3.", "For example max_nodes: 3."),
            ("edge_allowlist", 'For example edge_allowlist=["a"].', "A list: edge_allowlist: [a, b]."),
            ("max_nodes", "Lower fan_out.", "Lower stages.expand_dependency_tree.fan_out."),
        ],
    )
    def test_hints_name_the_setting_that_was_given(self, name: str, hint: str, expected: str) -> None:
        with pytest.raises(InvalidArgument) as caught, naming_settings("p.yaml"):
            raise InvalidArgument(f"{name} must be otherwise", hint=hint)
        assert caught.value.hint == expected


NODES = (
    TreeNode("a", 0, None, is_seed=True),
    TreeNode("e", 0, None, is_seed=True),
    TreeNode("b", 1, "a", is_seed=False),
    TreeNode("c\n\x1b", 1, "a", is_seed=False),
    TreeNode("d", 2, "b", is_seed=False),
)
EDGES = (
    TreeEdge("a", "calls", "b"),
    TreeEdge("a", "imports", "b"),
    TreeEdge("c\n\x1b", "calls", "a"),
    TreeEdge("b", "calls", "d"),
    TreeEdge("d", "calls", "a"),
)


class TestOutline:
    def test_each_below_the_one_that_led_to_it(self) -> None:
        assert list(outline(NODES, EDGES)) == [
            "a",
            "  -> calls, -> imports b",
            "    -> calls d",
            "  <- calls c\\n\\x1b",
            "e",
        ]

    def test_what_they_do_not_show_is_counted(self) -> None:
        assert beside_the_tree(NODES, EDGES) == 1
        assert beside_the_tree(NODES, [*EDGES, TreeEdge("e", "calls", "a"), TreeEdge("d", "calls", "d")]) == 3

    def test_a_very_long_chain(self) -> None:
        chain = [TreeNode(str(n), n, str(n - 1) if n else None, is_seed=not n) for n in range(5000)]
        assert len(list(outline(chain, ()))) == 5000


RESULT: dict[str, Any] = {
    "retrieval_seed_nodes": [{"rank": 1, "document_id": "a", "chunk": None, "found_by": "exact"}],
    "expanded_nodes": [{"id": "a", "depth": 0, "parent": None, "is_seed": True}],
    "dependency_edges": [{"from": "a", "relation_type": "calls", "to": "b"}],
    "node_texts": [
        {"id": "a", "is_seed": True, "depth": 0, "parent": None, "text": "é", "tokens": 1, "running_total": 1}
    ],
    "accounting": {
        "truncated": ["depth", "fan_out", "nodes"],
        "omitted": 2,
        "warnings": ["question_without_words"],
        "texts": {
            "format": 1,
            "nodes": {"given": 4, "missing": 1, "without_text": 1, "shown": 1},
            "left_out": {"budget": 1},
            "budget": {"unit": "tokens", "limit": 8, "used": 1},
            "prioritization": "seed_first",
            "sensitivity": {"tags": ["hr"], "labels": [], "clearance": 3},
        },
    },
}


class TestResult:
    def test_to_json_and_back(self) -> None:
        found = PipelineResult.from_dict(RESULT)
        assert found.to_dict() == RESULT
        assert PipelineResult.from_json(found.to_json()) == found
        assert found.retrieval_seed_nodes == (SearchHit(1, "a", None, "exact"),)
        assert [text.text for text in found] == ["é"]
        assert (len(found), bool(found)) == (1, True)
        assert hash(found) == hash(PipelineResult.from_dict(RESULT))
        assert found.accounting == TextAccounting.from_json(RESULT["accounting"]["texts"])

    def test_notes_say_what_each_stage_left_out(self) -> None:
        assert PipelineResult.from_dict(RESULT).notes == (
            (
                "the question has no word that can be looked for: "
                "stop words and signs are not, nor is what a minus excludes"
            ),
            "2 seeds not there, or not to be seen",
            "more lies behind the last step: a higher max_depth would find it",
            "some document has more relationships than were followed: a higher fan_out would follow them",
            "more was found than there is room for: a higher max_nodes would show it",
            "1 document not there, or not to be seen",
            "1 document without text",
            "1 text without room in 8 tokens",
        )

    @pytest.mark.parametrize(
        "text", ["", "[]", "{}", "1", '{"accounting": 1}', json.dumps({**RESULT, "node_texts": [1]})]
    )
    def test_what_is_no_result(self, text: str) -> None:
        with pytest.raises(InvalidArgument):
            PipelineResult.from_json(text)

    def test_of_a_newer_docgraph(self) -> None:
        newer = json.loads(json.dumps(RESULT))
        newer["accounting"]["texts"]["format"] = 2
        with pytest.raises(InvalidArgument, match=r"accounting\.format must be 1"):
            PipelineResult.from_dict(newer)
