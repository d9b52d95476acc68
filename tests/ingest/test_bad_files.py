"""Files and documents that cannot be brought in: each is a line in the report, and the others are in."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from docgraph.access import Access
from docgraph.client import DocGraph
from docgraph.documents import Chunk, Document
from docgraph.errors import AccessDenied, DocgraphError, InvalidArgument
from docgraph.ingest.reading import FolderReader
from tests.conftest import Installed
from tests.ingest.conftest import Do
from tests.ingest.embedders import WordEmbedder
from tests.ingest.rows import documents, stored

FAILED = {
    "binary.md": (b"\x00\x01\x02\xff" * 100, "text|binary|encod"),
    "cut.md": (b"\xff\xfeM\x00e\x00\xd8", "mark of utf-16-le, but byte 6 is not"),
    "front-nothing.md": (b"---\naccess:\n---\n# A\n", "access must be a mapping"),
    "front-access.md": (b"---\naccess: everybody\n---\n# A\n", "access must be a mapping"),
    "front-id.md": (b"---\nid: [1, 2]\n---\n# A\n", "id must be a text"),
    "front-open.md": (b"---\ntitle: [a, b\n---\n# A\n", "front matter"),
    "guess.md": ("Stra\u00dfe".encode("cp1252"), "not UTF-8 and its encoding cannot be told"),
    "huge.md": (b"x " * 50_000, "100000 bytes, more than the limit of 90000"),
    "long-id.md": (b"---\nid: " + b"i" * 600 + b"\n---\n# A\n", "its id has 600 bytes, more than 512"),
    "twice.md": (b"---\nid: good.md\n---\n# A\n", 'has the id "good.md"'),
}
SKIPPED = {
    "empty.md": (b"", "empty"),
    "blank.md": (b" \n\n", "empty"),
    "picture.png": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "no document, by its suffix .png"),
}
GOOD = {
    "good.md": b"# Good\n\nWords.\n",
    "latin.md": (
        "# Latin\n\n" + "Das Stra\u00dfenfest in K\u00f6ln f\u00e4llt f\u00fcr alle aus. " * 20
    ).encode("cp1252"),
    "mark.md": b"\xef\xbb\xbf# Mark\n\nWords.\n",
    "wide.md": "# Wide\n\nWords.\n".encode("utf-16"),
    "windows.md": b"# Windows\r\n\r\nWords.\r\n",
}


def _write(folder: Path, files: dict[str, Any]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, given in files.items():
        (folder / name).write_bytes(given if isinstance(given, bytes) else given[0])
    return folder


def _small(folder: Path) -> FolderReader:
    """With a limit that a test can exceed."""
    return FolderReader([folder], max_bytes=90_000)


def test_each_has_its_line_and_the_others_are_in(do: Do, database: Installed, tmp_path: Path) -> None:
    folder = _write(tmp_path / "mixed", {**FAILED, **SKIPPED, **GOOD})
    report = do("ingest", _small(folder), embedder=WordEmbedder(), name="mixed")
    assert documents(database.conninfo) == sorted(GOOD)
    texts = {row[1]: row[8] for row in stored(database.conninfo)["vector_chunks"]}
    assert "Das Stra\u00dfenfest in K\u00f6ln" in texts["latin.md"]
    assert {texts["windows.md"], texts["wide.md"]} == {"# Windows\n\nWords.", "# Wide\n\nWords."}
    assert (report.added, report.failed, report.skipped) == (len(GOOD), len(FAILED), len(SKIPPED))
    said = {problem.path: problem for problem in report.problems}
    assert sorted(said) == sorted({**FAILED, **SKIPPED})
    assert not any("\n" in problem.reason for problem in report.problems)
    for name, (_, reason) in {**FAILED, **SKIPPED}.items():
        assert said[name].failed == (name in FAILED)
        assert re.search(reason, said[name].reason), said[name]


REFUSED_FILES = {
    "clearance.md": b"---\naccess: {clearance: 40000}\n---\n# A\n",
    "hidden.md": b"# Under the id of a document that is hidden\n",
    "long-type.md": b"---\ndoc_type: " + b"t" * 600 + b"\n---\n# A\n",
    "nul.md": b'---\nnote: "a\\0b"\n---\n# A\n',
    "theirs.md": b"---\naccess: {tags: [board]}\n---\n# A\n",
}
"""What can be read, and the database does not take."""


def test_a_dry_run_refuses_what_the_run_refuses(do: Do, database: Installed, tmp_path: Path) -> None:
    hidden = Document(id="hidden.md", tags=["hr"])
    assert do("put", [hidden, Document(id="mark.md")], access=Access(tags=["hr"])).added == 2
    folder = _write(tmp_path / "mixed", {**FAILED, **SKIPPED, **GOOD, **REFUSED_FILES})

    def run(**options: Any) -> Any:
        return do("ingest", _small(folder), embedder=WordEmbedder(), name="mixed", **options)

    dry = run(dry_run=True)
    assert documents(database.conninfo) == ["hidden.md", "mark.md"]
    real = run()
    assert (real.added, real.changed, real.failed) == (
        len(GOOD) - 1,
        1,
        len(FAILED) + len(REFUSED_FILES),
    )
    assert dry.problems == real.problems
    counts = {**real.counts(), "embedded": 0, "waiting": 0}
    assert dry.counts() == counts
    again = run(dry_run=True)
    assert (again.added, again.changed, again.unchanged) == (0, 0, len(GOOD))
    assert again.problems == real.problems
    for name, content in REFUSED_FILES.items():
        alone = _write(tmp_path / name.removesuffix(".md"), {name: content})
        with pytest.raises(DocgraphError):
            do("ingest", alone, embedder=WordEmbedder(), dry_run=True, strict=True)


@pytest.mark.parametrize("name", FAILED)
def test_strict_raises_with_the_name(client: DocGraph, tmp_path: Path, name: str) -> None:
    folder = _write(tmp_path / "strict", {**GOOD, name: FAILED[name]})
    with pytest.raises(InvalidArgument, match=f"^{name}: "):
        client.ingest(_small(folder), embedder=WordEmbedder(), name="strict", strict=True)


def test_a_file_that_may_not_be_read(do: Do, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = _write(tmp_path / "closed", {**GOOD, "secret.md": b"# Secret\n"})
    (folder / "secret.md").chmod(0)
    if os.geteuid() == 0:  # for whom nothing is closed
        opened = Path.open

        def refusing(path: Path, *args: Any, **kwargs: Any) -> Any:
            if path.name == "secret.md":
                raise PermissionError(13, "Permission denied", str(path))
            return opened(path, *args, **kwargs)

        monkeypatch.setattr(Path, "open", refusing)
    report = do("ingest", folder, embedder=WordEmbedder())
    assert (report.added, report.failed) == (len(GOOD), 1)
    assert report.problems[0].path == "secret.md"
    assert "ermission" in report.problems[0].reason


def test_loops_and_links_that_lead_nowhere(do: Do, database: Installed, tmp_path: Path) -> None:
    folder = _write(tmp_path / "loops", GOOD)
    (folder / "again").symlink_to(folder, target_is_directory=True)
    (folder / "itself.md").symlink_to("itself.md")
    (folder / "nowhere.md").symlink_to("absent.md")
    os.mkfifo(folder / "pipe.md")
    report = do("ingest", folder, embedder=WordEmbedder())
    assert documents(database.conninfo) == sorted(GOOD)
    assert sorted(problem.path for problem in report.problems) == [
        "again",
        "itself.md",
        "nowhere.md",
        "pipe.md",
    ]
    assert all(problem.reason for problem in report.problems)


# -------------------------------------------------------------------- refused by the database

REFUSED = {
    "i" * 600: (Document(id="i" * 600), "id must be"),
    "long": (Document(id="long", chunks=[Chunk("x" * 262_145, 1)]), r"chunks\[0\]\.text must be"),
    "flat": (Document(id="flat", chunks=[Chunk("x", 1, [0, 0, 0, 0])]), r"chunks\[0\]\.embedding must have"),
    "short": (Document(id="short", chunks=[Chunk("x", 1, [1, 0, 0])]), r"chunks\[0\]\.embedding must have"),
    "kept": (Document(id="kept", chunks=[Chunk("x", 1, "keep")]), r'chunks\[0\]\.embedding is "keep"'),
    "theirs": (Document(id="theirs", tags=["board"]), "outside|may not|access"),
}


def _mixed() -> list[Document]:
    """A refused one between any two that are good."""
    good = [Document(id=f"good-{n}", chunks=[Chunk("x", 1, [1, n, 0, 0])]) for n in range(len(REFUSED) + 1)]
    mixed = [good[0]]
    for (bad, _), next_one in zip(REFUSED.values(), good[1:], strict=True):
        mixed += [bad, next_one]
    return mixed


def test_refused_documents_are_named_and_the_others_of_the_batch_are_in(do: Do, database: Installed) -> None:
    report = do("put", _mixed())
    assert (report.added, report.failed) == (len(REFUSED) + 1, len(REFUSED))
    assert [problem.path for problem in report.problems] == list(REFUSED)
    for problem in report.problems:
        assert re.search(REFUSED[problem.path][1], problem.reason), problem
        assert not problem.reason.startswith("documents["), "the document's number in the batch says nothing"
    assert documents(database.conninfo) == [f"good-{n}" for n in range(len(REFUSED) + 1)]


@pytest.mark.parametrize("name", REFUSED)
def test_strict_names_the_refused_document(do: Do, database: Installed, name: str) -> None:
    batch = [Document(id="good"), REFUSED[name][0], Document(id="good as well")]
    with pytest.raises(DocgraphError, match=f'document "{name}"') as caught:
        do("put", batch, strict=True)
    assert isinstance(caught.value, InvalidArgument | AccessDenied)
    assert documents(database.conninfo) == []


def test_what_the_claim_holds_may_be_given(do: Do) -> None:
    report = do("put", [REFUSED["theirs"][0]], access=Access(tags=["board"]))
    assert (report.added, report.failed) == (1, 0)
