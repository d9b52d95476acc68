"""`docgraph plan`: a question, and the documents that may take part in answering it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from docgraph import Access, DocGraph, RetrievalPlan
from docgraph.cli.plan_options import OPTIONS
from docgraph.documents import Document, Link
from docgraph.plan_calls import PLAN_RETRIEVAL
from tests.cli.conftest import Cli, answer, assert_error, said
from tests.cli.terminal import in_terminal

if TYPE_CHECKING:
    from tests.conftest import Installed

QUESTION = "How many days of holiday do I have?"
PAGES = {
    "leave.md": "# Leave\n\nHow many days of holiday you have. See [pay](pay.md), [visa](visa.md), "
    "[secret](secret.md).\n",
    "pay.md": "# Pay\n\nSalaries come on the last day of a month. See [visa](visa.md).\n",
    "secret.md": "---\naccess: {tags: [hr]}\n---\n# Secret\n\nWho has how many days of holiday.\n",
    "visa.md": "# Visa\n\nPassports and embassies.\n",
}


@pytest.fixture
def asked(ready: str, tmp_path: Path) -> str:
    """A database with four documents, one of them for some only; its conninfo."""
    for name, text in PAGES.items():
        (tmp_path / name).write_text(text)
    with DocGraph(ready, access=Access(tags=["hr"])) as client:
        assert client.ingest(tmp_path).added == len(PAGES)
    return ready


def planned(quick: Cli, *args: str, conninfo: str, **env: str) -> RetrievalPlan:
    (line,) = answer(quick, "plan", *args, "--json", conninfo=conninfo, **env)
    return RetrievalPlan.from_json(line)


def test_a_question_finds_seeds_and_they_bring_in_what_they_refer_to(quick: Cli, asked: str) -> None:
    lines = answer(quick, "plan", QUESTION, "--seeds", "1", conninfo=asked)
    assert lines[0].startswith("plan ")
    assert lines[3:] == [
        "[1] leave.md  (seed 1, found by search)",
        "     references -> [2] pay.md",
        "     references -> [3] visa.md",
    ]
    with DocGraph(asked) as client:
        assert "\n".join(lines) == client.explain_plan(client.plan(QUESTION, seed_limit=1))


def test_a_tree_for_people(asked: str) -> None:
    shown = in_terminal(
        "plan", QUESTION, "--seeds", "1", "--seed", "pay.md", "--seed", "gone", conninfo=asked
    )
    lines = [line for line in shown.text.splitlines() if not line.startswith("Warning")]
    assert shown.returncode == 0
    assert lines[0].endswith(": 2 seeds, 1 expanded (1 omitted)")
    assert lines[1:] == [
        "├── 1 pay.md  given",
        "│   └── references visa.md",
        "└── 2 leave.md  search",
        "    ├── references pay.md",
        "    └── references visa.md",
        "Not there, or not to be seen by this claim: gone",
    ]
    assert "\x1b[" in shown.raw


@pytest.mark.parametrize(
    "env", [{}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"PYTHONIOENCODING": "ascii"}]
)
def test_json_is_what_the_database_writes_byte_for_byte(
    cli: Cli, database: Installed, env: dict[str, str]
) -> None:
    with DocGraph(database.conninfo) as client:
        client.put(
            [Document(id="a", links=[Link("\u00e9", "\U0001f600 \x7f")]), Document(id="\U0001f600 \x7f")]
        )
    with psycopg.connect(database.conninfo) as connection:
        row = connection.execute(
            "SELECT docgraph.plan_retrieval('default', '{}', seeds => '{a, x}')::text"
        ).fetchone()
    assert row is not None
    assert "\U0001f600 \x7f" in row[0]
    done = cli("plan", "--seed", "a", "--seed", "x", "--json", conninfo=database.conninfo, **env)
    assert done.stdout == f"{row[0]}\n"
    assert said(done) == ["Not there, or not to be seen by this claim: x"]


def test_mermaid(quick: Cli, asked: str) -> None:
    lines = answer(quick, "plan", "--seed", "pay.md", "--mermaid", conninfo=asked)
    assert lines == [
        "flowchart LR",
        '    d1("pay.md")',
        '    d2["visa.md"]',
        '    d1 -->|"references"| d2',
    ]


@pytest.mark.parametrize(
    ("option", "value", "there"),
    [
        ("--seeds", "3", ("constraints", "seed_limit", 3)),
        ("--expanded-per-seed", "1", ("constraints", "expanded_per_seed", 1)),
        ("--max-documents", "2", ("constraints", "max_documents", 2)),
        ("--scope", "doc_type", ("constraints", "dominant_scope", "doc_type")),
        ("--search-in", "chunks", ("made_by", "search_in", "chunks")),
        ("--method", "approximate", ("made_by", "method", "approximate")),
    ],
)
def test_options_reach_the_database(
    quick: Cli, asked: str, option: str, value: str, there: tuple[str, str, Any]
) -> None:
    part, key, expected = there
    assert planned(quick, QUESTION, conninfo=asked).to_dict()[part][key] != expected
    assert planned(quick, QUESTION, option, value, conninfo=asked).to_dict()[part][key] == expected


def test_what_may_be_given_several_times_and_what_goes_together(quick: Cli, asked: str) -> None:
    found = planned(
        quick, "--seed", "leave.md", "--relation", "references", "--relation", "a", conninfo=asked
    )
    assert found.constraints.relation_types == ("a", "references")
    assert found.expanded_document_ids == ("pay.md", "visa.md")
    found = planned(quick, QUESTION, "--scope", "cluster", "--scope-distance", "0.05", conninfo=asked)
    assert found.constraints.scope_distance == "0.05"
    assert found.dropped == 2
    found = planned(quick, "--seed", "visa.md", "--seed", "pay.md", conninfo=asked)
    assert (found.made_by.mode, found.seed_document_ids) == ("ids", ("visa.md", "pay.md"))


def test_every_parameter_of_the_function_has_an_option() -> None:
    # What the claim and the question give.
    elsewhere = {"tenant", "access", "query_embedding", "query_text"}
    assert OPTIONS.keys() == PLAN_RETRIEVAL.parameters.keys() - elsewhere


def test_what_the_claim_opens_is_in_the_plan(quick: Cli, asked: str) -> None:
    assert "secret.md" not in planned(quick, QUESTION, conninfo=asked).seed_document_ids
    assert "secret.md" in planned(quick, QUESTION, "--tags", "hr", conninfo=asked).seed_document_ids
    found = planned(quick, "--seed", "leave.md", conninfo=asked, DOCGRAPH_ACCESS='{"tags": ["hr"]}')
    assert found.expanded_document_ids == ("pay.md", "secret.md", "visa.md")


def test_types_that_lead_nowhere_are_remarked_on(quick: Cli, asked: str) -> None:
    done = quick("plan", "--seed", "leave.md", "--relation", "reference", conninfo=asked)
    assert done.returncode == 0
    assert said(done) == [
        "No relationship of type reference leads from the seeds to another document that may be seen.",
        "Hint: `docgraph links ID` lists those of a document, with their types.",
    ]
    for limit, value in (("--max-documents", "1"), ("--expanded-per-seed", "0")):
        done = quick("plan", "--seed", "leave.md", "--relation", "references", limit, value, conninfo=asked)
        assert (done.returncode, said(done)) == (0, [])


@pytest.mark.parametrize("form", [(), ("--json",), ("--mermaid",)])
def test_an_empty_plan_says_what_the_claim_covers(quick: Cli, asked: str, form: tuple[str, ...]) -> None:
    def remarks(*args: str) -> list[str]:
        done = quick("plan", *args, *form, conninfo=asked)
        assert done.returncode == 0
        assert done.stdout
        return said(done)

    empty = "The plan is empty: no document to begin with was found."
    claim = "repositories: none; snapshots: all; tags: none; labels: none; clearance: 0"
    first = remarks(QUESTION, "--repository", "none")
    assert first[:2] == [
        empty,
        f'In tenant "default", login "postgres", this claim covers {claim}.',
    ]
    assert first[2].startswith("Hint: Bring documents in with `docgraph ingest PATH`, or claim more")
    second = remarks("--seed", "secret.md")
    assert second[:2] == ["Not there, or not to be seen by this claim: secret.md", empty]
    assert second[3].startswith("Hint: `docgraph ls` lists what this claim may see.")
    assert remarks(QUESTION, "--seeds", "0") == ["The plan is empty: --seeds is 0."]
    assert remarks(QUESTION, "--max-documents", "0") == ["The plan is empty: --max-documents is 0."]


def test_a_hidden_document_reads_as_one_that_is_not_there(quick: Cli, asked: str) -> None:
    for form in ((), ("--json",)):
        hidden, absent = (
            quick("plan", "--seed", "visa.md", "--seed", each, *form, conninfo=asked)
            for each in ("secret.md", "gone.md")
        )
        assert (hidden.returncode, hidden.stdout) == (0, absent.stdout)
        assert hidden.stderr == absent.stderr.replace("gone.md", "secret.md")
        assert said(hidden) == ["Not there, or not to be seen by this claim: secret.md"]


def test_where_a_limit_left_out_seeds_they_are_not_said_to_be_missing(quick: Cli, asked: str) -> None:
    ids = ("--seed", "visa.md", "--seed", "pay.md", "--seed", "x")
    done = quick("plan", *ids, "--max-documents", "1", conninfo=asked)
    assert said(done) == ["1 of the ids given is not there, or not to be seen by this claim."]


def test_a_question_that_is_the_name_of_a_command(quick: Cli, asked: str) -> None:
    (line,) = answer(quick, "plan", "--json", "--seeds", "1", "--", "diff", conninfo=asked)
    found = RetrievalPlan.from_json(line)
    assert (found.made_by.mode, len(found.seed_documents)) == ("semantic", 1)
    with DocGraph(asked) as client:
        assert found == client.plan("diff", seed_limit=1)


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (["--seeds", "1"], ["there is no question", "Hint: Ask, `docgraph plan"]),
        (["", "--seed", "a"], ["the question is empty", "Hint: "]),
        (["q", "--json", "--mermaid"], ["--json and --mermaid are both given", "Hint: "]),
        (["q", "--scope", "all"], ["--scope must be none, ingestion", "Hint: For example --scope none."]),
        (["q", "--search-in", "all"], ["--search-in must be", "Hint: For example --search-in summaries."]),
        (["q", "--method", "all"], ["--method must be", "Hint: For example --method auto."]),
        (["q", "--seeds", "201"], ["--seeds must be from 0 to 200", "Hint: Leave it out for the usual 5."]),
        (["q", "--expanded-per-seed", "-1"], ["--expanded-per-seed must be from 0 to 200", "Hint: "]),
        (["q", "--max-documents", "401"], ["--max-documents must be from 0 to 400", "Hint: "]),
        (["q", "--scope", "cluster", "--scope-distance", "nan"], ["--scope-distance must be", "Hint: "]),
        (["q", "--scope-distance", "0.1"], ["--scope-distance is for --scope cluster", "Hint: Give both"]),
        (["--seed", ""], ["--seed must be", "Hint: Give --seed once for each."]),
        (["q", "--relation", ""], ["--relation must be", "Hint: Give --relation once for each."]),
        (["q", "--tenant", "other"], ["this login has no access to this tenant", "Hint: "]),
        (["half \udcff"], ["Hint: "]),
        (["--seed", "half \udcff"], ["Hint: "]),
    ],
    ids=lambda value: (
        " ".join(value).encode("ascii", "replace").decode() if isinstance(value, list) else None
    ),
)
def test_what_is_refused_names_the_option(quick: Cli, shared: str, args: list[str], parts: list[str]) -> None:
    done = quick("plan", *args, conninfo=shared)
    assert_error(done, *parts)
    assert done.stdout == ""


def test_a_database_that_is_not_set_up(quick: Cli, empty: str) -> None:
    assert_error(quick("plan", "q", conninfo=empty), "Hint: Run: docgraph init")


HOSTILE = "[red]x[/] \x1b[31m\x07\x9b31m\u202eabc\r\nnext"


@pytest.mark.parametrize("form", [(), ("--json",), ("--mermaid",)])
def test_ids_do_not_steer_the_terminal(database: Installed, form: tuple[str, ...]) -> None:
    with DocGraph(database.conninfo) as client:
        client.put([Document(id=HOSTILE, links=[Link("r" + HOSTILE, "to")]), Document(id="to")])
    shown = in_terminal(
        "plan", "--seed", HOSTILE, *form, conninfo=database.conninfo, columns=1000, NO_COLOR="1",
        PYTHONWARNINGS="ignore",
    )  # fmt: skip
    assert shown.returncode == 0
    for steering in ("\x1b[31m", "\x07", "\x9b", "\u202e"):
        assert steering not in shown.raw
    if form == ("--json",):
        found = json.loads(shown.text.splitlines()[-1])
        assert found["seed_documents"][0]["document_id"] == HOSTILE
