"""How long a search by words takes, and whether it is BM25. By turns, on the same chunks:

- `search_nodes(mode => 'bm25')` as an ordinary login behind row security, which sees most of the chunks,
- `ts_rank` over all GIN candidates of the same table as its owner, the usual way of ranking in PostgreSQL,
- `bm25s` (method lucene) in memory, over the chunks that the login may see.

The answers must be those of `bm25s`: the same ten chunks, and the same scores to 1e-4 of them.
"""

from __future__ import annotations

import json
import time
from typing import Any

import bm25s
import numpy as np
import psycopg

from bench import machine
from bench.corpora import lexical_corpus
from bench.reader import reader
from bench.results import Measured, Say, Target
from bench.speed import tables
from bench.speed.sizes import Size
from bench.speed.tables import Ratio
from bench.timing import WARM, Contender, Timed, by_turns
from docgraph.access import Access, EmbeddingSpace
from docgraph.client import DocGraph

PLACES = 10
_VOCABULARY = 60_000
_FREQUENT = (2, 4)
"""Very frequent words of a question's eight."""
_RATIO = Ratio("search_nodes, bm25", "ts_rank over GIN candidates", "<=", 0.1)
PRECISION = 1e-4

_SEARCH = """
SELECT document_id, chunk FROM docgraph.search_nodes('default', %s, query_text => %s, mode => 'bm25',
    search_in => 'chunks', max_nodes => 10)
"""
_TS_RANK = """
SELECT i.document_id, i.ordinal
FROM docgraph.lexical_index i
WHERE i.tenant_id = 'default' AND i.access_class = ANY (%s) AND i.ordinal >= 0 AND i.lexemes @@ %s::tsquery
ORDER BY ts_rank(i.lexemes, %s::tsquery) DESC, i.document_id, i.ordinal
LIMIT 10
"""
_SCORES = (
    "SELECT documents, chunks, scores FROM docgraph.best_by_words('default', %s, %s, 'chunks', 10, '{}')"
)
_CLAIM = json.dumps({"tags": lexical_corpus.TAGS})

Hit = tuple[str, int]
Connection = psycopg.Connection[tuple[Any, ...]]


def measure(server: str, size: Size, say: Say) -> Measured:
    space = EmbeddingSpace("bench", 4, "cosine", "simple", 100.0)
    with machine.database(server, "lexical", space) as database:
        return _measure(database, size, say)


def _measure(database: str, size: Size, say: Say) -> Measured:
    texts = lexical_corpus.make(size.worded_chunks, _VOCABULARY)
    visible = texts.visible()
    mean = float(np.mean([len(texts.chunks[number]) for number in visible]))
    loaded = _load(database, texts, mean)
    say(", ".join(f"{what}: {found:.0f} s" for what, found in loaded.items()))

    retriever = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    retriever.index([texts.tokens(number) for number in visible], show_progress=False)
    places = [
        (lexical_corpus.document_id(n // lexical_corpus.PER_DOCUMENT), n % lexical_corpus.PER_DOCUMENT)
        for n in visible
    ]
    measured = Measured()
    with (
        reader(database, lexical_corpus.TAGS) as login,
        psycopg.connect(login, autocommit=True) as asking,
        psycopg.connect(database, autocommit=True) as owner,
    ):
        owner.execute("SET ROLE docgraph_owner")
        classes = _visible_classes(owner)
        for frequent in _FREQUENT:
            asked = lexical_corpus.questions(texts, size.rounds + WARM, frequent)
            everybody = _contenders(asking, owner, classes, asked, retriever, places)
            found = by_turns(everybody, size.rounds, size.patience)
            worst = max(_difference(owner, classes, retriever, places, asked[n]) for n in range(size.rounds))
            which = f"{frequent} of 8 words very frequent"
            title = f"Search by words, {size.worded_chunks:,} chunks, {which}"
            same = _same(found["search_nodes, bm25"], found["bm25s in memory"])
            note = f"{same:.1%} of what search_nodes gives is what bm25s gives; it orders ties otherwise."
            measured.tables.append(tables.times(title, found, note=note))
            measured.targets += tables.ratios(found, [_RATIO], f"words, {which}")
            measured.targets.append(
                Target(f"words, {which}: scores to those of bm25s", worst, "<=", PRECISION)
            )
    return measured


def _same(ours: Timed, theirs: Timed) -> float:
    """Which part of the answers is the same."""
    found = [len({*answer} & {*theirs.answers[number]}) for number, answer in ours.answers.items()]
    return sum(found) / (PLACES * len(found))


def _load(database: str, texts: lexical_corpus.Texts, mean: float) -> dict[str, float]:
    times = {}
    with DocGraph(database, access=Access(tags=["hr", "it", "board"])) as client:
        began = time.perf_counter()
        report = client.put(texts.documents())
        if report.failed:
            raise RuntimeError(f"put failed: {report.problems[:3]}")
        times["put"] = time.perf_counter() - began
        began = time.perf_counter()
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("SELECT * FROM docgraph.rebuild_lexical(average_length => %s)", [mean])
        times["rebuild_lexical"] = time.perf_counter() - began
        connection.execute("VACUUM ANALYZE")
    return times


def _visible_classes(owner: Connection) -> list[int]:
    rows = owner.execute("SELECT docgraph.visible_classes('default', %s)", [_CLAIM]).fetchone()
    return list(rows[0]) if rows else []


def _contenders(  # noqa: PLR0917 - what each of them needs
    asking: Connection,
    owner: Connection,
    classes: list[int],
    asked: list[list[str]],
    retriever: bm25s.BM25,
    places: list[Hit],
) -> list[Contender]:
    def search(number: int) -> list[Hit]:
        return [(d, c) for d, c in asking.execute(_SEARCH, [_CLAIM, " ".join(asked[number])])]

    def ts_rank(number: int) -> list[Hit]:
        query = " | ".join(asked[number])
        return [(d, c) for d, c in owner.execute(_TS_RANK, [classes, query, query])]

    def in_memory(number: int) -> list[Hit]:
        found, _ = retriever.retrieve([asked[number]], k=PLACES, show_progress=False)
        return [places[place] for place in found[0]]

    def names(answer: list[Hit]) -> tuple[list[str], list[str]]:
        return [f"{d}#{c}" for d, c in answer], []

    return [
        Contender("search_nodes, bm25", search, names),
        Contender("ts_rank over GIN candidates", ts_rank, names),
        Contender("bm25s in memory", in_memory, names),
    ]


def _difference(
    owner: Connection, classes: list[int], retriever: bm25s.BM25, places: list[Hit], words: list[str]
) -> float:
    """How far scores are apart, as a part of them; the ten must be the same but for ties at the end."""
    row = owner.execute(_SCORES, [classes, " ".join(words)]).fetchone()
    if row is None:
        raise RuntimeError("no answer")
    ours: dict[Hit, float] = {(d, c): score for d, c, score in zip(*row, strict=True)}
    all_scores = retriever.get_scores(words)
    best = np.sort(all_scores)[::-1][:PLACES]
    theirs = {
        places[n]: float(all_scores[n]) for n in np.flatnonzero(all_scores >= best[-1] * (1 - PRECISION))
    }
    if len(ours) != PLACES or not ours.keys() <= theirs.keys():
        raise RuntimeError(f"not the ten of bm25s: {words}")
    ranked = sorted(ours.values(), reverse=True)
    differences: list[float] = [
        *(abs(score - theirs[hit]) / theirs[hit] for hit, score in ours.items()),
        *(abs(a - b) / b for a, b in zip(ranked, best.tolist(), strict=True)),
    ]
    return max(differences)
