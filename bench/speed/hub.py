"""Plans from a document with very many outgoing relationships: all targets visible, or ten, or none.

And from one that has as many to half of the targets, two types to each, where both types are asked for.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

import psycopg

from bench import machine
from bench.corpora import corpus
from bench.footprint import of_server
from bench.reader import reader
from bench.results import Cell, Measured, Say, Table, Target
from bench.speed.client_side import DOCUMENTS, PER_SEED
from bench.speed.database_calls import documents_of
from bench.speed.sizes import Size
from bench.timing import Contender, by_turns
from docgraph.access import EmbeddingSpace

_FEW = 10
_TAGS = ["few", "most"]
_TYPES = ("explains", "references")
_CASES: dict[str, dict[str, object]] = {
    "all": {"seed": ["hub"], "access": json.dumps({"tags": _TAGS}), "types": None},
    "ten": {"seed": ["hub"], "access": json.dumps({"tags": ["few"]}), "types": None},
    "none": {"seed": ["hub"], "access": json.dumps({}), "types": None},
    "all, twice": {"seed": ["twice"], "access": json.dumps({"tags": _TAGS}), "types": list(_TYPES)},
}
"""By which targets the caller sees. The seeds themselves are public."""

_MODES = ("generic", "custom")
_PLAN = (
    "SELECT docgraph.plan_retrieval('default', %(access)s, seeds => %(seed)s, relation_types => %(types)s,"
    f" seed_limit => 0, expanded_per_seed => {PER_SEED}, max_documents => {DOCUMENTS})"
)
_WATCHED = 20

Connection = psycopg.Connection[Any]
Plan = dict[str, Any]


def measure(server: str, size: Size, say: Say) -> Measured:
    space = EmbeddingSpace("bench", size.dimensions, "cosine", "english", 100.0)
    with machine.database(server, "hub", space) as database:
        measured = _measure(database, size.hub, size.rounds, size.patience)
    say(f"hub of {size.hub:,} relationships measured")
    return measured


def _measure(conninfo: str, count: int, rounds: int, patience: float) -> Measured:
    """All ways to ask, by turns; then how much memory each takes."""
    with corpus.loading(conninfo) as connection:
        _load(connection, count)
    with reader(conninfo, _TAGS) as login, ExitStack() as stack:
        ways = {
            (visible, mode): stack.enter_context(_connected(login, mode))
            for visible in _CASES
            for mode in _MODES
        }
        began = {way: _first_plan(connection, way[0]) for way, connection in ways.items()}
        found = by_turns(
            [
                Contender(f"{visible} {mode}", partial(_numbered, connection, visible), documents_of)
                for (visible, mode), connection in ways.items()
            ],
            rounds,
            patience,
        )
        rows: list[Sequence[Cell]] = []
        for (visible, mode), connection in ways.items():
            timed = found[f"{visible} {mode}"]
            plans = [*timed.answers.values()]
            if any(plan != found[f"{visible} {_MODES[0]}"].answers[0] for plan in plans):
                raise RuntimeError(f"{visible} visible, {mode}: not the same plan each time")
            grown = _growth(connection, visible, began[visible, mode])
            truncated = ", ".join(plans[0]["truncated"])
            documents = len(documents_of(plans[0])[1])
            spent = (timed.milliseconds(0.5), timed.milliseconds(0.99))
            rows.append((visible, mode, len(timed.seconds), *spent, documents, truncated, grown))
    columns = (
        "targets seen",
        "query plans",
        "calls",
        "p50 ms",
        "p99 ms",
        "documents",
        "truncated",
        "grew by MB",
    )
    return Measured(
        [Table(f"Plans from one document with {count:,} relationships", columns, rows)],
        [
            Target(
                f"hub, {visible} seen, {mode} query plans: p99 ms",
                found[f"{visible} {mode}"].milliseconds(0.99),
                "<=",
                200,
            )
            for visible, mode in ways
        ],
    )


def _load(connection: corpus.Connection, count: int) -> None:
    """The few stand spread among the many."""
    public, few, most = (
        corpus.access_class(connection, corpus.TENANT, tags) for tags in ([], ["few"], ["most"])
    )
    step = max(count // _FEW, 1)
    targets = [(f"d{number:07}", few if number % step == step // 2 else most) for number in range(count)]
    relationships = [
        *(("hub", _TYPES[number % 2], *one) for number, one in enumerate(targets)),
        *(("twice", kind, *one) for one in targets[: count // 2] for kind in _TYPES),
    ]
    corpus.copy(
        connection,
        "document_nodes (tenant_id, document_id, access_class, summary, content_hash)",
        ("text", "text", "int8", "text", "bytea"),
        (
            (corpus.TENANT, one, of, "A short summary.", bytes(32))
            for one, of in [("hub", public), ("twice", public), *targets]
        ),
    )
    corpus.copy(
        connection,
        "document_relationships",
        ("text",) * 4 + ("int8", "int8", "bool", "bool", "text"),
        (
            (corpus.TENANT, seed, kind, one, public, of, True, False, None)
            for seed, kind, one, of in relationships
        ),
    )


def _connected(conninfo: str, mode: str) -> Connection:
    return psycopg.connect(conninfo, autocommit=True, options=f"-c plan_cache_mode=force_{mode}_plan")


def _plan(connection: Connection, visible: str) -> Plan:
    found = connection.execute(_PLAN.encode(), _CASES[visible], prepare=True).fetchone()
    plan: Plan = found[0] if found else {}
    return plan


def _numbered(connection: Connection, visible: str, _: int) -> Plan:
    return _plan(connection, visible)


def _first_plan(connection: Connection, visible: str) -> float | None:
    _plan(connection, visible)
    return _held(connection)


def _growth(connection: Connection, visible: str, began: float | None) -> float | None:
    """By how much more memory the process of a connection has at most, while it plans some more."""
    seen = [began]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.0005):
            seen.append(_held(connection))

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        for _ in range(_WATCHED):
            _plan(connection, visible)
    finally:
        done.set()
        watching.join()
    known = [memory for memory in seen if memory is not None]
    return max(known) - known[0] if known else None


def _held(connection: Connection) -> float | None:
    return of_server(connection.info.host, [connection.info.backend_pid])
