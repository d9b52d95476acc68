"""Steps that are given ids and classes: what no given class holds is as if it were not there.

Asked by the superuser, whom row security does not bind: the filter of each step is all there is.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from tests.documents import put_class
from tests.sql.asking import Connection
from tests.sql.mistakes import Mistake, mistaken
from tests.sql.writing import put, relate

BOARD = {"tags": ["board"]}


def missing(path: str, filtered: str, before: str = "") -> Mistake:
    """The filter of a column taken out of a step: the one behind this text."""
    return Mistake(f"core/{path}.sql", f"{before}{filtered} = ANY (visible)", f"{before}true")


class Case(NamedTuple):
    """A step asked for what is hidden, what it gives, the filter that holds it, and others that do, too."""

    step: str
    nothing: Any
    filter: Mistake
    others: tuple[Mistake, ...] = ()


_SIZES = "array_remove((docgraph.measure_texts('default', %s, '{}', false, 1000)).sizes, NULL)"
_LINKS = "(docgraph.links_among('default', %s, '{open,hidden}', NULL)).from_places"
_SCOPE = "docgraph.dominant_scope('default', %s, '{}', '{}', 2)"
_OF_LEADER = "documents[1] AND documents[1]\n                AND "
_OF_FOLLOWER = "f.document_id AND f.document_id\n                AND "
_MEASURED = missing("measure_texts", "d.access_class")
_LEADER = missing("dominant_scope", "n.access_class", _OF_LEADER)
_FOLLOWER = missing("dominant_scope", "n.access_class", _OF_FOLLOWER)

CASES = {
    "text of chunks": Case(
        "docgraph.read_text('default', %s, 'hidden')", None, missing("read_text", "e.access_class")
    ),
    "text of a summary": Case(
        "docgraph.read_text('default', %s, 'hidden in short')", None, missing("read_text", "d.access_class")
    ),
    "size of a summary": Case(_SIZES.format("{hidden in short}"), [], _MEASURED),
    "size of chunks": Case(
        _SIZES.format("{hidden}"), [], missing("measure_texts", "e.access_class"), (_MEASURED,)
    ),
    "sensitivity": Case(
        "docgraph.sensitivity_of('default', %s, '{hidden}')",
        {"tags": [], "labels": [], "clearance": 0},
        missing("sensitivity_of", "o.access_class"),
    ),
    **{
        f"scope of a {scope} whose first is hidden": Case(_SCOPE.format("{hidden,open}", scope), [], _LEADER)
        for scope in ("doc_type", "cluster", "ingestion")
    },
    **{
        f"scope of a {scope} with hidden others": Case(
            _SCOPE.format("{open,hidden}", scope), ["open"], _FOLLOWER
        )
        for scope in ("doc_type", "cluster", "ingestion")
    },
    "links from what is hidden": Case(_LINKS, [], missing("links_among", "e.from_access_class")),
    "links to what is hidden": Case(_LINKS, [], missing("links_among", "e.to_access_class")),
}


@pytest.fixture
def library(undone: Connection) -> Connection:
    """open and hidden, of one kind, lead to each other; each once with chunks, once with a summary."""
    for name, more in (("open", {}), ("hidden", BOARD)):
        shown = {"doc_type": "note", "summary_embedding": [1, 0, 0, 0], **more}
        put(
            undone,
            {"id": name, "chunks": [{"text": f"text of {name}"}], **shown},
            {"id": f"{name} in short", "summary": f"about {name}", **shown},
            access=BOARD,
        )
    relate(undone, ("open", "cites", "hidden"), ("hidden", "cites", "open"), access=BOARD)
    return undone


def said(connection: Connection, case: Case, *classes: int) -> Any:
    """What the step says where these classes may be seen."""
    ((found,),) = connection.execute(f"SELECT {case.step}".encode(), (list(classes),)).fetchall()
    return found


@pytest.mark.parametrize("name", CASES)
def test_nothing_of_classes_that_are_not_given(library: Connection, name: str) -> None:
    case = CASES[name]
    open_, hidden = put_class(library), put_class(library, tags=("board",))
    assert said(library, case, open_) == case.nothing
    assert said(library, case, open_, hidden) != case.nothing


@pytest.mark.parametrize("name", CASES)
def test_it_is_this_filter_that_holds(library: Connection, name: str) -> None:
    case = CASES[name]
    open_ = put_class(library)
    with mistaken(library, *case.others):
        assert said(library, case, open_) == case.nothing
    with mistaken(library, *case.others, case.filter):
        assert said(library, case, open_) != case.nothing
