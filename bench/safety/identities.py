"""Very many calls of many clients through few connections: nobody is ever answered as somebody else.

Eight logins, each of which serves eight clients that differ by their claims, share four connections a login.
Every answer is held against what this client alone may see.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from bench import machine
from bench.results import Measured, Say, Table, Target
from bench.safety.bouncer import NotThere, bouncer
from bench.safety.sizes import Size
from docgraph.access import Access, Ceiling, EmbeddingSpace
from docgraph.client import DocGraph

LOGINS = CLAIMS = 8
_DOCUMENTS = 5
"""Of each client."""
_PROCESSES = 4

Connection = psycopg.Connection[tuple[object, ...]]
Wrong = Counter[str]


def measure(server: str, size: Size, say: Say) -> Measured:
    space = EmbeddingSpace("bench", 2, "cosine", "simple", 100.0)
    logins = [f"docgraph_bench_{number}" for number in range(LOGINS)]
    with machine.database(server, "identities", space) as database:
        _prepare(database, logins)
        try:
            with bouncer(database, logins) as through:
                began = time.perf_counter()
                wrong = _ask(through, logins, size.calls // (LOGINS * CLAIMS))
                took = time.perf_counter() - began
        except NotThere as error:
            say(f"identities: not tried, because {error}")
            return Measured([], [Target(f"identities: tried ({error})", 0, ">=", 1)])
        finally:
            _drop(database, logins)
    calls = size.calls // (LOGINS * CLAIMS) * LOGINS * CLAIMS
    say(f"{calls:,} calls in {took:.0f} s, wrong: {dict(wrong)}")
    rows = [("calls", calls), ("clients", LOGINS * CLAIMS), ("seconds", took), ("wrong", wrong.total())]
    title = "Calls through PgBouncer in transaction mode"
    return Measured(
        [Table(title, ("what", "value"), rows, "; ".join(wrong))],
        [Target("calls through PgBouncer answered as somebody else", wrong.total(), "<=", 0)],
    )


def _tag(login: int, claim: int) -> str:
    return f"t{login}c{claim}"


def _prepare(database: str, logins: list[str]) -> None:
    everything = [_tag(login, claim) for login in range(LOGINS) for claim in range(CLAIMS)]
    with psycopg.connect(database, autocommit=True) as connection, DocGraph(database) as client:
        for number, login in enumerate(logins):
            name = sql.Identifier(login)
            connection.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(name))
            connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(name))
            connection.execute(sql.SQL("GRANT docgraph_reader TO {}").format(name))
            own = tuple(_tag(number, claim) for claim in range(CLAIMS))
            client.grant_access(Ceiling(login, None, None, own, (), 0))
        client.put(
            [
                {
                    "id": f"{tag}-{number}",
                    "tags": [tag],
                    "summary": "words of all",
                    "chunks": [{"text": f"words of all, and {tag}", "embedding": [1, number]}],
                }
                for tag in everything
                for number in range(_DOCUMENTS)
            ],
            access=Access(tags=everything),
        )


def _drop(database: str, logins: list[str]) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        for login in logins:
            connection.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(login)))


def _ask(through: str, logins: list[str], calls: int) -> Wrong:
    clients = [(login, claim) for login in range(LOGINS) for claim in range(CLAIMS)]
    wrong: Wrong = Counter()
    with ProcessPoolExecutor(_PROCESSES) as pool:
        parts = [clients[n::_PROCESSES] for n in range(_PROCESSES)]
        for found in pool.map(partial(_some, through, logins, calls), parts):
            wrong += found
    return wrong


def _some(through: str, logins: list[str], calls: int, clients: list[tuple[int, int]]) -> Wrong:
    """At once, in threads."""
    with ThreadPoolExecutor(len(clients)) as pool:
        found = [pool.submit(_one, through, logins[login], login, claim, calls) for login, claim in clients]
        return sum((each.result() for each in found), Counter())


def _one(through: str, login: str, number: int, claim: int, calls: int) -> Wrong:
    tag, chance = _tag(number, claim), random.Random(number * CLAIMS + claim)  # noqa: S311 - the same every time
    # The tag of a client of another login is claimed as well: it opens nothing.
    access = json.dumps({"tags": [tag, _tag((number + 1) % LOGINS, claim)]})
    own = {f"{tag}-{n}" for n in range(_DOCUMENTS)}
    wrong: Wrong = Counter()
    with psycopg.connect(make_conninfo(through, user=login), autocommit=True) as connection:
        connection.prepare_threshold = None
        for _ in range(calls):
            name, check = chance.choice(_CHECKS)
            if not check(connection, access, login, tag, own):
                wrong[f"{name} of {tag}"] += 1
    return wrong


def _whoami(connection: Connection, access: str, login: str, tag: str, own: set[str]) -> bool:
    found = connection.execute("SELECT login, tags FROM docgraph.whoami('default', %s)", [access]).fetchall()
    return found == [(login, [tag])]


def _listed(connection: Connection, access: str, login: str, tag: str, own: set[str]) -> bool:
    rows = connection.execute("SELECT document_id FROM docgraph.list_documents('default', %s)", [access])
    return {name for (name,) in rows} == own


def _searched(connection: Connection, access: str, login: str, tag: str, own: set[str]) -> bool:
    rows = connection.execute(
        "SELECT document_id FROM docgraph.search_nodes("
        "'default', %s, query_text => 'words', mode => 'bm25', max_nodes => 100)",
        [access],
    )
    return {name for (name,) in rows} == own


def _retrieved(connection: Connection, access: str, login: str, tag: str, own: set[str]) -> bool:
    ((context,),) = connection.execute(
        "SELECT docgraph.retrieve('default', %s, query_text => 'words', mode => 'bm25')::text", [access]
    ).fetchall()
    return f"and {tag}" in str(context) and all(name.split("-")[0] == tag for name in _ids(str(context)))


def _ids(context: str) -> list[str]:
    plan = json.loads(context)["plan"]
    return [each["document_id"] for each in plan["seed_documents"] + plan["expanded_documents"]]


Check = Callable[[Connection, str, str, str, set[str]], bool]
_CHECKS: list[tuple[str, Check]] = [
    ("whoami", _whoami),
    ("list_documents", _listed),
    ("search_nodes", _searched),
    ("retrieve", _retrieved),
]
