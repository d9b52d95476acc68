"""expand_dependency_tree: what documents lead to, breadth first and within limits."""

from __future__ import annotations

import pytest

from docgraph import DocGraph, calls
from docgraph.errors import InvalidArgument
from docgraph.stages import DependencyTree, TreeEdge, TreeNode
from tests.sql.asking import Connection, refusal
from tests.sql.planning import asked
from tests.sql.stages import edges, nodes, put_graph, tree
from tests.sql.writing import put, relate


class TestShapes:
    """What graphs are like."""

    def test_a_chain_is_followed_as_far_as_the_depth(self, undone: Connection) -> None:
        put_graph(undone, ("a", "calls", "b"), ("b", "calls", "c"), ("c", "calls", "d"))
        found = tree(undone, "a")
        assert nodes(found) == {"a": (0, None), "b": (1, "a"), "c": (2, "b")}
        assert edges(found) == [("a", "calls", "b"), ("b", "calls", "c")]
        assert found["truncated"] == ["depth"]
        whole = tree(undone, "a", max_depth=3)
        assert list(nodes(whole)) == ["a", "b", "c", "d"]
        assert whole["truncated"] == []

    def test_a_cycle_is_gone_through_once(self, undone: Connection) -> None:
        put_graph(undone, ("a", "calls", "b"), ("b", "calls", "c"), ("c", "calls", "a"))
        found = tree(undone, "a", max_depth=10)
        assert nodes(found) == {"a": (0, None), "b": (1, "a"), "c": (2, "b")}
        assert edges(found) == [("a", "calls", "b"), ("b", "calls", "c"), ("c", "calls", "a")]
        assert found["truncated"] == []

    def test_a_document_cannot_lead_to_itself(self, undone: Connection) -> None:
        """Such a relationship is refused; one that leads to a name of the document's own makes none."""
        declared = '[{"from": "a", "relation_type": "x", "to": "a"}]'
        assert refusal(undone, calls.PUT_RELATIONSHIPS, relationships=declared).diag.sqlstate == "22023"
        put(undone, {"id": "a", "names": ["alias"], "links": [{"relation_type": "calls", "to": "alias"}]})
        assert tree(undone, "a", direction="both", max_depth=10)["edges"] == []

    def test_a_diamond_has_one_parent_and_all_edges(self, undone: Connection) -> None:
        put_graph(undone, ("a", "calls", "c"), ("a", "calls", "b"), ("c", "calls", "d"), ("b", "calls", "d"))
        found = tree(undone, "a")
        assert nodes(found) == {"a": (0, None), "b": (1, "a"), "c": (1, "a"), "d": (2, "b")}
        assert edges(found) == [
            ("a", "calls", "b"),
            ("a", "calls", "c"),
            ("b", "calls", "d"),
            ("c", "calls", "d"),
        ]

    def test_several_types_between_two_documents_are_several_edges(self, undone: Connection) -> None:
        put_graph(undone, ("a", "imports", "b"), ("a", "calls", "b"))
        found = tree(undone, "a")
        assert list(nodes(found)) == ["a", "b"]
        assert edges(found) == [("a", "calls", "b"), ("a", "imports", "b")]

    def test_a_document_alone(self, undone: Connection) -> None:
        put_graph(undone, a="text")
        assert tree(undone, "a", direction="both") == {
            "nodes": [{"id": "a", "depth": 0, "parent": None, "is_seed": True}],
            "edges": [],
            "truncated": [],
            "omitted": 0,
        }


