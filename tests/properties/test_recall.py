"""Within a plan nothing nearer is missed: NumPy, which compares everything, finds the same chunks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from docgraph import calls
from docgraph.access import Ceiling
from tests.conftest import EVERYTHING, SPACE
from tests.properties import evidence_database, plan_database
from tests.properties.executor import Wanted
from tests.properties.model import Attributes, World
from tests.properties.plan_worlds import PlanWorld
from tests.properties.planner import Document, Question, Shelf, stored
from tests.properties.test_hidden_changes import Caller
from tests.servers import Server
from tests.sql.asking import Connection
from tests.sql.scratch import scratch_database

DIMENSIONS = 64
CALLER = Caller("postgres", "default", {})
ROUNDED = 1e-6
"""Distances count in millionths: of two that differ by less, either may be the nearer one."""


@dataclass(frozen=True)
class Corpus:
    """A database with documents of as many chunks each, and what is stored of their vectors."""

    connection: Connection
    metric: str
    chunks: NDArray[np.float64]
    """By document, chunk, dimension."""

    def nearest(self, query: Wanted, per_document: int) -> NDArray[np.float64]:
        """How far the nearest chunks of each document are: by document, nearest first."""
        asked = np.array(stored(query.query_embedding, self.metric))
        return np.sort(self.away(asked), axis=1)[:, :per_document]

    def away(self, query: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far every chunk is: by document, chunk."""
        if self.metric == "l2":
            return np.asarray(np.linalg.norm(self.chunks - query, axis=2))
        products = self.chunks @ query
        if self.metric == "ip":
            return -products
        return np.asarray(1 - products / np.linalg.norm(self.chunks, axis=2) / np.linalg.norm(query))


def names(documents: int) -> list[str]:
    return [f"{number:03}" for number in range(documents)]


def world(vectors: NDArray[np.float64]) -> PlanWorld:
    """Documents that everybody may see, and nothing between them."""
    found = {
        name: Document(chunks=tuple(map(tuple, rows.tolist())))
        for name, rows in zip(names(len(vectors)), vectors, strict=True)
    }
    access = World(
        {CALLER.tenant: {1: Attributes()}},
        {CALLER.tenant: dict.fromkeys(found, 1)},
        {(CALLER.tenant, CALLER.login): Ceiling(CALLER.login, *EVERYTHING)},
    )
    return PlanWorld(access, {CALLER.tenant: Shelf(found)}, {})


@pytest.fixture(
    scope="module",
    params=[(5, 4, "cosine"), (50, 20, "cosine"), (200, 50, "cosine"), (50, 20, "l2"), (50, 20, "ip")],
    ids=lambda found: "{} documents of {} chunks, {}".format(*found),
)
def corpus(request: pytest.FixtureRequest, server: Server, worker: str, template: str) -> Iterator[Corpus]:
    documents, chunks, metric = request.param
    chance = np.random.default_rng(documents)
    centres = chance.normal(size=(8, DIMENSIONS))
    around = centres[chance.integers(8, size=(documents, chunks))]
    vectors = around + chance.normal(size=around.shape) * 0.3
    with scratch_database(server, worker, template) as installed, installed.connect() as connection:
        space = replace(SPACE, dimensions=DIMENSIONS, metric=metric)
        calls.fetch(connection, calls.configure_embedding_space(space))
        plan_database.put(connection, world(vectors), metric)
        halves = [[stored(tuple(each), metric) for each in rows.tolist()] for rows in vectors]
        yield Corpus(connection, metric, np.array(halves))


@pytest.mark.parametrize(("max_chunks", "per_document"), [(1, 1), (10, 3), (10, 100), (100, 2), (1000, 100)])
def test_recall_within_the_plan_is_1(corpus: Corpus, max_chunks: int, per_document: int) -> None:
    """Of a plan of all documents, and of one of a few of them."""
    chance = np.random.default_rng(7)
    for few in (1, 4):
        part = names(len(corpus.chunks))[::few]
        plan = plan_database.plan(corpus.connection, CALLER, Question(seeds=tuple(part), max_documents=400))
        assert plan is not None
        within = replace(corpus, chunks=corpus.chunks[::few])
        for _ in range(5):
            query = tuple(chance.normal(size=DIMENSIONS).tolist())
            wanted = Wanted(query, max_chunks, per_document)
            rows = evidence_database.execute(corpus.connection, CALLER, plan, wanted)
            assert rows is not None
            best = np.sort(within.nearest(wanted, per_document), axis=None)[:max_chunks]
            assert len({(row[1], row[3]) for row in rows}) == len(rows) == len(best)

            # Each stands as far away as its own vector says, and none is missing that is nearer.
            away = corpus.away(np.array(stored(query, corpus.metric)))
            told = sorted(away[int(document), chunk] for _, document, _, chunk, *_ in rows)
            assert np.allclose(told, best, rtol=0, atol=ROUNDED)
            assert {row[1] for row in rows} <= set(part)
