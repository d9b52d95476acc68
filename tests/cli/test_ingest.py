"""`docgraph ingest`: a folder in, what became of it, and where it is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from psycopg.conninfo import make_conninfo

from docgraph import Access, DocGraph
from tests.cli.conftest import Cli, Done, bring_in, figures, said, stored
from tests.cli.terminal import in_terminal
from tests.servers import temporary_home

SECRET = "s3cr3t-pa55"


def report(done: Done) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_folder_goes_in_and_again_nothing_changes(cli: Cli, ready: str, folder: Path) -> None:
    done = cli("ingest", str(folder), conninfo=ready)
    assert (done.returncode, said(done)) == (
        0,
        ["What is waiting for what: `docgraph links ID` lists it for a document."],
    )
    found = figures(done)
    assert list(found) == [
        *("added", "changed", "unchanged", "deleted", "skipped", "failed", "waiting", "chunks", "embedded"),
        *("seconds", "per second"),
    ]
    assert (found["added"], found["waiting"], found["chunks"]) == ("3", "1", "3")
    assert int(found["embedded"]) >= 3
    assert stored(ready) == ["a.md", "c.txt", "sub/b.md"]

    done = cli("ingest", str(folder), "--json", conninfo=ready)
    assert (done.returncode, said(done)) == (0, [])
    again = report(done)
    assert (again["unchanged"], again["added"], again["changed"], again["embedded"]) == (3, 0, 0, 0)
    assert (again["problems"], again["notes"]) == ([], [])
    assert again["seconds"] > 0
    assert again["ingestion"]
    assert again["wal"]


def test_what_the_documents_are_given(quick: Cli, ready: str, folder: Path) -> None:
    done = quick(
        *("ingest", str(folder), "--repository", "R", "--snapshot", "S", "--doc-type", "note"),
        *("--tags", "hr, x", "--tags", "y", "--labels", "pii", "--clearance", "2", "--exclude", "*.txt"),
        *("--root", str(folder.parent), "--name", "wiki", "--ingestion", "first"),
        conninfo=ready,
    )
    assert done.returncode == 0
    assert stored(ready) == []
    with DocGraph(ready, access=Access(tags=["y"], labels=["pii"], clearance=2)) as client:
        rows = client.list_documents(ingested_from="wiki")
        found = client.get_document("R@S:docs/a.md")
    assert [row.document_id for row in rows] == ["R@S:docs/a.md", "R@S:docs/sub/b.md"]
    assert {(row.repository, row.snapshot, row.doc_type) for row in rows} == {("R", "S", "note")}
    assert {(row.tags, row.labels, row.clearance) for row in rows} == {(("hr", "x", "y"), ("pii",), 2)}
    assert found is not None
    assert found.ingestion == "first"


def test_the_claim_of_the_environment_reaches_what_is_there(quick: Cli, ready: str, folder: Path) -> None:
    """The id of a hidden document is taken; with the claim to write it, the document changes."""
    bring_in(ready, folder, tags=["hr"])
    done = quick("ingest", str(folder), "--json", conninfo=ready)
    assert (done.returncode, report(done)["failed"]) == (1, 3)
    done = quick("ingest", str(folder), "--json", conninfo=ready, DOCGRAPH_ACCESS='{"tags": ["hr"]}')
    assert (done.returncode, report(done)["changed"]) == (0, 3)
    assert len(stored(ready)) == 3


def test_code_goes_in_as_a_graph(quick: Cli, ready: str, folder: Path) -> None:
    (folder / "m.py").write_text("def f(): pass\ndef g(): f()\n")
    (folder / "bad.py").write_text("def f(:\n")
    done = quick("ingest", "--code", str(folder), conninfo=ready)
    assert done.returncode == 1
    assert (figures(done)["added"], figures(done)["failed"]) == ("3", "1")
    failed, note, prose = said(done)
    assert "for prose" in prose
    assert failed == "Failed: bad.py: line 1: no Python that can be parsed: invalid syntax"
    assert note.startswith("Note: Calls in Python: 1 lead to something in this tree, 0 to builtins")
    assert stored(ready) == ["m.py", "m.py::f", "m.py::g"]


def test_what_fails_does_not_stop_the_others_and_is_named_first(quick: Cli, ready: str, folder: Path) -> None:
    for number in range(25):
        (folder / f"skipped{number:02}.md").touch()
    (folder / "zz[red]\x1b[31m.md").write_bytes(b"---\ntitle: [\n---\n")
    done = quick("ingest", str(folder), conninfo=ready)
    assert done.returncode == 1
    found = figures(done)
    assert (found["added"], found["failed"], found["skipped"]) == ("3", "1", "25")
    lines = said(done)
    assert lines[0].startswith(r"Failed: zz[red]\x1b[31m.md: front matter")
    names = ", ".join(f"skipped{number:02}.md" for number in range(10))
    assert lines[1] == f"Skipped: 25 files: {names} and 15 more: empty"
    assert len(stored(ready)) == 3

    done = quick("ingest", str(folder), "--strict", "--json", conninfo=ready)
    assert (done.returncode, done.stdout) == (2, "")
    assert said(done)[0].startswith(r"Error: zz[red]\x1b[31m.md: front matter")

    for number in range(50):
        (folder / f"zz{number:02}.md").write_text(f"---\nid: same{number // 2}\n---\n")
    lines = said(quick("ingest", str(folder), conninfo=ready))
    assert lines[20].startswith("Not shown: ")
    assert lines[20].endswith(" more that failed, 25 more that were skipped.")


def test_a_dry_run_says_what_would_be_done(quick: Cli, ready: str, folder: Path) -> None:
    def try_it(*options: str) -> dict[str, str]:
        done = quick("ingest", str(folder), "--dry-run", *options, conninfo=ready)
        assert (done.returncode, said(done)) == (0, [])
        first, done.stdout = done.stdout.split("\n", 1)
        assert first.startswith("A dry run: nothing is written; embedding, and the name of the run, are not")
        return figures(done)

    found = try_it()
    assert (found["added"], found["chunks"], "embedded" in found) == ("3", "3", False)
    assert stored(ready) == []
    bring_in(ready, folder)
    (folder / "a.md").write_text("# Another\n")
    (folder / "c.txt").unlink()
    found = try_it("--prune")
    assert (found["changed"], found["unchanged"], found["deleted"]) == ("1", "1", "1")
    assert len(stored(ready)) == 3


def test_that_front_matter_has_no_effect_is_said(quick: Cli, ready: str, folder: Path) -> None:
    (folder / "a.md").write_text("---\nclearance: 3\nsuperceded_by: b\n---\n# A\n")
    done = quick("ingest", str(folder), conninfo=ready)
    assert done.returncode == 0
    unguarded, misspelt = said(done)[:2]
    assert unguarded.startswith(
        "Note: `clearance` at the top of front matter is metadata, and restricts nobody."
    )
    assert misspelt.endswith("Did you mean `superseded_by`? (1 document, a.md)")


def test_a_folder_with_nothing_in_it(quick: Cli, ready: str, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    done = quick("ingest", str(empty), conninfo=ready)
    note = f"No files were found in {empty}."
    assert (done.returncode, done.stdout, said(done)) == (0, "", [f"Note: {note}"])
    with DocGraph(ready) as client:
        assert client.ingest(empty).notes == [note]
        assert client.ingest([*iter(())] or iter(()), name="none").notes == ["No documents were found."]


def test_pruning_takes_away_what_is_gone_from_the_folder(quick: Cli, ready: str, folder: Path) -> None:
    with DocGraph(ready) as client:
        client.put([{"id": "another's"}])
    bring_in(ready, folder)
    (folder / "c.txt").unlink()
    # Of a single file nobody can tell what is gone: the rest of its folder is not.
    done = quick("ingest", str(folder / "a.md"), "--prune", conninfo=ready)
    assert (done.returncode, done.stdout) == (2, "")
    assert said(done) == [
        "Error: prune needs the name of the source",
        'Hint: For example name="wiki", or --name wiki.',
    ]
    done = quick("ingest", str(folder), "--prune", "--json", conninfo=ready)
    assert (done.returncode, report(done)["deleted"]) == (0, 1)
    assert stored(ready) == ["a.md", "another's", "sub/b.md"]

    # What could not be read may be there all the same.
    (folder / "a.md").write_bytes(b"\xff\xff\xfe")
    (folder / "sub" / "b.md").unlink()
    done = quick("ingest", str(folder), "--prune", conninfo=ready)
    assert done.returncode == 1
    assert said(done)[-1].startswith("Note: Nothing was pruned")
    assert len(stored(ready)) == 3


def test_nothing_is_done_with_what_cannot_be(quick: Cli, ready: str, folder: Path, tmp_path: Path) -> None:
    for options, parts in (
        ([], ["Missing argument"]),
        ([str(tmp_path / "nosuch")], ["Error: ", "nosuch", "Hint: "]),
        ([str(folder), "--clearance", "-1"], ["--clearance"]),
        ([str(folder), "--access", '{"tag": []}'], ['unknown key "tag"', "Hint: "]),
        ([str(folder), "--tenant", "other"], ["Error: this login has no access to this tenant"]),
        ([str(folder), "--database-url", ready, "--home", "x"], ["Error: ", "both given"]),
    ):
        done = quick("ingest", *options, conninfo=ready)
        assert (done.returncode, done.stdout) == (2, "")
        assert "Traceback" not in done.stderr
        for part in parts:
            assert part in done.stderr
    assert stored(ready) == []


def test_a_database_that_is_not_set_up(quick: Cli, empty: str, folder: Path) -> None:
    url = make_conninfo(empty, password=SECRET)
    for options, env, hint in (
        ([], {"conninfo": url}, "Hint: Run: docgraph init"),
        (["--database-url", url], {"conninfo": url}, "Hint: Run: docgraph init"),
        (["--database-url", url], {}, 'Hint: Run, with the same URL: docgraph init --database-url "..."'),
    ):
        done = quick("ingest", str(folder), *options, **env)
        assert (done.returncode, done.stdout, said(done)[-1]) == (2, "", hint)
        assert SECRET not in done.stderr


def test_the_embedded_database_is_set_up_where_somebody_looks_on(quick: Cli, folder: Path) -> None:
    with temporary_home() as home:
        words = ("ingest", str(folder), "--home", str(home))
        done = quick(*words, "--keep")
        assert (done.returncode, done.stdout) == (2, "")
        assert said(done)[-1] == f"Hint: Run: docgraph init --home {home}"
        try:
            assert in_terminal(*words, "--dry-run").returncode == 2
            shown = in_terminal(*words)
            assert shown.returncode == 0, shown.text
            lines = shown.text.splitlines()
            assert lines[0].startswith("There is no docgraph in this database yet: setting it up")
            assert any(line.startswith("Embedding space: ") for line in lines)
            assert any(line.split() == ["added", "3"] for line in lines)
            # How far it was is shown, and taken away again; the cursor is back.
            assert "documents, " in shown.text
            assert shown.raw.count("\x1b[?25h") == shown.raw.count("\x1b[?25l") == 1
            assert "setting it up" not in in_terminal(*words).text
        finally:
            quick("db", "stop", "--home", str(home))