class TestOrder:
    """The same for everybody who asks the same."""

    def test_nodes_come_by_the_place_of_their_parent_then_type_then_id(self, undone: Connection) -> None:
        put_graph(
            undone,
            ("s1", "z", "a"),
            ("s1", "b", "z"),
            ("s1", "b", "Z"),
            ("s2", "a", "first of s2"),
            ("z", "a", "last"),
            ("Z", "z", "before last"),
        )
        found = tree(undone, "s2", "s1")
        assert list(nodes(found)) == ["s2", "s1", "first of s2", "Z", "z", "a", "before last", "last"]
        assert list(nodes(tree(undone, "s1", "s2")))[:4] == ["s1", "s2", "Z", "z"]

    def test_a_seed_that_another_seed_leads_to_stays_a_seed(self, undone: Connection) -> None:
        put_graph(undone, ("a", "calls", "b"))
        assert nodes(tree(undone, "a", "b")) == {"a": (0, None), "b": (0, None)}
        assert edges(tree(undone, "b", "a")) == [("a", "calls", "b")]

    def test_seeds_named_twice_count_once(self, undone: Connection) -> None:
        put_graph(undone, ("a", "calls", "b"))
        assert tree(undone, "a", "a", "b", "a") == tree(undone, "a", "b")


class TestDirection:
    """With relationships, against them, or both."""

    @pytest.fixture
    def crossing(self, undone: Connection) -> Connection:
        put_graph(
            undone, ("a", "calls", "x"), ("x", "calls", "b"), ("x", "extends", "c"), ("d", "calls", "x")
        )
        return undone

    @pytest.mark.parametrize(
        ("direction", "found"),
        [
            ("outgoing", ["x", "b", "c"]),
            ("incoming", ["x", "a", "d"]),
            ("both", ["x", "a", "b", "d", "c"]),
        ],
    )
    def test_which_are_reached(self, crossing: Connection, direction: str, found: list[str]) -> None:
        answer = tree(crossing, "x", direction=direction, max_depth=1)
        assert list(nodes(answer)) == found
        assert {parent for _, parent in nodes(answer).values()} == {None, "x"}

    def test_edges_point_as_they_do_whichever_way_they_are_followed(self, crossing: Connection) -> None:
        assert edges(tree(crossing, "x", direction="incoming")) == [("a", "calls", "x"), ("d", "calls", "x")]
        assert edges(tree(crossing, "d", direction="both", max_depth=2)) == [
            ("d", "calls", "x"),
            ("x", "calls", "b"),
            ("x", "extends", "c"),
            ("a", "calls", "x"),
        ]

    def test_an_allow_list(self, crossing: Connection) -> None:
        assert list(nodes(tree(crossing, "x", edge_allowlist=["extends"]))) == ["x", "c"]
        assert list(nodes(tree(crossing, "x", edge_allowlist=["extends", "calls", "extends"]))) == [
            "x",
            "b",
            "c",
        ]
        assert tree(crossing, "x", edge_allowlist=[])["truncated"] == []
        for kind in ("Calls", "calls ", "call", "%"):
            assert list(nodes(tree(crossing, "x", edge_allowlist=[kind]))) == ["x"]


