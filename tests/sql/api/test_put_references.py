"""References become relationships as soon as both ends are there, whatever the order of arrival."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.sql.asking import Connection
from tests.sql.writing import edges, get, put, relate, related, report, stored, triples


def link(to: str, relation_type: str = "references", **more: str) -> dict[str, str]:
    return {"relation_type": relation_type, "to": to, **more}


def doc(document: str, *links: str, **more: Any) -> dict[str, Any]:
    return {"id": document, "links": [link(to) for to in links], **more}


def delete(connection: Connection, *documents: str) -> Any:
    return report(connection, "delete_documents", documents=list(documents))


def pairs(connection: Connection) -> list[tuple[str, str]]:
    return [(edge[0], edge[2]) for edge in edges(connection)]


CYCLE = [
    doc("a", "b", "C-1", "nowhere", names=["A-1", "one"], relationships=[link("c", "supersedes")]),
    doc("b", "a", "A-1", "C-1", names=["B-1", "one"], relationships=[link("A-1", "supersedes")]),
    doc("c", "one", "b", "a", names=["C-1"], relationships=[link("b", "supersedes"), link("nowhere")]),
]
"""Everybody refers to everybody, by id and by name; a and b share a name."""

EXPECTED = [
    ("a", "references", "b", False, True, None),
    ("a", "references", "c", False, True, None),
    ("a", "supersedes", "c", True, False, None),
    ("b", "references", "a", False, True, None),
    ("b", "references", "c", False, True, None),
    ("b", "supersedes", "a", True, False, None),
    ("c", "references", "a", False, True, None),
    ("c", "references", "b", False, True, None),
    ("c", "supersedes", "b", True, False, None),
]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
@pytest.mark.parametrize("sizes", [(1, 1, 1), (2, 1), (1, 2), (3,)])
def test_the_order_of_arrival_makes_no_difference(
    undone: Connection, order: tuple[int, ...], sizes: tuple[int, ...]
) -> None:
    put(undone, *CYCLE)
    expected = stored(undone)
    assert edges(undone) == EXPECTED
    delete(undone, "a", "b", "c")
    assert edges(undone) == []
    left = [CYCLE[number] for number in order]
    for size in sizes:
        put(undone, *left[:size])
        left = left[size:]
    assert stored(undone) == expected


@pytest.mark.parametrize("gone", ["a", "b", "c"])
def test_what_was_deleted_and_comes_again_is_as_before(undone: Connection, gone: str) -> None:
    put(undone, *CYCLE)
    expected = stored(undone)
    delete(undone, gone)
    assert edges(undone) == [edge for edge in EXPECTED if gone not in (edge[0], edge[2])]
    put(undone, *(found for found in CYCLE if found["id"] == gone))
    assert stored(undone) == expected


def test_what_waits_is_said_and_what_came_is_not(undone: Connection) -> None:
    said = put(undone, doc("a", "b", "c"))
    assert said["waiting"] == triples([("a", "references", "b"), ("a", "references", "c")])
    assert related(undone, "a") == [("references", "b", True), ("references", "c", True)]
    said = put(undone, doc("c", "a"), doc("a", "b", "c"))
    assert said["waiting"] == triples([("a", "references", "b")])
    assert related(undone, "a") == [("references", "b", True), ("references", "c", False)]
    assert related(undone, "c", direction="in") == [("references", "a", False)]
    delete(undone, "c")
    assert related(undone, "a") == [("references", "b", True), ("references", "c", True)]


def test_a_name_of_two_documents_leads_to_both(undone: Connection) -> None:
    put(undone, doc("a", "PEP-8"), doc("b", names=["PEP-8"]))
    assert pairs(undone) == [("a", "b")]
    put(undone, doc("c", names=["PEP-8"]), doc("PEP-8"))
    assert pairs(undone) == [("a", "PEP-8"), ("a", "b"), ("a", "c")]
    put(undone, doc("b"))
    assert pairs(undone) == [("a", "PEP-8"), ("a", "c")]
    delete(undone, "PEP-8", "c")
    assert related(undone, "a") == [("references", "PEP-8", True)]


def test_an_id_and_a_name_of_one_document_make_one_relationship(undone: Connection) -> None:
    """It says all that they say: declared and inferred, and the first of the words around them."""
    document = {
        "id": "a",
        "links": [link("b", evidence="second"), link("B-1", evidence="first")],
        "relationships": [link("B-2")],
    }
    put(undone, document, doc("b", names=["B-1", "B-2"]))
    assert edges(undone) == [("a", "references", "b", True, True, "first")]
    put(undone, doc("b", names=["B-2"]))
    assert edges(undone) == [("a", "references", "b", True, True, "second")]
    put(undone, {**document, "links": []}, doc("b", names=["B-2"]))
    assert edges(undone) == [("a", "references", "b", True, False, None)]


def test_the_same_link_twice_is_one(undone: Connection) -> None:
    put(undone, {"id": "a", "links": [link("b", evidence="y"), link("b", evidence="x")]}, doc("b"))
    assert edges(undone) == [("a", "references", "b", False, True, "x")]
    assert put(undone, doc("c", "z", "z"))["waiting"] == triples([("c", "references", "z")])


def test_nothing_leads_to_itself(undone: Connection) -> None:
    """By its own name a document can still refer to others that bear it."""
    put(undone, doc("a", "one", names=["one"]))
    assert (edges(undone), related(undone, "a")) == ([], [])
    put(undone, doc("b", names=["one"]))
    assert pairs(undone) == [("a", "b")]


def test_inferred_links_are_replaced_and_declared_ones_kept(undone: Connection) -> None:
    put(undone, {**doc("a", "b", "c"), "relationships": [link("b"), link("d", "supersedes")]})
    put(undone, doc("b"), doc("c"), doc("d"))
    assert edges(undone) == [
        ("a", "references", "b", True, True, None),
        ("a", "references", "c", False, True, None),
        ("a", "supersedes", "d", True, False, None),
    ]
    put(undone, doc("a", "b", title="the link that is declared, too"))
    assert ("a", "references", "b", True, True, None) in edges(undone)
    put(undone, doc("a", "d"))
    assert edges(undone) == [
        ("a", "references", "b", True, False, None),
        ("a", "references", "d", False, True, None),
        ("a", "supersedes", "d", True, False, None),
    ]
    put(undone, {**doc("a", "d"), "relationships": [link("c", "supersedes")]})
    assert edges(undone) == [
        ("a", "references", "d", False, True, None),
        ("a", "supersedes", "c", True, False, None),
    ]
    put(undone, {**doc("a"), "relationships": []})
    assert edges(undone) == []
    assert undone.execute("SELECT FROM docgraph.document_references").fetchall() == []


def test_words_of_a_link_go_with_it_though_it_is_declared_too(undone: Connection) -> None:
    """They are of its text, which may have been taken back."""
    said = {"id": "a", "links": [link("b", evidence="Ms Jones was dismissed, see b")]}
    put(undone, said, doc("b"))
    relate(undone, ("a", "references", "b"))
    assert edges(undone) == [("a", "references", "b", True, True, None)]
    put(undone, said | {"title": "again"})
    put(undone, doc("a"))
    assert edges(undone) == [("a", "references", "b", True, False, None)]

    # The other way round; and both at once.
    declared = {"relationships": [link("b", evidence="as declared")]}
    put(undone, doc("a") | declared)
    put(undone, said)
    assert edges(undone) == [("a", "references", "b", True, True, "as declared")]
    put(undone, said | declared | {"title": "both"})
    assert edges(undone) == [("a", "references", "b", True, True, "as declared")]
    put(undone, said | {"relationships": []})
    assert edges(undone) == [("a", "references", "b", False, True, "Ms Jones was dismissed, see b")]


def test_declared_anew_replaces_what_others_declared(undone: Connection) -> None:
    given = {**doc("a"), "relationships": [link("b", "supersedes")]}
    put(undone, given, doc("b"), doc("c"))
    assert put(undone, given)["unchanged"] == ["a"]
    relate(undone, ("a", "explains", "c"))
    assert put(undone, given)["changed"] == ["a"]
    assert edges(undone) == [("a", "supersedes", "b", True, False, None)]


def test_deleting_takes_everything_of_a_document(undone: Connection) -> None:
    put(undone, *CYCLE)
    assert delete(undone, "c", "a", "unknown", "a") == {"deleted": ["a", "c"], "absent": ["unknown"]}
    assert delete(undone, "c", "a") == {"deleted": [], "absent": ["a", "c"]}
    assert get(undone, "a") is None
    for table, column in (
        ("document_nodes", "document_id"),
        ("vector_chunks", "document_id"),
        ("lexical_index", "document_id"),
        ("document_names", "document_id"),
        ("document_references", "from_document"),
    ):
        rows = undone.execute(f"SELECT DISTINCT {column} FROM docgraph.{table}".encode()).fetchall()
        assert set(rows) <= {("b",)}


def test_evidence_grows_in_nfc_within_its_bound(undone: Connection) -> None:
    """A character that NFC writes as three: 333 of them fit, as they are stored."""
    put(undone, {"id": "a", "links": [link("b", evidence="\U0001d160" * 333)]}, doc("b"))
    ((*_, evidence),) = edges(undone)
    assert len(evidence.encode()) == 333 * 12


def test_the_longest_ids_fit_into_every_index(undone: Connection) -> None:
    """Of characters that do not compress."""
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + 600)))
    a, b, kind, name = (letters[n : n + 170] + "xy" for n in (0, 150, 300, 400))
    assert len(a.encode()) == 512
    put(undone, {"id": a, "links": [link(b, kind), link(name, kind)]}, doc(b, names=[name]))
    assert edges(undone) == [(a, kind, b, False, True, None)]
