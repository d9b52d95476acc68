"""The calls for text that are measured: docgraph's client, and SQL written by hand on the same tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from pgvector.psycopg import HalfVector, register_vector
from psycopg.types.json import Jsonb

from bench.corpora.chunks import key
from bench.corpora.corpus import CLAIM, TENANT
from bench.peers.langchain import TOP, Questions
from bench.speed.database_calls import SEEDS
from bench.timing import Contender
from docgraph.access import Access
from docgraph.client import DocGraph
from docgraph.context import RetrievedContext
from docgraph.context.rows import EvidenceRow
from docgraph.plan import RetrievalPlan

METHODS = ("approximate", "exact")

_BARE = "SELECT document_id, ordinal, text FROM docgraph.vector_chunks ORDER BY embedding <=> %b LIMIT %s"
_WITHIN = (
    "SELECT document_id, ordinal, text FROM docgraph.vector_chunks"
    " WHERE tenant_id = %s AND document_id = ANY (%s) ORDER BY embedding <=> %b LIMIT %s"
)
_LIMITED = """
SELECT c.document_id, c.ordinal, c.text
FROM (
    SELECT v.document_id, v.ordinal, v.text, v.embedding <=> %(query)b AS distance,
        row_number() OVER (PARTITION BY v.document_id ORDER BY v.embedding <=> %(query)b) AS place
    FROM docgraph.vector_chunks v
    WHERE v.tenant_id = %(tenant)s
        AND v.access_class = ANY ((SELECT docgraph.visible_classes(%(tenant)s, %(access)s))::bigint[])
        AND v.document_id IN (
            SELECT d.entry ->> 'document_id'
            FROM jsonb_array_elements(%(plan)s -> 'seed_documents') AS d (entry)
            UNION ALL
            SELECT d.entry ->> 'document_id'
            FROM jsonb_array_elements(%(plan)s -> 'expanded_documents') AS d (entry)
        )
) AS c
WHERE c.place <= %(per_document)s
ORDER BY c.distance
LIMIT %(top)s
"""
_SEEDS = "SELECT document_id FROM docgraph.document_nodes ORDER BY summary_embedding <=> %b LIMIT %s"
_LINKED = (
    "SELECT to_document FROM docgraph.document_relationships"
    " WHERE tenant_id = %s AND from_document = ANY (%s)"
)
_ACCESS = Access(tags=CLAIM["tags"])

Connection = psycopg.Connection[Any]
Plans = Sequence[RetrievalPlan]
Keys = tuple[list[str], list[str]]
"""Chunks, and documents."""


def reading(login: str) -> DocGraph:
    """docgraph's client as anybody makes it, with a claim by which it sees nearly all."""
    return DocGraph(login, access=_ACCESS)


@contextmanager
def by_hand(superuser: str, *, exact: bool = False) -> Iterator[Connection]:
    """A connection with pgvector's own adapter, past the wall; `exact` is for searches without an index."""
    with psycopg.connect(superuser, autocommit=True) as connection:
        register_vector(connection)
        if exact:
            connection.execute("SET enable_indexscan = off")
        yield connection


def bare(connection: Connection, questions: Questions) -> Contender:
    """The nearest of all chunks by HNSW, without any filter."""

    def call(number: int) -> list[Any]:
        return connection.execute(_BARE, [HalfVector(questions[number]), TOP], prepare=True).fetchall()

    return Contender("bare HNSW", call, _rows)


def within(connection: Connection, questions: Questions, documents: Sequence[list[str]]) -> Contender:
    """The nearest chunks of some documents, as one writes it who has no plan."""

    def call(number: int) -> list[Any]:
        given = [TENANT, documents[number], HalfVector(questions[number]), TOP]
        return connection.execute(_WITHIN, given, prepare=True).fetchall()

    return Contender("ANY by hand", call, _rows)


