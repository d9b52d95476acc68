"""What is no plan: one table for SQL, for the sync and for the async client."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.sql.api.bad_kinds import SECRET
from tests.sql.asking import PLAN
from tests.sql.planning import MISSING, changed

LONG = SECRET.ljust(513, "x")
WHOLE = "a whole number from 0 to 2147483647, without a point"
ID = "a text of 1 to 512 bytes"
NAME = "a text of at most 512 bytes"
NAMES = "a list of at most 1000 texts of at most 512 bytes"
ENTRIES = "a list of at most 10000 entries"
PART = "an object"
LIST = "a list"
OR_NULL = ", or null"
HASH = "a SHA-256 in 64 lower-case hexadecimal digits"
CONSTANTS = "plan.constraints must have max_relationship_depth 1, traversal_enabled false, direction outgoing"
REASON = "must be a list of objects with from and relation_type, both a text of 1 to 512 bytes"

NOT_WHOLE: list[Any] = [None, -1, 0.5, 1.5, 2**31, 10**30, True, SECRET, "1", [1], {}]
NOT_ID: list[Any] = [None, "", LONG, 1, True, [SECRET], {SECRET: 1}]
NOT_NAME: list[Any] = [None, LONG, 1, True, [SECRET], {}]
NOT_NAMES: list[Any] = [SECRET, 1, {}, [None], [1], [[SECRET]], [LONG], [SECRET] * 1001]
NOT_LIST: list[Any] = [None, SECRET, 1, True, {}, {SECRET: 1}]
NOT_OBJECT: list[Any] = [None, SECRET, 1, True, [], [{}]]

FIELDS: dict[str, tuple[str, list[Any]]] = {
    "scope": (PART, NOT_OBJECT),
    "scope.tenant": (ID, NOT_ID),
    "scope.repositories": (NAMES + OR_NULL, NOT_NAMES),
    "scope.snapshots": (NAMES + OR_NULL, NOT_NAMES),
    "seed_documents": (ENTRIES, NOT_LIST),
    "seed_documents.1.document_id": (ID, NOT_ID),
    "seed_documents.1.rank": (WHOLE, NOT_WHOLE),
    "seed_documents.1.origin": ('"given" or "search"', [None, "", "Given", f"\n{SECRET}", 1, []]),
    "expanded_documents": (ENTRIES, NOT_LIST),
    "expanded_documents.0.document_id": (ID, NOT_ID),
    "expanded_documents.0.via": (LIST, NOT_LIST),
    "constraints": (PART, NOT_OBJECT),
    "constraints.max_relationship_depth": (WHOLE, NOT_WHOLE),
    "constraints.traversal_enabled": ("true or false", [None, 0, 1, "false", []]),
    "constraints.direction": (NAME, NOT_NAME),
    "constraints.relation_types": (NAMES + OR_NULL, NOT_NAMES),
    "constraints.seed_limit": (WHOLE, NOT_WHOLE),
    "constraints.expanded_per_seed": (WHOLE, NOT_WHOLE),
    "constraints.max_documents": (WHOLE, NOT_WHOLE),
    "constraints.dominant_scope": (NAME, NOT_NAME),
    "constraints.scope_distance": (NAME + OR_NULL, [0.35, 1, True, LONG, []]),
    "made_by": (PART, NOT_OBJECT),
    "made_by.mode": (NAME, NOT_NAME),
    "made_by.search_in": (NAME + OR_NULL, [1, LONG, []]),
    "made_by.method": (NAME, NOT_NAME),
    "made_by.revision": (NAME, NOT_NAME),
    "made_by.embedding_space": (PART + OR_NULL, NOT_OBJECT[1:]),
    "made_by.embedding_space.model": (ID, NOT_ID),
    "made_by.embedding_space.dimensions": (WHOLE, NOT_WHOLE),
    "made_by.embedding_space.metric": (NAME, NOT_NAME),
    "truncated": (NAMES, [None, *NOT_NAMES]),
    "omitted": (WHOLE, NOT_WHOLE),
    "dropped": (WHOLE, NOT_WHOLE),
    "plan_hash": (HASH, [None, "", SECRET, "A" * 64, "a" * 63, "a" * 65, "g" * 64, 1]),
}
"""Every field of a plan but its format, the kind it is of, and values that are not."""


def place(path: str) -> str:
    """As errors name it."""
    return "plan." + path.replace(".0.", "[0].").replace(".1.", "[1].")


def _shapes() -> Iterator[tuple[str, str, Any]]:
    value: Any
    for value in (None, [], [json.loads(PLAN)], 1, True, SECRET):
        yield f"{json.dumps(value)[:9]} for a plan", "plan must be an object", value
    yield "nothing", "plan.constraints must be an object", {}
    for value in (0, 2, 1.0, "1", None, True, [1]):
        yield f"format {value}", "plan.format must be 1", changed("format", value)
    yield "no format", f"plan.format must be {WHOLE}", changed("format", MISSING)
    for path, (kind, values) in FIELDS.items():
        message = f"{place(path)} must be {kind}"
        yield f"no {path}", message, changed(path, MISSING)
        for value in values:
            yield f"{path} {json.dumps(value)[:20]}", message, changed(path, value)
    for path in ("", *(path for path, (kind, _) in FIELDS.items() if kind.startswith(PART))):
        here = f"{path}.{SECRET}".lstrip(".")
        yield f"unknown key in {path}", f"{place(path).rstrip('.')} has an unknown key", changed(here, SECRET)
    for path in ("seed_documents.1", "expanded_documents.1"):
        message = f"plan.{path[:-2]}[1]"
        yield f"unknown key in {path}", f"{message} has an unknown key", changed(f"{path}.{SECRET}", 1)
        yield f"no object in {path}", f"{message} must be an object", changed(path, SECRET)
    for value in (None, False, 0, 1, "true", []):
        yield f"edited {value}", "plan.edited must be true, or left out", changed("edited", value)
    many = [{"document_id": f"{n}", "rank": n, "origin": "given"} for n in range(1, 10_002)]
    yield "10,001 seeds", f"plan.seed_documents must be {ENTRIES}", changed("seed_documents", many)


def _senses() -> Iterator[tuple[str, str, Any]]:
    for path, value in (
        ("max_relationship_depth", 0),
        ("max_relationship_depth", 2),
        ("traversal_enabled", True),
        ("direction", "incoming"),
        ("direction", ""),
    ):
        yield f"{path} {value}", CONSTANTS, changed(f"constraints.{path}", value)
    for index, value in ((0, 0), (1, 0), (1, 1), (0, 2)):
        bad = 0 if value == 0 and index == 0 else 1
        message = f"plan.seed_documents[{bad}].rank must be above the rank before it, and above 0"
        yield f"seed {index} of rank {value}", message, changed(f"seed_documents.{index}.rank", value)
    for path, value, where in (
        ("seed_documents.1.document_id", "a.md", "seed_documents[1]"),
        ("expanded_documents.1.document_id", "c.md", "expanded_documents[1]"),
        ("expanded_documents.0.document_id", "b.md", "expanded_documents[0]"),
    ):
        message = f"plan.{where}.document_id is that of an earlier document"
        yield f"{path} {value}", message, changed(path, value)
    reason = {"from": "a.md", "relation_type": "cites"}
    seeds_via = "plan.seed_documents[1].via"
    others: list[tuple[Any, str]] = [
        ([], "must not be empty"),
        ([{**reason, "from": "b.md"}], "must come from other seeds of the plan"),
        ([{**reason, "from": "c.md"}], "must come from other seeds of the plan"),
        ([reason, reason], "has the same reason twice"),
        ([{"from": "a.md"}], REASON),
        ({}, f"must be {LIST}"),
    ]
    for bad_via, said in others:
        name = f"of a seed {json.dumps(bad_via)[:60]}"
        yield name, f"{seeds_via} {said}", changed("seed_documents.1.via", bad_via)
    via = "plan.expanded_documents[0].via"
    path = "expanded_documents.0.via"
    yield "no reason", f"{via} must not be empty", changed(path, [])
    yield "a reason twice", f"{via} has the same reason twice", changed(path, [reason, reason])
    for origin in ("c.md", "d.md", "A.md", "nowhere"):
        elsewhere = [reason, {**reason, "from": origin}]
        yield f"from {origin}", f"{via} must come from other seeds of the plan", changed(path, elsewhere)
    for value in (None, 1, [], {}, {"from": "a.md"}, {**reason, SECRET: 1}, *NOT_ID[:4]):
        yield f"reason {json.dumps(value)[:20]}", f"{via} {REASON}", changed(path, [reason, value])
    for key in reason:
        for value in NOT_ID:
            yield f"{key} {json.dumps(value)[:9]}", f"{via} {REASON}", changed(path, [{**reason, key: value}])


NO_PLANS: list[tuple[str, str, Any]] = [*_shapes(), *_senses()]
"""What each is, the message, and the JSON."""


def refusing(message: str) -> list[str]:
    """The functions that refuse it: seal_plan sets the hash and the mark itself, whatever they were."""
    mended = message.startswith(("plan.plan_hash", "plan.edited"))
    return ["plan_documents", "explain_plan"] if mended else ["plan_documents", "explain_plan", "seal_plan"]
