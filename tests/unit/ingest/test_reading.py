"""Finding files: every one in a fixed order, or a line that says why not."""

from __future__ import annotations

import os
import re
import socket
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from docgraph.errors import InvalidArgument
from docgraph.ingest.markup.suffixes import MARKUPS, NO_DOCUMENTS
from docgraph.ingest.reading import FolderReader
from docgraph.ingest.types import Problem, Raw
from tests.docs.blocks import ROOT


def make(root: Path, *paths: str, text: str = "x") -> None:
    for path in paths:
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def read(*paths: Path, **options: Any) -> tuple[list[str], dict[str, Problem]]:
    found = list(FolderReader(paths, **options).read())
    problems = {each.path: each for each in found if isinstance(each, Problem)}
    return [each.path for each in found if isinstance(each, Raw)], problems


def test_files_of_some_markups_alone(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "b/c.PYI", "b/d.sql", "b/e.md", "README", "b/.hidden.py", "venv/f.py")
    (tmp_path / "b" / "empty.py").touch()
    (tmp_path / "b" / "lost.md").symlink_to("nowhere")
    (tmp_path / ".gitignore").write_text("d.sql\n")
    found, problems = read(tmp_path, markups={"code:python", "code:sql"})
    assert (found, problems) == (["a.py", "b/c.PYI", "b/empty.py"], {})
    found, problems = read(tmp_path / "README", tmp_path / "b", markups={"code:python"})
    assert (found, problems) == (["README", "b/c.PYI", "b/empty.py"], {})


def test_paths_are_relative_and_ordered_by_their_bytes(tmp_path: Path) -> None:
    make(tmp_path, "b.md", "a/z.md", "a.md", "a-b/c.md", "\u00e9.md", "Z.md", "a/b/c.md", "README")
    found, problems = read(tmp_path)
    assert found == sorted(found, key=os.fsencode)
    assert found == ["README", "Z.md", "a-b/c.md", "a.md", "a/b/c.md", "a/z.md", "b.md", "\u00e9.md"]
    assert not problems


def test_a_raw_says_where_it_is(tmp_path: Path) -> None:
    make(tmp_path, "d/a.md", text="hello")
    assert list(FolderReader(tmp_path).read()) == [Raw("d/a.md", b"hello", str(tmp_path / "d/a.md"))]


def test_the_root(tmp_path: Path) -> None:
    make(tmp_path, "p/a.md", "q/r/b.md")
    assert read(tmp_path / "p/a.md")[0] == ["a.md"]
    assert read(tmp_path / "q/r", tmp_path / "p/a.md")[0] == ["p/a.md", "q/r/b.md"]
    assert read(tmp_path / "q/r", root=tmp_path / "q")[0] == ["r/b.md"]
    with pytest.raises(InvalidArgument, match="is not in the root"):
        FolderReader(tmp_path / "p", root=tmp_path / "q")
    with pytest.raises(InvalidArgument, match="is not a folder"):
        FolderReader(tmp_path / "p", root=tmp_path / "p/a.md")


def test_what_is_named_twice_is_read_once(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "d/b.md")
    found, problems = read(tmp_path, tmp_path / "d", tmp_path / "a.md", tmp_path)
    assert sorted(found) == ["a.md", "d/b.md"]
    assert not problems


def test_a_missing_path_is_an_error_at_once(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match=r"There is no .*/nowhere"):
        FolderReader([tmp_path, tmp_path / "nowhere"])
    with pytest.raises(InvalidArgument, match="no path"):
        FolderReader([])


def test_ignore_files_count_at_every_level(tmp_path: Path) -> None:
    make(tmp_path, "a.log", "keep.log", "build/x.md", "d/build/y.md", "d/a.log", "d/draft.md", "d/e/only.md")
    make(tmp_path, ".gitignore", text="*.log\n!keep.log\n/build/\n")
    make(tmp_path, "d/.docgraphignore", text="# mine\ndraft.*\n!a.log\n")
    make(tmp_path, "d/e/.gitignore", text="*\n")
    assert read(tmp_path)[0] == ["d/a.log", "d/build/y.md", "keep.log"]


