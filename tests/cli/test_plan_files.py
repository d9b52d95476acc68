"""`docgraph plan diff | show | verify`, on plans that were stored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from docgraph import DocGraph, RetrievalPlan
from docgraph.documents import Document, Link
from tests.cli.conftest import Cli, answer, assert_error, said
from tests.cli.terminal import in_terminal

if TYPE_CHECKING:
    from tests.conftest import Installed

NOWHERE = "host=/nowhere"
"""A database that cannot be reached."""


@pytest.fixture
def stored(database: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database, and in the folder that is current two plans that it has made: a.json and b.json."""
    with DocGraph(database.conninfo) as client:
        client.put(
            [
                Document(id="leave.md", links=[Link("explains", "visa.md"), Link("references", "pay.md")]),
                Document(id="pay.md"),
                Document(id="visa.md"),
            ]
        )
        for name, seeds in (("a.json", ["leave.md"]), ("b.json", ["leave.md", "pay.md"])):
            (tmp_path / name).write_text(client.plan(seeds=seeds).to_json())
    monkeypatch.chdir(tmp_path)
    return database.conninfo


def tamper(file: str, changes: dict[str, Any]) -> str:
    """A copy of a stored plan with other values and the old hash."""
    found = json.loads(Path(file).read_text())
    Path("tampered.json").write_text(json.dumps({**found, **changes}))
    return "tampered.json"


@pytest.mark.usefixtures("stored")
def test_two_plans_that_are_the_same(quick: Cli) -> None:
    Path("again.json").write_text(json.dumps(json.loads(Path("a.json").read_text()), indent=4))
    assert answer(quick, "plan", "diff", "a.json", "again.json", conninfo=NOWHERE) == [
        "The plans are the same."
    ]
    (line,) = answer(quick, "plan", "diff", "a.json", "again.json", "--json", conninfo=NOWHERE)
    assert not any(json.loads(line).values())


@pytest.mark.usefixtures("stored")
def test_two_plans_that_differ(quick: Cli, cli: Cli) -> None:
    done = quick("plan", "diff", "a.json", "b.json", conninfo=NOWHERE)
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert lines[0] == '+ seed 2 "pay.md", given'
    assert lines[1].startswith("~ plan_hash: ")
    before, after = (RetrievalPlan.from_json(Path(name).read_text()) for name in ("a.json", "b.json"))
    assert lines == str(before.diff(after)).splitlines()

    for first, second, given in (("-", "b.json", "a.json"), ("a.json", "-", "b.json")):
        done = cli("plan", "diff", first, second, stdin=Path(given).read_text())
        assert (done.returncode, done.stdout.splitlines()) == (1, lines)


@pytest.mark.usefixtures("stored")
def test_what_differs_as_json(quick: Cli) -> None:
    done = quick("plan", "diff", "a.json", "b.json", "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    hashes = [json.loads(Path(name).read_text())["plan_hash"] for name in ("a.json", "b.json")]
    assert {name: value for name, value in found.items() if value} == {
        "seeds_added": [
            {
                "via": [{"from": "leave.md", "relation_type": "references"}],
                "rank": 2,
                "origin": "given",
                "document_id": "pay.md",
            }
        ],
        "changed": [{"name": "plan_hash", "before": hashes[0], "after": hashes[1]}],
    }


@pytest.mark.usefixtures("stored")
def test_a_change_without_a_seal_is_shown_and_said(quick: Cli) -> None:
    done = quick("plan", "diff", "a.json", tamper("a.json", {"omitted": 3}))
    assert (done.returncode, done.stdout) == (1, "~ omitted: 0 -> 3\n")
    assert said(done) == ["tampered.json: its hash does not hold: it was changed after it was sealed."]


@pytest.mark.usefixtures("stored")
def test_what_differs_has_colours_in_a_terminal() -> None:
    shown = in_terminal("plan", "diff", "a.json", "b.json")
    assert '\x1b[32m+ seed 2 "pay.md", given\x1b[0m' in shown.raw
    shown = in_terminal("plan", "diff", "b.json", "a.json")
    assert '\x1b[31m- seed 2 "pay.md", given\x1b[0m' in shown.raw


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (None, '"bad.json" cannot be read: No such file or directory'),
        ("", '"bad.json": plan: this is no JSON'),
        ("[" * 100_000, '"bad.json": plan: this is no JSON'),
        ("[]", '"bad.json": plan: it must be an object, not list'),
        ("{}", '"bad.json": plan: it lacks '),
        ('"\\ud800"', '"bad.json": plan: it must be an object'),
    ],
    ids=range(6),
)
@pytest.mark.usefixtures("stored")
def test_what_is_no_plan(quick: Cli, content: str | None, part: str) -> None:
    if content is not None:
        Path("bad.json").write_text(content)
    for args, code in (
        (("diff", "a.json", "bad.json"), 2),
        (("diff", "bad.json", "a.json"), 2),
        (("show", "bad.json"), 1),
    ):
        done = quick("plan", *args)
        assert (done.returncode, done.stdout) == (code, "")
        assert said(done)[0].startswith(f"Error: {part}")
        assert said(done)[1].startswith("Hint: ")


