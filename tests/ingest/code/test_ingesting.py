"""Code in the database: what goes in, what changes, what goes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from docgraph.client import DocGraph
from docgraph.errors import InvalidArgument
from docgraph.ingest.reading import FolderReader
from docgraph.ingest.types import Parsed, Raw
from tests.conftest import Installed
from tests.ingest.conftest import Do
from tests.ingest.embedders import WordEmbedder
from tests.ingest.rows import documents, edges, stored, versions

FILES = {
    "pkg/__init__.py": "",
    "pkg/core.py": '"""The core."""\n\n\ndef run():\n    return step()\n\n\ndef step():\n    return 1\n',
    "pkg/more.py": "from pkg.core import step\n\n\nclass More:\n    def go(self):\n        return step()\n",
    "sql/f.sql": "-- f: one.\nCREATE FUNCTION s.f() RETURNS int RETURN 1;\n",
    "sql/g.sql": "CREATE FUNCTION s.g() RETURNS int RETURN s.f();\n",
}
IDS = [
    "pkg/__init__.py",
    "pkg/core.py",
    "pkg/core.py::run",
    "pkg/core.py::step",
    "pkg/more.py",
    "pkg/more.py::More",
    "pkg/more.py::More.go",
    "sql/f.sql",
    "sql/g.sql",
]
EDGES = {
    ("pkg/core.py", "contains", "pkg/core.py::run"),
    ("pkg/core.py", "contains", "pkg/core.py::step"),
    ("pkg/core.py::run", "calls", "pkg/core.py::step"),
    ("pkg/more.py", "contains", "pkg/more.py::More"),
    ("pkg/more.py", "imports", "pkg/core.py"),
    ("pkg/more.py::More", "contains", "pkg/more.py::More.go"),
    ("pkg/more.py::More.go", "calls", "pkg/core.py::step"),
    ("sql/g.sql", "calls", "sql/f.sql"),
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    for path, text in {**FILES, "README.md": "# Not code\n", "pkg/data.json": "{}"}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


@pytest.fixture
def ingested(tree: Path, client: DocGraph) -> WordEmbedder:
    embedder = WordEmbedder()
    assert client.ingest(tree, code=True, embedder=embedder).added == len(IDS)
    embedder.texts.clear()
    return embedder


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_a_tree_goes_in(do: Do, database: Installed, tree: Path) -> None:
    report = do("ingest", tree, code=True, embedder=WordEmbedder())
    assert (report.added, report.skipped, report.failed, report.waiting) == (len(IDS), 0, 0, 0)
    assert documents(database.conninfo) == IDS
    assert edges(database.conninfo) == EDGES
    assert "2 lead to something in this tree" in report.notes[0]
    rows = stored(database.conninfo)
    assert all((row[4], row[5]) == (False, True) for row in rows["document_relationships"]), "inferred"
    assert all(row[-1] for row in rows["vector_chunks"]), "each has a vector"


def test_what_a_function_becomes(do: Do, database: Installed, tree: Path, ingested: WordEmbedder) -> None:
    found = do("get_document", "pkg/more.py::More.go")
    assert (found.title, found.doc_type) == ("pkg.more.More.go", "function")
    assert found.source == str(tree / "pkg/more.py")
    assert found.metadata == {"kind": "method", "language": "python", "file": "pkg/more.py", "lines": [5, 6]}
    assert [chunk.text for chunk in found.chunks] == ["    def go(self):\n        return step()"]
    assert [list(chunk.section_path) for chunk in found.chunks] == [["pkg.more.More.go"]]
    assert do("get_document", "pkg/more.py").section_titles == ("More",)
    assert do("get_document", "pkg/__init__.py").chunks == ()


def test_code_in_a_database_for_prose_is_noted(
    client: DocGraph, tree: Path, ingested: WordEmbedder, tmp_path: Path
) -> None:
    (tree / "pkg/new.py").write_text("X = 1\n")
    notes = client.ingest(tree, code=True, embedder=ingested).notes
    assert any('is "english", for prose' in note and "text_search => 'code'" in note for note in notes)
    client.rebuild_lexical(text_search="code")
    (tree / "pkg/newer.py").write_text("X = 1\n")
    assert not any("for prose" in note for note in client.ingest(tree, code=True, embedder=ingested).notes)


def test_code_and_ordinary_documents_of_the_same_files_are_noted(
    do: Do, database: Installed, tree: Path, ingested: WordEmbedder
) -> None:
    dry = do("ingest", tree, dry_run=True, embedder=ingested)
    plain = do("ingest", tree, embedder=ingested)
    for report in (dry, plain):
        (note,) = [note for note in report.notes if "had the same ids" in note]
        assert note.startswith('Documents that were nodes of code had the same ids: "pkg/')
    again = do("ingest", tree, code=True, embedder=ingested)
    assert any("Documents that were ordinary ones had the same ids" in note for note in again.notes)
    assert edges(database.conninfo) == EDGES


def test_code_of_a_folder_in_a_folder_that_is_stored_is_noted(
    do: Do, tree: Path, ingested: WordEmbedder
) -> None:
    report = do("ingest", tree / "pkg", code=True, embedder=ingested)
    assert any(f"Files of {tree / 'pkg'} are stored under other ids already" in n for n in report.notes)


def test_again_nothing_is_touched(do: Do, database: Installed, tree: Path, ingested: WordEmbedder) -> None:
    before = versions(database.conninfo)
    report = do("ingest", tree, code=True, prune=True, embedder=ingested)
    assert (report.unchanged, report.done, report.deleted) == (len(IDS), len(IDS), 0)
    assert versions(database.conninfo) == before
    assert ingested.texts == []


def test_only_what_changes_is_touched(
    do: Do, database: Installed, tree: Path, ingested: WordEmbedder
) -> None:
    replace(tree / "pkg/core.py", "return 1", "return 2")
    before = stored(database.conninfo)["document_nodes"]
    report = do("ingest", tree, code=True, embedder=ingested)
    assert (report.changed, report.unchanged, report.embedded) == (1, len(IDS) - 1, 1)
    after = stored(database.conninfo)["document_nodes"]
    assert [row[1] for row in after if row not in before] == ["pkg/core.py::step"]


def test_what_moves_down_is_not_embedded_again(
    do: Do, database: Installed, tree: Path, ingested: WordEmbedder
) -> None:
    replace(tree / "pkg/core.py", "\n\n\ndef run", "\n\n\n\ndef run")
    report = do("ingest", tree, code=True, embedder=ingested)
    assert (report.changed, report.embedded) == (3, 0)
    assert do("get_document", "pkg/core.py::step").metadata["lines"] == [9, 10]


def test_a_function_that_is_gone_goes_with_its_file(
    do: Do, database: Installed, tree: Path, ingested: WordEmbedder
) -> None:
    replace(tree / "pkg/core.py", "def run():\n    return step()\n\n\n", "")
    dry = do("ingest", tree, code=True, prune=True, dry_run=True, embedder=ingested)
    assert (dry.deleted, documents(database.conninfo)) == (1, IDS)
    report = do("ingest", tree, code=True, embedder=ingested)
    assert report.deleted == 1
    assert documents(database.conninfo) == [each for each in IDS if each != "pkg/core.py::run"]
    assert edges(database.conninfo) == {edge for edge in EDGES if "pkg/core.py::run" not in edge}


def test_whatever_the_source_is_called(
    do: Do, database: Installed, tree: Path, ingested: WordEmbedder
) -> None:
    replace(tree / "pkg/core.py", "def run():\n    return step()\n\n\n", "")
    note = {"id": "pkg/core.py::note", "title": "Somebody's own", "doc_type": "note"}
    do("put", [note])
    report = do("ingest", tree / "pkg/core.py", root=tree, code=True, embedder=ingested)
    assert report.deleted == 1
    assert set(IDS) - set(documents(database.conninfo)) == {"pkg/core.py::run"}
    assert "pkg/core.py::note" in documents(database.conninfo)


def test_many_that_are_gone(do: Do, database: Installed, tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("".join(f"def f{number}(): pass\n" for number in range(450)))
    (tmp_path / "m.py.py").write_text("def f(): pass\n")
    with DocGraph(database.conninfo) as client:
        client.ingest(tmp_path, code=True, embedder=WordEmbedder())
    (tmp_path / "m.py").write_text("def f7(): pass\n")
    report = do("ingest", tmp_path, code=True, embedder=WordEmbedder(), snapshot="")
    assert report.deleted == 449
    assert documents(database.conninfo) == ["m.py", "m.py.py", "m.py.py::f", "m.py::f7"]


def test_a_file_that_cannot_be_parsed_any_more_keeps_what_it_had(
    do: Do, database: Installed, tree: Path, ingested: WordEmbedder
) -> None:
    (tree / "pkg/core.py").write_text("def run(:\n")
    report = do("ingest", tree, code=True, prune=True, embedder=ingested)
    assert (report.failed, report.deleted) == (1, 0)
    assert report.problems[0].path == "pkg/core.py"
    assert documents(database.conninfo) == IDS


def test_a_file_that_is_gone_goes_only_if_pruned(
    do: Do, database: Installed, tree: Path, ingested: WordEmbedder
) -> None:
    (tree / "pkg/more.py").unlink()
    assert do("ingest", tree, code=True, embedder=ingested).deleted == 0
    assert do("ingest", tree, code=True, prune=True, embedder=ingested).deleted == 3
    assert documents(database.conninfo) == [each for each in IDS if "more" not in each]


def test_a_file_that_is_emptied(do: Do, database: Installed, tree: Path, ingested: WordEmbedder) -> None:
    (tree / "pkg/more.py").write_text("")
    report = do("ingest", tree, code=True, embedder=ingested)
    assert (report.changed, report.deleted) == (1, 2)
    assert do("get_document", "pkg/more.py").chunks == ()


def test_code_and_documents_of_one_folder_are_two_sources(
    do: Do, database: Installed, tree: Path, ingested: WordEmbedder
) -> None:
    report = do("ingest", tree, exclude=["*.py", "*.sql"], prune=True, embedder=ingested)
    assert (report.added, report.deleted) == (2, 0)
    assert do("ingest", tree, code=True, prune=True, embedder=ingested).deleted == 0
    assert documents(database.conninfo) == sorted([*IDS, "README.md", "pkg/data.json"])


def test_ids_in_a_repository(do: Do, database: Installed, tree: Path) -> None:
    given = {"code": True, "repository": "shop", "snapshot": "main", "embedder": WordEmbedder()}
    do("ingest", tree, **given)
    assert documents(database.conninfo) == [f"shop@main:{each}" for each in IDS]
    assert edges(database.conninfo) == {(f"shop@main:{a}", b, f"shop@main:{c}") for a, b, c in EDGES}
    (tree / "pkg/more.py").write_text("")
    assert do("ingest", tree, **given).deleted == 2


def test_the_order_of_reading_does_not_matter(
    do: Do, database: Installed, another: Callable[[], Installed], tree: Path
) -> None:
    do("ingest", tree, code=True, embedder=WordEmbedder())
    other = another()
    found = [each for each in FolderReader(tree).read() if isinstance(each, Raw) and each.path in IDS]
    with DocGraph(other.conninfo) as client:
        client.ingest(found[::-1], code=True, name="backwards", embedder=WordEmbedder())
        client.ingest(
            [Raw("pkg/__init__.py", b"", str(tree / "pkg/__init__.py"))], code=True, embedder=WordEmbedder()
        )
    assert stored(other.conninfo) == stored(database.conninfo)


def test_a_package_as_the_folder(do: Do, database: Installed, tree: Path) -> None:
    do("ingest", tree / "pkg", code=True, embedder=WordEmbedder())
    assert ("more.py::More.go", "calls", "core.py::step") in edges(database.conninfo)
    assert do("get_document", "core.py::step").title == "pkg.core.step"


def test_prose_that_names_a_definition_leads_to_it(
    do: Do, database: Installed, tree: Path, ingested: WordEmbedder
) -> None:
    (tree / "README.md").write_text("# It\n\nSee [the core](pkg/core.py).\n")
    do("ingest", tree / "README.md", embedder=ingested)
    assert ("README.md", "references", "pkg/core.py") in edges(database.conninfo)


def test_steps_of_the_callers_own(do: Do, tree: Path) -> None:
    def shouted(parsed: Parsed) -> str:
        return parsed.title.upper()

    do("ingest", tree, code=True, summariser=shouted, embedder=WordEmbedder())
    assert do("get_document", "pkg/core.py::run").summary == "PKG.CORE.RUN"
    with pytest.raises(InvalidArgument, match="linker cannot be chosen with code"):
        do("ingest", tree, code=True, linker=object(), embedder=WordEmbedder())
    with pytest.raises(InvalidArgument, match="code must be True or False"):
        do("ingest", tree, code="yes", embedder=WordEmbedder())


def test_symbolic_links_and_ignored_files_are_left_out_as_ever(
    do: Do, database: Installed, tree: Path
) -> None:
    outside = tree.parent / "outside.py"
    outside.write_text("def secret(): pass\n")
    (tree / "link.py").symlink_to(outside)
    (tree / ".gitignore").write_text("more.py\n")
    report = do("ingest", tree, code=True, exclude=["g.sql"], embedder=WordEmbedder())
    assert [(each.path, each.failed) for each in report.problems] == [("link.py", False)]
    assert documents(database.conninfo) == [
        each for each in IDS if "more" not in each and "g.sql" not in each
    ]
