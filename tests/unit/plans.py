"""Plans for tests: one written out, and random ones whose ids are as bad as ids can be."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from docgraph.plan import RetrievalPlan

Json = dict[str, Any]

EXAMPLES = settings(max_examples=100, derandomize=True, database=None, deadline=None)

_PLAN: Json = {
    "format": 1,
    "scope": {"tenant": "default", "repositories": None, "snapshots": ["main"]},
    "seed_documents": [
        {"document_id": "leave.md", "rank": 1, "origin": "given"},
        {"document_id": "travel.md", "rank": 2, "origin": "search"},
    ],
    "expanded_documents": [
        {
            "document_id": "visa.md",
            "via": [
                {"from": "leave.md", "relation_type": "explains"},
                {"from": "travel.md", "relation_type": "explains"},
                {"from": "travel.md", "relation_type": "references"},
            ],
        },
        {"document_id": "forms.md", "via": [{"from": "travel.md", "relation_type": "references"}]},
    ],
    "constraints": {
        "max_relationship_depth": 1,
        "traversal_enabled": False,
        "direction": "outgoing",
        "relation_types": ["explains", "references"],
        "seed_limit": 5,
        "expanded_per_seed": 10,
        "max_documents": 40,
        "dominant_scope": "cluster",
        "scope_distance": "0.35",
    },
    "made_by": {
        "mode": "semantic",
        "search_in": "summaries",
        "method": "exact",
        "embedding_space": {"model": "test-model", "dimensions": 4, "metric": "cosine"},
        "revision": "0004",
    },
    "truncated": ["documents"],
    "omitted": 1,
    "dropped": 2,
    "plan_hash": "b07a84af6dd43d78433f6c77c0a74a51fadc34bab5db5c9b5a2e1a39e21a066f",
}

ROWS = [
    (1, "leave.md", "seed", None, None, "seed 1, given"),
    (2, "travel.md", "seed", None, None, "seed 2, found by search"),
    (3, "visa.md", "expanded", "explains", "leave.md", "seed 1 explains this"),
    (3, "visa.md", "expanded", "explains", "travel.md", "seed 2 explains this"),
    (3, "visa.md", "expanded", "references", "travel.md", "seed 2 references this"),
    (4, "forms.md", "expanded", "references", "travel.md", "seed 2 references this"),
]
"""The rows of the plan written out."""


def written_out() -> Json:
    """A plan as JSON has it; the caller may change it."""
    return deepcopy(_PLAN)


def plan() -> RetrievalPlan:
    return RetrievalPlan.from_dict(written_out())


def changed(path: str, value: Any) -> Json:
    """The plan written out, with another value at a place such as "seed_documents.0.rank"."""
    found = written_out()
    *way, last = path.split(".")
    place: Any = found
    for step in way:
        place = place[int(step)] if isinstance(place, list) else place[step]
    place[int(last) if isinstance(place, list) else last] = value
    return found


def canonical(value: Any) -> str:
    """JSON as jsonb writes it, by its rule: keys in order of length in bytes, then bytes."""
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: (len(key.encode()), key.encode()))
        return "{" + ", ".join(f"{canonical(key)}: {canonical(value[key])}" for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(canonical, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


NASTY = (
    "a.md",
    "b.md",
    "handbook/leave_policy.md",
    '"quoted"',
    "it's",
    "<script>alert(1)</script>",
    "<!-- -->",
    "</td></tr></table>",
    "&amp;&#60;",
    "[bold red]text[/]",
    "[/]",
    "two\nlines\r\n\ttabs",
    "\x1b[31mred\x1b[0m",
    "\x00ab".replace("\x00", "\x01"),
    "\x9b2J\x85\u2028\u2029",
    "\u202egnp.exe\u202c \u2066x\u2069",
    "שלום",
    "文書.md",
    "e\u0301 and é",
    "\\u0041 \\n",
    '"]; click d1 href "javascript:alert(1)"',
    "d1 --> d2 %% #quot; `code` **bold** $$x$$",
    "1. list",
    "- list",
    "    code",
    "end",
    " ",
    "👩‍👩‍👧 emoji :smile:",
    "x" * 512,
)

ids = st.sampled_from(NASTY) | st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=8
)
_few = st.integers(0, 400)


@st.composite
def plans(draw: st.DrawFn, texts: st.SearchStrategy[str] = ids) -> RetrievalPlan:
    """Any plan that is well formed."""
    documents = draw(st.lists(texts, unique=True, max_size=8))
    cut = draw(st.integers(0, len(documents)))
    seeds, expanded = documents[:cut], documents[cut:] if cut else []
    ranks = sorted(draw(st.sets(st.integers(1, 50), min_size=cut, max_size=cut)))

    def via(document: str, least: int) -> list[dict[str, str]]:
        """From other seeds, if there are any."""
        reasons = st.tuples(st.sampled_from([seed for seed in seeds if seed != document] or [""]), texts)
        found = draw(st.lists(reasons, unique=True, min_size=least, max_size=3))
        return [{"from": seed, "relation_type": kind} for seed, kind in found if seed in seeds]

    brought_in: list[dict[str, Any]] = [
        {"document_id": document, "via": via(document, 1)} for document in expanded
    ]
    started_from: list[dict[str, Any]] = [
        {"document_id": seed, "rank": rank, "origin": draw(st.sampled_from(["given", "search"]))}
        | ({"via": others} if (others := via(seed, 0)) else {})
        for seed, rank in zip(seeds, ranks, strict=True)
    ]
    found = written_out() | {
        "scope": {
            "tenant": draw(texts),
            "repositories": draw(st.none() | st.lists(texts, max_size=2)),
            "snapshots": draw(st.none() | st.lists(texts, max_size=2)),
        },
        "seed_documents": started_from,
        "expanded_documents": brought_in,
        "truncated": draw(st.sampled_from([[], ["documents"], ["documents", "expanded_per_seed"]])),
        "omitted": draw(_few),
        "dropped": draw(_few),
        "plan_hash": draw(st.text("0123456789abcdef", min_size=64, max_size=64)),
    }
    found["constraints"] |= {
        "relation_types": draw(st.none() | st.lists(texts, max_size=2)),
        "max_documents": draw(_few),
        "scope_distance": draw(st.sampled_from([None, "0.35", "1"])),
    }
    found["made_by"]["embedding_space"] = draw(st.sampled_from([None, found["made_by"]["embedding_space"]]))
    if draw(st.booleans()):
        found["edited"] = True
    return RetrievalPlan.from_dict(found)
