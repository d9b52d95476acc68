"""The rules of docs/planning.md, each as a check that a broken planner does not pass."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from docgraph.resources import SQL
from tests.sql.asking import Connection, nothing_written
from tests.sql.planning import NORTH, Plan, expanded_of, plan, plan_text, put_world, sealed, seeds_of
from tests.sql.writing import put, relate

EDGES = [
    # A chain, closed to a cycle, with a way back and a way in.
    ("a", "explains", "b"),
    ("b", "explains", "c"),
    ("c", "explains", "d"),
    ("d", "explains", "a"),
    ("c", "cites", "b"),
    ("z", "explains", "a"),
    # Several reasons for the last in order, none but one for the others.
    ("a", "cites", "w"),
    ("a", "zz", "v"),
    ("b", "zz", "v"),
    ("a", "zzz", "v"),
]
SUMMARIES = {
    "a": NORTH,
    "n2": [2.0, 1.0, 0.0, 0.0],
    "n1": [2.0, 1.0, 0.0, 0.0],
    "b": [1.0, 1.0, 0.0, 0.0],
    "d": [-1.0, 0.0, 0.0, 0.0],
}
IDS = sorted({end for edge in EDGES for end in (edge[0], edge[2])} | SUMMARIES.keys())
HIDDEN = [f"hidden {number}" for number in range(4)]
"""Every document leads to these, and nobody who asks sees them."""
BOARD = {"tags": ["board"]}
MOST = {"seed_limit": 200, "expanded_per_seed": 200, "max_documents": 400, "scope_distance": 1_000_000}
JUST = {**MOST, "expanded_per_seed": 3}
"""Nothing that can be seen is left out, but every seed leads to more: the step looks a second time."""
SETTINGS = [
    "plan_cache_mode = auto",
    "plan_cache_mode = force_generic_plan",
    "enable_indexscan = off",
    "enable_indexscan = off; SET LOCAL enable_bitmapscan = off",
]
PLANNING = (
    "plan_retrieval",
    "make_plan",
    "expand_once",
    "all_links",
    "first_links",
    "nearest_documents",
    "dominant_scope",
    "visible_among",
)
CALLERS = {
    "expand_once": {"make_plan": 1},
    "all_links": {"expand_once": 1},
    "first_links": {"expand_once": 1},
}
"""Of the step and its parts: whose text calls them, and how often."""

Guardrail = Callable[[Connection], None]


def put_maze(connection: Connection) -> None:
    put_world(connection, *EDGES)
    for each, vector in SUMMARIES.items():
        chunk = {"text": each, "embedding": vector}
        put(connection, {"id": each, "summary_embedding": vector, "chunks": [chunk]})
    put(connection, *({"id": each, **BOARD} for each in HIDDEN), access=BOARD)
    relate(connection, *((each, "a", hidden) for each in IDS for hidden in HIDDEN), access=BOARD)


def questions() -> Iterator[dict[str, Any]]:
    """Every way to seed a plan, with every option at its highest, and both ways of its step."""
    for some, limits in itertools.product(
        (*itertools.combinations(IDS, 1), *itertools.combinations("abcdz", 2), ("d", "c", "b")), [MOST, JUST]
    ):
        yield {"seeds": list(some), **limits}
    for search_in, method, scope, limits in itertools.product(
        ["summaries", "chunks"],
        ["auto", "exact", "approximate"],
        ["none", "ingestion", "doc_type", "cluster"],
        [MOST, JUST],
    ):
        how = {"search_in": search_in, "method": method, "dominant_scope": scope, **limits}
        for limit in (1, 200):
            yield {"query_embedding": NORTH, **how, "seed_limit": limit}
        yield {"query_embedding": NORTH, "seeds": ["c", "z"], **how}


def neighbours(seeds: list[str]) -> dict[str, set[tuple[str, str]]]:
    """What is one outgoing relationship away from seeds, and is none."""
    found: dict[str, set[tuple[str, str]]] = {}
    for origin, kind, target in EDGES:
        if origin in seeds and target not in seeds:
            found.setdefault(target, set()).add((origin, kind))
    return found


def expansion_depth(connection: Connection) -> None:
    """Always one hop: what is in was given or found, or is a neighbour of what was."""
    for question in questions():
        made = plan(connection, **question)
        seeds = seeds_of(made)
        near = SUMMARIES.keys() if "query_embedding" in question else set()
        assert set(seeds) <= {*question.get("seeds", ()), *near}, question
        within = {target for origin, _, target in EDGES if origin in seeds}
        around = within | {origin for origin, _, target in EDGES if target in seeds}
        assert expanded_of(made).keys() <= around, question


def directionality(connection: Connection) -> None:
    """Outgoing relationships only: all of them, and no other."""
    for question in questions():
        made = plan(connection, **question)
        found = {target: set(via) for target, via in expanded_of(made).items()}
        assert found == neighbours(seeds_of(made)), question
    assert made["constraints"]["direction"] == "outgoing"


def determinism(connection: Connection) -> None:
    """Same input, same plan: again, in another physical order, and however the rest of the server is set."""
    asked = {"query_embedding": NORTH, "seeds": ["z", "c"], "max_documents": 5, "seed_limit": 2}

    types = ["explains", "cites", "zz"]

    def answers() -> set[str]:
        found = set()
        for setting in SETTINGS:
            with connection.transaction(force_rollback=True):
                connection.execute(f"SET LOCAL {setting}".encode())
                for most in (10, 3):
                    how = {**asked, "expanded_per_seed": most}
                    found |= {plan_text(connection, **how) for _ in range(3)}
                    for order in (types, types[::-1], types * 2):
                        found.add(plan_text(connection, **how, relation_types=order))
        return found

    before = answers()
    assert len(before) == 4
    for table in ("document_nodes", "document_relationships", "vector_chunks"):
        turn_round(connection, table)
    assert answers() == before


def turn_round(connection: Connection, table: str) -> None:
    """Writes every row anew, the last one first."""
    rows = connection.execute(f"SELECT ctid::text FROM docgraph.{table} ORDER BY ctid DESC".encode())
    for (place,) in rows.fetchall():
        connection.execute(
            f"UPDATE docgraph.{table} SET tenant_id = tenant_id WHERE ctid = %s::tid".encode(), (place,)
        )


def no_recursion(connection: Connection) -> None:
    """One call of the step for a plan, however long the way; in no text a second call, or one of itself."""
    connection.execute("SET LOCAL track_functions = 'pl'")
    for question in questions():
        before = calls_of(connection)
        plan(connection, **question)
        looks = 1 if question["expanded_per_seed"] == MOST["expanded_per_seed"] else 2
        expected = dict(zip(CALLERS, (1, 1, looks - 1), strict=True))
        assert {name: times - before[name] for name, times in calls_of(connection).items()} == expected
    rows = connection.execute(
        "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'docgraph'::regnamespace"
    ).fetchall()
    for called, expected in CALLERS.items():
        callers = {name: len(re.findall(rf"\b{called}\(", text)) for name, text in rows if text}
        assert {name: times for name, times in callers.items() if times} == expected
    for name, text in rows:
        if name in PLANNING:
            assert not re.search(rf"\brecursive\b|\.{name}\(", text, re.IGNORECASE), name


def calls_of(connection: Connection) -> dict[str, int]:
    """How often the step and each of its parts have been called."""
    rows = connection.execute("SELECT funcname, calls FROM pg_stat_xact_user_functions").fetchall()
    return dict.fromkeys(CALLERS, 0) | {name: calls for name, calls in rows if name in CALLERS}


def read_only(connection: Connection) -> None:
    """In a transaction that may not write, and nothing is other than before."""
    with nothing_written(connection), connection.transaction(force_rollback=True):
        connection.execute("SET TRANSACTION READ ONLY")
        for question in questions():
            plan(connection, **question)
    row = connection.execute(
        "SELECT bool_and(provolatile = 's') FROM pg_proc WHERE proname = ANY (%s)", (list(PLANNING),)
    ).fetchone()
    assert row == (True,)


def no_ranking_or_scoring(connection: Connection) -> None:
    """No number but whole ones, no score; neither nearness nor more reasons move a document up."""
    asked = {"seeds": ["b", "a"], "query_embedding": NORTH, "seed_limit": 200}
    made = plan(connection, **asked)
    assert seeds_of(made) == ["b", "a", "n1", "n2", "d"]
    for each in made["seed_documents"]:
        assert each.keys() - {"via"} == {"document_id", "rank", "origin"}
    for each in made["expanded_documents"]:
        assert each.keys() == {"document_id", "via"}
    for each in made["seed_documents"] + made["expanded_documents"]:
        assert all(via.keys() == {"from", "relation_type"} for via in each.get("via", []))
    assert not list(fractions(made))
    assert not re.search(r"score|weight|relevance|similarity", json.dumps(made))
    # By the rank of the seed, then type, then id: v has the most reasons, and w is the nearest.
    assert [*expanded_of(made)] == ["c", "v", "w"]
    connection.execute(
        "UPDATE docgraph.document_nodes SET summary_embedding = '[1,0,0,0]' WHERE document_id = ANY (%s)",
        (["w", "c"],),
    )
    assert (
        plan(connection, **{**asked, "seed_limit": 0})["expanded_documents"][:3]
        == (made["expanded_documents"][:3])
    )


def fractions(value: Any) -> Iterator[Any]:
    """Numbers that are not whole ones."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from fractions(each)


