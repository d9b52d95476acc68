"""Documents for measurements: made from numbers, the same every time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from docgraph.documents import Chunk, Document, Link
from docgraph.ingest.embedding.vectors import shorten

_WORDS = [
    "annual",
    "approval",
    "archive",
    "balance",
    "board",
    "branch",
    "budget",
    "case",
    "change",
    "clause",
    "contract",
    "cost",
    "customer",
    "date",
    "decision",
    "delay",
    "deposit",
    "draft",
    "duty",
    "employee",
    "entry",
    "expense",
    "file",
    "form",
    "grant",
    "holiday",
    "index",
    "invoice",
    "leave",
    "letter",
    "limit",
    "list",
    "manager",
    "market",
    "meeting",
    "member",
    "method",
    "notice",
    "number",
    "office",
    "order",
    "owner",
    "payment",
    "period",
    "plan",
    "policy",
    "price",
    "process",
    "project",
    "proof",
    "quarter",
    "rate",
    "record",
    "refund",
    "report",
    "request",
    "review",
    "risk",
    "rule",
    "salary",
    "schedule",
    "section",
    "service",
    "share",
    "signature",
    "stock",
    "supplier",
    "table",
    "team",
    "term",
    "title",
    "total",
    "travel",
    "unit",
]
_VOCABULARY = 30_000


def _word(place: int) -> str:
    """The words above, then the same with numbers."""
    times, which = divmod(place, len(_WORDS))
    return _WORDS[which] + (str(times) if times else "")


RARE = [_word(place) for place in range(30, 300)]
"""Which one in four to one in sixty texts of a hundred words have."""
_CENTRES = 200


def words(numbers: np.random.Generator, count: int) -> str:
    """Text without sense, of words that occur as unevenly as real ones do."""
    return " ".join(_word(place) for place in (numbers.zipf(1.3, count) - 1) % _VOCABULARY)


def documents(
    first: int, count: int, chunks: int, dimensions: int | None, text_words: int = 120
) -> Iterator[Document]:
    """Documents of so many chunks, each with five links to others; without vectors if dimensions is None.

    Vectors stand in clusters, as those of real texts do.
    """
    centres = np.random.default_rng(7).standard_normal((_CENTRES, dimensions or 1))
    for number in range(first, first + count):
        numbers = np.random.default_rng([11, number])
        vectors: list[list[float] | None] = [None] * (chunks + 1)
        if dimensions:
            around = centres[numbers.integers(_CENTRES)]
            vectors[:] = shorten(around + numbers.standard_normal((chunks + 1, dimensions)))
        targets = numbers.choice(max(number, 5), 5, replace=False)
        yield Document(
            id=f"notes/{number:07}.md",
            title=f"Note {number}",
            source=f"/srv/notes/{number:07}.md",
            summary=words(numbers, 40),
            summary_embedding=vectors[chunks],
            names=[f"NOTE-{number}"],
            links=[
                Link("references", f"NOTE-{target}", "as said in the note")
                for target in sorted(targets.tolist())
                if target != number
            ],
            chunks=[
                Chunk(
                    text=f"{number} {ordinal} {words(numbers, text_words)}",
                    token_count=text_words,
                    embedding=vectors[ordinal],
                    section_path=[f"Note {number}"],
                    start=ordinal * 1000,
                    end=ordinal * 1000 + 900,
                )
                for ordinal in range(chunks)
            ],
        )


def write_folder(folder: Path, count: int) -> None:
    """Markdown files that link to each other, in subfolders of a hundred."""
    for number in range(count):
        (folder / f"{number // 100:02}").mkdir(parents=True, exist_ok=True)
        (folder / name(number)).write_text(_markdown(number, count), encoding="utf-8")


def name(number: int) -> str:
    """Where a file of `write_folder` stands."""
    return f"{number // 100:02}/note-{number:04}.md"


def _markdown(number: int, count: int) -> str:
    numbers = np.random.default_rng([13, number])
    parts = [f"# Note {number}\n"]
    for section in range(6):
        target = int(numbers.integers(count))
        parts.append(f"## Section {section}\n\n{words(numbers, 90)}.\n\n{words(numbers, 60)},")
        parts.append(f"see [note {target}](../{name(target)}).\n")
    return "\n".join(parts)