class TestLimits:
    """What they leave out, and how that is said."""

    @pytest.fixture
    def wide(self, undone: Connection) -> Connection:
        """Three documents of three each."""
        triples = [("a", "calls", f"b{n}") for n in range(3)]
        put_graph(undone, *triples, *[(f"b{n}", "calls", f"c{n}{m}") for n in range(3) for m in range(3)])
        return undone

    def test_nodes(self, wide: Connection) -> None:
        found = tree(wide, "a", max_nodes=6)
        assert list(nodes(found)) == ["a", "b0", "b1", "b2", "c00", "c01"]
        assert found["truncated"] == ["nodes"]
        assert ("b0", "calls", "c02") not in edges(found)
        assert tree(wide, "a", max_nodes=13)["truncated"] == []
        assert tree(wide, "b0", "b1", "b2", max_nodes=2)["truncated"] == ["nodes"]

    def test_no_nodes_at_all(self, wide: Connection) -> None:
        empty = {"nodes": [], "edges": [], "omitted": 0}
        assert tree(wide, "a", max_nodes=0) == {**empty, "truncated": ["nodes"]}

    def test_fan_out(self, wide: Connection) -> None:
        found = tree(wide, "a", fan_out=2)
        assert list(nodes(found)) == ["a", "b0", "b1", "c00", "c01", "c10", "c11"]
        assert found["truncated"] == ["fan_out"]
        assert tree(wide, "a", fan_out=3)["truncated"] == []
        assert tree(wide, "a", fan_out=0)["truncated"] == ["fan_out"]
        assert tree(wide, "c00", fan_out=0)["truncated"] == []

    def test_depth(self, wide: Connection) -> None:
        assert list(nodes(tree(wide, "a", max_depth=0))) == ["a"]
        assert tree(wide, "a", max_depth=0)["truncated"] == ["depth"]
        assert tree(wide, "a", max_depth=1)["truncated"] == ["depth"]
        assert tree(wide, "a", max_depth=2)["truncated"] == []

    def test_depth_where_only_the_last_of_many_leads_on(self, undone: Connection) -> None:
        put_graph(undone, *[("a", "calls", f"b{n:02}") for n in range(40)], ("b39", "calls", "c"))
        assert tree(undone, "a", max_depth=1)["truncated"] == ["depth"]
        relate(undone, ("b00", "calls", "b39"))
        undone.execute("DELETE FROM docgraph.document_relationships WHERE to_document = 'c'")
        assert tree(undone, "a", max_depth=1)["truncated"] == []

    def test_all_at_once(self, wide: Connection) -> None:
        found = tree(wide, "a", "nobody", max_depth=2, max_nodes=4, fan_out=2)
        assert (found["truncated"], found["omitted"]) == (["fan_out", "nodes"], 1)
        found = tree(wide, "a", max_depth=1, max_nodes=2, fan_out=2)
        assert found["truncated"] == ["depth", "fan_out", "nodes"]

    def test_what_is_followed_in_all_has_a_limit(self, undone: Connection) -> None:
        """Each by itself is allowed; together they are not."""
        error = refusal(undone, calls.EXPAND_DEPENDENCY_TREE, max_nodes=10_000, fan_out=101)
        assert error.diag.sqlstate == "22023"
        assert error.diag.message_primary == "max_nodes times fan_out must be at most 1000000"
        for arguments in ({"max_nodes": 10_000, "fan_out": 100}, {"max_nodes": 1000, "fan_out": 1000}):
            assert asked(undone, calls.EXPAND_DEPENDENCY_TREE, {"seeds": ["x"], **arguments})


class TestPython:
    """The same as objects."""

    def test_a_tree(self, shared_client: DocGraph, boss: Connection) -> None:
        put_graph(boss, ("py a", "calls", "py b"), ("py b", "calls", "py c"))
        found = shared_client.expand_dependency_tree(seeds=["py a", "nobody"], max_depth=1)
        assert found == DependencyTree(
            (TreeNode("py a", 0, None, is_seed=True), TreeNode("py b", 1, "py a", is_seed=False)),
            (TreeEdge("py a", "calls", "py b"),),
            ("depth",),
            1,
        )
        assert DependencyTree.from_json(found.to_dict()) == found
        assert (found.ids, len(found), [node.id for node in found]) == (("py a", "py b"), 2, ["py a", "py b"])
        assert len(found.notes) == 2
        assert found.to_dict() == tree(boss, "py a", "nobody", max_depth=1)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"seeds": []}, "seeds must not be empty"),
            ({"seeds": {"a"}}, "seeds must be a list: their order counts"),
            ({"seeds": ["a"], "depth": 1}, "expand_dependency_tree does not take depth"),
            ({"seeds": ["a"], "max_depth": 1.0}, "max_depth must be a whole number, not float"),
            ({"seeds": ["a"], "max_depth": 11}, "max_depth must be from 0 to 10"),
            ({"seeds": ["a"], "direction": "up"}, "direction must be outgoing, incoming or both"),
        ],
    )
    def test_refused(self, shared_client: DocGraph, arguments: dict[str, object], message: str) -> None:
        with pytest.raises(InvalidArgument) as caught:
            shared_client.expand_dependency_tree(**arguments)  # type: ignore[arg-type]  # what is refused
        assert caught.value.message == message
        assert caught.value.hint
