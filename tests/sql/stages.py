"""Asking for the stages as psql would."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from docgraph import calls
from tests.sql.asking import Connection
from tests.sql.planning import asked
from tests.sql.writing import put, relate

Json = dict[str, Any]


class Text(NamedTuple):
    """A row of fetch_node_texts."""

    place: int
    id: str
    is_seed: bool
    depth: int
    parent: str | None
    text: str
    tokens: int
    running_total: int


def tree(connection: Connection, *seeds: str, **arguments: Any) -> Json:
    """What expand_dependency_tree gives."""
    ((found,),) = asked(connection, calls.EXPAND_DEPENDENCY_TREE, {"seeds": list(seeds), **arguments})
    assert isinstance(found, dict)
    return found


def nodes(found: Json) -> dict[str, tuple[int, str | None]]:
    """Depth and parent by id, in their order."""
    assert all(node["is_seed"] == (node["depth"] == 0) for node in found["nodes"])
    return {node["id"]: (node["depth"], node["parent"]) for node in found["nodes"]}


def edges(found: Json) -> list[tuple[str, str, str]]:
    return [(edge["from"], edge["relation_type"], edge["to"]) for edge in found["edges"]]


def fetched(connection: Connection, given: Any = None, **arguments: Any) -> tuple[list[Text], Json]:
    """The texts of fetch_node_texts, and the accounting."""
    sent = None if given is None else json.dumps(given)
    *texts, bill = asked(connection, calls.FETCH_NODE_TEXTS, {"nodes": sent, **arguments})
    return [Text(*row[:-1]) for row in texts], bill[-1]


def pipeline(connection: Connection, **arguments: Any) -> Json:
    """What run_pipeline gives."""
    ((found,),) = asked(connection, calls.RUN_PIPELINE, arguments)
    assert isinstance(found, dict)
    return found


def put_graph(connection: Connection, *triples: tuple[str, str, str], **texts: str) -> None:
    """Documents with these relationships, each with a summary; and some with this text in place of it."""
    ids = dict.fromkeys([*texts, *(end for triple in triples for end in (triple[0], triple[2]))])
    documents = [
        {"id": each, "chunks": [{"text": texts[each]}]}
        if each in texts
        else {"id": each, "summary": f"about {each}"}
        for each in ids
    ]
    for start in range(0, len(documents), 200):
        put(connection, *documents[start : start + 200])
    if triples:
        relate(connection, *triples)
