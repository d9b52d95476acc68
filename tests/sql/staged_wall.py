"""What the stages are asked for where hidden documents are one step away, or named: which could leak them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from tests.conftest import Installed
from tests.servers import Server
from tests.sql.asking import Connection
from tests.sql.planning import NORTH
from tests.sql.scratch import scratch_database
from tests.sql.writing import put, relate

HELD: dict[str, Any] = {
    "repository": "ours",
    "snapshot": "main",
    "tags": ["hr"],
    "labels": ["internal"],
    "clearance": 1,
}
CLAIM = {
    "repositories": ["ours"],
    "snapshots": ["main"],
    "tags": ["hr"],
    "labels": ["internal"],
    "clearance": 1,
}
WIDE = {"tags": ["hr", "law"], "labels": ["internal", "secret"], "clearance": 9}
HIDDEN: dict[str, dict[str, Any]] = {
    "repository": {"repository": "theirs"},
    "snapshot": {"snapshot": "dev"},
    "tags": {"tags": ["law"]},
    "labels": {"labels": ["internal", "secret"]},
    "clearance": {"clearance": 2},
}
"""For each filter the one attribute by which its document is hidden."""
FILTERS = ["tenant", *HIDDEN]
SEEN = ["begin", "next"]
NO_CLAIMS = """
CREATE OR REPLACE FUNCTION docgraph.classes_within(
    tenant text, held_repositories text[], held_snapshots text[], held_tags text[], held_labels text[],
    held_clearance integer
) RETURNS bigint[]
    LANGUAGE plpgsql STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
