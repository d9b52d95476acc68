"""How long a plan takes: by turns, as an ordinary login, with the same data and questions, beside

- the bare vector search of pgvector for the seeds, without any filter: by HNSW, and exactly; NumPy in memory;
- the same plan made by client-side calls one after another (it must be the same);
- `langchain-graph-retriever`.
"""

from __future__ import annotations

from statistics import fmean

import numpy as np

from bench import machine
from bench.corpora import corpus
from bench.peers import graph as graph_peer
from bench.reader import reader
from bench.results import Measured, Say
from bench.speed import database_calls, tables
from bench.speed.sizes import Size
from bench.speed.tables import Ratio
from bench.timing import WARM, Contender, Timed, by_turns
from docgraph.access import EmbeddingSpace

_SMALLER = 10
"""The second tenant is so many times smaller."""
_BARE = {"bare HNSW", "bare exact scan", "NumPy in memory"}
"""What searches all rows, also those that the caller may not see."""
_RATIOS = [
    Ratio("plan, approximate", "bare HNSW", "<=", 4.0),
    Ratio("search, exact", "bare exact scan", "<=", 1.8),
    Ratio("client-side plan, approximate", "plan, approximate", ">=", 2.0),
    Ratio("client-side plan, exact", "plan, exact", ">=", 2.0),
    Ratio("graph retriever, in memory", "plan, exact", ">=", 5.0),
    Ratio("graph retriever, Chroma", "plan, approximate", ">=", 5.0),
]


def measure(server: str, size: Size, say: Say) -> Measured:
    """First without the peers: what they hold in memory would push the others out of the caches."""
    space = EmbeddingSpace("bench", size.dimensions, "cosine", "english", 100.0)
    count = size.planned_documents
    with machine.database(server, "plan", space) as database:
        own = corpus.make(corpus.TENANT, count, size.dimensions, seed=0)
        other = corpus.make("second", max(count // _SMALLER, 10), size.dimensions, seed=1)
        with corpus.loading(database) as connection:
            for each in (own, other):
                corpus.load(connection, each)
        say(f"{count:,} documents loaded and indexed")
        asked = corpus.questions(size.rounds + WARM, size.dimensions)
        with (
            reader(database, corpus.CLAIM["tags"]) as login,
            database_calls.contenders(database, login, asked) as contenders,
        ):
            measured = Measured()
            everybody = [*contenders, _numpy([own, other], asked)]
            found = by_turns(everybody, size.rounds, size.patience)
            _require_same(found)
            _add(measured, f"Plans, {count:,} documents", everybody, found)
            peers = list(graph_peer.contenders(own, asked, say)) if size.peers else []
            if peers:
                everybody = [one for one in contenders if one.name.startswith("plan")] + peers
                found = by_turns(everybody, size.rounds, size.patience)
                _add(measured, f"Plans, {count:,} documents, beside the graph retriever", everybody, found)
    return measured


def _add(measured: Measured, title: str, everybody: list[Contender], found: dict[str, Timed]) -> None:
    answers = tables.read(everybody, found)

    def recall(name: str, number: int, answer: tuple[list[str], list[str]]) -> float | None:
        exact = answers["bare exact scan" if name in _BARE else "plan, exact"].get(number)
        return None if exact is None else len({*answer[0]} & {*exact[0]}) / len(exact[0])

    recalls = {
        name: fmean(
            share for number, answer in each.items() if (share := recall(name, number, answer)) is not None
        )
        for name, each in answers.items()
    }
    documents = tables.means(answers, lambda _, __, answer: len(answer[1]))
    measured.tables.append(tables.times(title, found, {"recall": recalls, "documents": documents}))
    measured.targets += tables.ratios(found, _RATIOS, title)


def _numpy(parts: list[corpus.Corpus], asked: list[list[float]]) -> Contender:
    """All vectors as one matrix of single precision, in one thread."""
    matrix = np.concatenate([part.vectors for part in parts])
    ids = [one for part in parts for one in part.ids]

    def call(number: int) -> list[str]:
        near = matrix @ np.asarray(asked[number], np.float32)
        best = np.argpartition(-near, database_calls.SEEDS)[: database_calls.SEEDS]
        return [ids[place] for place in best[np.argsort(-near[best])]]

    return Contender("NumPy in memory", call, lambda answer: (answer, answer))


def _require_same(found: dict[str, Timed]) -> None:
    """The client-side plan is the plan, or the comparison is of different things."""
    for method in database_calls.METHODS:
        made, plans = found[f"client-side plan, {method}"].answers, found[f"plan, {method}"].answers
        for number in made.keys() & plans.keys():
            if made[number] != plans[number]:
                raise RuntimeError(f"question {number}, {method}: the client side has another plan")
