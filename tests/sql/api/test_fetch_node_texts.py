"""fetch_node_texts: whole texts within a budget, in three orders."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from docgraph import Access, DocGraph
from docgraph.errors import InvalidArgument
from docgraph.stages import TreeNode
from tests.sql.asking import Connection
from tests.sql.stages import fetched, put_graph, tree
from tests.sql.writing import put

TAGGED = {"tags": ["hr", "law"], "labels": ["secret", "internal"], "clearance": 9}


def ids(rows: Any) -> list[str]:
    return [row.id for row in rows]


class TestText:
    """What the text of a document is."""

    def text(self, connection: Connection, *chunks: dict[str, Any]) -> tuple[str, int]:
        put(connection, {"id": "page", "summary": "about it", "chunks": list(chunks)})
        ((row,), _) = fetched(connection, seeds=["page"], budget_tokens=10_000_000)
        ((same,), bill) = fetched(connection, seeds=["page"], max_chars=10_000_000)
        assert same.text == row.text
        assert bill["budget"]["used"] == same.running_total == len(row.text)
        return row.text, row.tokens

    def test_its_chunks_in_their_order_with_an_empty_line_between(self, undone: Connection) -> None:
        found = self.text(undone, {"text": "One.", "token_count": 2}, {"text": "Two.", "token_count": 3})
        assert found == ("One.\n\nTwo.", 5)

    def test_chunks_that_touch_are_one_text(self, undone: Connection) -> None:
        chunks = [{"text": "One ", "start": 0, "end": 4}, {"text": "two", "start": 4, "end": 7}]
        assert self.text(undone, *chunks)[0] == "One two"

    def test_what_overlaps_is_there_once(self, undone: Connection) -> None:
        chunks = [
            {"text": "One two three", "start": 0, "end": 13, "token_count": 30},
            {"text": "three four", "start": 8, "end": 18, "token_count": 20},
            {"text": "four", "start": 14, "end": 18, "token_count": 7},
        ]
        # Of the second half is new, of the third nothing.
        assert self.text(undone, *chunks) == ("One two three four", 40)

    @pytest.mark.parametrize(
        "second",
        [
            {"text": "THREE four", "start": 8, "end": 18},
            {"text": "three four"},
            {"text": "thr", "start": 8, "end": 18},
            {"text": "three four", "start": 7, "end": 17},
        ],
    )
    def test_offsets_that_are_not_so_lose_nothing(self, undone: Connection, second: dict[str, Any]) -> None:
        first = {"text": "One two three", "start": 0, "end": 13}
        assert self.text(undone, first, second)[0] == f"One two three\n\n{second['text']}"

    def test_letters_of_several_bytes(self, undone: Connection) -> None:
        chunks = [{"text": "äé🦆", "start": 0, "end": 3}, {"text": "é🦆ß", "start": 1, "end": 4}]
        assert self.text(undone, *chunks)[0] == "äé🦆ß"

    def test_without_chunks_it_is_the_summary(self, undone: Connection) -> None:
        assert self.text(undone) == ("about it", 2)

    def test_a_document_without_either_has_none(self, undone: Connection) -> None:
        put(undone, {"id": "bare", "title": "Only a title"})
        rows, bill = fetched(undone, seeds=["bare"], budget_tokens=10)
        assert rows == []
        assert bill["nodes"] == {"given": 1, "missing": 0, "without_text": 1, "shown": 0}

    @pytest.mark.parametrize("letter", ["x", "é", "🦆"])
    def test_the_longest_chunks(self, undone: Connection, letter: str) -> None:
        """262,144 bytes each, in letters of one byte, two and four; what has no room is not even read."""
        long = letter * (262_144 // len(letter.encode()))
        found, tokens = self.text(
            undone, {"text": long, "token_count": 1000}, {"text": long, "token_count": 1000}
        )
        assert (found, tokens) == (f"{long}\n\n{long}", 2000)
        for limit, shown in ((2 * len(long) + 2, 1), (2 * len(long) + 1, 0)):
            rows, bill = fetched(undone, seeds=["page"], max_chars=min(limit, 10_000_000))
            assert (len(rows), bill["left_out"]["budget"]) == (shown, 1 - shown)

    def test_the_longest_summary(self, undone: Connection) -> None:
        put(undone, {"id": "page", "summary": "x" * 262_144})
        ((row,), _) = fetched(undone, seeds=["page"], budget_tokens=65_536)
        assert (len(row.text), row.tokens) == (262_144, 65_536)
        assert fetched(undone, seeds=["page"], budget_tokens=65_535)[0] == []


class TestBudget:
    """Never exceeded, and texts are whole."""

    @pytest.fixture
    def sized(self, undone: Connection) -> Connection:
        """Documents whose ids say how long they are, in characters and in tokens."""
        put(
            undone,
            *(
                {"id": f"d{size}", "chunks": [{"text": "x" * size, "token_count": size}]}
                for size in (10, 20, 30, 40)
            ),
        )
        return undone

    @pytest.mark.parametrize("unit", ["max_chars", "budget_tokens"])
    @pytest.mark.parametrize(
        ("room", "shown"),
        [
            (100, ["d40", "d10", "d30", "d20"]),
            (99, ["d40", "d10", "d30"]),
            (60, ["d40", "d10"]),
            (49, ["d40"]),
            (39, ["d10", "d20"]),
            (9, []),
        ],
    )
    def test_what_does_not_fit_is_passed_over(
        self, sized: Connection, unit: str, room: int, shown: list[str]
    ) -> None:
        rows, bill = fetched(sized, seeds=["d40", "d10", "d30", "d20"], **{unit: room})
        assert [row.id for row in rows] == shown
        totals = [sum(int(each[1:]) for each in shown[: n + 1]) for n in range(len(shown))]
        assert [row.running_total for row in rows] == totals
        used = totals[-1] if totals else 0
        words = "characters" if unit == "max_chars" else "tokens"
        assert bill["budget"] == {"unit": words, "limit": room, "used": used}
        assert bill["left_out"] == {"budget": 4 - len(shown)}


class TestOrder:
    """Whose text gets room first."""

    NODES: ClassVar[list[dict[str, Any]]] = [
        {"id": each, "depth": depth, "parent": "s1" if depth else None, "is_seed": not depth}
        for each, depth in (("s1", 0), ("s2", 0), ("g3", 2), ("g2", 1), ("G2", 1), ("g1", 2))
    ]

    @pytest.fixture
    def there(self, undone: Connection) -> Connection:
        put_graph(undone, **{str(node["id"]): "text" for node in self.NODES})
        return undone

    @pytest.mark.parametrize(
        ("prioritization", "order"),
        [
            ("seed_first", ["s1", "s2", "G2", "g2", "g1", "g3"]),
            ("graph_first", ["G2", "g2", "g1", "g3", "s1", "s2"]),
            ("balanced", ["s1", "G2", "s2", "g2", "g1", "g3"]),
        ],
    )
    def test_three_orders(self, there: Connection, prioritization: str, order: list[str]) -> None:
        rows, bill = fetched(there, self.NODES, prioritization=prioritization, max_chars=100)
        assert ids(rows) == order
        assert [row.place for row in rows] == [1, 2, 3, 4, 5, 6]
        assert bill["prioritization"] == prioritization

    def test_leftover_seeds_come_last_in_balance(self, there: Connection) -> None:
        nodes = [node for node in self.NODES if node["id"] in {"s1", "s2", "g3"}]
        assert ids(fetched(there, nodes, prioritization="balanced", max_chars=100)[0]) == ["s1", "g3", "s2"]

    def test_seeds_say_the_order_of_seeds_and_make_seeds(self, there: Connection) -> None:
        rows, _ = fetched(there, self.NODES, seeds=["g1", "s2"], max_chars=100)
        assert ids(rows) == ["g1", "s2", "s1", "G2", "g2", "g3"]
        assert [row.is_seed for row in rows] == [True, True, True, False, False, False]

    def test_hidden_and_unknown_ids_take_nobodys_turn(self, there: Connection) -> None:
        strangers = [{"id": f"nobody {n}", "depth": 0, "parent": None, "is_seed": True} for n in range(3)]
        rows, bill = fetched(there, [*strangers, *self.NODES], prioritization="balanced", max_chars=100)
        assert ids(rows) == ["s1", "G2", "s2", "g2", "g1", "g3"]
        assert bill["nodes"] == {"given": 9, "missing": 3, "without_text": 0, "shown": 6}

    def test_an_id_that_comes_twice_counts_once(self, there: Connection) -> None:
        again = {"id": "s1", "depth": 3, "parent": "g1", "is_seed": False}
        rows, bill = fetched(there, [*self.NODES, again], max_chars=100)
        assert len(rows) == bill["nodes"]["given"] == 6
        assert (rows[0].depth, rows[0].parent) == (0, None)


class TestFallback:
    """Where nothing was expanded."""

    @pytest.mark.parametrize("nodes", [None, []])
    def test_the_seeds_are_fetched(self, undone: Connection, nodes: Any) -> None:
        put_graph(undone, a="text of a", b="text of b")
        rows, _ = fetched(undone, nodes, seeds=["b", "a"], budget_tokens=100)
        assert [(row.id, row.is_seed, row.depth, row.parent) for row in rows] == [
            ("b", True, 0, None),
            ("a", True, 0, None),
        ]

    def test_an_expansion_that_found_nothing_gives_nothing(self, undone: Connection) -> None:
        rows, bill = fetched(undone, tree(undone, "nobody")["nodes"], budget_tokens=100)
        assert rows == []
        assert bill["nodes"]["given"] == bill["budget"]["used"] == 0


class TestSensitivity:
    """How the answer is to be treated."""

    @pytest.fixture
    def mixed(self, undone: Connection) -> Connection:
        documents: dict[str, dict[str, Any]] = {
            "open": {},
            "hr": {"tags": ["hr"], "clearance": 2},
            "law": {"tags": ["law", "hr"], "labels": ["secret"]},
            "high": {"labels": ["internal"], "clearance": 9},
        }
        for name, attributes in documents.items():
            put(undone, {"id": name, "summary": name * 10, **attributes}, access=TAGGED)
        return undone

    @pytest.mark.parametrize(
        ("seeds", "tags", "labels", "clearance"),
        [
            (["open"], [], [], 0),
            (["open", "hr"], ["hr"], [], 2),
            (["hr", "law"], ["hr", "law"], ["secret"], 2),
            (["open", "hr", "law", "high"], ["hr", "law"], ["internal", "secret"], 9),
            ([], [], [], 0),
        ],
    )
    def test_all_that_the_shown_documents_ask_for(
        self, mixed: Connection, seeds: list[str], tags: list[str], labels: list[str], clearance: int
    ) -> None:
        _, bill = fetched(mixed, seeds=seeds, access=TAGGED, budget_tokens=1000)
        assert bill["sensitivity"] == {"tags": tags, "labels": labels, "clearance": clearance}

    def test_not_what_had_no_room_or_is_hidden(self, mixed: Connection) -> None:
        _, bill = fetched(mixed, seeds=["hr", "high"], access=TAGGED, max_chars=20)
        assert bill["sensitivity"] == {"tags": ["hr"], "labels": [], "clearance": 2}
        _, bill = fetched(mixed, seeds=["open", "law"], budget_tokens=1000)
        assert bill["sensitivity"] == {"tags": [], "labels": [], "clearance": 0}


class TestPython:
    """The same as objects."""

    def test_from_a_tree(self, shared_client: DocGraph, boss: Connection) -> None:
        put_graph(boss, ("fetch a", "calls", "fetch b"))
        expanded = shared_client.expand_dependency_tree(seeds=["fetch a"])
        found = shared_client.fetch_node_texts(expanded, budget_tokens=100)
        assert [(text.id, text.text, text.depth) for text in found] == [
            ("fetch a", "about fetch a", 0),
            ("fetch b", "about fetch b", 1),
        ]
        assert (len(found), found.accounting.budget.used) == (2, found.texts[-1].running_total)
        for nodes in (expanded.nodes, expanded.to_dict()["nodes"]):
            assert shared_client.fetch_node_texts(nodes, budget_tokens=100) == found
        _, bill = fetched(boss, expanded.to_dict()["nodes"], budget_tokens=100)
        assert found.accounting.to_dict() == bill
        assert found.accounting.notes == ()

    def test_notes(self, shared_client: DocGraph, boss: Connection) -> None:
        put(boss, {"id": "fetch bare"}, {"id": "fetch long", "summary": "x" * 100})
        found = shared_client.fetch_node_texts(
            seeds=["fetch bare", "fetch long", "nobody"], max_chars=50, access=Access(tags=["x"])
        )
        assert found.accounting.notes == (
            "1 document not there, or not to be seen",
            "1 document without text",
            "1 text without room in 50 characters",
        )

    @pytest.mark.parametrize(
        ("nodes", "arguments", "message"),
        [
            (None, {"budget_tokens": 1}, "nodes or seeds must be given"),
            ([], {}, "max_chars or budget_tokens must be given"),
            ([], {"max_chars": 1, "budget_tokens": 1}, "max_chars and budget_tokens must not both be given"),
            (["a"], {"max_chars": 1}, "nodes must be those of an expansion"),
            ([1], {"max_chars": 1}, "nodes[0] must be an object"),
            ("a", {"max_chars": 1}, "nodes must be an object or a list, not str"),
            (
                [{"id": "a", "depth": 0, "parent": None}],
                {"max_chars": 1},
                "nodes[0].is_seed must be true or false",
            ),
            (
                [TreeNode("", 0, None, is_seed=True)],
                {"max_chars": 1},
                "nodes[0].id must be a text of 1 to 512 bytes",
            ),
        ],
    )
    def test_refused(
        self, shared_client: DocGraph, nodes: Any, arguments: dict[str, Any], message: str
    ) -> None:
        with pytest.raises(InvalidArgument) as caught:
            shared_client.fetch_node_texts(nodes, **arguments)
        assert caught.value.message == message
        assert caught.value.hint
