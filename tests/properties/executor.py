"""The rules of execution and of a context once more, in plain Python: what the database must agree with.

Written from the rules and not from the SQL. Whoever executes a plan has a shelf with what the caller may see,
and nothing else; what the plan claims is not believed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from tests.properties.pages import Page, Piece, page
from tests.properties.planner import Plan, Setting, Shelf, Vector, distance, stored

T = TypeVar("T")
DOCUMENTS, PER_SEED, GIVEN, FOUND = 400, 200, 200, 200
"""The highest that a plan may have: documents, those that one seed brings in, seeds named, seeds found."""
USUAL_BUDGET = 8000


@dataclass(frozen=True)
class Wanted:
    """What retrieve_by_plan is asked, apart from the plan and who asks: its parameters and their defaults."""

    query_embedding: Vector
    max_chunks: int = 10
    per_document: int = 3
    reserve: str = "0.4"
    selection: str = "similarity"
    max_chars: int | None = None
    budget_tokens: int | None = None
    conceptual_share: str = "0.25"
    chunk_mode: str = "semantic"
    query_text: str | None = None
    """Of other modes the model knows nothing here."""

    @property
    def unit(self) -> str:
        return "tokens" if self.max_chars is None else "characters"

    @property
    def room(self) -> int:
        given = [each for each in (self.max_chars, self.budget_tokens) if each is not None]
        return given[0] if given else USUAL_BUDGET


@dataclass(frozen=True)
class Planned:
    """A document in its place in a plan."""

    position: int
    name: str
    role: str
    why: str


@dataclass(frozen=True)
class Chunk:
    """A chunk of a planned document, and how far it is from the query, in millionths."""

    document: Planned
    number: int
    piece: Piece
    away: int

    @property
    def by_distance(self) -> tuple[int, bytes, int]:
        return self.away, self.document.name.encode(), self.number


@dataclass(frozen=True)
class Chosen:
    """Chunks in the order in which they are chosen, each with by what; and what was left out."""

    chunks: list[tuple[Chunk, str]]
    unranked: int
    by_per_document: int
    by_max_chunks: int


@dataclass(frozen=True)
class Text:
    """A part of the conceptual layer."""

    document: Planned
    part: str
    text: str


@dataclass(frozen=True)
class Assembled:
    """What found room, and what did not."""

    plan: Plan
    there: list[Planned]
    over_caps: int
    chosen: Chosen
    conceptual_limit: int
    conceptual: list[Text]
    conceptual_left_out: int
    shown: list[Chunk]


def obeyed(plan: Plan) -> tuple[list[Planned], int]:
    """The documents of a plan within its own caps and the highest, and how many are beyond."""
    caps = plan["constraints"]
    total = min(caps["max_documents"], DOCUMENTS)
    per_seed = min(caps["expanded_per_seed"], PER_SEED)
    seeds = [each["document_id"] for each in plan["seed_documents"]]
    named = [each["document_id"] for each in plan["seed_documents"] if each["origin"] == "given"]
    found = [each for each in seeds if each not in named]
    within = {*named[:GIVEN], *found[: min(caps["seed_limit"], FOUND)]}
    seeds = [each for each in seeds if each in within][:total]
    ranks = {each: rank for rank, each in enumerate(seeds)}

    neighbours: list[dict[str, bytes]] = [{} for _ in seeds]
    for each in plan["expanded_documents"]:
        for reason in each["via"]:
            if reason["from"] in ranks:
                of_seed = neighbours[ranks[reason["from"]]]
                kind = reason["relation_type"].encode()
                of_seed[each["document_id"]] = min(kind, of_seed.get(each["document_id"], kind))
    taken: set[str] = set()
    for kinds in neighbours:
        first = sorted((kind, name.encode(), name) for name, kind in kinds.items())[:per_seed]
        taken.update(name for _, _, name in first)
    kept: list[Planned] = []
    for each in _planned(plan, ranks):
        if (each.name in ranks or each.name in taken) and len(kept) < total:
            kept.append(each)
    return kept, len(plan["seed_documents"]) + len(plan["expanded_documents"]) - len(kept)


def _planned(plan: Plan, ranks: Collection[str]) -> Iterator[Planned]:
    """All of its documents; of the reasons those that come from these seeds."""
    seeds = len(plan["seed_documents"])
    for place, each in enumerate(plan["seed_documents"] + plan["expanded_documents"], start=1):
        reasons = [
            f"{reason['from']} {reason['relation_type']} this"
            for reason in each.get("via", [])
            if reason["from"] in ranks
        ]
        if place <= seeds:
            origin = "found by search" if each["origin"] == "search" else each["origin"]
            reasons.insert(0, f"seed {each['rank']}, {origin}")
        more = [f"and {len(reasons) - 5} more"] if len(reasons) > 5 else []
        why = "; ".join(reasons[:5] + more)
        yield Planned(place, each["document_id"], "seed" if place <= seeds else "expanded", why)


def one_each(chunks: Sequence[Chunk]) -> list[Chunk]:
    """The best of every document, then the second of every document, and so on."""
    rounds: dict[str, int] = {}
    turns = []
    for chunk in sorted(chunks, key=lambda each: each.by_distance):
        turn = rounds[chunk.document.name] = rounds.get(chunk.document.name, 0) + 1
        turns.append((turn, chunk))
    return [chunk for _, chunk in sorted(turns, key=lambda each: (each[0], each[1].by_distance))]


def choose(candidates: Sequence[Chunk], max_chunks: int, reserve: Decimal) -> list[tuple[Chunk, str]]:
    """Place by place: where the reserve grows its next chunk, if that is not chosen yet; else the nearest."""
    nearest = sorted(candidates, key=lambda each: each.by_distance)
    reserved = one_each([each for each in candidates if each.document.role == "expanded"])
    chosen: dict[Chunk, str] = {}
    for place in range(1, min(max_chunks, len(candidates)) + 1):
        turn = int(reserve * place)
        grows = turn > int(reserve * (place - 1))
        if grows and turn <= len(reserved) and reserved[turn - 1] not in chosen:
            chosen[reserved[turn - 1]] = "reserve"
        else:
            chosen[next(each for each in nearest if each not in chosen)] = "similarity"
    return list(chosen.items())


def fitting(pieces: Sequence[tuple[T, int]], room: int) -> tuple[list[T], int]:
    """Each piece whole or not at all; what does not fit keeps nothing behind it out."""
    kept: list[T] = []
    used = 0
    for piece, size in pieces:
        if used + size <= room:
            kept.append(piece)
            used += size
    return kept, used


def estimated_tokens(text: str) -> int:
    return max(1, -(-len(text.encode()) // 4))


@dataclass(frozen=True)
class Executor:
    """Obeys plans for one caller: the shelf has what that caller may see, and nothing else."""

    shelf: Shelf
    setting: Setting

    def page(self, planned: Planned) -> Page:
        return page(self.shelf.documents[planned.name])

    def choose(self, plan: Plan, kept: Sequence[Planned], wanted: Wanted) -> Chosen:
        """Which chunks of these documents become evidence."""
        there = [each for each in kept if each.name in self.shelf.documents]
        metric = self.setting.metric
        query = stored(wanted.query_embedding, metric)
        candidates: list[Chunk] = []
        left_out = unranked = 0
        for each in there:
            found = self.page(each)
            chunks = [
                Chunk(each, number, piece, round(1000000 * distance(stored(vector, metric), query, metric)))
                for number, (piece, vector) in enumerate(zip(found.pieces, found.chunks, strict=True))
                if vector is not None
            ]
            unranked += len(found.pieces) - len(chunks)
            chunks.sort(key=lambda chunk: chunk.by_distance)
            candidates += chunks[: wanted.per_document]
            left_out += len(chunks[wanted.per_document :])
        if wanted.selection == "bridge":
            chosen = self._bridge(plan, kept, candidates)[: wanted.max_chunks]
        else:
            chosen = choose(candidates, wanted.max_chunks, Decimal(wanted.reserve))
        return Chosen(chosen, unranked, left_out, len(candidates) - len(chosen))

    @staticmethod
    def _bridge(plan: Plan, kept: Sequence[Planned], candidates: Sequence[Chunk]) -> list[tuple[Chunk, str]]:
        from tests.properties.bridging import bridge, led_by

        seeds = [each.name for each in kept if each.role == "seed"]
        return bridge(candidates, seeds, led_by(plan))

    def assemble(self, plan: Plan, wanted: Wanted) -> Assembled:
        """Concepts within their share of the budget, then evidence within all that is left."""
        kept, over_caps = obeyed(plan)
        there = [each for each in kept if each.name in self.shelf.documents]
        chosen = self.choose(plan, kept, wanted)
        size = estimated_tokens if wanted.unit == "tokens" else len

        contributing = {chunk.document for chunk, _ in chosen.chunks}
        first = sorted(there, key=lambda each: (each not in contributing, each.position))
        texts = [text for each in first for text in self._texts(each)]
        limit = int(Decimal(wanted.conceptual_share) * wanted.room)
        conceptual, used = fitting([(text, size(text.text)) for text in texts], limit)
        evidence = [
            (chunk, chunk.piece.tokens if wanted.unit == "tokens" else len(chunk.piece.text))
            for chunk, _ in chosen.chunks
        ]
        shown, _ = fitting(evidence, wanted.room - used)
        return Assembled(
            plan, there, over_caps, chosen, limit, conceptual, len(texts) - len(conceptual), in_order(shown)
        )

    def _texts(self, planned: Planned) -> Iterator[Text]:
        found = self.page(planned)
        if found.about:
            yield Text(planned, "summary", found.about)
        if any(found.section_titles) or len(found.section_titles) > 1:
            yield Text(planned, "sections", "\n".join(found.section_titles))

    def evidence(self, plan: Plan, wanted: Wanted) -> list[tuple[Chunk, int, str, int]]:
        """The rows of execute_plan: chunk, place in choosing, by what, documents that are missing."""
        kept, _ = obeyed(plan)
        there = [each for each in kept if each.name in self.shelf.documents]
        chosen = self.choose(plan, kept, wanted).chunks
        places = {chunk: (place, by) for place, (chunk, by) in enumerate(chosen, start=1)}
        return [(chunk, *places[chunk], len(kept) - len(there)) for chunk in in_order(list(places))]


def in_order(chunks: Sequence[Chunk]) -> list[Chunk]:
    """As execution shows them."""
    return sorted(chunks, key=lambda each: (each.document.position, each.away, each.number))