def within_plans(connection: Connection, questions: Questions, plans: Plans) -> Contender:
    """As `within`, of a plan as it is stored, with its access and a limit for each document.

    The plan is believed, there is no reserve, no reason and no account.
    """
    given = [Jsonb(plan.to_dict()) for plan in plans]

    def call(number: int) -> list[Any]:
        values = {
            "query": HalfVector(questions[number]),
            "tenant": TENANT,
            "access": Jsonb(CLAIM),
            "plan": given[number],
            "per_document": 3,
            "top": TOP,
        }
        return connection.execute(_LIMITED, values, prepare=True).fetchall()

    return Contender("a plan by hand", call, _rows)


def in_three(connection: Connection, searching: Connection, questions: Questions, method: str) -> Contender:
    """Seeds, what they lead to, and the nearest chunks of both, as one writes it who has no plan.

    No access, no limits, no reasons, no summaries, no accounting: the least that any retrieval of this
    kind does.
    """

    def call(number: int) -> list[Any]:
        vector = HalfVector(questions[number])
        seeds = [row[0] for row in searching.execute(_SEEDS, [vector, SEEDS], prepare=True)]
        linked = [row[0] for row in connection.execute(_LINKED, [TENANT, seeds], prepare=True)]
        given = [TENANT, seeds + linked, vector, TOP]
        return connection.execute(_WITHIN, given, prepare=True).fetchall()

    return Contender(f"three queries by hand, {method}", call, _rows)


def retrieving(client: DocGraph, questions: Questions, method: str) -> Contender:
    """Plan, text and accounting in one call."""

    def call(number: int) -> RetrievedContext:
        return client.retrieve(embedding=questions[number], method=method)

    return Contender(f"retrieve, {method}", call, _context)


def retrieving_by_both(
    client: DocGraph, questions: Questions, worded: Sequence[str], selection: str
) -> Contender:
    """As `retrieving`, by words as well."""

    def call(number: int) -> RetrievedContext:
        return client.retrieve(
            worded[number],
            embedding=questions[number],
            mode="hybrid",
            method="approximate",
            selection=selection,
        )

    return Contender(f"retrieve, hybrid, {selection}", call, _context)


def planning(client: DocGraph, questions: Questions, method: str) -> Contender:
    """The plan alone."""

    def call(number: int) -> RetrievalPlan:
        return client.plan(embedding=questions[number], method=method)

    return Contender(f"plan, {method}", call, lambda plan: ([], [one.document_id for one in plan.documents]))


def executing(client: DocGraph, questions: Questions, plans: Plans) -> list[Contender]:
    """What a plan that is there already brings: its chunks, or the whole context."""

    def chunks(number: int) -> list[EvidenceRow]:
        return client.execute_plan(plans[number], query_embedding=questions[number])

    def context(number: int) -> RetrievedContext:
        return client.execute(plans[number], embedding=questions[number])

    return [
        Contender("execute_plan", chunks, _evidence),
        Contender("context of a plan", context, _context),
    ]


def nearest(client: DocGraph, question: list[float], plan: RetrievalPlan) -> list[str]:
    """The nearest chunks of a plan's documents, and nothing else that counts: what the others look for."""
    rows = client.execute_plan(plan, query_embedding=question, max_chunks=TOP, per_document=100, reserve=0)
    return _evidence(rows)[0]


def _rows(rows: list[tuple[str, int, str]]) -> Keys:
    return [key(document, ordinal) for document, ordinal, _ in rows], _once(row[0] for row in rows)


def _evidence(rows: list[EvidenceRow]) -> Keys:
    return [key(row.document_id, row.chunk) for row in rows], _once(row.document_id for row in rows)


def _context(found: RetrievedContext) -> Keys:
    return (
        [key(chunk.document_id, chunk.chunk) for chunk in found.chunks],
        [document.document_id for document in found],
    )


def _once(documents: Iterator[str]) -> list[str]:
    return list(dict.fromkeys(documents))