def test_excludes_are_stronger_and_what_is_named_is_read(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "b.md", "d/c.md")
    make(tmp_path, ".gitignore", text="b.md\n")
    assert read(tmp_path, excludes=["d/", "!b.md"])[0] == ["a.md", "b.md"]
    assert sorted(read(tmp_path, tmp_path / "d/c.md", excludes=["d/"])[0]) == ["a.md", "d/c.md"]
    with pytest.raises(InvalidArgument, match="excludes"):
        FolderReader(tmp_path, excludes=["!"])


def test_a_pattern_that_is_none_is_reported(tmp_path: Path) -> None:
    make(tmp_path, "a.md")
    make(tmp_path, ".gitignore", text="*.log\n!\n")
    found, problems = read(tmp_path)
    assert found == ["a.md"]
    assert problems[".gitignore"].reason == "line 2 is no pattern, and is ignored"


def test_folders_without_documents_are_passed_over(tmp_path: Path) -> None:
    make(tmp_path, ".git/a.md", "node_modules/b.md", "d/__pycache__/c.md", ".venv/d.md", "d/e.md")
    assert read(tmp_path) == (["d/e.md"], {})


def test_what_is_hidden_or_a_backup_is_passed_over_unless_it_is_named(tmp_path: Path) -> None:
    make(tmp_path, ".env", ".hidden.md", ".github/e.md", "a.md~", "a.md")
    assert read(tmp_path) == (["a.md"], {})
    assert read(tmp_path / ".github")[0] == ["e.md"]
    assert read(tmp_path / ".hidden.md")[0] == [".hidden.md"]


def test_links_are_followed_within_the_folder_only_and_no_folder_is_read_twice(tmp_path: Path) -> None:
    make(tmp_path, "in/d/a.md", "out/b.md", "out/sub/c.md")
    for name, target in {
        "file.md": "d/a.md",
        "loop": ".",
        "d/up": "..",
        "twin": "d",
        "ext": "../out",
        "ext2": "../out/sub",
        "secret.md": "../out/b.md",
        "gone.md": "nothing",
        "self": "self",
        "all": "/",
    }.items():
        (tmp_path / "in" / name).symlink_to(target)
    found, problems = read(tmp_path / "in")
    assert found == ["d/a.md", "file.md"]
    around = "symbolic link to a folder that contains it"
    outside = "symbolic link to something outside of what is read"
    assert {path: each.reason for path, each in problems.items() if not each.failed} == {
        "all": around,
        "d/up": around,
        "loop": around,
        "ext": outside,
        "ext2": outside,
        "secret.md": outside,
        "twin": f"symbolic link into a folder that is read itself, to {tmp_path / 'in/d'}",
    }
    assert problems["gone.md"].reason == "symbolic link to something that is not there"
    assert problems["gone.md"].failed
    assert problems["self"].failed


def test_what_is_no_document_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe.md")
    server = socket.socket(socket.AF_UNIX)
    server.bind("s.md")
    with server, Path("huge.md").open("wb") as huge:
        huge.truncate(2**40)
        found, problems = read(tmp_path)
    assert not found
    assert problems["pipe.md"] == Problem("pipe.md", "named pipe, not a file", failed=False)
    assert problems["s.md"].reason == "socket, not a file"
    assert problems["huge.md"] == Problem("huge.md", f"{2**40} bytes, more than the limit of 50000000")


def test_the_limit_is_inclusive(tmp_path: Path) -> None:
    make(tmp_path, "a.md", text="x" * 10)
    assert read(tmp_path, max_bytes=10)[0] == ["a.md"]
    assert "more than the limit of 9" in read(tmp_path, max_bytes=9)[1]["a.md"].reason


