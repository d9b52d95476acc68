"""`docgraph ls | show | links | rm`, and the claim that they make."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from docgraph import Access, DocGraph
from docgraph.documents import Chunk, Document, Link
from tests.cli.conftest import COMMAND, Cli, answer, assert_error, environment, said
from tests.cli.terminal import in_terminal

if TYPE_CHECKING:
    from tests.conftest import Installed

VECTOR = [1.0, 0.0, 0.0, 0.0]

LEAVE = Document(
    id="leave.md",
    title="Leave",
    doc_type="policy",
    source="/srv/leave.md",
    summary="How to take\nleave.",
    section_titles=["Leave", "Short"],
    names=["LEAVE-1"],
    chunks=[
        Chunk("# Leave\nAsk first.", 5, VECTOR, ["Leave"], 0, 18),
        Chunk("Short leave\nneeds " + "no letter " * 20, 50, VECTOR, ["Leave", "Short"], 18, 100),
    ],
    links=[
        Link("references", "pay.md", "see pay.md"),
        Link("references", "gone.md", "not [gone](gone.md)"),
        Link("requires", "secret.md"),
    ],
)
PAY = Document(id="pay.md", title="Pay", relationships=[Link("supersedes", "leave.md", "as decided")])
SECRET = Document(id="secret.md", title="Secret", tags=["hr"], labels=["pii"], clearance=2)
CLAIM = ("--tags", "hr", "--labels", "pii", "--clearance", "2")


@pytest.fixture
def stored(database: Installed) -> str:
    """A database with three documents; its conninfo."""
    put(database, LEAVE, PAY, SECRET)
    return database.conninfo


def put(database: Installed, *documents: Document) -> None:
    with DocGraph(database.conninfo, access=Access(tags=["hr"], labels=["pii"], clearance=2)) as client:
        assert client.put(documents).failed == 0


def objects(quick: Cli, *args: str, conninfo: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in answer(quick, *args, "--json", conninfo=conninfo)]


def ids(quick: Cli, *args: str, conninfo: str) -> list[str]:
    return [each["document_id"] for each in objects(quick, "ls", *args, conninfo=conninfo)]


def test_ls_has_columns_for_programs(quick: Cli, stored: str) -> None:
    assert answer(quick, "ls", *CLAIM, conninfo=stored) == [
        "leave.md\tLeave\tpolicy\t",
        "pay.md\tPay\t\t",
        "secret.md\tSecret\t\ttags hr; labels pii; clearance 2",
    ]


def test_ls_has_a_table_for_people(stored: str) -> None:
    shown = in_terminal("ls", *CLAIM, conninfo=stored, columns=50, PYTHONWARNINGS="ignore")
    lines = [line.rstrip() for line in shown.text.splitlines() if not line.startswith("Warning")]
    assert lines[0] == "ID         Title   Type    Access"
    assert lines[1:4] == [
        "leave.md   Leave   policy",
        "pay.md     Pay",
        "secret.md  Secret          tags hr; labels pii;",
    ]
    assert max(map(len, lines)) <= 50


def test_ls_gives_all_pages_or_as_many_as_asked_for(quick: Cli, database: Installed) -> None:
    everything = [f"{number:04}" + "x" * 100 for number in range(1001)]
    put(database, *(Document(id=each) for each in everything))
    here = database.conninfo
    assert ids(quick, conninfo=here) == everything
    assert ids(quick, "--limit", "501", conninfo=here) == everything[:501]
    assert ids(quick, "--after", everything[499], "--limit", "2", conninfo=here) == everything[500:502]

    # Through a pipe that is closed early.
    done = subprocess.run(
        ["sh", "-c", f"'{COMMAND}' ls --json | head -n 1"],
        capture_output=True,
        text=True,
        check=False,
        env=environment(here),
    )
    assert len(done.stdout.splitlines()) == 1
    assert said(done) == []


def test_ls_of_one_source(quick: Cli, stored: str) -> None:
    with DocGraph(stored) as client:
        client.begin_ingestion("run", "wiki")
        client.put([Document(id="w.md")], ingestion="run")
    assert ids(quick, "--source", "wiki", conninfo=stored) == ["w.md"]


def test_where_nothing_is_to_be_seen_it_says_what_the_claim_covers(quick: Cli, database: Installed) -> None:
    put(database, SECRET)
    done = quick("ls", "--tags", "other,more", "--repository", "r", conninfo=database.conninfo)
    assert (done.returncode, done.stdout) == (0, "")
    assert said(done) == [
        'No document to be seen in tenant "default" by login "postgres".',
        "This claim covers repositories: r; snapshots: all; tags: more, other; labels: none; clearance: 0.",
    ]


def test_the_claim_of_the_environment_counts_for_every_command(quick: Cli, stored: str) -> None:
    env = {"DOCGRAPH_ACCESS": '{"tags": ["hr"], "labels": ["pii"], "clearance": 2}'}
    assert len(answer(quick, "ls", conninfo=stored, **env)) == 3
    assert answer(quick, "show", "secret.md", conninfo=stored, **env)[0] == "Title   Secret"
    assert answer(quick, "links", "secret.md", conninfo=stored, **env) == [
        "<-\trequires\tleave.md\tinferred\t"
    ]
    assert answer(quick, "rm", "secret.md", conninfo=stored, **env) == ["Deleted: secret.md"]


def test_show(quick: Cli, stored: str) -> None:
    lines = answer(quick, "show", "leave.md", conninfo=stored)
    assert lines[:12] == [
        "Title   Leave",
        "ID      leave.md",
        "Type    policy",
        "Source  /srv/leave.md",
        "Access  public",
        "Names   LEAVE-1",
        "",
        "Summary",
        "How to take",
        "leave.",
        "",
        "Sections: 2",
    ]
    assert lines[-2] == "0\t5\tLeave\t# Leave Ask first."
    assert lines[-1].startswith("1\t50\tLeave > Short\tShort leave needs no letter")
    assert lines[-1].endswith(" ...")


def test_show_with_the_whole_text(quick: Cli, stored: str) -> None:
    done = quick("show", "leave.md", "--text", conninfo=stored)
    for chunk in LEAVE.chunks:
        assert chunk.text in done.stdout
    assert "[1] Leave > Short, 50 tokens" in done.stdout


def test_show_as_json_is_all_there_is(quick: Cli, stored: str) -> None:
    with DocGraph(stored) as client:
        found = client.get_document("leave.md")
    assert found is not None
    assert objects(quick, "show", "leave.md", conninfo=stored) == [json.loads(json.dumps(found.to_dict()))]


@pytest.mark.parametrize("command", [["show", "--json"], ["links", "--in"]])
def test_a_document_that_is_hidden_and_one_that_is_not_there_read_the_same(
    quick: Cli, stored: str, command: list[str]
) -> None:
    said_of = []
    for document in ("secret.md", "nosuch.md"):
        done = quick(*command, document, conninfo=stored)
        assert_error(done, f'there is no document "{document}" to be seen by this claim', "Hint: ")
        assert done.stdout == ""
        said_of.append([line.replace(document, "") for line in said(done)])
    assert said_of[0] == said_of[1]


OUT = [
    "->\treferences\tgone.md\tinferred, waiting\tnot [gone](gone.md)",
    "->\treferences\tpay.md\tinferred\tsee pay.md",
]
IN = ["<-\tsupersedes\tpay.md\tdeclared\tas decided"]


def test_links(quick: Cli, stored: str) -> None:
    waiting = "->\trequires\tsecret.md\tinferred, waiting\t"
    for options, found in (
        ([], [*OUT, waiting, *IN]),
        (["--in", "--out"], [*OUT, waiting, *IN]),
        (["--in"], IN),
        (["--in", "--both"], [*OUT, waiting, *IN]),
        (["--out"], [*OUT, waiting]),
        (["--out", *CLAIM], [*OUT, "->\trequires\tsecret.md\tinferred\t"]),
    ):
        assert answer(quick, "links", "leave.md", *options, conninfo=stored) == found


def test_links_as_json(quick: Cli, stored: str) -> None:
    (found,) = objects(quick, "links", "leave.md", "--in", conninfo=stored)
    assert found == {
        "direction": "in",
        "from_document": "pay.md",
        "relation_type": "supersedes",
        "to_document": "leave.md",
        "declared": True,
        "inferred": False,
        "evidence": "as decided",
        "waiting": False,
    }


def test_links_of_more_than_a_page(quick: Cli, database: Installed) -> None:
    names = [f"{number:04}" for number in range(1201)]
    put(database, Document(id="a", links=[Link("references", name) for name in names]))
    found = objects(quick, "links", "a", conninfo=database.conninfo)
    assert [each["to_document"] for each in found] == names


def test_a_document_without_links(quick: Cli, database: Installed) -> None:
    put(database, Document(id="alone"))
    done = quick("links", "alone", "--in", conninfo=database.conninfo)
    assert (done.returncode, done.stdout) == (0, "")
    assert said(done) == ['No relationship leads to "alone".']


def test_rm_says_what_is_gone_and_what_was_not_there(quick: Cli, stored: str) -> None:
    done = quick("rm", "pay.md", "secret.md", "pay.md", "nosuch.md", conninfo=stored)
    assert (done.returncode, done.stdout) == (1, "Deleted: pay.md\n")
    assert said(done) == [
        "Not there, or not to be seen by this claim: nosuch.md",
        "Not there, or not to be seen by this claim: secret.md",
    ]
    assert ids(quick, *CLAIM, conninfo=stored) == ["leave.md", "secret.md"]
    done = quick("rm", "--json", "leave.md", "nosuch.md", conninfo=stored)
    assert (done.returncode, json.loads(done.stdout)) == (
        1,
        {"deleted": ["leave.md"], "absent": ["nosuch.md"]},
    )


def test_rm_of_more_than_a_batch(quick: Cli, database: Installed) -> None:
    names = [f"{number:04}" for number in range(450)]
    put(database, *(Document(id=name) for name in names))
    done = quick("rm", "--json", *names, conninfo=database.conninfo)
    assert (done.returncode, json.loads(done.stdout)) == (0, {"deleted": names, "absent": []})


def test_rm_that_breaks_off_says_what_is_gone(quick: Cli, database: Installed) -> None:
    """The second batch is refused: its document may be seen with one of its tags, and written with all."""
    names = [f"{number:04}" for number in range(200)]
    with DocGraph(database.conninfo, access=Access(tags=["hr", "x"])) as client:
        client.put([*(Document(id=name) for name in names), Document(id="z", tags=["hr", "x"])])
    done = quick("rm", "--json", "--tags", "hr", *names, "z", conninfo=database.conninfo)
    assert done.returncode == 1
    assert json.loads(done.stdout) == {"deleted": names, "absent": []}
    assert said(done)[0].startswith("Error: documents is outside what this call may write")


@pytest.mark.parametrize(
    ("typed", "options", "left"), [("n\n", [], True), ("y\n", [], False), ("", ["--yes"], False)]
)
def test_rm_asks_in_a_terminal(quick: Cli, stored: str, typed: str, options: list[str], left: bool) -> None:
    shown = in_terminal("rm", "pay.md", *options, conninfo=stored, typed=typed)
    assert ('Delete "pay.md"?' in shown.text) == (not options)
    assert shown.returncode == left
    assert ("pay.md" in ids(quick, conninfo=stored)) == left


def test_a_database_without_docgraph(quick: Cli, empty: str) -> None:
    for command in (("ls",), ("rm", "a")):
        done = quick(*command, conninfo=empty)
        assert_error(done, "docgraph is not installed")
        assert said(done)[-1] == "Hint: Run: docgraph init"
    done = quick("links", "a", "--database-url", empty)
    assert said(done)[-1] == 'Hint: Run, with the same URL: docgraph init --database-url "..."'
