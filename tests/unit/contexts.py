"""Contexts for tests: one written out, and random ones whose texts are as bad as texts can be."""

from __future__ import annotations

import json
from copy import deepcopy
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from docgraph.context import RetrievedContext
from docgraph.plan import RetrievalPlan
from tests.unit import plans

Json = dict[str, Any]

_DOCUMENTS: list[Json] = [
    {
        "document_id": "leave.md",
        "position": 1,
        "role": "seed",
        "why": "seed 1, given",
        "title": "Leave",
        "source": "handbook/leave.md",
        "doc_type": "document",
        "summary": "How much leave there is.\nAnd who approves it.",
        "section_titles": ["Leave", "Carry-over"],
        "chosen_chunks": 2,
        "chunks": [
            {
                "chunk": 2,
                "text": "# Carry-over\n\nFive days.",
                "tokens": 7,
                "score": 0.5,
                "section_path": ["Leave", "Carry-over"],
                "start_offset": 40,
                "end_offset": 64,
                "chosen": 2,
                "chosen_by": "similarity",
            },
            {
                "chunk": 0,
                "text": "Thirty days.",
                "tokens": 3,
                "score": 0.000001,
                "section_path": [],
                "start_offset": None,
                "end_offset": None,
                "chosen": 3,
                "chosen_by": "similarity",
            },
        ],
    },
    {
        "document_id": "visa.md",
        "position": 3,
        "role": "expanded",
        "why": "leave.md explains this; travel.md explains this; travel.md references this",
        "title": "",
        "source": "",
        "doc_type": "policy",
        "summary": None,
        "section_titles": None,
        "chosen_chunks": 1,
        "chunks": [
            {
                "chunk": 0,
                "text": "```\nvisa --apply\n```",
                "tokens": 5,
                "score": 1,
                "section_path": ["Visa"],
                "start_offset": 0,
                "end_offset": 20,
                "chosen": 1,
                "chosen_by": "reserve",
            }
        ],
    },
]

_ACCOUNTING: Json = {
    "format": 1,
    "documents": {"planned": 4, "over_caps": 0, "missing": 1, "with_evidence": 2},
    "chunks": {"chosen": 4, "shown": 3},
    "left_out": {
        "unranked": 0,
        "per_document": 31,
        "max_chunks": 12,
        "evidence_budget": 1,
        "conceptual_budget": 2,
    },
    "budget": {
        "unit": "tokens",
        "limit": 40,
        "used": 28,
        "conceptual_limit": 20,
        "conceptual_used": 13,
        "evidence_used": 15,
    },
    "chunk_mode": "semantic",
    "rrf_k": None,
    "selection": "similarity",
    "reserve": "0.4",
    "max_chunks": 4,
    "per_document": 3,
    "conceptual_share": "0.5",
    "revision": {"plan": "0004", "here": "0005"},
    "edited": False,
    "warnings": [],
}


def written_out() -> Json:
    """A context as JSON has it; the caller may change it."""
    return {
        "plan": plans.written_out(),
        "context": {"documents": deepcopy(_DOCUMENTS)},
        "accounting": deepcopy(_ACCOUNTING),
    }


def context() -> RetrievedContext:
    return RetrievedContext.from_dict(written_out())


def changed(path: str, value: Any) -> Json:
    """The context written out, with another value at a place such as "context.documents.0.title"."""
    found = written_out()
    *way, last = path.split(".")
    place: Any = found
    for step in way:
        place = place[int(step)] if isinstance(place, list) else place[step]
    place[int(last) if isinstance(place, list) else last] = value
    return found


def canonical(value: Any) -> str:
    """JSON as jsonb writes it, by its rules; its numbers have no exponent."""
    if isinstance(value, dict):
        in_order = sorted(value, key=lambda key: (len(key.encode()), key.encode()))
        return "{" + ", ".join(f"{canonical(key)}: {canonical(value[key])}" for key in in_order) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(canonical, value)) + "]"
    if isinstance(value, float):
        digits = format(Decimal(repr(value)), "f")
        return digits.rstrip("0").rstrip(".") if "." in digits else digits
    return json.dumps(value, ensure_ascii=False)


texts = plans.ids | st.sampled_from(
    (
        "",
        "# Heading\n\ntext",
        "```python\nhalf of a block",
        "~~~\n````\n`````",
        "> quote\n\n---\n\n<div>",
        "<!-- never closed",
        "Title\n=====",
        "[1]: https://example.org 'x'",
        "\n\n\n",
        "a\r# b\r\n## c",
        "- list\n\n      code",
    )
)
_offsets = st.none() | st.integers(0, 2**31 - 1)
_few = st.integers(0, 1000)
scores = st.floats(allow_nan=False, allow_infinity=False).map(lambda number: number or 0.0)
"""There is no negative zero in jsonb."""


@st.composite
def _chunks(draw: st.DrawFn, numbers: st.SearchStrategy[int]) -> list[Json]:
    return [
        {
            "chunk": chunk,
            "text": draw(texts),
            "tokens": draw(_few),
            # As JSON has it: a whole number is an int.
            "score": json.loads(canonical(draw(scores))),
            "section_path": draw(st.lists(texts, max_size=2)),
            "start_offset": draw(_offsets),
            "end_offset": draw(_offsets),
            "chosen": draw(numbers),
            "chosen_by": draw(st.sampled_from(["similarity", "reserve", "bridge"])),
        }
        for chunk in range(draw(st.integers(0, 3)))
    ]


def _documents(plan: RetrievalPlan, draw: st.DrawFn) -> list[Json]:
    numbers = iter(range(1, 1000))
    each_once = st.builds(lambda: next(numbers))
    return [
        {
            "document_id": document.document_id,
            "position": document.position,
            "role": document.role,
            "why": "; ".join(map(str, document.reasons)),
            "title": draw(texts),
            "source": draw(texts),
            "doc_type": draw(texts),
            "summary": draw(st.none() | texts),
            "section_titles": draw(st.none() | st.lists(texts, max_size=2)),
            "chosen_chunks": draw(_few),
            "chunks": draw(_chunks(each_once)),
        }
        for document in plan.documents
        if draw(st.booleans())
    ]


@st.composite
def contexts(draw: st.DrawFn) -> RetrievedContext:
    """Any context that is well formed."""
    plan = draw(plans.plans())
    accounting = deepcopy(_ACCOUNTING)
    accounting["left_out"] = {name: draw(_few) for name in accounting["left_out"]}
    accounting["edited"] = draw(st.booleans())
    return RetrievedContext.from_dict(
        {
            "accounting": accounting,
            "plan": plan.to_dict(),
            "context": {"documents": _documents(plan, draw)},
        }
    )
