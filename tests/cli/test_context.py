"""`docgraph context`: a question, and what there is to answer it from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from docgraph import Access, DocGraph, RetrievedContext
from docgraph.cli.context import EXECUTION
from docgraph.cli.plan_options import OPTIONS
from docgraph.context import Budget
from docgraph.context_calls import RETRIEVE, RETRIEVE_BY_PLAN
from docgraph.ingest.embedding import resolve_embedder
from tests.cli.conftest import Cli, answer, assert_error, said
from tests.cli.terminal import in_terminal

if TYPE_CHECKING:
    from tests.conftest import Installed

QUESTION = "How many days of holiday do I have?"
PAGES = {
    "leave.md": "# Leave\n\nThirty days of holiday a year.\n\n## More\n\nSee [pay](pay.md), [hr](secret.md).",
    "pay.md": "# Pay\n\nSalaries come on the last day of a month. See [visa](visa.md).\n",
    "secret.md": "---\naccess: {tags: [hr]}\n---\n# Secret\n\nWho has how many days of holiday.\n",
    "visa.md": "# Visa\n\nPassports and embassies. \u2603\n",
}


@pytest.fixture
def asked(ready: str, tmp_path: Path) -> str:
    """A database with four documents, one of them for some only; its conninfo."""
    for name, text in PAGES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with DocGraph(ready, access=Access(tags=["hr"])) as client:
        assert client.ingest(tmp_path, root=tmp_path).added == len(PAGES)
    return ready


def retrieved(quick: Cli, *args: str, conninfo: str, **env: str) -> RetrievedContext:
    (line,) = answer(quick, "context", *args, "--format", "json", conninfo=conninfo, **env)
    return RetrievedContext.from_json(line)


# -------------------------------------------------------------------- what is printed


def test_text(quick: Cli, asked: str) -> None:
    lines = answer(quick, "context", QUESTION, "--seeds", "1", "--chunks", "2", conninfo=asked)
    with DocGraph(asked) as client:
        found = client.retrieve(QUESTION, seed_limit=1, max_chunks=2)
    leave, pay = found.documents
    (first,), (second,) = leave.chunks, pay.chunks
    bill = found.accounting.budget
    assert lines == [
        "[1] leave.md  seed 1, found by search",
        # Its last line has the section titles.
        *str(leave.summary).splitlines(),
        "",
        f"{first.score:.6f}, Leave, {first.tokens} tokens",
        "# Leave",
        "",
        "Thirty days of holiday a year.",
        "",
        "[2] pay.md  leave.md references this",
        "",
        f"{second.score:.6f}, Pay, {second.tokens} tokens",
        "# Pay",
        "",
        "Salaries come on the last day of a month. See [visa](visa.md).",
        "",
        f"{bill.used} of 8,000 tokens: {_split(bill)}",
        "1 chunk over the limit of 2",
    ]


def _split(bill: Budget) -> str:
    return f"{bill.conceptual_used} for summaries and section titles, {bill.evidence_used} for chunks"


def test_a_place_that_was_reserved_is_said(quick: Cli, asked: str) -> None:
    options = ("--seeds", "1", "--chunks", "2", "--reserve", "0.5", "--conceptual-share", "0")
    lines = answer(quick, "context", QUESTION, *options, conninfo=asked)
    leave, pay = (line.split(", ") for line in lines if line.startswith(("0.", "-0.")))
    assert (leave[1], leave[2].split()[1:], len(leave)) == ("Leave", ["tokens"], 3)
    assert (pay[1], pay[3]) == ("Pay", "by reserve")
    assert not [line for line in lines if line.startswith("Sections")]


def test_seeds_that_are_not_there_are_counted_in_the_text(quick: Cli, asked: str) -> None:
    seeds = ("--seed", "leave.md", "--seed", "nowhere.md", "--seed", "secret.md")
    done = quick("context", QUESTION, *seeds, conninfo=asked)
    assert "2 ids given as seeds are not there, or not to be seen" in done.stdout.splitlines()
    assert "nowhere.md" not in done.stdout


def test_text_in_a_terminal(asked: str) -> None:
    shown = in_terminal("context", QUESTION, "--seeds", "1", conninfo=asked, PYTHONWARNINGS="ignore")
    assert shown.returncode == 0
    assert "\x1b[1m[1] leave.md\x1b[0m" in shown.raw
    assert "Thirty days of holiday a year." in shown.text.splitlines()


ENCODINGS: list[dict[str, str]] = [
    {},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"PYTHONIOENCODING": "ascii"},
]


@pytest.mark.parametrize("env", ENCODINGS)
def test_json_is_what_the_database_writes_byte_for_byte(cli: Cli, asked: str, env: dict[str, str]) -> None:
    with DocGraph(asked) as client:
        space = client.embedding_space()
    assert space is not None
    vector = resolve_embedder(None, model=space.model, dimensions=space.dimensions).embed_query(QUESTION)
    with psycopg.connect(asked) as connection:
        row = connection.execute(
            "SELECT docgraph.retrieve('default', '{}', %s)::text", [list(vector)]
        ).fetchone()
    assert row is not None
    assert "\u2603" in row[0]
    done = cli("context", QUESTION, "--json", conninfo=asked, **env)
    assert (done.stdout, said(done)) == (f"{row[0]}\n", [])


def test_json_is_the_format_json(quick: Cli, asked: str) -> None:
    """Also in what is remarked beside it, as where nothing is found."""
    nothing = ("context", QUESTION, "--seeds", "0", "--chunks", "1")
    short, long = (quick(*nothing, *option, conninfo=asked) for option in (["--json"], ["--format", "json"]))
    assert (short.stdout, said(short)) == (long.stdout, said(long))
    assert said(short)
    both = quick("context", QUESTION, "--json", "--format", "markdown", conninfo=asked)
    assert said(both) == ["Error: --json and --format markdown are both given", "Hint: Give one of the two."]


@pytest.mark.parametrize("env", ENCODINGS)
def test_markdown_is_as_python_gives_it(cli: Cli, asked: str, env: dict[str, str]) -> None:
    with DocGraph(asked) as client:
        wanted = client.retrieve(QUESTION).to_markdown()
    assert "\u2603" in wanted
    done = cli("context", QUESTION, "--format", "markdown", conninfo=asked, **env)
    assert (done.stdout, said(done)) == (wanted, [])


# -------------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("option", "value", "there"),
    [
        ("--chunks", "1", ("max_chunks", 1)),
        ("--per-document", "1", ("per_document", 1)),
        ("--reserve", "0.25", ("reserve", "0.25")),
        ("--selection", "bridge", ("selection", "bridge")),
        ("--conceptual-share", "0.1", ("conceptual_share", "0.1")),
        ("--budget-tokens", "100", ("budget", {"unit": "tokens", "limit": 100})),
        ("--max-chars", "100", ("budget", {"unit": "characters", "limit": 100})),
    ],
)
def test_options_reach_the_database(
    quick: Cli, asked: str, option: str, value: str, there: tuple[str, Any]
) -> None:
    def part(found: RetrievedContext) -> Any:
        told = found.to_dict()["accounting"][there[0]]
        return {key: told[key] for key in there[1]} if isinstance(there[1], dict) else told

    assert part(retrieved(quick, QUESTION, conninfo=asked)) != there[1]
    assert part(retrieved(quick, QUESTION, option, value, conninfo=asked)) == there[1]


def test_options_of_a_plan_reach_it(quick: Cli, asked: str) -> None:
    options = ("--seed", "visa.md", "--seeds", "1", "--relation", "references", "--search-in", "chunks")
    with DocGraph(asked) as client:
        plan = client.plan(
            QUESTION, seeds=["visa.md"], seed_limit=1, relation_types=["references"], search_in="chunks"
        )
    assert retrieved(quick, QUESTION, *options, conninfo=asked).plan == plan
    assert plan.seed_document_ids == ("visa.md", "leave.md")


def test_every_parameter_of_the_function_has_an_option() -> None:
    # What the claim and the question give.
    elsewhere = {"tenant", "access", "query_embedding", "query_text"}
    assert OPTIONS.keys() | EXECUTION.keys() == RETRIEVE.parameters.keys() - elsewhere
    # With a stored plan ranks are fused as usual.
    assert EXECUTION.keys() == RETRIEVE_BY_PLAN.parameters.keys() - elsewhere - {"plan", "rrf_k"}


def test_what_the_claim_opens_is_in_it(quick: Cli, asked: str) -> None:
    def ids(*args: str, **env: str) -> list[str]:
        return [each.document_id for each in retrieved(quick, QUESTION, *args, conninfo=asked, **env)]

    assert "secret.md" not in ids()
    assert "secret.md" in ids("--tags", "hr")
    assert "secret.md" in ids(DOCGRAPH_ACCESS='{"tags": ["hr"]}')


# -------------------------------------------------------------------- stored plans


@pytest.fixture
def stored(quick: Cli, asked: str, tmp_path: Path) -> str:
    """The name of a file with a plan in it that begins with pay.md."""
    (line,) = answer(quick, "plan", "--seed", "pay.md", "--json", conninfo=asked)
    file = tmp_path / "a.json"
    file.write_text(line)
    return str(file)


def test_a_stored_plan_is_executed(quick: Cli, cli: Cli, asked: str, stored: str) -> None:
    found = retrieved(quick, QUESTION, "--plan", stored, "--chunks", "1", conninfo=asked)
    assert found.plan.to_json() == Path(stored).read_text()
    assert [each.document_id for each in found] == ["pay.md", "visa.md"]
    with DocGraph(asked) as client:
        assert found == client.execute(found.plan, QUESTION, max_chunks=1)
    given = Path(stored).read_text()
    done = cli(
        "context", QUESTION, "--plan", "-", "--chunks", "1", "--format", "json", conninfo=asked, stdin=given
    )
    assert done.stdout == f"{found.to_json()}\n"


def test_a_plan_that_was_changed_is_not_executed(quick: Cli, asked: str, stored: str, tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    file.write_text(json.dumps(json.loads(Path(stored).read_text()) | {"omitted": 3}))
    done = quick("context", QUESTION, "--plan", str(file), conninfo=asked)
    how = "seal_plan in SQL, client.seal_plan(plan) in Python."
    assert_error(done, "plan.plan_hash must be the hash of the plan", "Hint: ", how)
    assert done.stdout == ""


def test_what_one_should_know_of_a_plan_is_said(
    quick: Cli, asked: str, stored: str, database: Installed
) -> None:
    with database.connect() as connection:
        connection.execute("UPDATE docgraph.alembic_version SET version_num = '9999'")
    with DocGraph(asked) as client:
        client.delete_documents(["visa.md"])
    lines = answer(quick, "context", QUESTION, "--plan", stored, conninfo=asked)
    made_by = json.loads(Path(stored).read_text())["made_by"]["revision"]
    assert lines[-2:] == [
        "1 document is no longer there, or not to be seen",
        f"made by revision {made_by}, executed by 9999",
    ]


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (None, '"bad.json" cannot be read: No such file or directory'),
        ("", '"bad.json": plan: this is no JSON'),
        ("{}", '"bad.json": plan: it lacks '),
    ],
)
def test_what_is_no_plan(
    quick: Cli, asked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None, part: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if content is not None:
        Path("bad.json").write_text(content)
    done = quick("context", QUESTION, "--plan", "bad.json", conninfo=asked)
    assert_error(done, part, "Hint: ")
    assert done.stdout == ""


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_remarks_stand_apart(quick: Cli, asked: str, form: str) -> None:
    def remarks(*args: str) -> list[str]:
        done = quick("context", QUESTION, *args, "--format", form, conninfo=asked)
        assert done.returncode == 0
        assert done.stdout
        return said(done)

    assert remarks("--seed", "secret.md") == ["Not there, or not to be seen by this claim: secret.md"]
    nowhere, hint = ["", *remarks("--relation", "none")][-2:]
    assert nowhere.startswith("" if form == "text" else "No relationship of type none leads from the seeds")
    assert hint == "Hint: `docgraph links ID` lists those of a document, with their types."

    def are_empty(reason: str) -> list[str]:
        # As text, the notes of the context say it already.
        return [] if form == "text" else [f"The plan is empty: {reason}."]

    assert remarks("--seeds", "0") == are_empty("--seeds is 0")
    *said_first, claim, hint = remarks("--repository", "none")
    assert said_first == are_empty("no document to begin with was found")
    assert claim.startswith('In tenant "default", login "postgres", this claim covers repositories: none;')
    assert hint.startswith("Hint: Bring documents in")


def test_what_was_left_out_stands_apart_from_markdown(quick: Cli, asked: str) -> None:
    done = quick("context", QUESTION, "--chunks", "1", "--format", "markdown", conninfo=asked)
    assert said(done)[0].endswith("chunks over the limit of 1")
    assert "over the limit" not in done.stdout


def test_that_a_plan_is_empty_is_said_once_and_in_the_same_words_as_in_python(quick: Cli, asked: str) -> None:
    with DocGraph(asked, access=Access(repositories=["none"])) as client:
        (note,) = client.retrieve(QUESTION).notes
        zero = client.retrieve(QUESTION, seed_limit=0).notes
        by_ids = client.execute(client.plan(seeds=["x"]), QUESTION).notes
    assert note == "the plan is empty: no document to begin with was found"
    assert zero[0] == "the plan is empty: seed_limit is 0"
    assert by_ids[1] == note
    done = quick("context", QUESTION, "--repository", "none", conninfo=asked)
    assert done.stdout.splitlines()[-1] == note
    assert "is empty" not in done.stderr
    assert "--seeds is 0" in quick("context", QUESTION, "--seeds", "0", conninfo=asked).stdout
