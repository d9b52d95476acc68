"""Sets of questions from what HotpotQA, 2WikiMultihopQA and MuSiQue publish: their development sets.

Each question comes with passages, of which some answer it; here all passages of the chosen questions are one
collection.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple


class Passage(NamedTuple):
    """Of a question."""

    title: str
    text: str
    answers: bool


def write(source: Path, target: Path, count: int) -> tuple[int, int]:
    """The questions with the lowest digests of their ids. Gives the numbers of questions and documents."""
    asked = sorted(_entries(source), key=lambda entry: hashlib.sha256(_id(entry).encode()).digest())[:count]
    ids: dict[tuple[str, str], str] = {}
    questions = []
    for entry in asked:
        of_passages = {
            ids.setdefault((one.title, one.text), f"d{len(ids)}"): one.answers for one in _passages(entry)
        }
        gold = [document for document, answers in of_passages.items() if answers]
        questions.append({"id": _id(entry), "question": entry["question"], "gold": gold})
    documents = [{"id": name, "title": title, "text": text} for (title, text), name in ids.items()]
    made = {"documents": documents, "relationships": [], "questions": questions}
    target.parent.mkdir(parents=True, exist_ok=True)
    # Without the time: the same file gives the same set.
    target.write_bytes(gzip.compress(json.dumps(made, ensure_ascii=False).encode(), mtime=0))
    return len(questions), len(documents)


def _entries(source: Path) -> list[dict[str, Any]]:
    """One list, or a line for each."""
    text = source.read_text("utf-8")
    if text.lstrip().startswith("["):
        found: list[dict[str, Any]] = json.loads(text)
        return found
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _id(entry: Mapping[str, Any]) -> str:
    return str(entry.get("_id", entry.get("id")))


def _passages(entry: Mapping[str, Any]) -> Iterator[Passage]:
    if "paragraphs" in entry:  # MuSiQue
        for each in entry["paragraphs"]:
            yield Passage(each["title"], each["paragraph_text"], each["is_supporting"])
        return
    answering = {title for title, _ in entry["supporting_facts"]}
    for title, sentences in entry["context"]:
        yield Passage(title, " ".join(sentence.strip() for sentence in sentences), title in answering)
