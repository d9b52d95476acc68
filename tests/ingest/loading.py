"""A load that is disturbed: what it brings, the process that brings it, and whether what is there is whole.

Run as a program it is that process: `python -m tests.ingest.loading CONNINFO`. It says after each batch how
many documents have been acknowledged, and in the end whether all went well.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any
from unittest.mock import patch

from docgraph.client import DocGraph
from docgraph.documents import Chunk, Document, Link
from docgraph.errors import DocgraphError
from docgraph.ingest import putting
from docgraph.ingest.report import Report
from tests.ingest.embedders import WordEmbedder
from tests.ingest.rows import Row, stored

COUNT = 240
BATCH = 12

_WORDS = WordEmbedder()


def identifier(number: int) -> str:
    return f"d{number:03}"


def document(number: int, version: int) -> Document:
    """With more chunks, other names and other links in its second version."""
    texts = [f"piece {place} of {number}, version {version}" for place in range(2 + 3 * version)]
    targets = {(number + step * version) % COUNT for step in (1, 7, 100)} - {number}
    return Document(
        id=identifier(number),
        title=f"version {version}",
        summary=f"summary {version} of {number}",
        summary_embedding=_WORDS.embed_query(f"summary {version} of {number}"),
        names=[f"NAME-{number}", f"NAME-{number}-{version}"],
        chunks=[Chunk(text, 5, _WORDS.embed_query(text)) for text in texts],
        links=[Link("references", f"NAME-{target}", f"in version {version}") for target in sorted(targets)]
        + [Link("requires", f"NAME-{(number + 3) % COUNT}-{version}")],
    )


def before() -> list[Document]:
    """What is there when the load begins: every second document, in its first version."""
    return [document(number, 1) for number in range(0, COUNT, 2)]


def load() -> list[Document]:
    """What the load brings: every document, in its second version."""
    return [document(number, 2) for number in range(COUNT)]


Rows = dict[str, list[Row]]
_OF_ONE = ("document_nodes", "vector_chunks", "document_names", "document_references")


def _by_document(rows: Rows) -> dict[str, Rows]:
    found: dict[str, Rows] = {}
    for table in _OF_ONE:
        for row in rows[table]:
            found.setdefault(row[1], {name: [] for name in _OF_ONE})[table].append(row)
    return found


def check_whole(conninfo: str, old: Rows, new: Rows, acknowledged: int) -> int:
    """Every document is wholly old or wholly new, those acknowledged are new; the number of new ones.

    And the relationships are those that the references and names give.
    """
    rows = stored(conninfo)
    is_old, is_new, there = _by_document(old), _by_document(new), _by_document(rows)
    changed = {name for name, found in there.items() if found == is_new[name]}
    assert all(name in changed or found == is_old[name] for name, found in there.items())
    assert set(is_old) <= set(there)
    assert {identifier(number) for number in range(acknowledged)} <= changed
    # Batches are whole as well.
    assert changed == {identifier(number) for number in range(len(changed))}
    assert len(changed) % BATCH == 0
    bearers: dict[str, set[str]] = {}
    for _, owner, name in rows["document_names"]:
        bearers.setdefault(name, set()).add(owner)
    wanted = {
        (row[1], row[2], target)
        for row in rows["document_references"]
        for target in bearers.get(row[3], set()) - {row[1]}
    }
    edges = [(row[1], row[2], row[3]) for row in rows["document_relationships"]]
    assert len(edges) == len(set(edges))
    assert set(edges) == wanted
    return len(changed)


def put_all(client: DocGraph, documents: Iterable[Document], **options: Any) -> Report:
    """`put`, in batches that a test can be in the middle of."""
    with patch.object(putting, "BATCH_DOCUMENTS", BATCH):
        return client.put(documents, model="test-model", **options)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(conninfo: str) -> int:
    documents = load()  # made before, so that the time goes into writing
    with DocGraph(conninfo) as client:
        _say("ready")
        try:
            put_all(client, documents, progress=lambda report: _say(str(report.done)))
        except DocgraphError as error:
            sys.stderr.write(f"{type(error).__name__} {error.message}\n")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
