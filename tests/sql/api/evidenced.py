"""Documents with chunks to execute plans on, and asking for evidence and contexts as psql would."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from docgraph import calls
from tests.sql.asking import Connection
from tests.sql.planning import NORTH, Plan, asked, expanded_of, plan, seeds_of
from tests.sql.writing import put, relate

BOARD = {"tags": ["board"]}
"""A claim that sees what others do not."""
EVERYTHING = dict.fromkeys(("repositories", "snapshots", "tags", "labels", "clearance"))


class Evidence(NamedTuple):
    """A row of execute_plan."""

    position: int
    document_id: str
    role: str
    chunk: int
    text: str
    tokens: int
    section_path: list[str]
    score: float
    chosen: int
    chosen_by: str
    why: str
    missing: int


class Piece(NamedTuple):
    """A row of assemble_context."""

    layer: str
    position: int | None
    document_id: str | None
    role: str | None
    part: str | None
    chunk: int | None
    text: str | None
    tokens: int | None
    running_total: int | None
    score: float | None
    chosen: int | None
    chosen_by: str | None
    why: str | None
    accounting: dict[str, Any] | None


def near(steps: int) -> list[float]:
    """A vector so many steps from the query NORTH: each step is farther, up to about a hundred of them."""
    return [100.0, float(steps), 0.0, 0.0]


def document(name: str, *chunks: int | None, tokens: int = 1, **more: Any) -> dict[str, Any]:
    """A document whose chunks are so many steps from NORTH; None is a chunk without a vector."""
    pieces = [
        {"text": f"{name}/{ordinal}", "token_count": tokens}
        | ({} if steps is None else {"embedding": near(steps)})
        for ordinal, steps in enumerate(chunks)
    ]
    return {"id": name, "chunks": pieces, **more}


def written(name: str, *texts: str, **more: Any) -> dict[str, Any]:
    """A document of these texts, each farther than the one before it; tokens as many as characters."""
    chunks = [
        {"text": text, "token_count": len(text), "embedding": near(steps)} for steps, text in enumerate(texts)
    ]
    return {"id": name, "chunks": chunks, **more}


def put_library(
    connection: Connection,
    seeds: Iterable[dict[str, Any]],
    expanded: Iterable[dict[str, Any]] = (),
    **more: Any,
) -> Plan:
    """A plan whose seeds are given, and each of which explains all the others."""
    first, others = list(seeds), list(expanded)
    put(connection, *first, *others, **more)
    if first and others:
        edges = [(seed["id"], "explains", each["id"]) for seed in first for each in others]
        relate(connection, *edges, **more)
    made = plan(connection, seeds=[each["id"] for each in first], **more)
    assert [*seeds_of(made), *expanded_of(made)] == [
        *(each["id"] for each in first),
        *sorted(each["id"] for each in others),
    ]
    return made


def evidence(connection: Connection, made: Plan, **arguments: Any) -> list[Evidence]:
    """The rows of execute_plan, in their order."""
    given = {"plan": made, "query_embedding": NORTH, **arguments}
    return [Evidence(*row) for row in asked(connection, calls.EXECUTE_PLAN, given)]


def by_turn(rows: Sequence[Evidence]) -> list[str]:
    """Documents and chunks in the order in which they were chosen: a/0, b/2."""
    found = sorted(rows, key=lambda row: row.chosen)
    assert [row.chosen for row in found] == list(range(1, len(found) + 1))
    return [f"{row.document_id}/{row.chunk}" for row in found]


def chosen(connection: Connection, made: Plan, **arguments: Any) -> list[str]:
    return by_turn(evidence(connection, made, **arguments))


def pieces(connection: Connection, made: Plan, **arguments: Any) -> tuple[list[Piece], dict[str, Any]]:
    """The rows of assemble_context, in their order, and the accounting, which is the last of them."""
    budget = {} if "max_chars" in arguments else {"budget_tokens": 8000}
    given = {"plan": made, "query_embedding": NORTH, **budget, **arguments}
    *found, last = (Piece(*row) for row in asked(connection, calls.ASSEMBLE_CONTEXT, given))
    assert all(piece.accounting is None and piece.layer != "accounting" for piece in found)
    assert last.layer == "accounting"
    assert set(last[1:-1]) == {None}
    assert last.accounting is not None
    return found, last.accounting


def executed_text(connection: Connection, made: Plan, **arguments: Any) -> str:
    """What retrieve_by_plan gives, byte for byte."""
    given = {"plan": made, "query_embedding": NORTH, **arguments}
    ((answer,),) = asked(connection, calls.RETRIEVE_BY_PLAN, given, "retrieve_by_plan::text")
    return str(answer)


def executed(connection: Connection, made: Plan, **arguments: Any) -> dict[str, Any]:
    """What retrieve_by_plan gives."""
    found: dict[str, Any] = json.loads(executed_text(connection, made, **arguments))
    return found


def retrieved_text(connection: Connection, **arguments: Any) -> str:
    """What retrieve gives, byte for byte."""
    given = {"query_embedding": NORTH, **arguments}
    ((answer,),) = asked(connection, calls.RETRIEVE, given, "retrieve::text")
    return str(answer)


def shown(found: dict[str, Any]) -> list[str]:
    """The chunks of a context in their order."""
    return [
        f"{each['document_id']}/{chunk['chunk']}"
        for each in found["context"]["documents"]
        for chunk in each["chunks"]
    ]


def bytes_of(connection: Connection, made: Plan, **arguments: Any) -> list[str]:
    """Everything that execution gives for a plan, as the database writes it."""
    given = {"plan": made, "query_embedding": NORTH, **arguments}
    budget = {"budget_tokens": 60, **given}
    return [
        str(asked(connection, call, values, "coalesce(string_agg(answer::text, chr(10)), '')"))
        for call, values in (
            (calls.EXECUTE_PLAN, given),
            (calls.ASSEMBLE_CONTEXT, budget),
            (calls.RETRIEVE_BY_PLAN, budget),
        )
    ]
