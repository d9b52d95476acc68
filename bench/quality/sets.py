"""Sets of questions, each with the documents that answer it.

A set is a file `NAME.json.gz` with `documents` (id, title, text, doc_type), `relationships` (from, to, type)
and `questions` (id, question, gold: ids). Sets of passages come without relationships: theirs are the
mentions of other documents' titles that docgraph's own linker finds. `python -m bench questions` makes such
sets from what others publish.
"""

from __future__ import annotations

import gzip
import hashlib
import html
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from docgraph.ingest.linking import DocumentLinker
from docgraph.ingest.types import Parsed, Raw

COMMON = 50
"""A title in more documents than this leads nowhere. Tuned on all questions here: of 20, 50 and no limit."""

_SUFFIX = ".json.gz"

Links = dict[str, list[tuple[str, str]]]
"""For each document, to which it leads, and over which type."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the documents that answer it together."""

    id: str
    text: str
    gold: frozenset[str]

    @property
    def is_of_one_half(self) -> bool:
        """One half, by the digest of its id: figures of both show how much chance there is in them."""
        return hashlib.sha256(self.id.encode()).digest()[0] % 2 == 0


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Documents, the links between them, and questions."""

    name: str
    documents: Sequence[dict[str, str]]
    links: Links = field(repr=False)
    questions: Sequence[Question] = field(repr=False)

    def raws(self) -> Iterator[Raw]:
        """The documents as files, as docgraph takes them in."""
        for document in self.documents:
            matter = {key: document[key] for key in ("id", "title", "doc_type") if document.get(key)}
            head = "".join(f"{key}: {json.dumps(value)}\n" for key, value in matter.items())
            suffix = "md" if document.get("doc_type") else "txt"
            name = document["id"].replace("/", "_").replace("@", "_")
            yield Raw(f"{name}.{suffix}", f"---\n{head}---\n{document['text']}".encode())

    def among(self, others: Sequence[QuestionSet], size: int) -> QuestionSet:
        """The same questions, with documents of others as distractors, up to so many in all."""
        each = max(size - len(self.documents), 0) // max(len(others), 1)
        added = [
            {**document, "id": f"{other.name}/{document['id']}"}
            for other in others
            for document in other.documents[:each]
        ]
        return replace(self, documents=[*self.documents, *added])


def names(folder: Path) -> set[str]:
    """The sets of a folder."""
    return {path.name.removesuffix(_SUFFIX) for path in folder.glob(f"*{_SUFFIX}")}


def digest(folder: Path, name: str) -> str:
    """The beginning of that of a set: other questions give other figures."""
    return hashlib.sha256(gzip.decompress((folder / f"{name}{_SUFFIX}").read_bytes())).hexdigest()[:12]


def read(folder: Path, name: str) -> QuestionSet:
    """One set of a folder."""
    with gzip.open(folder / f"{name}{_SUFFIX}") as file:
        found: dict[str, Any] = json.load(file)
    # Some sets escape titles as HTML has it, but not texts.
    documents = [{**each, "title": html.unescape(each["title"])} for each in found["documents"]]
    questions = [
        Question(each["id"], each["question"], frozenset(each["gold"])) for each in found["questions"]
    ]
    links: Links = {}
    for each in found["relationships"]:
        links.setdefault(each["from"], []).append((each["type"], each["to"]))
    return QuestionSet(name, documents, links or _mentions(documents), questions)


def _mentions(documents: Sequence[dict[str, str]]) -> Links:
    """Twice: titles that stand in very many documents say little of any."""
    titles: dict[str, list[str]] = {}
    for each in documents:
        titles.setdefault(each["title"], []).append(each["id"])
    title_of = {each["id"]: each["title"] for each in documents}
    found = _found_by(DocumentLinker(titles=titles, frequency_cap=COMMON), documents)
    frequency = Counter(title for links in found.values() for title in {title_of[to] for _, to in links})
    linker = DocumentLinker(titles=titles, frequency_cap=COMMON, document_frequency=frequency)
    return _found_by(linker, documents)


def _found_by(linker: DocumentLinker, documents: Sequence[dict[str, str]]) -> Links:
    return {
        each["id"]: [
            (link.relation_type, link.to)
            for link in linker.links(Parsed(each["id"], "text", each["text"], each["title"]))
            if link.relation_type == "mentions"
        ]
        for each in documents
    }
