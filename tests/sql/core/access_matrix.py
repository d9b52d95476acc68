"""Claim, ceiling and document, one kind at a time: who sees what, by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Row:
    """One document, the ceiling of the login in its tenant, one claim, and whether it is seen."""

    name: str
    seen: bool
    document: dict[str, Any] = field(default_factory=dict)
    ceiling: dict[str, Any] = field(default_factory=dict)
    claim: dict[str, Any] = field(default_factory=dict)


def _one_of(kind: str, attribute: str) -> list[Row]:
    """repositories and snapshots: what is not claimed is all that the ceiling allows."""
    document = {attribute: "r"}
    limits: dict[str, tuple[list[str] | None, bool]] = {
        "no limit": (None, True),
        "just it": (["r"], True),
        "more": (["q", "r", "s"], True),
        "others": (["q", "s"], False),
        "none": ([], False),
        "empty name": ([""], False),
        "other case": (["R"], False),
        "longer name": (["r "], False),
    }
    rows = [
        Row(
            f"{kind}: ceiling {ceiling}, claim {claim}",
            seen=limits[ceiling][1] and limits[claim][1],
            document=document,
            ceiling={kind: limits[ceiling][0]},
            claim={} if limits[claim][0] is None else {kind: limits[claim][0]},
        )
        for ceiling in limits
        for claim in limits
    ]
    return [
        *rows,
        Row(f"{kind}: nothing named, no limit", True),
        Row(f"{kind}: nothing named, limit", False, ceiling={kind: ["r"]}),
        Row(f"{kind}: nothing named, empty name claimed", True, claim={kind: [""]}),
        Row(f"{kind}: nothing named, empty name allowed", True, ceiling={kind: ["", "r"]}),
    ]


_TAGS: list[Row] = [
    Row("tags: public, nothing claimed", True),
    Row("tags: public, ceiling of none", True, ceiling={"tags": []}),
    Row("tags: public, others claimed", True, claim={"tags": ["x"]}),
    Row("tags: tagged, nothing claimed", False, {"tags": ("a",)}),
    Row("tags: tagged, empty list claimed", False, {"tags": ("a",)}, claim={"tags": []}),
    Row("tags: tagged, claimed", True, {"tags": ("a",)}, claim={"tags": ["a"]}),
    Row("tags: one in common is enough", True, {"tags": ("a", "b")}, claim={"tags": ["b", "c"]}),
    Row("tags: more claimed than there are", True, {"tags": ("b",)}, claim={"tags": ["a", "b", "c"]}),
    Row("tags: none in common", False, {"tags": ("a", "b")}, claim={"tags": ["c"]}),
    Row("tags: other case", False, {"tags": ("a",)}, claim={"tags": ["A"]}),
    Row("tags: the empty tag is a tag", False, {"tags": ("",)}),
    Row("tags: the empty tag claimed", True, {"tags": ("",)}, claim={"tags": [""]}),
    Row("tags: allowed and claimed", True, {"tags": ("a",)}, {"tags": ["a", "b"]}, {"tags": ["a", "c"]}),
    Row("tags: allowed, not claimed", False, {"tags": ("a",)}, {"tags": ["a"]}),
    Row("tags: claimed, not allowed", False, {"tags": ("a",)}, {"tags": ["b"]}, {"tags": ["a", "b"]}),
    Row("tags: claimed, none allowed", False, {"tags": ("a",)}, {"tags": []}, {"tags": ["a"]}),
    Row(
        "tags: allowed one, claimed the other", False, {"tags": ("a", "b")}, {"tags": ["a"]}, {"tags": ["b"]}
    ),
]

_LABELS: list[Row] = [
    Row("labels: none, nothing held", True),
    Row("labels: none, ceiling of none", True, ceiling={"labels": []}),
    Row("labels: none, others claimed", True, claim={"labels": ["x"]}),
    Row("labels: one, nothing claimed", False, {"labels": ("a",)}),
    Row("labels: one, claimed", True, {"labels": ("a",)}, claim={"labels": ["a"]}),
    Row("labels: all claimed", True, {"labels": ("a", "b")}, claim={"labels": ["b", "a"]}),
    Row("labels: more than all claimed", True, {"labels": ("a", "b")}, claim={"labels": ["a", "b", "c"]}),
    Row("labels: one of two is not enough", False, {"labels": ("a", "b")}, claim={"labels": ["a"]}),
    Row("labels: others claimed", False, {"labels": ("a",)}, claim={"labels": ["b"]}),
    Row("labels: other case", False, {"labels": ("a",)}, claim={"labels": ["A"]}),
    Row("labels: the empty label is a label", False, {"labels": ("",)}),
    Row("labels: allowed and claimed", True, {"labels": ("a",)}, {"labels": ["a", "b"]}, {"labels": ["a"]}),
    Row("labels: allowed, not claimed", False, {"labels": ("a",)}, {"labels": ["a"]}),
    Row(
        "labels: claimed, one not allowed",
        False,
        {"labels": ("a", "b")},
        {"labels": ["a"]},
        {"labels": ["a", "b"]},
    ),
    Row("labels: claimed, none allowed", False, {"labels": ("a",)}, {"labels": []}, {"labels": ["a"]}),
]

_CLEARANCE: list[Row] = [
    Row("clearance: level 0, nothing claimed", True),
    Row("clearance: level 0, ceiling 0", True, ceiling={"clearance": 0}),
    Row("clearance: level 1, nothing claimed", False, {"clearance": 1}),
    Row("clearance: claimed just enough", True, {"clearance": 2}, claim={"clearance": 2}),
    Row("clearance: claimed one too low", False, {"clearance": 2}, claim={"clearance": 1}),
    Row("clearance: claimed more", True, {"clearance": 2}, claim={"clearance": 3}),
    Row("clearance: ceiling just enough", True, {"clearance": 2}, {"clearance": 2}, {"clearance": 9}),
    Row("clearance: ceiling one too low", False, {"clearance": 2}, {"clearance": 1}, {"clearance": 9}),
    Row(
        "clearance: ceiling higher than the claim",
        False,
        {"clearance": 2},
        {"clearance": 9},
        {"clearance": 1},
    ),
    Row("clearance: the highest", True, {"clearance": 32767}, claim={"clearance": 32767}),
    Row("clearance: one below the highest", False, {"clearance": 32767}, claim={"clearance": 32766}),
]

_SECRET = {"repository": "r", "snapshot": "s", "tags": ("t",), "labels": ("l",), "clearance": 1}
_HELD = {"repositories": ["r"], "snapshots": ["s"], "tags": ["t"], "labels": ["l"], "clearance": 1}
_NONE = {"repositories": [], "snapshots": [], "tags": [], "labels": [], "clearance": 0}

_TOGETHER: list[Row] = [
    Row("together: all held", True, _SECRET, _HELD, _HELD),
    *(
        Row(
            f"together: {kind} not {what}",
            False,
            _SECRET,
            **{"ceiling": _HELD, "claim": _HELD, what: without},
        )
        for kind in _HELD
        for what in ("ceiling", "claim")
        for without in [{**_HELD, kind: _NONE[kind]}]
    ),
]

MATRIX = [
    *_one_of("repositories", "repository"),
    *_one_of("snapshots", "snapshot"),
    *_TAGS,
    *_LABELS,
    *_CLEARANCE,
    *_TOGETHER,
]
