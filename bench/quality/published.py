"""What others report on these sets. Their corpora differ: it says where the field stands, and no more."""

from __future__ import annotations

from bench.results import Table

_PAPER = "arXiv 2502.14802, table 3"
_THEIRS = "1,000 questions of each set, 6,119 to 11,656 passages"
_LLM = f"{_THEIRS}; a graph that an LLM makes of the texts"
_CAR = "arXiv 2604.14488"
_TCA = "whether the document that settles it is among five of 2,318"

PUBLISHED = Table(
    "Published elsewhere: R@5",
    ("system", "HotpotQA", "2Wiki", "MuSiQue", "GHSA", "source", "what differs"),
    [
        ("BM25", 0.748, 0.653, 0.435, None, _PAPER, _THEIRS),
        ("Contriever, flat", 0.753, 0.575, 0.466, None, _PAPER, _THEIRS),
        ("GTR (T5-base), flat", 0.739, 0.679, 0.491, None, _PAPER, _THEIRS),
        ("NV-Embed-v2, flat", 0.945, 0.765, 0.697, None, _PAPER, f"{_THEIRS}; 7 billion parameters"),
        ("RAPTOR", 0.869, 0.662, 0.578, None, _PAPER, f"{_THEIRS}; summaries that an LLM makes"),
        ("HippoRAG 2", 0.963, 0.904, 0.747, None, _PAPER, f"{_LLM}; an embedder of 7 billion parameters"),
        (
            *("BridgeRAG", 0.988, 0.953, 0.815, None, "arXiv 2604.03384"),
            f"{_THEIRS}; three calls of an LLM and 4 to 5 seconds a question",
        ),
        ("CAR, BM25", None, None, None, 0.138, _CAR, _TCA),
        ("CAR, dense (MiniLM)", None, None, None, 0.270, _CAR, _TCA),
        ("CAR, two stages", None, None, None, 0.975, _CAR, f"{_TCA}; the links are given, as here"),
    ],
    "As their authors report it. Not measured here: other samples, other corpora, not to be compared digit by"
    " digit. docgraph asks no LLM, neither when documents come in nor when they are searched.",
)
