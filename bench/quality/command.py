"""All sets of a folder, asked in all ways; then with worse links; then questions that need one document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from bench.quality import controls, sets
from bench.quality.measuring import Figures, Part, Score, Vectors, figures, scores
from bench.quality.published import PUBLISHED
from bench.quality.sets import Question, QuestionSet
from bench.quality.stores import relate, stored
from bench.quality.ways import BEST, PLACES, TOKENS, Where, ways
from bench.results import Cell, Result, Say, Table, Target
from docgraph.client import DocGraph

PASSAGES = ("2wikimultihop", "hotpotqa", "musique")
AUTHORITY = "ghsa-authority"
ALL = {*PASSAGES, AUTHORITY}
AMONG = 2318
"""Documents of the authority set, distractors included."""

_SAME_FLAT = "flat, hybrid"
"""What the best plan is made from: what it loses against this, it loses by its links."""
_WANTED = {"2wikimultihop": (0.95, 0.08), "hotpotqa": (0.91, 0.08), "musique": (0.66, 0.03)}
"""R@5 of the best plan, and how much it is to be above the best flat search."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One set, asked in all ways."""

    questions: QuestionSet
    search_in: Where
    links: int
    by_way: dict[str, dict[str, Score]]

    def figures(self, way: str, part: Part = "all") -> Figures:
        return figures(self.by_way[way], self.questions.questions, part)

    @property
    def best_flat(self) -> str:
        flat = [way for way in self.by_way if way.startswith("flat")]
        return max(flat, key=lambda way: self.figures(way).recall)


def measure(server: str, folder: Path, model: str, result: Result, say: Say) -> None:
    """Into the tables and targets of the result: of those sets that are there."""
    there = sets.names(folder)
    result.without += [f"{name}: not in {folder}" for name in sorted(ALL - there)]
    result.about["sets"] = ", ".join(f"{name} {sets.digest(folder, name)}" for name in sorted(ALL & there))
    passages = [sets.read(folder, name) for name in PASSAGES if name in there]
    worse: list[Sequence[Cell]] = []
    for questions in passages:
        with stored(server, questions, model) as client:
            vectors = _vectors(client, questions)
            asked = _ask(client, questions, vectors, "summaries", say)
            _report(result, asked, model)
            worse += _with_worse_links(client, asked, vectors, result, say)
    if AUTHORITY in there and not there >= {*PASSAGES}:
        result.without.append(f"{AUTHORITY}: its documents stand among those of {', '.join(PASSAGES)}")
    elif AUTHORITY in there:
        authority = sets.read(folder, AUTHORITY).among(passages, AMONG)
        with stored(server, authority, model) as client:
            vectors = _vectors(client, authority)
            asked = _ask(client, authority, vectors, "chunks", say)
            _report(result, asked, model)
            _one_document(client, asked, vectors, result, say)
            worse += _with_worse_links(client, asked, vectors, result, say)
    result.tables.append(Table("Worse links", ("set", "links", f"R@{PLACES}", "to flat"), worse))
    result.tables.append(PUBLISHED)


def _vectors(client: DocGraph, questions: QuestionSet) -> Vectors:
    return {each.id: client.embed(each.text) for each in questions.questions}


def _ask(client: DocGraph, questions: QuestionSet, vectors: Vectors, search_in: Where, say: Say) -> Asked:
    links = relate(client, {}, questions.links)
    found = {}
    for way in ways(search_in):
        found[way.name] = scores(client, way, questions.questions, vectors)
        say(f"{questions.name}, {way.name}: {figures(found[way.name], questions.questions).recall:.3f}")
    return Asked(questions, search_in, links, found)


def _report(result: Result, asked: Asked, model: str) -> None:
    name = asked.questions.name
    rows: list[Sequence[Cell]] = []
    for way in asked.by_way:
        of = asked.figures(way)
        halves = [asked.figures(way, part).recall for part in ("one half", "other half")]
        rows.append(
            (way, of.first, of.recall, of.either_way, of.whole, of.within_tokens, of.in_plan, *halves)
        )
    columns = (
        "way",
        "first",
        f"R@{PLACES}",
        "±",
        "all",
        f"in {TOKENS} tokens",
        "in the plan",
        "one half",
        "other half",
    )
    size = f"{len(asked.questions.documents):,} documents, {asked.links:,} links"
    title = f"{name}: {len(asked.questions.questions)} questions, {size}"
    result.tables.append(Table(title, columns, rows))
    best, flat = asked.figures(BEST).recall, asked.figures(asked.best_flat).recall
    if name == AUTHORITY:
        result.targets.append(Target(f"{name}: R@{PLACES} with {model}", best, ">=", 0.98))
        return
    wanted, above = _WANTED[name]
    result.targets.append(Target(f"{name}: R@{PLACES} with {model}", best, ">=", wanted))
    result.targets.append(Target(f"{name}: above «{asked.best_flat}»", best - flat, ">=", above))


def _with_worse_links(
    client: DocGraph, asked: Asked, vectors: Vectors, result: Result, say: Say
) -> Iterator[Sequence[Cell]]:
    questions = asked.questions
    (way,) = (way for way in ways(asked.search_in) if way.name == BEST)
    flat = asked.figures(asked.best_flat).recall
    before = questions.links
    lots = []
    for name, change in controls.CHANGES.items():
        links = change(questions)
        relate(client, before, links)
        before = links
        recall = figures(
            scores(client, way, questions.questions, vectors, tokens=False), questions.questions
        ).recall
        say(f"{questions.name}, {name}: {recall:.3f}")
        yield questions.name, name, recall, recall - flat
        if name.startswith(controls.SHUFFLED):
            lots.append(recall - flat)
    if questions.name != AUTHORITY:
        what = f"{questions.name}: shuffled links to flat, mean of {len(lots)} lots"
        result.targets.append(Target(what, fmean(lots), ">=", -0.04))


def _one_document(client: DocGraph, asked: Asked, vectors: Vectors, result: Result, say: Say) -> None:
    """The same questions, answered by the document that each is about: links must do no harm."""
    about = [Question(each.id, each.text, frozenset({each.id})) for each in asked.questions.questions]
    questions = replace(asked.questions, questions=about)
    found = Asked(
        questions,
        asked.search_in,
        asked.links,
        {way.name: scores(client, way, about, vectors, tokens=False) for way in ways(asked.search_in)},
    )
    rows = [(way, of.first, of.recall) for way, of in ((way, found.figures(way)) for way in found.by_way)]
    result.tables.append(Table("Questions that need one document", ("way", "R@1", f"R@{PLACES}"), rows))
    best, flat = found.figures(BEST), found.figures(_SAME_FLAT)
    result.targets += [
        Target(f"one document: R@1 to «{_SAME_FLAT}»", best.first - flat.first, ">=", -0.01),
        Target(f"one document: R@{PLACES} to «{_SAME_FLAT}»", best.recall - flat.recall, ">=", -0.01),
    ]
    for way, first, recall in rows:
        say(f"one document, {way}: {first:.3f} {recall:.3f}")
