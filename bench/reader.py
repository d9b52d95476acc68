"""An ordinary login to measure with: a reader with a ceiling."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator
from contextlib import contextmanager

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from docgraph.access import Ceiling
from docgraph.client import DocGraph

_LOGIN = "docgraph_bench_reader"


@contextmanager
def reader(conninfo: str, tags: Collection[str]) -> Iterator[str]:
    """A conninfo of a login of its own that may see documents of these tags; dropped afterwards."""
    login = sql.Identifier(_LOGIN)
    password = secrets.token_urlsafe()
    with psycopg.connect(conninfo, autocommit=True) as connection, DocGraph(conninfo) as client:
        connection.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(login))
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(login, sql.Literal(password)))
        try:
            connection.execute(sql.SQL("GRANT docgraph_reader TO {}").format(login))
            client.grant_access(Ceiling(_LOGIN, None, None, tuple(tags), (), 0))
            yield make_conninfo(conninfo, user=_LOGIN, password=password)
        finally:
            connection.execute(sql.SQL("DROP ROLE {}").format(login))
