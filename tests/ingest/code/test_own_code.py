"""docgraph's own code as a graph, against what Python and PostgreSQL say of it themselves."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from docgraph.client import DocGraph
from docgraph.ingest.code.reading import MARKUPS
from docgraph.ingest.code.steps import NodeParser, NodeSplitter, read_code
from docgraph.ingest.reading import FolderReader
from docgraph.ingest.types import Raw
from tests.conftest import Installed
from tests.docs.blocks import ROOT
from tests.ingest.code.trees import Graph, read
from tests.ingest.embedders import WordEmbedder


@pytest.fixture(scope="module")
def own() -> Graph:
    files = FolderReader([ROOT / "docgraph", ROOT / "sql"], markups=MARKUPS)
    assert read_code(files).notes == []
    return read({raw.path: raw.data for raw in files.read() if isinstance(raw, Raw)})


def test_every_definition_is_a_node(own: Graph) -> None:
    expected: Counter[str] = Counter()
    for file in (ROOT / "docgraph").rglob("*.py"):
        found = Counter(type(node).__name__ for node in ast.walk(ast.parse(file.read_text())))
        expected["module"] += 1
        expected["class"] += found["ClassDef"]
        expected["function"] += found["FunctionDef"] + found["AsyncFunctionDef"]
    expected["sql"] = len(list((ROOT / "sql").rglob("*.sql")))
    assert own.problems == {}
    assert Counter(node.doc_type for node in own.nodes.values()) == expected


def test_every_relationship_leads_to_a_node(own: Graph) -> None:
    assert {to for _, _, to in own.edges()} <= set(own.nodes)
    parents = Counter(to for _, _, to in own.edges("contains"))
    inner = [node.id for node in own.nodes.values() if "::" in node.id]
    assert parents == Counter(inner), "each definition is in one other"


def test_the_pieces_of_every_node_are_its_text(own: Graph) -> None:
    splitter, parser = NodeSplitter(), NodeParser()
    for node in own.nodes.values():
        pieces = splitter.split(parser.parse(node.to_raw()))
        assert "".join(piece.text for piece in pieces) == node.text, node.id
        assert [each.end for each in pieces[:-1]] == [each.start for each in pieces[1:]], node.id


def places(source: str, lines: list[str]) -> list[list[int]]:
    """Where in a file they stand, from 1, the last one included."""
    all_lines, size = source.split("\n"), len(lines)
    found = [at for at in range(len(all_lines)) if all_lines[at : at + size] == lines]
    return [[at + 1, at + size] for at in found]


def test_a_text_that_is_fetched_is_the_source(own: Graph, database: Installed) -> None:
    folders = [ROOT / "docgraph/ingest/code", ROOT / "sql/functions/api"]
    inside = tuple(f"{folder.relative_to(ROOT)}/" for folder in folders)
    wanted = [each for each in own.nodes.values() if each.id.startswith(inside)]
    ids = [node.id for node in wanted if node.doc_type in {"function", "sql"}]
    with DocGraph(database.conninfo) as client:
        client.ingest(folders, root=ROOT, code=True, embedder=WordEmbedder())
        texts = [
            text
            for at in range(0, len(ids), 50)
            for text in client.fetch_node_texts(seeds=ids[at : at + 50], max_chars=1_000_000)
        ]
    assert sorted(text.id for text in texts) == sorted(ids)
    for text in texts:
        node = own.nodes[text.id]
        if node.doc_type == "sql":
            assert text.text == (ROOT / node.id).read_text(), text.id
        elif not node.contents:
            lines = text.text.split("\n")
            assert node.metadata["lines"] in places((ROOT / str(node.metadata["file"])).read_text(), lines)
        else:
            assert text.text == node.text, text.id
    assert any(len(text.text) > 1200 and "::" in text.id for text in texts), "one of several pieces"


def test_functions_of_standard_sql_call_what_the_catalogue_says(own: Graph, database: Installed) -> None:
    with database.connect() as connection:
        rows = connection.execute("""
            SELECT DISTINCT caller.proname, callee.proname
            FROM pg_depend d
            JOIN pg_proc caller ON caller.oid = d.objid
            JOIN pg_proc callee ON callee.oid = d.refobjid
            WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_proc'::regclass
                AND caller.pronamespace = 'docgraph'::regnamespace AND caller.prosqlbody IS NOT NULL
                AND callee.pronamespace = 'docgraph'::regnamespace""").fetchall()
    leaves = {Path(node.id).stem: node for node in own.nodes.values() if "functions/leaf/" in node.id}
    called = {
        (name, Path(link.to).stem)
        for name, node in leaves.items()
        for link in node.links
        if link.to.startswith("sql/functions/")
    }
    assert len(rows) > 10
    assert called == set(rows)


def test_all_that_shows_documents_ends_up_calling_the_visibility_predicate(own: Graph) -> None:
    callers: dict[str, set[str]] = {}
    for of, _, to in own.edges("calls"):
        callers.setdefault(to, set()).add(of)
    found = {"sql/functions/leaf/may_see.sql"}
    waiting = list(found)
    while waiting:
        more = callers.get(waiting.pop(), set()) - found
        found |= more
        waiting += more
    assert callers["sql/functions/leaf/may_see.sql"] == {"sql/functions/core/classes_within.sql"}
    assert "sql/functions/core/visible_classes.sql" in found
    api = {Path(each).stem for each in found if each.startswith("sql/functions/api/")}
    assert {
        "search_nodes",
        "plan_retrieval",
        "execute_plan",
        "retrieve",
        "get_document",
        "list_documents",
    } <= api
    assert api.isdisjoint(
        {"api_version", "revision", "whoami", "grant_access", "embedding_space", "wal_position"}
    )


@pytest.mark.parametrize(
    ("of", "relation_type", "to"),
    [
        ("docgraph/ingest/pipeline.py", "imports", "docgraph/ingest/composing.py"),
        ("docgraph/errors.py::AccessDenied", "inherits", "docgraph/errors.py::DocgraphError"),
        ("docgraph/ingest/pipeline.py::_Run.prune", "calls", "docgraph/ingest/pipeline.py::_Run.delete"),
        ("docgraph/ingest/pipeline.py::_Run.prune", "calls", "docgraph/calls.py::list_documents"),
        ("docgraph/client.py::DocGraph.ingest", "calls", "docgraph/ingest/jobs.py::make_job"),
        ("docgraph/demo/database.py::find_home", "calls", "docgraph/errors.py::InvalidArgument"),
    ],
)
def test_known_relationships(own: Graph, of: str, relation_type: str, to: str) -> None:
    assert (of, relation_type, to) in own.edges()
