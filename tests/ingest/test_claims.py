"""What a run claims: what it is told to, and what its options give; never what a file says of itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from docgraph.access import Access
from docgraph.client import DocGraph
from docgraph.errors import InvalidArgument
from docgraph.ingest.types import Problem, Raw
from tests.ingest.embedders import WordEmbedder


def write(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    return folder


def test_a_file_cannot_reach_what_the_run_does_not_claim(client: DocGraph, tmp_path: Path) -> None:
    real = write(tmp_path / "a", "salaries.md", "# real")
    client.ingest(real, tags=["hr"], embedder=WordEmbedder())
    forged = write(tmp_path / "b", "x.md", "---\nid: salaries.md\naccess: {tags: [hr]}\n---\n# forged\n")
    report = client.ingest(forged, embedder=WordEmbedder())
    assert (report.failed, report.added, report.changed) == (1, 0, 0)
    assert "outside what this call may write" in report.problems[0].reason
    stored = client.get_document("salaries.md", access=Access(tags=["hr"]))
    assert stored is not None
    assert stored.title == "real"


@pytest.mark.parametrize(
    ("of_file", "of_run", "stored"),
    [
        (["hr"], [], ("hr",)),
        ([], ["staff"], ("staff",)),
        (["hr", "it"], ["staff", "hr"], ("hr",)),
        (["hr"], ["hr"], ("hr",)),
    ],
)
def test_neither_a_file_nor_the_run_opens_what_the_other_closes(
    client: DocGraph, tmp_path: Path, of_file: list[str], of_run: list[str], stored: tuple[str, ...]
) -> None:
    words = f"---\naccess: {{tags: [{', '.join(of_file)}], labels: [x], clearance: 1}}\n---\n# pay\n"
    folder = write(tmp_path / "a", "pay.md", words)
    claim = Access(tags={*of_file, *of_run}, labels=["x", "y"], clearance=2)
    how: dict[str, Any] = {"labels": ["y"], "clearance": 2, "access": claim, "embedder": WordEmbedder()}
    assert client.ingest(folder, tags=of_run, **how).added == 1
    found = client.get_document("pay.md", access=claim)
    assert found is not None
    assert (found.tags, found.labels, found.clearance) == (stored, ("x", "y"), 2)


def test_tags_of_which_none_is_in_both_are_refused(client: DocGraph, tmp_path: Path) -> None:
    folder = write(tmp_path / "a", "pay.md", "---\naccess: {tags: [hr]}\n---\n# pay\n")
    claim = Access(tags=["hr", "staff"])
    report = client.ingest(folder, tags=["staff"], access=claim, embedder=WordEmbedder())
    assert (report.failed, report.added) == (1, 0)
    assert report.problems[0].reason.startswith(
        "front matter: access has tags hr, and the run gives staff: none is in both. Give the run one"
    )
    assert client.get_document("pay.md", access=claim) is None


def test_restricted_documents_are_pruned_by_whom_claims_them(client: DocGraph, tmp_path: Path) -> None:
    folder = write(tmp_path / "a", "public.md", "# public")
    write(folder, "secret.md", "---\naccess: {tags: [boss]}\n---\n# secret\n")
    claim = Access(tags=["boss"])
    assert client.ingest(folder, embedder=WordEmbedder(), access=claim).added == 2
    (folder / "secret.md").unlink()
    assert client.ingest(folder, embedder=WordEmbedder(), prune=True).deleted == 0
    assert client.ingest(folder, embedder=WordEmbedder(), prune=True, access=claim).deleted == 1


def test_an_empty_source_prunes_nothing(client: DocGraph, tmp_path: Path) -> None:
    folder = write(tmp_path / "a", "only.md", "# only")
    client.ingest(folder, embedder=WordEmbedder())
    (folder / "only.md").unlink()
    report = client.ingest(folder, embedder=WordEmbedder(), prune=True)
    assert report.deleted == 0
    assert "nothing at all was found" in report.notes[0]


def test_a_single_file_stays_in_the_source_of_its_folder(client: DocGraph, tmp_path: Path) -> None:
    folder = write(tmp_path / "a", "one.md", "# one")
    write(folder, "two.md", "# two")
    client.ingest(folder, embedder=WordEmbedder())
    client.ingest(write(folder, "one.md", "# one, changed") / "one.md", embedder=WordEmbedder())
    (folder / "one.md").unlink()
    assert client.ingest(folder, embedder=WordEmbedder(), prune=True).deleted == 1


def test_a_take_over_from_another_place_is_said(client: DocGraph, tmp_path: Path) -> None:
    client.ingest(write(tmp_path / "a", "same.md", "# a"), embedder=WordEmbedder())
    report = client.ingest(write(tmp_path / "b", "same.md", "# b"), embedder=WordEmbedder())
    assert "Documents of another place had the same ids" in report.notes[0]


def test_a_single_file_with_other_tags_stays_in_its_source_too(client: DocGraph, tmp_path: Path) -> None:
    folder = write(tmp_path / "a", "one.md", "# one")
    write(folder, "two.md", "# two")
    client.ingest(folder, embedder=WordEmbedder())
    assert client.ingest(folder / "one.md", embedder=WordEmbedder(), tags=["hr"]).changed == 1
    claim = Access(tags=["hr"])
    rows = client.list_documents(ingested_from=str(folder), access=claim)
    assert [row.document_id for row in rows] == ["one.md", "two.md"]


def test_the_order_of_patterns_counts(client: DocGraph, tmp_path: Path) -> None:
    folder = write(tmp_path / "a", "keep.md", "# keep")
    write(folder, "drop.md", "# drop")
    report = client.ingest(folder, embedder=WordEmbedder(), exclude=["*.md", "!keep.md"])
    assert report.added == 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (Raw("a.md", "# A"), "data must be of type bytes, not str"),  # type: ignore[arg-type]  # what is refused
        (Raw(Path("a.md"), b"# A"), "path must be of type str, not PosixPath"),  # type: ignore[arg-type]  # what is refused
        (("a.md", b"# A"), "a document must be of type Raw, not tuple"),
    ],
)
def test_documents_of_another_type_are_refused(client: DocGraph, wrong: Any, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message) as caught:
        client.ingest([wrong], name="x", embedder=WordEmbedder())
    assert 'Raw("a.md", ' in str(caught.value.hint)
    assert client.list_documents() == []


def test_what_a_reader_could_not_read_may_be_handed_on(client: DocGraph) -> None:
    found: list[Raw | Problem] = [Problem("b.md", "is torn"), Raw("a.md", b"# A")]
    report = client.ingest(found, embedder=WordEmbedder())
    assert (report.added, report.failed) == (1, 1)


@pytest.mark.parametrize(
    "wrong", [{"prune": "no"}, {"exclude": "*.tmp"}, {"clearance": "1"}, {"doc_type": 5}, {"tags": "hr"}]
)
def test_options_of_another_type_are_refused(
    client: DocGraph, tmp_path: Path, wrong: dict[str, object]
) -> None:
    with pytest.raises(InvalidArgument, match=next(iter(wrong))):
        client.ingest(write(tmp_path / "a", "a.md", "# a"), embedder=WordEmbedder(), **wrong)  # type: ignore[arg-type]  # what is refused