def inspectability(connection: Connection) -> None:
    """The plan as data, as rows and as a tree has every document and every reason, and its hash holds."""
    made = plan(connection, seeds=["a", "b"], query_embedding=NORTH)
    text = json.dumps(made)
    assert json.loads(text) == made == sealed(made)
    rows = connection.execute(
        'SELECT "position", document_id, role, via, from_document FROM docgraph.plan_documents(%s::jsonb)',
        (text,),
    ).fetchall()
    assert rows == list(reasons(made))
    ((tree,),) = connection.execute("SELECT docgraph.explain_plan(%s::jsonb)", (text,)).fetchall()
    for position, document, _, via, _ in rows:
        line = f"[{position}] {document}"
        assert (f"{via} -> {line}" if via else line) in tree
    checked = connection.execute("SELECT * FROM docgraph.verify_plan(%s::jsonb)", (text,)).fetchall()
    assert checked == [(True, True, True, True, False, None)]


def reasons(made: Plan) -> Iterator[tuple[int, str, str, str | None, str | None]]:
    """The rows of plan_documents, without the words."""
    seeds = len(made["seed_documents"])
    for number, each in enumerate(made["seed_documents"] + made["expanded_documents"], start=1):
        role = "seed" if number <= seeds else "expanded"
        if role == "seed":
            yield number, each["document_id"], role, None, None
        for via in each.get("via", []):
            yield number, each["document_id"], role, via["relation_type"], via["from"]


GUARDRAILS: list[Guardrail] = [
    expansion_depth,
    directionality,
    determinism,
    no_recursion,
    read_only,
    no_ranking_or_scoring,
    inspectability,
]


def source(path: str) -> str:
    """The text of a function."""
    return (SQL / "functions" / path).read_text(encoding="utf-8")