@pytest.mark.parametrize("data", [b"", b" \n\t\r\n", b"\xef\xbb\xbf"])
def test_empty_files_are_left_out(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.md").write_bytes(data)
    assert read(tmp_path) == ([], {"a.md": Problem("a.md", "empty", failed=False)})


def test_binary_files_are_left_out_and_unknown_text_is_not(tmp_path: Path) -> None:
    (tmp_path / "a.xyz").write_bytes(b"ab\0")
    (tmp_path / "late.bin").write_bytes(b"a" * 10_000 + b"\0")
    (tmp_path / "b.gz").write_bytes(b"\x1f\x8b\x08\xff\xfe\xfd abc")
    (tmp_path / "c.xyz").write_bytes("\u00e9".encode() * 9000)
    (tmp_path / "d.xyz").write_bytes("text".encode("utf-16"))
    found, problems = read(tmp_path)
    assert found == ["c.xyz", "d.xyz"]
    assert problems["a.xyz"] == Problem("a.xyz", "binary file, suffix .xyz", failed=False)
    assert set(problems) == {"a.xyz", "late.bin", "b.gz"}


@pytest.mark.parametrize("name", ["a.svg", "A.SVG", "a.png", "a.zip"])
def test_pictures_and_archives_are_left_out_even_if_they_are_text(tmp_path: Path, name: str) -> None:
    make(tmp_path, name, "b.md", text="<svg><path d='M0 0 L1 1'/></svg>")
    for found, problems in (read(tmp_path), read(tmp_path / name, tmp_path / "b.md")):
        assert found == ["b.md"]
        assert problems == {
            name: Problem(name, f"no document, by its suffix {Path(name).suffix.lower()}", failed=False)
        }


def test_of_our_own_pages_the_texts_alone() -> None:
    found, problems = read(ROOT / "README.md", ROOT / "docs")
    assert {Path(path).suffix for path in found} == {".md"}
    assert "docs/plots/latency-recall.svg" in problems


def test_the_documentation_says_which_file_is_read_as_what() -> None:
    page = (ROOT / "docs/ingestion.md").read_text()
    rows = re.findall(r"^\| ([^|]+) \| (`\.[^|]+) \|$", page, re.MULTILINE)
    said = {suffix: kind for kind, listed in rows for suffix in re.findall(r"`(\.\w+)`", listed)}
    kinds = {
        "Markdown": "markdown", "reStructuredText": "rst", "HTML": "html", "plain text": "text",
        "PDF and Office, by the extra": "office", "source code": "code", "left out": "",
    }  # fmt: skip
    assert {kind for kind, _ in rows} == set(kinds)
    read_as = {suffix: markup.partition(":")[0] for suffix, markup in MARKUPS.items()}
    assert {suffix: kinds[kind] for suffix, kind in said.items()} == {
        **read_as,
        **dict.fromkeys(NO_DOCUMENTS, ""),
    }


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_names_that_are_not_utf8_are_reported(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff.md")).write_text("x")
    make(tmp_path, "e\u0301.md")
    found, problems = read(tmp_path)
    assert found == ["e\u0301.md"]
    assert problems == {"\\xff.md": Problem("\\xff.md", "its name is not valid UTF-8: rename it")}


@pytest.fixture
def nobody() -> Iterator[Path]:
    """A folder of somebody who is not root, whom permissions would not stop."""
    with tempfile.TemporaryDirectory() as folder:
        before = os.geteuid()
        if before == 0:
            Path(folder).chmod(0o777)
            os.seteuid(65534)
        try:
            yield Path(folder)
        finally:
            os.seteuid(before)


def test_what_may_not_be_read_is_reported(nobody: Path) -> None:
    make(nobody, "a.md", "b.md", "d/c.md")
    (nobody / "b.md").chmod(0)
    (nobody / "d").chmod(0)
    try:
        found, problems = read(nobody)
    finally:
        (nobody / "d").chmod(0o700)
    assert found == ["a.md"]
    assert {path: each.reason for path, each in problems.items()} == dict.fromkeys(
        ("b.md", "d"), "no permission to read it"
    )
    assert all(each.failed for each in problems.values())


def test_what_vanishes_is_reported_and_the_rest_read(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "b.md", "c/d.md", "e.md")
    found: Sequence[Raw | Problem] = []
    for each in FolderReader(tmp_path).read():
        found = [*found, each]
        if each.path == "a.md":
            (tmp_path / "b.md").unlink()
            (tmp_path / "c/d.md").unlink()
            (tmp_path / "c").rmdir()
    assert [each.path for each in found] == ["a.md", "b.md", "c", "e.md"]
    assert {each.reason for each in found if isinstance(each, Problem)} == {"vanished while it was read"}


def test_deep_folders_are_no_recursion(tmp_path: Path) -> None:
    deep = [tmp_path]
    for _ in range(1200):
        deep.append(deep[-1] / "d")
        deep[-1].mkdir()
    make(deep[-1], "a.md")
    try:
        assert read(tmp_path) == (["d/" * 1200 + "a.md"], {})
    finally:  # what cleans up after tests is recursive
        (deep[-1] / "a.md").unlink()
        for folder in deep[:0:-1]:
            folder.rmdir()
