"""Within any plan, chunks by words and by both are those of the model, with the model's scores."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from docgraph.calls import EXECUTE_PLAN
from tests.properties.bridging import bridge, led_by
from tests.properties.database import Asked
from tests.properties.executor import Chunk, choose, in_order, obeyed
from tests.properties.pages import Piece
from tests.properties.planner import Plan, distance, stored
from tests.properties.test_mutants import Mutant, mistaken
from tests.properties.words import Constants, Key, fused, ranked, scores, tokens
from tests.sql.asking import Connection
from tests.sql.mistakes import know_vectors
from tests.sql.planning import asked as ask
from tests.sql.planning import plan
from tests.sql.writing import put, relate

WORDS = ["ada", "bel", "cat", "dog", "eel"]
CONSTANTS = Constants(average=8.0)
CLAIMS: list[dict[str, Any]] = [{}, {"tags": ["x"]}]
WIDE = {"tags": ["x"]}
VECTORS = [(1.0, 0.0, 0.0, 0.0), (9.0, 1.0, 0.0, 0.0), (9.0, 2.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), None]
QUERY = [1.0, 0.0, 0.0, 0.0]
NAMES = ["a", "b", "c", "B", "é"]
DEPTH = 20
"""Chunks of one document in each list that is fused, or more if more are asked for."""

Text = tuple[str, tuple[float, ...] | None]
Stored = tuple[bool, tuple[Text, ...]]
"""Whether it is hidden without the tag; its chunks."""
Row = tuple[str, int, float, int, str]
"""Document, chunk, score, in which order it was chosen and by what."""

texts = st.lists(st.sampled_from([*WORDS, *WORDS[:2] * 2]), min_size=1, max_size=6).map(" ".join)
few = st.lists(st.tuples(texts, st.sampled_from(VECTORS)), min_size=1, max_size=5).map(tuple)
chunks = st.builds(lambda found, times: found * times, few, st.sampled_from([1, 1, 1, 9]))
libraries = st.dictionaries(st.sampled_from(NAMES), st.tuples(st.booleans(), chunks), min_size=3)
edges = st.sets(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=6)
choices = st.fixed_dictionaries(
    {
        "max_chunks": st.sampled_from([0, 2, 10, 10]),
        "per_document": st.sampled_from([0, 1, 2, 21, 100]),
        "reserve": st.sampled_from(["0", "0.4", "1"]),
        "selection": st.sampled_from(["similarity", "bridge"]),
        "rrf_k": st.sampled_from([1, 60, 200]),
    }
)


@pytest.fixture(scope="module")
def superuser(unguarded: Asked) -> Connection:
    unguarded.superuser.execute(
        "SELECT docgraph.rebuild_lexical(average_length => 8, text_search => 'simple')"
    )
    unguarded.superuser.execute(
        "SELECT docgraph.grant_access('default', session_user::text, NULL, NULL, NULL, NULL, NULL)"
    )
    return unguarded.superuser


def write(superuser: Connection, library: Mapping[str, Stored], led: set[tuple[str, str]]) -> None:
    put(
        superuser,
        *(
            {
                "id": name,
                "tags": ["x"] if hidden else [],
                "chunks": [{"text": t} | ({"embedding": v} if v else {}) for t, v in found],
            }
            for name, (hidden, found) in library.items()
        ),
        access=WIDE,
    )
    links = [(a, "explains", b) for a, b in sorted(led) if a != b and {a, b} <= library.keys()]
    if links:
        relate(superuser, *links, access=WIDE)


def expected(
    seen: Mapping[str, Stored], made: Plan, question: Sequence[str], mode: str, how: Mapping[str, Any]
) -> list[Row]:
    """In the order of the plan."""
    kept = {each.name: each for each in obeyed(made)[0] if each.name in seen}
    everywhere = {(name, n): text for name, (_, found) in seen.items() for n, (text, _) in enumerate(found)}
    by_words = [hit for hit in ranked(scores(everywhere, question, CONSTANTS), 10**6) if hit[0][0] in kept]
    score = dict(by_words)
    order = [key for key, _ in by_words]
    if mode == "hybrid":
        query = stored(tuple(QUERY), "cosine")
        away = {
            (name, n): round(1000000 * distance(stored(vector, "cosine"), query, "cosine"))
            for name in kept
            for n, (_, vector) in enumerate(seen[name][1])
            if vector is not None
        }
        deep = max(DEPTH, how["per_document"])
        by_meaning = best(sorted(away, key=lambda key: (away[key], key[0].encode(), key[1])), deep)
        order = best(order, deep)
        lists = [by_meaning, order]
        order = fused(by_meaning, order, [], how["rrf_k"])
        score = {key: fusion(key, lists, how["rrf_k"]) for key in order}
    order = best(order, how["per_document"])
    candidates = [
        Chunk(
            kept[name],
            n,
            Piece(everywhere[name, n]),
            place if mode == "hybrid" else floor(-score[name, n] * 10**6 + 0.5),
        )
        for place, (name, n) in enumerate(order, 1)
    ]
    words = {chunk: {*tokens(chunk.piece.text)} & {*question} for chunk in candidates}
    return rows(chosen(made, candidates, words if question else None, how), score)


def best(keys: Sequence[Key], per_document: int) -> list[Key]:
    """So many of each document, in their order."""
    taken: Counter[str] = Counter()
    found = []
    for key in keys:
        taken[key[0]] += 1
        if taken[key[0]] <= per_document:
            found.append(key)
    return found


def fusion(key: Key, lists: Sequence[Sequence[Key]], rrf_k: int) -> float:
    total = sum((Fraction(1, rrf_k + each.index(key) + 1) for each in lists if key in each), Fraction(0))
    return floor(total * 10**12 + Fraction(1, 2)) / 10**12


def chosen(
    made: Plan, candidates: Sequence[Chunk], words: Mapping[Chunk, set[str]] | None, how: Mapping[str, Any]
) -> list[tuple[Chunk, str]]:
    if how["selection"] == "similarity":
        return choose(candidates, how["max_chunks"], Decimal(how["reserve"]))
    seeds = [each["document_id"] for each in made["seed_documents"]]
    return bridge(candidates, seeds, led_by(made), words)[: how["max_chunks"]]


def rows(turns: Sequence[tuple[Chunk, str]], score: Mapping[Key, float]) -> list[Row]:
    found = {chunk: (turn, by) for turn, (chunk, by) in enumerate(turns, 1)}
    return [
        (chunk.document.name, chunk.number, score[chunk.document.name, chunk.number], *found[chunk])
        for chunk in in_order(list(found))
    ]


def check(
    superuser: Connection,
    library: dict[str, Stored],
    led: set[tuple[str, str]],
    seeds: list[str],
    question: list[str],
    mode: str,
    how: dict[str, Any],
) -> None:
    """For who sees all of it, and for who does not: then also by a plan of who does."""
    with superuser.transaction(force_rollback=True):
        write(superuser, library, led)
        whole = plan(superuser, seeds=seeds, access=WIDE)
        for claim in CLAIMS:
            seen = {name: each for name, each in library.items() if not each[0] or claim}
            for made in (whole, plan(superuser, seeds=seeds, access=claim)):
                arguments: dict[str, Any] = {"plan": made, "access": claim, "chunk_mode": mode, **how}
                arguments |= {"query_text": " ".join(question)}
                arguments |= {"query_embedding": QUERY} if mode == "hybrid" else {}
                found = ask(
                    superuser,
                    EXECUTE_PLAN,
                    arguments,
                    "document_id, chunk, score, chosen, chosen_by",
                )
                assert found == expected(seen, made, question, mode, how), json.dumps(made)


WORLDS: dict[str, Any] = {
    "library": libraries,
    "led": edges,
    "seeds": st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True),
    "question": st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=4),
    "mode": st.sampled_from(["bm25", "hybrid"]),
    "how": choices,
}


@given(**WORLDS)
def test_evidence_by_words_is_that_of_the_model(superuser: Connection, **world: Any) -> None:
    check(superuser, **world)


FUSE = "core/fuse_ranks.sql"
SCORE = "core/exact_scores.sql"
GOOD = "core/score_documents.sql"
WORDED = "core/worded_chunks.sql"
FUSED = "core/fused_chunks.sql"
BRIDGE = "core/order_by_bridge.sql"
STANDING = "core/words_of_chunks.sql"
CHOOSE = "core/choose_chunks.sql"
MUTANTS = [
    Mutant(SCORE, "ORDER BY 3 DESC, e.document_id, e.ordinal", "ORDER BY 3 DESC, e.ordinal, e.document_id"),
    Mutant(GOOD, "r.place <= per_document", "r.place < per_document"),
    Mutant(GOOD, "r.score > 0 AND ", ""),
    Mutant(GOOD, "min(r.score) FILTER", "max(r.score) FILTER"),
    Mutant(GOOD, "i.ordinal >= 0", "i.ordinal > 0"),
    Mutant(WORDED, "visible, true, asked.words", "visible, false, asked.words"),
    Mutant(WORDED, "WHERE l.place <= per_document", ""),
    Mutant(WORDED, "PARTITION BY p.position ORDER BY s.nth", "ORDER BY s.nth"),
    Mutant(WORDED, "array_agg(-l.score", "array_agg(l.score"),
    Mutant(FUSE, "1::numeric / (rrf_k + min(l.words))", "1::numeric / (60 + min(l.words))"),
    Mutant(FUSE, ", 12) AS score", ", 6) AS score"),
    Mutant(FUSE, "ORDER BY 3 DESC, min(l.meaning), min(l.words)", "ORDER BY 3 DESC, min(l.words)"),
    Mutant(FUSED, "NULL, rrf_k);", "NULL, 60);"),
    Mutant(FUSED, "query, metric, depth);", "query, metric, per_document);"),
    Mutant(FUSED, "question, depth, true);", "question, per_document, true);"),
    Mutant(FUSED, "PARTITION BY p.position ORDER BY f.nth", "ORDER BY f.nth"),
    Mutant(FUSED, "WHERE l.place <= per_document", ""),
    Mutant(
        FUSED,
        "coalesce(array_agg(l.nth ORDER BY l.nth), '{}')",
        "coalesce(array_agg(-l.nth ORDER BY l.nth), '{}')",
    ),
]
MUTANTS_OF_BRIDGE = [
    Mutant(BRIDGE, "ORDER BY l.brought DESC, l.nth", "ORDER BY l.nth"),
    Mutant(BRIDGE, "ORDER BY l.brought DESC, l.nth", "ORDER BY l.brought, l.nth"),
    Mutant(BRIDGE, "CASE r.brought WHEN 0 THEN 1 ELSE 0 END", "0"),
    Mutant(BRIDGE, "c.words & ~ h.words", "c.words"),
    Mutant(BRIDGE, "c.words & ~ h.words", "c.words & h.words"),
    Mutant(STANDING, "BETWEEN f.ordinal AND f.ordinal", "BETWEEN 0 AND 0"),
    Mutant(STANDING, "THEN '1' ELSE '0' END", "THEN '1' ELSE '1' END"),
    Mutant(STANDING, "        ORDER BY f.nth\n    );", "        ORDER BY f.nth DESC\n    );"),
    Mutant(CHOOSE, "CASE WHEN chunk_mode <> 'semantic' THEN question END", "NULL"),
]


@pytest.mark.long
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.before} -> {mutant.after}")
def test_a_mistake_is_noticed(unguarded: Asked, superuser: Connection, mutant: Mutant) -> None:
    notice(unguarded, superuser, mutant, WORLDS)


@pytest.mark.long
@pytest.mark.parametrize("mutant", MUTANTS_OF_BRIDGE, ids=lambda mutant: f"{mutant.before} -> {mutant.after}")
def test_a_mistake_of_bridge_is_noticed(unguarded: Asked, superuser: Connection, mutant: Mutant) -> None:
    """In worlds where a seed leads to several documents, and the question has several words."""
    several = {
        "led": st.sets(st.tuples(st.sampled_from(NAMES[:2]), st.sampled_from(NAMES)), min_size=4),
        "seeds": st.permutations(NAMES[:2]),
        "question": st.lists(st.sampled_from(WORDS), min_size=3, max_size=5, unique=True),
        "mode": st.just("hybrid"),
        "how": st.just(
            {"max_chunks": 10, "per_document": 1, "reserve": "0", "selection": "bridge", "rrf_k": 60}
        ),
    }
    notice(unguarded, superuser, mutant, {**WORLDS, **several})


def notice(unguarded: Asked, superuser: Connection, mutant: Mutant, worlds: dict[str, Any]) -> None:
    know_vectors(unguarded.superuser)

    @settings(phases=[Phase.generate], max_examples=400, derandomize=True, database=None)
    @given(**worlds)
    def look(**world: Any) -> None:
        check(superuser, **world)

    with mistaken(unguarded, mutant), pytest.raises(Exception):  # noqa: B017, PT011 - an error notices, too
        look()
