"""What the functions that execute a plan answer, as the model in executor has it: rows, and one JSON."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from tests.properties.executor import Assembled, Chunk, Executor, Planned, Wanted, estimated_tokens
from tests.properties.planner import Plan

Row = tuple[Any, ...]


def score(chunk: Chunk, metric: str) -> int | float:
    """As JSON writes it: without a point where it is whole."""
    found = Decimal((1000000 if metric == "cosine" else 0) - chunk.away) / 1000000
    return int(found) if found == int(found) else float(found)


def plain(number: str) -> str:
    """Without zeros that say nothing."""
    return f"{Decimal(number).normalize():f}"


def evidence_rows(executor: Executor, plan: Plan, wanted: Wanted) -> list[Row]:
    """What execute_plan gives."""
    metric = executor.setting.metric
    return [
        (
            chunk.document.position,
            chunk.document.name,
            chunk.document.role,
            chunk.number,
            chunk.piece.text,
            chunk.piece.tokens,
            list(chunk.piece.section_path),
            score(chunk, metric),
            place,
            by,
            chunk.document.why,
            missing,
        )
        for chunk, place, by, missing in executor.evidence(plan, wanted)
    ]


def context_rows(executor: Executor, plan: Plan, wanted: Wanted) -> list[Row]:
    """What assemble_context gives; the last row is the accounting."""
    found = executor.assemble(plan, wanted)
    metric = executor.setting.metric
    turns = {chunk: (turn, by) for turn, (chunk, by) in enumerate(found.chosen.chunks, start=1)}
    pieces: list[tuple[str, Planned, str, int | None, str, int, tuple[Any, ...]]] = [
        ("conceptual", each.document, each.part, None, each.text, estimated_tokens(each.text), (None,) * 3)
        for each in found.conceptual
    ]
    pieces += [
        (
            "evidence",
            each.document,
            "chunk",
            each.number,
            each.piece.text,
            each.piece.tokens,
            (score(each, metric), *turns[each]),
        )
        for each in found.shown
    ]
    rows: list[Row] = []
    total = 0
    for layer, planned, part, chunk, text, tokens, choice in pieces:
        total += tokens if wanted.unit == "tokens" else len(text)
        who = (planned.position, planned.name, planned.role)
        rows.append((layer, *who, part, chunk, text, tokens, total, *choice, planned.why, None))
    return [*rows, ("accounting", *[None] * 12, accounting(executor, found, wanted))]


def retrieved(executor: Executor, plan: Plan, wanted: Wanted) -> dict[str, Any]:
    """What retrieve_by_plan gives."""
    found = executor.assemble(plan, wanted)
    documents = [shown(executor, found, each) for each in found.there]
    return {
        "plan": plan,
        "context": {
            "documents": [
                each for each in documents if each["chunks"] or each["summary"] or each["section_titles"]
            ]
        },
        "accounting": accounting(executor, found, wanted),
    }


def shown(executor: Executor, found: Assembled, planned: Planned) -> dict[str, Any]:
    """A document of the context."""
    page = executor.page(planned)
    parts = {text.part for text in found.conceptual if text.document == planned}
    return {
        "document_id": planned.name,
        "position": planned.position,
        "role": planned.role,
        "why": planned.why,
        "title": page.title,
        "source": page.source,
        "doc_type": page.doc_type,
        "summary": page.about if "summary" in parts else None,
        "section_titles": list(page.section_titles) if "sections" in parts else None,
        "chosen_chunks": sum(chunk.document == planned for chunk, _ in found.chosen.chunks),
        "chunks": [chunk_of(executor, found, chunk) for chunk in found.shown if chunk.document == planned],
    }


def chunk_of(executor: Executor, found: Assembled, chunk: Chunk) -> dict[str, Any]:
    ((place, by),) = [
        (place, by) for place, (each, by) in enumerate(found.chosen.chunks, start=1) if each == chunk
    ]
    start, end = chunk.piece.offsets or (None, None)
    return {
        "chunk": chunk.number,
        "text": chunk.piece.text,
        "tokens": chunk.piece.tokens,
        "score": score(chunk, executor.setting.metric),
        "section_path": list(chunk.piece.section_path),
        "start_offset": start,
        "end_offset": end,
        "chosen": place,
        "chosen_by": by,
    }


def accounting(executor: Executor, found: Assembled, wanted: Wanted) -> dict[str, Any]:
    plan = found.plan
    planned = len(plan["seed_documents"]) + len(plan["expanded_documents"])
    tokens = wanted.unit == "tokens"
    conceptual = sum(estimated_tokens(each.text) if tokens else len(each.text) for each in found.conceptual)
    evidence = sum(each.piece.tokens if tokens else len(each.piece.text) for each in found.shown)
    return {
        "format": 1,
        "documents": {
            "planned": planned,
            "over_caps": found.over_caps,
            "missing": planned - found.over_caps - len(found.there),
            "with_evidence": len({each.document for each in found.shown}),
        },
        "chunks": {"chosen": len(found.chosen.chunks), "shown": len(found.shown)},
        "left_out": {
            "unranked": found.chosen.unranked,
            "per_document": found.chosen.by_per_document,
            "max_chunks": found.chosen.by_max_chunks,
            "evidence_budget": len(found.chosen.chunks) - len(found.shown),
            "conceptual_budget": found.conceptual_left_out,
        },
        "budget": {
            "unit": wanted.unit,
            "limit": wanted.room,
            "used": conceptual + evidence,
            "conceptual_limit": found.conceptual_limit,
            "conceptual_used": conceptual,
            "evidence_used": evidence,
        },
        "chunk_mode": "semantic",
        "rrf_k": None,
        "selection": wanted.selection,
        "reserve": plain(wanted.reserve),
        "max_chunks": wanted.max_chunks,
        "per_document": wanted.per_document,
        "conceptual_share": plain(wanted.conceptual_share),
        "revision": {"plan": plan["made_by"]["revision"], "here": executor.setting.revision},
        "edited": plan.get("edited", False),
        "warnings": [],
    }
