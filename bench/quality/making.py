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

LEAST = 20
"""Questions of a set: fewer say nothing, and one of its halves may be empty."""

FILES = {
    "hotpotqa": "hotpot_dev_distractor_v1.json",
    "2wikimultihop": "dev.json of 2WikiMultihopQA",
    "musique": "musique_ans_v1.0_dev.jsonl",
}
"""What is expected, by the name of the set."""
_OWN_KEYS = {"hotpotqa": {"level"}, "2wikimultihop": {"evidences"}, "musique": {"paragraphs"}}

Entry = Mapping[str, Any]


class WrongFileError(ValueError):
    """It is not what is expected."""


class Passage(NamedTuple):
    """Of a question."""

    title: str
    text: str
    answers: bool


class Published(NamedTuple):
    """A question, as it is published."""

    id: str
    text: str
    passages: list[Passage]


def write(kind: str, source: Path, target: Path, count: int) -> tuple[int, int]:
    """The questions with the lowest digests of their ids. Gives the numbers of questions and documents."""
    try:
        found = {each.id: each for each in _published(kind, source)}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise WrongFileError(f"{source} is not {FILES[kind]}, as it is published: {error}") from error
    # Not the digest that makes the halves.
    chosen = sorted(found, key=lambda name: hashlib.sha256(f"sample {name}".encode()).digest())[:count]
    if len(chosen) < LEAST:
        raise WrongFileError(
            f"{source} has {len(chosen)} questions with what answers them; {LEAST} are needed"
        )
    ids: dict[tuple[str, str], str] = {}
    questions = []
    for name in chosen:
        gold = set()
        for one in found[name].passages:
            document = ids.setdefault((one.title, one.text), f"d{len(ids)}")
            if one.answers:
                gold.add(document)
        questions.append({"id": name, "question": found[name].text, "gold": sorted(gold)})
    documents = [{"id": name, "title": title, "text": text} for (title, text), name in ids.items()]
    made = {"documents": documents, "relationships": [], "questions": questions}
    target.parent.mkdir(parents=True, exist_ok=True)
    # Without the time: the same file gives the same set.
    target.write_bytes(gzip.compress(json.dumps(made, ensure_ascii=False).encode(), mtime=0))
    return len(questions), len(documents)


def _published(kind: str, source: Path) -> Iterator[Published]:
    """Those that the passages beside them answer, out of one list or from a line for each."""
    text = source.read_text("utf-8")
    lines = (line for line in text.splitlines() if line.strip())
    for entry in json.loads(text) if text.lstrip().startswith("[") else map(json.loads, lines):
        if not entry.keys() >= _OWN_KEYS[kind]:
            raise ValueError(f"a question without {', '.join(_OWN_KEYS[kind])}")
        passages = [*_passages(entry)]
        titles = {one.title for one in passages if one.answers}
        wanted = {title for title, _ in entry.get("supporting_facts", ())}
        if titles and titles >= wanted and entry.get("answerable", True):
            yield Published(str(entry["_id"] if "_id" in entry else entry["id"]), entry["question"], passages)


def _passages(entry: Entry) -> Iterator[Passage]:
    if "paragraphs" in entry:
        for each in entry["paragraphs"]:
            yield Passage(each["title"], each["paragraph_text"], each["is_supporting"])
        return
    answering = {title for title, _ in entry["supporting_facts"]}
    for title, sentences in entry["context"]:
        yield Passage(title, " ".join(sentence.strip() for sentence in sentences), title in answering)
