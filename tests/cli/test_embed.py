"""`docgraph embed`: a question as a vector, for psql."""

from __future__ import annotations

import asyncio

import psycopg

from docgraph import AsyncDocGraph, DocGraph
from tests.cli.conftest import Cli, answer, assert_error

QUESTION = "How many days of holiday do I have?"


def test_psql_reads_what_it_prints(quick: Cli, ready: str) -> None:
    (line,) = answer(quick, "embed", QUESTION, conninfo=ready)
    with DocGraph(ready) as client:
        vector = client.embed(QUESTION)
    with psycopg.connect(ready) as connection:
        row = connection.execute("SELECT %s::float8[]", [line]).fetchone()
    assert row == (vector,)
    assert len(vector) == 256


async def _embedded(conninfo: str) -> list[float]:
    async with AsyncDocGraph(conninfo) as client:
        return await client.embed(QUESTION)


def test_the_same_from_the_async_client(ready: str) -> None:
    with DocGraph(ready) as client:
        assert asyncio.run(_embedded(ready)) == client.embed(QUESTION)


def test_refused(quick: Cli, ready: str) -> None:
    assert_error(quick("embed", " ", conninfo=ready), "query must not be blank", "Hint: ")
