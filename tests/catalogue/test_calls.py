"""The contract between Python and SQL: every call is a function of the catalogue, word for word."""

from __future__ import annotations

import inspect
from dataclasses import fields
from typing import get_type_hints

import pytest

from docgraph import calls
from docgraph.access import Ceiling, EmbeddingSpace, Identity
from docgraph.async_client import AsyncDocGraph
from docgraph.client import DocGraph
from docgraph.context import ContextRow, EvidenceRow
from docgraph.plan.rows import PlanCheck, PlanRow, SearchHit
from docgraph.planning import PlanArguments, PlanOptions, SearchArguments, SearchOptions
from docgraph.retrieving import ContextArguments, EvidenceArguments, ManyArguments, RetrieveOptions
from docgraph.stages import NodeText
from docgraph.stages.options import (
    RENAMED,
    STAGES,
    ExpandArguments,
    FetchArguments,
    PipelineArguments,
    PipelineOptions,
)
from docgraph.stored import DocumentRow, Relationship
from tests.catalogue.reading import FUNCTION_FILES, Connection
from tests.sql.asking import ALL_CALLS

API = sorted(file.name for file in FUNCTION_FILES if file.layer == "api")


NOT_FOR_CLIENTS = ("api_version", "revision")
"""What the clients and `docgraph db` ask by themselves."""

MORE_THAN_A_CALL = {
    *("close", "embed", "execute", "ingest", "pipeline", "plan", "put", "reembed", "retrieve_all", "search")
}
"""Methods of the clients that stand for no function."""


def test_every_api_function_has_exactly_one_call() -> None:
    every = [call.function for call in vars(calls).values() if isinstance(call, calls.Call)]
    assert sorted(every) == API


@pytest.mark.parametrize("function", API)
def test_names_types_and_order_of_the_parameters(catalogue: Connection, function: str) -> None:
    rows = catalogue.execute(
        """
        SELECT n.name, format_type(t.type, NULL)
        FROM pg_proc p,
            LATERAL unnest(p.proargnames[:p.pronargs]) WITH ORDINALITY AS n (name, position)
            JOIN LATERAL unnest(p.proargtypes) WITH ORDINALITY AS t (type, position) USING (position)
        WHERE p.pronamespace = 'docgraph'::regnamespace AND p.proname = %s
        ORDER BY position
        """,
        (function,),
    ).fetchall()
    assert list(ALL_CALLS[function].parameters.items()) == rows


@pytest.mark.parametrize(
    ("function", "result"),
    [
        ("whoami", Identity),
        ("list_access", Ceiling),
        ("embedding_space", EmbeddingSpace),
        ("list_documents", DocumentRow),
        ("list_relationships", Relationship),
        ("search_nodes", SearchHit),
        ("plan_documents", PlanRow),
        ("verify_plan", PlanCheck),
        ("execute_plan", EvidenceRow),
        ("assemble_context", ContextRow),
    ],
)
def test_the_columns_are_the_fields_of_the_result(catalogue: Connection, function: str, result: type) -> None:
    """Rows become objects by position."""
    row = catalogue.execute(
        "SELECT proargnames[pronargs + 1:] FROM pg_proc"
        " WHERE pronamespace = 'docgraph'::regnamespace AND proname = %s",
        (function,),
    ).fetchone()
    assert row is not None
    assert row[0] == [field.name for field in fields(result)]


def public(client: type) -> dict[str, tuple[str, str | None]]:
    """The methods of a client: signature and docstring."""
    return {
        name: (str(inspect.signature(member)), member.__doc__)
        for name, member in vars(client).items()
        if inspect.isfunction(member) and not name.startswith("_")
    }


def test_both_clients_have_the_same_methods() -> None:
    assert public(DocGraph) == public(AsyncDocGraph)
    assert str(inspect.signature(DocGraph)) == str(inspect.signature(AsyncDocGraph))


def test_every_function_has_a_method_of_its_name() -> None:
    """Except the version, which a client asks for by itself."""
    assert sorted(public(DocGraph).keys() - MORE_THAN_A_CALL) == [
        name for name in API if name not in NOT_FOR_CLIENTS
    ]


def test_every_method_says_what_it_does() -> None:
    for name, (_, text) in public(DocGraph).items():
        assert text, name


def test_every_call_has_a_builder_of_its_name() -> None:
    for name in API:
        if name not in NOT_FOR_CLIENTS:
            assert inspect.isfunction(getattr(calls, name))


def test_the_arguments_of_searches_and_plans_are_the_parameters() -> None:
    for call, arguments, options in (
        (calls.SEARCH_NODES, SearchArguments, SearchOptions),
        (calls.PLAN_RETRIEVAL, PlanArguments, PlanOptions),
    ):
        parameters = call.parameters.keys() - {"tenant", "access"}
        assert get_type_hints(arguments).keys() == parameters
        # For a question in words these come by other names.
        own = {"query_embedding", "query_text", "seeds"}
        # How many candidates a model of the caller's gets, the database need not know.
        assert get_type_hints(options).keys() - {"widen"} == parameters - own


def test_the_arguments_of_evidence_are_the_parameters() -> None:
    for call, arguments in (
        (calls.EXECUTE_PLAN, EvidenceArguments),
        (calls.ASSEMBLE_CONTEXT, ContextArguments),
        (calls.RETRIEVE_BY_PLAN, ContextArguments),
        (calls.RETRIEVE_MANY, ManyArguments),
    ):
        assert get_type_hints(arguments).keys() == call.parameters.keys() - {"tenant", "access", "plan"}
    # What is asked comes by other names.
    asked = {"query_embedding", "query_text", "seeds"}
    assert get_type_hints(RetrieveOptions).keys() == calls.RETRIEVE.parameters.keys() - {
        "tenant",
        "access",
        *asked,
    }


def test_the_arguments_of_stages_are_the_parameters() -> None:
    for call, arguments in (
        (calls.EXPAND_DEPENDENCY_TREE, ExpandArguments),
        (calls.FETCH_NODE_TEXTS, FetchArguments),
        (calls.RUN_PIPELINE, PipelineArguments),
    ):
        assert get_type_hints(arguments).keys() == call.parameters.keys() - {"tenant", "access", "nodes"}
    asked = {"query_embedding", "query_text", "seeds"}
    assert get_type_hints(PipelineOptions).keys() == get_type_hints(PipelineArguments).keys() - asked


def test_the_settings_of_a_pipeline_are_the_options_of_its_stages() -> None:
    """Also one that a stage gets later; and no two stages mean different things by one name."""
    flat = [
        RENAMED.get((stage, name), name)
        for stage, options in STAGES.items()
        for name in get_type_hints(options)
    ]
    assert sorted(flat) == sorted(get_type_hints(PipelineOptions))
    for stage, options in STAGES.items():
        parameters = ALL_CALLS[stage].parameters.keys() - {"tenant", "access", "nodes"}
        assert get_type_hints(options).keys() == parameters - {"query_embedding", "query_text", "seeds"}


def test_a_text_is_a_row_without_its_place_and_the_bill(catalogue: Connection) -> None:
    row = catalogue.execute(
        "SELECT proargnames[pronargs + 1:] FROM pg_proc"
        " WHERE pronamespace = 'docgraph'::regnamespace AND proname = 'fetch_node_texts'"
    ).fetchone()
    assert row is not None
    assert row[0] == ["place", *(field.name for field in fields(NodeText)), "accounting"]
