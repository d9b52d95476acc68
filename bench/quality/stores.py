"""Sets of questions in databases of their own, taken in as docgraph takes in files, and asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import psycopg

from bench import machine
from bench.quality.sets import Links, QuestionSet
from docgraph.access import EmbeddingSpace
from docgraph.client import DocGraph
from docgraph.documents import Link
from docgraph.ingest.embedding import why_unresolved
from docgraph.ingest.types import Parsed

MODELS = {"wordllama": ("wordllama/l2_supercat_256", 256), "minilm": ("minilm/all_minilm_l6_v2_int8", 384)}
_PAGE = 1000


def not_there(model: str) -> str | None:
    """What to install for the model; None if it is there."""
    why = why_unresolved(*MODELS[model])
    return why and f"{why} In a checkout: pip install '.[{model}]'"


class _Unlinked:
    """A linker that finds nothing: links are put in by themselves, so that they can be changed."""

    fingerprint = "unlinked"

    def names(self, parsed: Parsed) -> Sequence[str]:
        return []

    def links(self, parsed: Parsed) -> Sequence[Link]:
        return []


@contextmanager
def stored(server: str, questions: QuestionSet, model: str) -> Iterator[DocGraph]:
    """A client of a database with the documents, without links. The lexical index knows their mean length."""
    name, dimensions = MODELS[model]
    space = EmbeddingSpace(name, dimensions, "cosine", "english", 100.0)
    with machine.database(server, "quality", space) as database, DocGraph(database) as client:
        report = client.ingest(questions.raws(), name=questions.name, linker=_Unlinked())
        if report.failed or report.added != len(questions.documents):
            raise RuntimeError(f"{questions.name}: not everything was taken in: {report.problems[:3]}")
        mean = client.rebuild_lexical().mean_length
        client.rebuild_lexical(average_length=mean)
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
        yield client


def relate(client: DocGraph, before: Links, after: Links) -> int:
    """Puts links in place of others. Gives how many there are."""
    gone, new = _as_rows(before, without=after), _as_rows(after, without=before)
    for at in range(0, len(gone), _PAGE):
        client.delete_relationships(gone[at : at + _PAGE])
    for at in range(0, len(new), _PAGE):
        client.put_relationships(new[at : at + _PAGE])
    return sum(map(len, after.values()))


def _as_rows(links: Links, without: Links) -> Sequence[Mapping[str, str]]:
    return [
        {"from": name, "relation_type": kind, "to": to}
        for name, found in links.items()
        for kind, to in {*found} - {*without.get(name, ())}
    ]
