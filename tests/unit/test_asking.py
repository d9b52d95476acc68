"""What is refused before anything is asked of the database: in the words of the call that was made."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph import DocGraph
from docgraph.errors import InvalidArgument
from docgraph.plan import RetrievalPlan
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
    ("query", "message"), [(" ", "query must not be blank"), (3, "query must be a text, not int")]
)
def test_what_cannot_be_embedded(query: Any, message: str) -> None:
    assert refused("embed", query).message == message


def test_a_context_in_place_of_its_plan() -> None:
    error = refused("execute", context(), embedding=[1.0])
    assert error.message == "plan must be a plan, not RetrievedContext"
    with pytest.raises(InvalidArgument, match="this is a context"):
        RetrievalPlan.from_dict(context().to_dict())


def test_an_option_of_ingest_that_is_not_there() -> None:
    error = refused("ingest", ".", tag=["a"])
    assert error.message == "ingest does not take tag"
    assert str(error.hint).startswith("Did you mean tags? It takes source, tenant, access, root, ")
