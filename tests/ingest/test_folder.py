"""A folder of linked Markdown files: every link is a relationship, and again is nothing to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docgraph.client import DocGraph
from docgraph.errors import InvalidArgument
from tests.conftest import Installed
from tests.ingest.conftest import Do
from tests.ingest.embedders import WordEmbedder
from tests.ingest.rows import documents, edges, stored, versions
from tests.ingest.wiki import DECISIONS, NOTES, Backwards, Edge, decision, note, write_wiki

ALL = NOTES + DECISIONS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "wiki"


@pytest.fixture
def expected(folder: Path) -> set[Edge]:
    return write_wiki(folder)


@pytest.fixture
def ingested(folder: Path, expected: set[Edge], client: DocGraph) -> WordEmbedder:
    """The folder is in; the embedder that did it, its count at zero."""
    embedder = WordEmbedder()
    report = client.ingest(folder, embedder=embedder)
    assert (report.added, report.failed, report.waiting) == (ALL, 0, 0)
    embedder.texts.clear()
    return embedder


def test_every_link_and_no_other_is_a_relationship(
    do: Do, database: Installed, folder: Path, expected: set[Edge]
) -> None:
    embedder = WordEmbedder()
    report = do("ingest", folder, embedder=embedder)
    assert (report.added, report.failed, report.skipped, report.waiting) == (ALL, 0, 0, 0)
    assert edges(database.conninfo) == expected
    rows = stored(database.conninfo)
    assert all(row[-1] for row in rows["document_relationships"]), "each says where it was found"
    assert all(row[-1] for row in rows["vector_chunks"]), "each has a vector"
    assert report.chunks == len(rows["vector_chunks"])
    assert report.embedded == len(embedder.texts)


def test_again_nothing_is_done(do: Do, database: Installed, folder: Path, ingested: WordEmbedder) -> None:
    before = versions(database.conninfo)
    report = do("ingest", folder, embedder=ingested)
    assert (report.unchanged, report.done) == (ALL, ALL)
    assert (report.chunks, report.embedded, ingested.texts) == (0, 0, [])
    assert versions(database.conninfo) == before, "no row was touched"


def test_one_file_edited_is_one_document_changed(
    do: Do, database: Installed, folder: Path, ingested: WordEmbedder
) -> None:
    before = stored(database.conninfo)
    path = folder / note(6)
    path.write_text(path.read_text() + "\n## Appendix\n\nTugboats were added.\n")
    report = do("ingest", folder, embedder=ingested)
    assert (report.changed, report.unchanged) == (1, ALL - 1)
    # The new piece, and the summary, which lists the section titles.
    assert len(ingested.texts) == report.embedded == 2
    assert all("Appendix" in text for text in ingested.texts)
    after = stored(database.conninfo)
    for table, rows in before.items():
        of_others = [row for row in rows if row[1] != note(6)]
        assert of_others == [row for row in after[table] if row[1] != note(6)]
    assert edges(database.conninfo) == {row[1:4] for row in before["document_relationships"]}


def test_a_removed_file_goes_only_if_pruned(
    do: Do, database: Installed, folder: Path, expected: set[Edge], ingested: WordEmbedder
) -> None:
    gone = note(6)
    inbound = {edge for edge in expected if edge[2] == gone}
    (folder / gone).unlink()
    assert do("ingest", folder, embedder=ingested).deleted == 0
    assert edges(database.conninfo) == expected

    report = do("ingest", folder, embedder=ingested, prune=True)
    assert (report.deleted, report.unchanged) == (1, ALL - 1)
    assert edges(database.conninfo) == {edge for edge in expected if gone not in edge}
    rows = stored(database.conninfo)
    assert gone not in {row[1] for table in rows.values() for row in table}
    waiting = do("list_relationships", min(inbound)[0])
    assert [row.waiting for row in waiting].count(True) == 1, "the reference waits"

    write_wiki(folder)
    assert do("ingest", folder, embedder=ingested).added == 1
    assert edges(database.conninfo) == expected, "and connects again"


def test_links_by_identifier_follow_a_renamed_file(
    do: Do, database: Installed, folder: Path, expected: set[Edge], ingested: WordEmbedder
) -> None:
    old, new = decision(5), "decisions/adr-005-better-plan.md"
    (folder / old).rename(folder / new)
    report = do("ingest", folder, embedder=ingested, prune=True)
    assert (report.added, report.deleted, report.waiting) == (1, 1, 0)
    renamed = {tuple(new if part == old else part for part in edge) for edge in expected}
    assert edges(database.conninfo) == renamed


def test_the_order_of_reading_does_not_matter(
    do: Do, database: Installed, another: Callable[[], Installed], folder: Path, expected: set[Edge]
) -> None:
    do("ingest", folder, embedder=WordEmbedder())
    other = another()
    with DocGraph(other.conninfo) as backwards:
        report = backwards.ingest(Backwards(folder, str(folder)), embedder=WordEmbedder())
    assert report.added == ALL
    assert stored(other.conninfo) == stored(database.conninfo)


def test_no_pruning_when_a_file_failed(
    do: Do, database: Installed, folder: Path, ingested: WordEmbedder
) -> None:
    (folder / note(6)).unlink()
    (folder / note(7)).write_bytes(b"\x81\x00\xff" * 50)
    report = do("ingest", folder, embedder=ingested, prune=True)
    assert (report.failed, report.deleted) == (1, 0)
    assert report.notes[0] == (
        "Nothing was pruned, because 1 document could not be brought in. Mend what failed, or leave it out "
        "(--exclude FILE): what is stored of it then goes too."
    )
    assert len(documents(database.conninfo)) == ALL

    report = do("ingest", folder, embedder=ingested, prune=True, exclude=[note(7)])
    assert (report.failed, report.deleted, report.notes) == (0, 2, [])
    assert len(documents(database.conninfo)) == ALL - 2


def test_a_relationship_that_a_header_states_is_one(do: Do, database: Installed, folder: Path) -> None:
    folder.mkdir()
    (folder / "adr-001.md").write_text("# ADR-001: Files\n\nSuperseded-By: [ADR-002](adr-002.md)\n\nFiles.\n")
    (folder / "adr-002.md").write_text("---\nrelations: adr-001\n---\n# ADR-002: Queues\n\nQueues.\n")
    report = do("ingest", folder, embedder=WordEmbedder())
    assert edges(database.conninfo) == {("adr-001.md", "superseded_by", "adr-002.md")}
    (note,) = report.notes
    assert note.startswith("`relations` in front matter holds `type: document`")


def test_a_missing_folder_is_an_error_and_prunes_nothing(
    do: Do, database: Installed, folder: Path, ingested: WordEmbedder
) -> None:
    folder.rename(folder.with_name("moved"))
    with pytest.raises(InvalidArgument, match=r"There is no .*wiki"):
        do("ingest", folder, embedder=ingested, prune=True)
    assert len(documents(database.conninfo)) == ALL


def test_a_dry_run_writes_nothing(do: Do, database: Installed, folder: Path, ingested: WordEmbedder) -> None:
    (folder / note(1)).unlink()
    (folder / note(2)).write_text("# Other\n\nWords.\n")
    (folder / "new.md").write_text("# New\n\nWords.\n")
    before = versions(database.conninfo)
    report = do("ingest", folder, embedder=ingested, prune=True, dry_run=True)
    assert (report.added, report.changed, report.unchanged, report.deleted) == (1, 1, ALL - 2, 1)
    assert ingested.texts == []
    assert versions(database.conninfo) == before
    with database.connect() as connection:
        runs = connection.execute("SELECT count(*) FROM docgraph.ingestion_requests").fetchone()
    assert runs == (1,)


def _pair(parent: Path) -> tuple[Path, Path]:
    for name, other in (("one", "two"), ("two", "one")):
        (parent / name).mkdir()
        (parent / name / f"{name}.md").write_text(f"# {name}\n\nSee [it](../{other}/{other}.md).\n")
    return parent / "one", parent / "two"


def test_two_folders_as_one_source(do: Do, database: Installed, tmp_path: Path) -> None:
    both = _pair(tmp_path)
    report = do("ingest", list(both), embedder=WordEmbedder(), name="both")
    assert report.added == 2
    assert edges(database.conninfo) == {
        ("one/one.md", "references", "two/two.md"),
        ("two/two.md", "references", "one/one.md"),
    }


def test_a_folder_in_a_folder_that_is_stored_is_noted(do: Do, database: Installed, tmp_path: Path) -> None:
    ops = tmp_path / "wiki" / "ops"
    ops.mkdir(parents=True)
    (ops / "deploy.md").write_text("# Deploy\n")
    options: dict[str, Any] = {"embedder": WordEmbedder(), "repository": "r"}
    assert do("ingest", tmp_path / "wiki", **options).notes == []
    assert do("ingest", ops, root=tmp_path / "wiki", **options).notes == []
    dry = do("ingest", ops, dry_run=True, **options)
    (note,) = do("ingest", ops, **options).notes
    assert note == (
        f'Files of {ops} are stored under other ids already: "r:ops/deploy.md" for one. If each is to be one '
        f"document, give the root {tmp_path / 'wiki'} (--root), and delete what this run has added."
    )
    assert dry.notes == [note]
    assert documents(database.conninfo) == ["r:deploy.md", "r:ops/deploy.md"]
    assert do("ingest", ops, **options).notes == [], "said when it happens"
    # A path longer than any id can be is no trouble.
    deep = ops.joinpath(*["d" * 200] * 4)
    deep.mkdir(parents=True)
    (deep / "deep.md").write_text("# New\n")
    assert do("ingest", deep, **options).notes == []
    # Another folder of the same name is none of its business.
    other = tmp_path / "other" / "ops"
    other.mkdir(parents=True)
    (other / "new.md").write_text("# New\n")
    assert do("ingest", other, **options).notes == []


def test_a_document_that_moves_to_another_source_is_pruned_from_there(
    do: Do, database: Installed, tmp_path: Path
) -> None:
    one, two = _pair(tmp_path)
    options: dict[str, Any] = {"embedder": WordEmbedder(), "root": tmp_path, "prune": True}
    do("ingest", one, name="first", **options)
    do("ingest", two, name="second", **options)
    # The same file, found by the second source too: it is that one's from now on.
    assert do("ingest", [one, two], name="second", **options).deleted == 0
    (one / "one.md").unlink()
    assert do("ingest", one, name="first", **options).deleted == 0
    assert documents(database.conninfo) == ["one/one.md", "two/two.md"]
    assert do("ingest", two, name="second", **options).deleted == 1
    assert documents(database.conninfo) == ["two/two.md"]