def test_files_that_cannot_be_read(quick: Cli, tmp_path: Path) -> None:
    for args, part in (
        (("show", str(tmp_path)), "cannot be read: Is a directory"),
        (("show", "a\0b"), "cannot be read: "),
        (("diff", "-", "-"), "A and B are both standard input"),
        (("diff", "\x1b[31m", "x"), r'"\x1b[31m" cannot be read'),
        (("verify", "gone.json"), "cannot be read"),
    ):
        done = quick("plan", *args)
        assert done.returncode == (1 if args[0] == "show" else 2)
        assert said(done)[0].startswith("Error: ")
        assert part in done.stderr
        assert "Hint: " in done.stderr
        assert "\x1b" not in done.stderr


@pytest.mark.usefixtures("stored")
def test_show(quick: Cli, cli: Cli) -> None:
    digits = json.loads(Path("a.json").read_text())["plan_hash"][:12]
    tree = [
        f"Plan {digits}: 1 seed, 2 expanded",
        "└── 1 leave.md  given",
        "    ├── explains visa.md",
        "    └── references pay.md",
    ]
    done = cli("plan", "show", "-", stdin=Path("a.json").read_text(), PYTHONIOENCODING="utf-8")
    assert done.stdout.splitlines() == tree
    assert in_terminal("plan", "show", "a.json").text.splitlines() == tree
    assert answer(quick, "plan", "show", "a.json", "--mermaid", conninfo=NOWHERE)[:2] == [
        "flowchart LR",
        '    d1("leave.md")',
    ]


@pytest.mark.usefixtures("stored")
def test_a_plan_that_was_changed_is_not_shown_as_what_it_was(quick: Cli) -> None:
    done = quick("plan", "show", tamper("a.json", {"truncated": ["documents"]}))
    assert_error(
        done, '"tampered.json": the hash does not hold', "docgraph.seal_plan in SQL, or client.seal_plan"
    )
    assert done.stdout == ""


def checked(quick: Cli, file: str, conninfo: str) -> tuple[int, dict[str, Any]]:
    """The exit code of `verify`, and what it found."""
    done = quick("plan", "verify", file, "--json", conninfo=conninfo)
    found: dict[str, Any] = json.loads(done.stdout)
    assert (done.returncode == 0) is found["ok"]
    return done.returncode, found


def test_verify(quick: Cli, stored: str) -> None:
    assert answer(quick, "plan", "verify", "a.json", conninfo=stored) == [
        "well formed           yes",
        "hash holds            yes",
        "same embedding space  yes",
        "same revision         yes",
        "edited                no",
    ]
    assert checked(quick, "a.json", stored) == (
        0,
        {
            **dict.fromkeys(
                ("ok", "well_formed", "hash_holds", "same_embedding_space", "same_revision"), True
            ),
            "edited": False,
            "problem": None,
        },
    )


def test_a_plan_that_was_edited_and_sealed_may_be_executed(quick: Cli, stored: str) -> None:
    plan = RetrievalPlan.from_json(Path("a.json").read_text()).replace(expanded_documents=[])
    Path("edited.json").write_text(plan.to_json())
    code, found = checked(quick, "edited.json", stored)
    assert (code, found["edited"]) == (0, True)


def test_a_plan_that_was_changed_may_not(quick: Cli, stored: str) -> None:
    code, found = checked(quick, tamper("a.json", {"omitted": 3}), stored)
    assert (code, found["well_formed"], found["hash_holds"]) == (1, True, False)
    done = quick("plan", "verify", "tampered.json", conninfo=stored)
    assert (done.returncode, done.stdout.splitlines()[1]) == (1, "hash holds            no")


def test_a_plan_of_another_embedding_space_may_not(quick: Cli, stored: str, database: Installed) -> None:
    """One that a question took part in. Made from ids alone, it is of every space."""
    with DocGraph(stored) as client:
        Path("asked.json").write_text(client.plan(embedding=[1, 0, 0, 0]).to_json())
    with database.connect() as connection:
        connection.execute("UPDATE docgraph.embedding_space SET model = 'another'")
    code, found = checked(quick, "asked.json", stored)
    assert (code, found["hash_holds"], found["same_embedding_space"]) == (1, True, False)
    assert "plan again" in quick("plan", "verify", "asked.json", conninfo=stored).stderr
    code, found = checked(quick, "a.json", stored)
    assert (code, found["same_embedding_space"]) == (0, True)


def test_a_plan_of_another_revision_may(quick: Cli, stored: str, database: Installed) -> None:
    with database.connect() as connection:
        connection.execute("UPDATE docgraph.alembic_version SET version_num = '9999'")
    code, found = checked(quick, "a.json", stored)
    assert (code, found["same_revision"]) == (0, False)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{}", "plan.constraints must be an object"),
        ('{"format": 2}', "plan.format must be 1"),
    ],
)
def test_verify_says_what_is_wrong_with_what_is_no_plan(
    quick: Cli, stored: str, content: str, problem: str
) -> None:
    Path("bad.json").write_text(content)
    done = quick("plan", "verify", "bad.json", conninfo=stored)
    assert (done.returncode, done.stdout) == (1, "well formed           no\n")
    assert said(done)[0].startswith(f"Problem: {problem}")


def test_where_it_cannot_be_told_verify_ends_with_2(quick: Cli, stored: str, empty: str) -> None:
    Path("text.json").write_text("no")
    Path("list.json").write_text("[]")
    for file, conninfo, part in (
        ("text.json", stored, '"text.json" is not JSON: Expecting value'),
        ("list.json", stored, '"list.json" is not a JSON object'),
        ("a.json", NOWHERE, "/nowhere"),
        ("a.json", empty, "Hint: Run: docgraph init"),
    ):
        done = quick("plan", "verify", file, conninfo=conninfo)
        assert_error(done, part)
        assert done.stdout == ""
