"""Bad input from Python: an exception class of ours with the database's words, or refused before the call."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from docgraph import calls
from docgraph.access import Access, Ceiling, EmbeddingSpace
from docgraph.async_client import AsyncDocGraph
from docgraph.calls import Call
from docgraph.client import DocGraph
from docgraph.errors import BY_SQLSTATE, DocgraphError, InvalidArgument
from tests.conftest import Installed
from tests.sql.api.bad_kinds import SECRET, Bad
from tests.sql.api.bad_values import cases
from tests.sql.asking import ALL_CALLS, VALID, Connection, ask, contents


def _method(name: str) -> Callable[..., Any]:
    """A method that takes the parameters of its function: JSON as values, the claim as an Access."""

    def call(client: Any, **arguments: Any) -> Any:
        for parameter, kind in ALL_CALLS[name].parameters.items():
            if kind == "jsonb" and isinstance(arguments.get(parameter), str):
                arguments[parameter] = json.loads(arguments[parameter])
        if "access" in arguments:
            arguments["access"] = Access()
        return getattr(client, name)(**arguments)

    return call


METHODS: dict[str, Callable[..., Any]] = {
    "configure_embedding_space": lambda client, **a: client.configure_embedding_space(EmbeddingSpace(**a)),
    "grant_access": lambda client, tenant, **a: client.grant_access(Ceiling(**a), tenant=tenant),
    "revoke_access": lambda client, tenant, login: client.revoke_access(login, tenant=tenant),
    "list_access": lambda client, tenant: client.list_access(tenant=tenant),
    **{
        name: _method(name)
        for name in ALL_CALLS
        if "access" in ALL_CALLS[name].parameters
        or "plan" in ALL_CALLS[name].parameters
        or name in {"begin_reembedding", "texts_to_reembed", "put_new_vectors", "rebuild_lexical"}
    },
    "retrieve": lambda client, query_embedding, query_text, **a: _method("retrieve")(
        client, embedding=query_embedding, **a
    ),
}
"""How each function is called through a client, sync or async."""


@pytest.fixture(scope="module", autouse=True)
def _nothing_is_written(boss: Connection) -> Iterator[None]:
    ask(boss, calls.GRANT_ACCESS)
    ask(boss, calls.BEGIN_REEMBEDDING)
    before = contents(boss)
    yield
    assert contents(boss) == before


def bad_cases() -> list[tuple[Call[Any], str, Bad]]:
    """Tenant None is left out: it is the tenant that the client carries. retrieve takes no query_text."""
    return [
        (call, parameter, bad)
        for call, parameter, bad in cases()
        if (parameter, bad.value) != ("tenant", None)
        and (call.function, parameter) != ("retrieve", "query_text")
    ]


def arguments(case: tuple[Call[Any], str, Bad]) -> dict[str, Any]:
    call, parameter, bad = case
    return {**VALID[call.function], parameter: bad.value}


def check(error: DocgraphError, case: tuple[Call[Any], str, Bad]) -> None:
    call, parameter, bad = case
    message = bad.message
    if call.function == "retrieve":  # called with a question: its parameters have other names there
        parameter, message = (text.replace("query_embedding", "embedding") for text in (parameter, message))
    assert type(error) is BY_SQLSTATE.get(bad.sqlstate, InvalidArgument)
    if bad.sqlstate == "22003":  # what no parameter can carry does not get as far as the database
        assert error.message == f"{parameter} must be a whole number that fits into PostgreSQL's integer"
        assert error.hint
    elif error.message == "retrieve needs a question":  # said in the words of the method
        assert (parameter, bad.value) == ("embedding", None)
        assert error.hint
    elif error.__cause__ is None:  # of a type that no call is made with
        assert "dimension" in bad.name
        assert error.message.startswith(f"{parameter} must be a list of ")
        assert error.message.removeprefix(f"{parameter} must be a list of ") in {
            "query_embedding": ["numbers, not with list in it"],
            "embedding": ["numbers, not with list in it"],
            "query_embeddings": ["vectors, not float", "vectors, not with list in it"],
            "chunks": ["whole numbers"],
        }.get(parameter, ["texts"])
        assert error.hint
    else:
        assert error.message == message
        assert error.hint or bad.sqlstate != "22023"
    assert SECRET not in f"{error} {error.detail}"


def test_sync(shared_client: DocGraph) -> None:
    for case in bad_cases():
        with pytest.raises(DocgraphError) as caught:
            METHODS[case[0].function](shared_client, **arguments(case))
        check(caught.value, case)


def test_async(shared: Installed) -> None:
    async def ask_all() -> None:
        async with AsyncDocGraph(shared.conninfo) as client:
            for case in bad_cases():
                with pytest.raises(DocgraphError) as caught:
                    await METHODS[case[0].function](client, **arguments(case))
                check(caught.value, case)
            assert (await client.whoami()).login  # the next call works

    asyncio.run(ask_all())


def test_a_client_of_no_tenant_is_refused(shared: Installed) -> None:
    for tenant in ("", None):
        with (
            DocGraph(shared.conninfo, tenant=tenant) as client,  # type: ignore[arg-type]  # what is refused
            pytest.raises(InvalidArgument, match="tenant must be"),
        ):
            client.whoami()


CLAIMS: dict[str, tuple[dict[str, Any], str]] = {
    "a tag list given as a text": ({"tags": SECRET}, '"tags" must be a list of strings'),
    "repositories given as a text": ({"repositories": SECRET}, '"repositories" must be a list of strings'),
    "null in a list": ({"labels": ["a", None]}, '"labels" must be a list of strings'),
    "number in a list": ({"snapshots": [1]}, '"snapshots" must be a list of strings'),
    "a list in a list": ({"tags": [["a"]]}, '"tags" must be a list of strings'),
    "a dictionary": ({"tags": {"a": 1}}, '"tags" must be a list of strings'),
    "an empty dictionary": ({"tags": {}}, '"tags" must be a list of strings'),
    "an entry too long": ({"tags": ["é" * 257]}, '"tags" may have 1000 entries of 512 bytes at most'),
    "too many": ({"tags": list(map(str, range(1001)))}, '"tags" may have 1000 entries of 512 bytes at most'),
    "true": ({"clearance": True}, '"clearance" must be a whole number'),
    "1.5": ({"clearance": 1.5}, '"clearance" must be a whole number'),
    "a text": ({"clearance": "1"}, '"clearance" must be a whole number'),
    "negative": ({"clearance": -1}, '"clearance" must be a whole number'),
    "too high": ({"clearance": 32768}, '"clearance" must be a whole number'),
    "a list": ({"clearance": [1]}, '"clearance" must be a whole number'),
    "NaN": ({"clearance": float("nan")}, "cannot be written as JSON"),
    "infinity": ({"clearance": float("inf")}, "cannot be written as JSON"),
    "bytes": ({"tags": [b"a"]}, "cannot be written as JSON"),
    "an object": ({"tags": [object()]}, "cannot be written as JSON"),
    "zero character": ({"tags": ["a\0b"]}, "unsupported Unicode escape sequence"),
    "half a character": ({"tags": ["\ud800"]}, "half a character"),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_claims(shared_client: DocGraph, name: str) -> None:
    values, message = CLAIMS[name]
    with pytest.raises(InvalidArgument, match=message) as caught:
        shared_client.whoami(access=Access(**values))
    assert SECRET not in str(caught.value)


TYPES: dict[str, tuple[str, dict[str, Any], str]] = {
    "dimensions true": (
        "configure_embedding_space",
        {"dimensions": True},
        "dimensions must be a whole number, not bool",
    ),
    "dimensions 1.0": (
        "configure_embedding_space",
        {"dimensions": 1.0},
        "dimensions must be a whole number, not float",
    ),
    "dimensions text": (
        "configure_embedding_space",
        {"dimensions": "4"},
        "dimensions must be a whole number, not str",
    ),
    "length true": (
        "configure_embedding_space",
        {"average_length": True},
        "average_length must be a number, not bool",
    ),
    "length text": (
        "configure_embedding_space",
        {"average_length": "9"},
        "average_length must be a number, not str",
    ),
    "model number": ("configure_embedding_space", {"model": 1}, "model must be a text, not int"),
    "clearance true": ("grant_access", {"clearance": True}, "clearance must be a whole number, not bool"),
    "clearance 1.5": ("grant_access", {"clearance": 1.5}, "clearance must be a whole number, not float"),
    "clearance text": ("grant_access", {"clearance": "1"}, "clearance must be a whole number, not str"),
    "tags text": ("grant_access", {"tags": "hr"}, "tags must be a list of texts, not str"),
    "tags like an array": ("grant_access", {"tags": "{a,b}"}, "tags must be a list of texts, not str"),
    "tags dictionary": ("grant_access", {"tags": {}}, "tags must be a list of texts, not dict"),
    "tags of numbers": ("grant_access", {"tags": [1]}, "tags must be a list of texts"),
    "tags of truths": ("grant_access", {"tags": (True,)}, "tags must be a list of texts"),
    "login number": ("grant_access", {"login": 1}, "login must be a text, not int"),
    "login bytes": ("revoke_access", {"login": b"x"}, "login must be a text, not bytes"),
    "vector text": (
        "search_nodes",
        {"query_embedding": "{1,0,0,0}"},
        "query_embedding must be a list of numbers, not str",
    ),
    "vector of truths": (
        "search_nodes",
        {"query_embedding": [1, 0, True, 0]},
        "query_embedding must be a list of numbers, not with bool in it",
    ),
    "limit 1.0": ("search_nodes", {"max_nodes": 1.0}, "max_nodes must be a whole number, not float"),
    "seeds text": ("plan_retrieval", {"seeds": "a.md"}, "seeds must be a list of texts, not str"),
    "seed_limit true": (
        "plan_retrieval",
        {"seed_limit": True},
        "seed_limit must be a whole number, not bool",
    ),
    "scope_distance text": (
        "plan_retrieval",
        {"scope_distance": "0.35"},
        "scope_distance must be a number, not str",
    ),
    "scope_distance true": (
        "plan_retrieval",
        {"scope_distance": True},
        "scope_distance must be a number, not bool",
    ),
    "reserve text": ("execute_plan", {"reserve": "0.4"}, "reserve must be a number, not str"),
    "share true": ("retrieve", {"conceptual_share": True}, "conceptual_share must be a number, not bool"),
    "budget 1.5": (
        "assemble_context",
        {"budget_tokens": 1.5},
        "budget_tokens must be a whole number, not float",
    ),
    "chunks text": ("retrieve_by_plan", {"max_chunks": "3"}, "max_chunks must be a whole number, not str"),
    "vectors of several lengths": (
        "retrieve_many",
        {"query_embeddings": [[1.0, 0.0], [1.0]]},
        "query_embeddings must be a list of vectors of the same length",
    ),
    "document number": ("get_document", {"document": 5}, "document must be a text, not int"),
    "plan number": ("plan_documents", {"plan": 1}, "plan must be an object or a list, not int"),
    "tenant list": ("list_access", {"tenant": ["default"]}, "tenant must be a text, not list"),
    "tenant false": ("list_access", {"tenant": False}, "tenant must be a text, not bool"),
}


@pytest.mark.parametrize("name", TYPES)
def test_a_wrong_type_is_refused_before_the_call(shared_client: DocGraph, name: str) -> None:
    """A cast in the database would take 1.5 or True for a whole number, in silence."""
    function, changes, message = TYPES[name]
    with pytest.raises(InvalidArgument) as caught:
        METHODS[function](shared_client, **{**VALID[function], **changes})
    assert caught.value.message == message
    assert caught.value.hint
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_what_is_no_text_of_postgresql_is_refused(shared_client: DocGraph, name: str) -> None:
    for call in (
        lambda: shared_client.whoami(tenant=name),
        lambda: shared_client.revoke_access(name),
        lambda: shared_client.grant_access(Ceiling("x", None, None, (name,), None, None)),
    ):
        with pytest.raises(DocgraphError):
            call()
    assert shared_client.whoami().login  # the next call works