AS $$BEGIN RETURN ARRAY(SELECT generate_series(1, 99)); END$$
"""
"""The predicate taken away: every number that a class may have, of whatever tenant."""


def secret(kind: str) -> str:
    """The id of the document that is hidden by that filter, and part of its text."""
    return f"hidden by {kind}"


NAMED = ["begin", *map(secret, FILTERS)]
"""One that can be seen, and all that cannot."""


@contextmanager
def walled_database(server: Server, worker: str, template: str, login: str) -> Iterator[Installed]:
    """What can be seen leads to what cannot, and only by way of that to something else that can.

    What is hidden is nearest to a question, then SEEN, then the others.
    """
    with scratch_database(server, worker, template) as database, database.connect() as superuser:
        database.grant(superuser.info.user, "other")

        def add(name: str, tenant: str = "default", **attributes: Any) -> None:
            vector = NORTH if name in map(secret, FILTERS) else [9, 1, 0, 0] if name in SEEN else [1, 1, 0, 0]
            shown: dict[str, Any] = {
                "title": name,
                "summary": f"summary of {name}",
                "summary_embedding": vector,
                "chunks": [{"text": f"text of {name}", "embedding": vector}],
            }
            put(superuser, {"id": name, **shown, **HELD, **attributes}, tenant=tenant, access=WIDE)

        for each in SEEN:
            add(each)
        relate(superuser, ("begin", "cites", "next"), access=WIDE)
        for kind, attributes in HIDDEN.items():
            add(secret(kind), **attributes)
            add(f"behind {kind}")
            pairs = [("begin", secret(kind)), (secret(kind), "begin"), (secret(kind), f"behind {kind}")]
            relate(superuser, *[(a, "cites", b) for a, b in pairs], access=WIDE)
        # Words get other numbers there: whoever forgets the tenant finds both, and not two of one number.
        others = " ".join(f"word{n}" for n in range(40))
        put(superuser, {"id": "gone", "title": others}, tenant="other")
        superuser.execute("SELECT docgraph.delete_documents('other', '{}', '{gone}')")
        for each in ("begin", secret("tenant")):
            add(each, "other")
        edges = [("begin", "cites", secret("tenant")), (secret("tenant"), "cites", "begin")]
        relate(superuser, *edges, tenant="other", access=WIDE)
        database.reader(
            login, repositories=["ours"], snapshots=["main"], tags=["hr"], labels=["internal"], clearance=1
        )
        yield database


def answer(reader: Connection, statement: str, **values: Any) -> str:
    """One value, as text; what every call takes is there by name."""
    values |= {"claim": json.dumps(CLAIM), "north": NORTH, "named": NAMED}
    ((found,),) = reader.execute(statement.encode(), values).fetchall()
    return json.dumps(found)


def searching(**how: Any) -> Callable[[Connection], str]:
    """Every document has a vector and some of the words; the title of every one is in the question."""
    options = {"query_text": f"summary or text, {', '.join(NAMED)}", "max_nodes": 200, **how}
    if how["mode"] == "semantic" and "rerank" not in how:
        del options["query_text"]
    if how["mode"] != "bm25":
        options["query_embedding"] = NORTH
    given = ", ".join(f"{name} => %({name})s" for name in options)
    statement = f"SELECT jsonb_agg(s) FROM docgraph.search_nodes('default', %(claim)s, {given}) s"
    return lambda reader: answer(reader, statement, **options)


def reranking(chunks: str) -> Callable[[Connection], str]:
    """Hidden ids handed over as candidates."""
    statement = (
        "SELECT jsonb_agg(t) FROM docgraph.candidate_texts('default', %(claim)s, %(named)s::text[],"
        f" {chunks}) t"
    )
    return lambda reader: answer(reader, statement)


def expanding(reader: Connection) -> str:
    """From a seed that can be seen, whichever way."""
    return answer(
        reader,
        "SELECT docgraph.expand_dependency_tree('default', %(claim)s, '{begin}', 5, direction => 'both')",
    )


def fetching(reader: Connection) -> str:
    """Hidden ids handed over as nodes and as seeds."""
    nodes = [{"id": each, "depth": 0, "parent": None, "is_seed": True} for each in NAMED]
    return answer(
        reader,
        "SELECT jsonb_agg(t) FROM docgraph.fetch_node_texts('default', %(claim)s, %(nodes)s, %(named)s,"
        " budget_tokens => 100000) t WHERE t.accounting IS NULL",
        nodes=json.dumps(nodes),
    )


def executing(mode: str, selection: str, call: str = "execute_plan") -> Callable[[Connection], str]:
    """Hidden ids written into a plan, which was sealed anew."""
    seeds = [{"document_id": each, "rank": n, "origin": "given"} for n, each in enumerate(NAMED, start=1)]
    statement = (
        f"SELECT jsonb_agg(to_jsonb(e) - 'plan') FROM docgraph.{call}('default', %(claim)s,"
        " docgraph.seal_plan(docgraph.plan_retrieval('default', %(claim)s, seeds => '{begin}')"
        " || %(written)s), %(vector)s, %(words)s, %(mode)s, max_chunks => 1000, selection => %(selection)s) e"
    )
    how = {
        "vector": None if mode == "bm25" else NORTH,
        "words": None if mode == "semantic" else "text",
        "mode": mode,
        "selection": selection,
        "written": json.dumps({"seed_documents": seeds, "expanded_documents": []}),
    }
    return lambda reader: answer(reader, statement, **how)


class Stage(NamedTuple):
    """What is asked, and the functions that say of which tenant it reads what it gives."""

    ask: Callable[[Connection], str]
    forgetful: tuple[str, ...]


BY_WORDS = ("weigh_words", "score_entries", "exact_scores")
EXECUTED = {
    "semantic": ("nearest_chunks",),
    "bm25": ("weigh_words", "score_documents", "exact_scores"),
    "hybrid": ("weigh_words", "score_documents", "exact_scores"),
}
STAGES = {
    **{
        f"search {mode} in {search_in}": Stage(
            searching(mode=mode, search_in=search_in),
            ("nearest_exactly",) if mode == "semantic" else BY_WORDS,
        )
        for mode in ("semantic", "bm25", "hybrid")
        for search_in in ("summaries", "chunks")
    },
    **{
        f"search approximately in {search_in}": Stage(
            # What the index does not find of more is looked for exactly.
            searching(mode="semantic", search_in=search_in, method="approximate", max_nodes=len(NAMED)),
            ("nearest_approximately",),
        )
        for search_in in ("summaries", "chunks")
    },
    **{
        f"search {mode} in {search_in}, reranked": Stage(
            searching(mode=mode, search_in=search_in, rerank="keyword", rerank_lexical=mode != "semantic"),
            ("nearest_exactly",) if mode == "semantic" else BY_WORDS,
        )
        for mode in ("semantic", "bm25")
        for search_in in ("summaries", "chunks")
    },
    "search by titles": Stage(
        searching(mode="hybrid", search_in="summaries", title_hits=True), ("title_hits",)
    ),
    "texts of summaries": Stage(reranking("NULL"), ("candidate_texts",)),
    "texts of chunks": Stage(reranking("array_fill(0, ARRAY[cardinality(%(named)s)])"), ("candidate_texts",)),
    "expand": Stage(expanding, ("visible_among", "links_from", "links_to")),
    "fetch": Stage(fetching, ("order_nodes", "measure_texts", "read_text", "sensitivity_of")),
    **{
        f"execute {mode}, {selection}": Stage(executing(mode, selection), ("execute_plan", *functions))
        for mode, functions in EXECUTED.items()
        for selection in ("similarity", "bridge")
    },
    **{
        f"assemble {mode}": Stage(executing(mode, "similarity", "retrieve_by_plan"), ("assemble", *functions))
        for mode, functions in EXECUTED.items()
    },
}
"""Each by a name that says what it does."""
