"""What is refused before anything is asked of the database: in the words of the call that was made."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from docgraph import DocGraph
from docgraph.errors import InvalidArgument
from docgraph.plan import RetrievalPlan
from docgraph.questions import MOST
from tests.unit.contexts import context
from tests.unit.plans import plan

NOWHERE = "host=nowhere.invalid"


def refused(method: str, *args: Any, **options: Any) -> InvalidArgument:
    with DocGraph(NOWHERE) as client, pytest.raises(InvalidArgument) as caught:
        getattr(client, method)(*args, **options)
    return caught.value


@pytest.mark.parametrize(
    ("method", "args", "options", "message", "example"),
    [
        ("search", (), {}, "search needs a question", 'search("How do I ...?")'),
        ("retrieve", (None,), {}, "retrieve needs a question", 'retrieve("How do I ...?")'),
        ("retrieve", (), {"seeds": ["a.md"]}, "retrieve needs a question", "retrieve(embedding=[...])"),
        ("execute", (plan(),), {}, "execute needs a question", 'execute(plan, "How do I ...?")'),
        ("plan", (), {}, "plan needs a question, or seeds", 'plan(seeds=["a.md"])'),
    ],
)
def test_without_a_question(
    method: str, args: tuple[Any, ...], options: dict[str, Any], message: str, example: str
) -> None:
    error = refused(method, *args, **options)
    assert error.message == message
    assert example in str(error.hint)


@pytest.mark.parametrize("method", ["search", "plan", "retrieve", "execute", "retrieve_all"])
def test_an_option_that_is_not_there(method: str) -> None:
    args = (plan(),) if method == "execute" else ()
    error = refused(method, *args, embedings=[1.0])
    assert error.message == f"{method} does not take embedings"
    meant = "embeddings" if method == "retrieve_all" else "embedding"
    assert str(error.hint).startswith(f"Did you mean {meant}? It takes ")
    assert (" mode," in str(error.hint)) is (method != "execute")
    assert str(refused(method, *args, zzz=1).hint).startswith("It takes ")


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (" ", "query must not be blank"),
        (3, "query must be a text, not int"),
        ("caf\udce9", "query is not valid UTF-8"),
    ],
)
def test_what_cannot_be_embedded(query: Any, message: str) -> None:
    assert refused("embed", query).message == message


@pytest.mark.parametrize("method", ["embed", "search", "plan", "retrieve", "pipeline"])
def test_a_blank_question_is_told_what_all_methods_take(method: str) -> None:
    error = refused(method, "", **({} if method == "embed" else {"mode": "bm25"}))
    assert str(error) == 'query must not be blank\nAsk in words, such as "How do I ...?".'


def test_as_many_questions_as_the_database_takes(superuser: psycopg.Connection[Any]) -> None:
    assert superuser.execute("SELECT docgraph.bound('queries')").fetchall() == [(MOST,)]


@pytest.mark.parametrize(
    ("questions", "message", "hint"),
    [
        ("a question", "questions must be a list of texts, not one", 'questions=["How do I ...?"]'),
        ([1], "questions must be a list of texts", "Vectors are given as embeddings."),
        (["a question"] * (MOST + 1), f"questions must be a list of at most {MOST} texts", "Make several"),
    ],
)
@pytest.mark.parametrize("mode", ["semantic", "bm25"])
def test_several_questions(questions: Any, message: str, hint: str, mode: str) -> None:
    """Before anything is embedded, too."""
    error = refused("retrieve_all", questions, mode=mode)
    assert error.message == message
    assert hint in str(error.hint)


def test_what_is_used_here_and_of_another_type() -> None:
    for error, message in (
        (refused("grant_access", "bob"), "ceiling must be of type Ceiling, not str"),
        (refused("configure_embedding_space", "m"), "space must be of type EmbeddingSpace, not str"),
    ):
        assert error.message == message
        assert error.hint


def test_a_parameter_that_is_a_text_has_an_example_of_its_own() -> None:
    error = refused("get_document", 5)
    assert (error.message, error.hint) == ("document must be a text, not int", 'For example document="a.md".')
    assert refused("search", "x", tenant=5, mode="bm25").hint == 'For example tenant="default".'


def test_names_are_those_of_the_method() -> None:
    error = refused("search", embedding="1,2")
    assert error.message == "embedding must be a list of numbers, not str"
    assert error.hint == "For example embedding=[0.25, -1.5]."
    error = refused("retrieve_all", embeddings=[1.0])
    assert error.message == "embeddings must be a list of vectors, not float"
    assert str(error.hint).startswith("For example embeddings=[[")


def test_a_context_in_place_of_its_plan() -> None:
    error = refused("execute", context(), embedding=[1.0])
    assert error.message == "plan must be a plan, not RetrievedContext"
    with pytest.raises(InvalidArgument, match="this is a context"):
        RetrievalPlan.from_dict(context().to_dict())


def test_an_option_of_ingest_that_is_not_there() -> None:
    error = refused("ingest", ".", tag=["a"])
    assert error.message == "ingest does not take tag"
    assert str(error.hint).startswith("Did you mean tags? It takes source, tenant, access, root, ")
