"""How long a search by words takes, and whether it is BM25: `python -m bench.lexical`.

In one run, on the same chunks and with the same questions, by turns:

- `search_nodes(mode => 'bm25')` as an ordinary login behind row security, which sees most of the chunks,
- `ts_rank` over all GIN candidates of the same table as its owner, the usual way of ranking in PostgreSQL,
- `bm25s` (method lucene) in memory, over the chunks that the login may see.

The answers must be those of `bm25s`: the same ten chunks, and the same scores to 1e-4 of them.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import psycopg
from rich.console import Console
from rich.table import Table

from bench import lexical_corpus, machine
from bench.reader import reader
from bench.timing import WARM, Contender, Timed, by_turns
from docgraph.access import Access, EmbeddingSpace
from docgraph.client import DocGraph
from docgraph.engine import ServerVersionWarning

PLACES = 10
TARGET = 0.1
"""Of the median of ts_rank, at most."""
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


def main() -> int:
    given = _arguments()
    # Which server it is stands in the result.
    warnings.simplefilter("ignore", ServerVersionWarning)
    console = Console(
        highlight=False, markup=False, soft_wrap=True, width=None if sys.stdout.isatty() else 110
    )
    space = EmbeddingSpace("bench", 4, "cosine", "simple", 100.0)
    with machine.server(given.url) as server:
        about = machine.description(server) | {
            "command": " ".join(["python -m bench.lexical", *sys.argv[1:]])
        }
        for key, value in about.items():
            console.print(f"{key}: {value}")
        with machine.database(server, "lexical", space) as database:
            results = _measure(database, given, console)
    about["load at the end"] = " ".join(f"{load:.2f}" for load in os.getloadavg())
    console.print(f"load at the end: {about['load at the end']}")
    if given.json:
        given.json.write_text(json.dumps({"about": about, "results": results}, indent=2) + "\n", "utf-8")
    return 0 if all(result["met"] for result in results["questions"].values()) else 1


def _measure(database: str, given: argparse.Namespace, console: Console) -> dict[str, Any]:
    texts = lexical_corpus.make(given.chunks, given.vocabulary)
    visible = texts.visible()
    mean = float(np.mean([len(texts.chunks[number]) for number in visible]))
    times = _load(database, texts, mean)
    console.print(", ".join(f"{what}: {found:.0f} s" for what, found in times.items()))

    retriever = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    retriever.index([texts.tokens(number) for number in visible], show_progress=False)
    places = [
        (lexical_corpus.document_id(n // lexical_corpus.PER_DOCUMENT), n % lexical_corpus.PER_DOCUMENT)
        for n in visible
    ]
    results: dict[str, Any] = {"seconds": times, "questions": {}}
    with (
        reader(database, lexical_corpus.TAGS) as login,
        psycopg.connect(login, autocommit=True) as asking,
        psycopg.connect(database, autocommit=True) as owner,
    ):
        owner.execute("SET ROLE docgraph_owner")
        classes = _visible_classes(owner)
        for frequent in given.frequent:
            asked = lexical_corpus.questions(texts, given.rounds + WARM, frequent)
            everybody = _contenders(asking, owner, classes, asked, retriever, places)
            found = by_turns(everybody, given.rounds, given.patience)
            worst = max(_difference(owner, classes, retriever, places, asked[n]) for n in range(given.rounds))
            title = f"{frequent} of 8 words very frequent"
            results["questions"][title] = _summary(found, worst)
            _show(console, f"{title}, {given.chunks:,} chunks", results["questions"][title])
    return results


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


def _summary(found: dict[str, Timed], worst: float) -> dict[str, Any]:
    figures = {
        name: {
            "calls": len(timed.seconds),
            "p50_ms": timed.milliseconds(0.5),
            "p95_ms": timed.milliseconds(0.95),
        }
        for name, timed in found.items()
    }
    ratio = figures["search_nodes, bm25"]["p50_ms"] / figures["ts_rank over GIN candidates"]["p50_ms"]
    return {
        "figures": figures,
        "ratio": ratio,
        "difference": worst,
        "met": ratio <= TARGET and worst <= PRECISION,
    }


def _show(console: Console, title: str, result: dict[str, Any]) -> None:
    table = Table(title=title)
    for column in ("", "calls", "p50 ms", "p95 ms"):
        table.add_column(column)
    for name, figures in result["figures"].items():
        table.add_row(name, str(figures["calls"]), f"{figures['p50_ms']:.2f}", f"{figures['p95_ms']:.2f}")
    console.print(table)
    console.print(
        f"p50 to that of ts_rank: {result['ratio']:.3f} (target: at most {TARGET}); "
        f"scores differ from those of bm25s by {result['difference']:.1e} of them at most; same ten"
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.lexical", description="How long a search by words takes."
    )
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--vocabulary", type=int, default=60_000)
    parser.add_argument("--rounds", type=int, default=100, help="questions; each is put to everybody")
    parser.add_argument(
        "--frequent", type=int, nargs="+", default=[2, 4], help="very frequent words of a question's 8"
    )
    parser.add_argument(
        "--patience", type=float, default=60, help="seconds after which one sits out the other rounds"
    )
    parser.add_argument("--url", help="a server, as its superuser; default: an embedded one as it is shipped")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
