"""What retrieval refuses, by either client: the error names the parameter, and says what to do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import psycopg
import pytest

from docgraph import DocGraph
from docgraph.errors import DocgraphError, InvalidArgument
from tests.conftest import Installed
from tests.sql.api.planned import BOARD, DOCUMENTS, VECTOR, Ask, asking


@pytest.fixture(scope="module")
def filled(shared: Installed) -> Installed:
    with DocGraph(shared.conninfo) as client:
        client.put_documents(DOCUMENTS, access=BOARD)
    return shared


@pytest.fixture(params=["sync", "async"])
def ask(request: pytest.FixtureRequest, filled: Installed) -> Ask:
    return asking(request.param, filled.conninfo)


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "no question": ("retrieve", {"seeds": ["leave.md"]}, "retrieve needs a question"),
    "no question to execute": ("execute", {"plan": "made"}, "execute needs a question"),
    "no question for evidence": ("execute_plan", {"plan": "made"}, "query_embedding must not be null"),
    "no questions": ("retrieve_all", {}, "^embeddings must be a list of at most 100 vectors"),
    "too many": (
        "retrieve_all",
        {"embeddings": [VECTOR] * 101},
        "^embeddings must be a list of at most 100 vectors",
    ),
    "a text for questions": ("retrieve_all", {"questions": "leave"}, "questions must be a list of texts"),
    "a vector among questions": (
        "retrieve_all",
        {"questions": [VECTOR]},
        "questions must be a list of texts",
    ),
    "a blank question": ("retrieve_all", {"questions": ["leave", " "]}, "questions: number 2 is blank"),
    "both": ("retrieve", {"query": "leave", "embedding": VECTOR}, "query and embedding are both given"),
    "both of many": (
        "retrieve_all",
        {"questions": ["leave"], "embeddings": [VECTOR]},
        "questions and embeddings are both given",
    ),
    "a vector that is none": ("retrieve", {"embedding": [1, 0]}, "^embedding must have 4 elements"),
    "a last vector that is none": (
        "retrieve_all",
        {"embeddings": [[0.0] * 4]},
        r"^embeddings\[1\] must have 4 elements",
    ),
    "a vector where words are compared": (
        "retrieve",
        {"embedding": VECTOR, "mode": "bm25"},
        "^query must not be null in mode bm25",
    ),
    "no seeds": ("expand_dependency_tree", {}, "seeds must be a plain list of ids"),
    "one vector for many": (
        "retrieve_all",
        {"embeddings": VECTOR},
        "^embeddings must be a list of vectors, not float",
    ),
    "vectors of other lengths": (
        "retrieve_all",
        {"embeddings": [VECTOR, [1.0]]},
        "^embeddings must be a list of vectors of the same length",
    ),
    "seeds without an order": (
        "retrieve",
        {"embedding": VECTOR, "seeds": {"a"}},
        "seeds must be a list: their order counts",
    ),
    "seeds of many without an order": (
        "retrieve_all",
        {"embeddings": [VECTOR], "seeds": {"a"}},
        "seeds must be a list: their order counts",
    ),
    "another option": ("retrieve", {"embedding": VECTOR, "top_k": 3}, "retrieve does not take top_k"),
    "an option of a plan": (
        "execute",
        {"plan": "made", "embedding": VECTOR, "seed_limit": 3},
        "execute does not take seed_limit",
    ),
    "another option of many": (
        "retrieve_all",
        {"embeddings": [VECTOR], "query_text": "x"},
        "retrieve_all does not take query_text",
    ),
    "two budgets": ("retrieve", {"embedding": VECTOR, "max_chars": 1, "budget_tokens": 1}, "max_chars"),
    "no budget": ("assemble_context", {"plan": "made", "query_embedding": VECTOR}, "max_chars"),
    "max_chunks 1.5": (
        "retrieve",
        {"embedding": VECTOR, "max_chunks": 1.5},
        "max_chunks must be a whole number, not float",
    ),
    "max_chunks 1001": ("retrieve", {"embedding": VECTOR, "max_chunks": 1001}, "max_chunks must be"),
    "per_document -1": ("retrieve", {"embedding": VECTOR, "per_document": -1}, "per_document must be"),
    "reserve 1.1": ("retrieve", {"embedding": VECTOR, "reserve": 1.1}, "reserve must be"),
    "reserve a text": (
        "retrieve",
        {"embedding": VECTOR, "reserve": "1"},
        "reserve must be a number, not str",
    ),
    "another selection": ("retrieve", {"embedding": VECTOR, "selection": "mmr"}, "selection must be"),
    "no plan": ("execute", {"plan": {}, "embedding": VECTOR}, "plan"),
    "a text for a plan": (
        "execute",
        {"plan": "{}", "embedding": VECTOR},
        "plan must be an object or a list, not str",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(ask: Ask, name: str) -> None:
    method, arguments, message = REFUSED[name]
    if arguments.get("plan") == "made":
        arguments = {**arguments, "plan": ask("plan", embedding=VECTOR)}
    with pytest.raises(InvalidArgument, match=message) as caught:
        ask(method, **arguments)
    assert caught.value.hint
    assert "ARRAY[" not in caught.value.hint
    assert method not in {"retrieve", "retrieve_all"} or "query_embedding" not in str(caught.value)


@pytest.mark.parametrize("method", ["execute", "execute_plan", "assemble_context", "retrieve_by_plan"])
def test_a_plan_of_something_else(ask: Ask, method: str) -> None:
    """Nothing is decided here: the database refuses, and Python has its words."""
    plan = ask("plan", embedding=VECTOR)
    vector = {"embedding" if method == "execute" else "query_embedding": VECTOR}
    budget = {"budget_tokens": 100} if method == "assemble_context" else {}
    space = {"model": "another-model", "dimensions": 4, "metric": "cosine"}
    for other, word in (
        (plan.replace(scope={**plan.to_dict()["scope"], "tenant": "elsewhere"}), "tenant"),
        (plan.replace(made_by={**plan.to_dict()["made_by"], "embedding_space": space}), "another-model"),
        ({**plan.to_dict(), "format": 2}, "format"),
        (replace(plan, dropped=7), "plan_hash"),
    ):
        with pytest.raises(DocgraphError, match=word) as caught:
            ask(method, other, **vector, **budget)
        assert isinstance(caught.value.__cause__, psycopg.Error)
        assert caught.value.hint
