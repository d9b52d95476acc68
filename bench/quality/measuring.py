"""The figures of one set of questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Literal

from bench.quality.sets import Question
from bench.quality.ways import PLACES, Way
from docgraph.client import DocGraph

Vectors = Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Score:
    """Of one question."""

    first: float
    """Whether the first document is one that answers."""
    recall: float
    """How many of those that answer are among the first PLACES."""
    whole: float
    """Whether all of them are."""
    within_tokens: float
    in_plan: float


@dataclass(frozen=True, slots=True)
class Figures:
    """The means over some questions."""

    first: float
    recall: float
    either_way: float
    """How far the recall of all questions of the kind may be from it, in 95 of 100 cases."""
    whole: float
    within_tokens: float
    in_plan: float


def score(
    client: DocGraph, way: Way, question: Question, vector: Sequence[float], *, tokens: bool = True
) -> Score:
    ranked, planned = way.documents(client, question.text, vector)
    found = way.within_tokens(client, question.text, vector) if tokens else set()
    gold = question.gold
    return Score(
        first=float(bool(gold & {*ranked[:1]})),
        recall=len(gold & {*ranked[:PLACES]}) / len(gold),
        whole=float(gold <= {*ranked[:PLACES]}),
        within_tokens=len(gold & found) / len(gold),
        in_plan=len(gold & planned) / len(gold),
    )


def scores(
    client: DocGraph, way: Way, questions: Sequence[Question], vectors: Vectors, *, tokens: bool = True
) -> dict[str, Score]:
    """By the id of the question."""
    return {each.id: score(client, way, each, vectors[each.id], tokens=tokens) for each in questions}


Part = Literal["all", "one half", "other half"]
PARTS: dict[Part, Callable[[Question], bool]] = {
    "all": lambda _: True,
    "one half": lambda question: question.is_of_one_half,
    "other half": lambda question: not question.is_of_one_half,
}


def figures(found: Mapping[str, Score], questions: Sequence[Question], part: Part = "all") -> Figures:
    chosen = [found[each.id] for each in questions if PARTS[part](each)]
    return Figures(
        first=fmean(each.first for each in chosen),
        recall=fmean(each.recall for each in chosen),
        either_way=1.96 * stdev(each.recall for each in chosen) / sqrt(len(chosen)),
        whole=fmean(each.whole for each in chosen),
        within_tokens=fmean(each.within_tokens for each in chosen),
        in_plan=fmean(each.in_plan for each in chosen),
    )
