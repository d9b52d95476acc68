"""The records of a payments company, written for the demo, and questions about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from docgraph.ingest.types import Raw

CORPUS = Path(__file__).parent / "corpus"


def records() -> Iterator[Raw]:
    """Every record; its id is its path. Links between them are in their texts and front matter."""
    for path in sorted(CORPUS.rglob("*.md")):
        yield Raw(path.relative_to(CORPUS).as_posix(), path.read_bytes())


@dataclass(frozen=True, slots=True)
class DemoQuestion:
    """A question, and where its answer stands."""

    text: str
    document_id: str
    """Of the record with the answer."""
    answer: str
    """Its words, but for line ends."""
    lesson: str
    """Why the nearest chunks do not have it, and what leads there."""

    def is_in(self, text: str) -> bool:
        return self.answer in " ".join(text.split())


QUESTIONS = (
    DemoQuestion(
        text="How long do we keep customers' card numbers?",
        document_id="decisions/019-network-tokens.md",
        answer="the sixteen digits live in memory for the length of one authorisation, and are written "
        "nowhere.",
        lesson="The nearest record says 18 months, and is no longer in force. The one that is uses other "
        'words: "PAN", "surrogate". superseded_by leads to it.',
    ),
    DemoQuestion(
        text="Why do merchants wait three days for their payout?",
        document_id="agreements/sponsor-bank.md",
        answer="credited to our safeguarding account at 14:00 on the second business day. Up to that hour an "
        "issuer can recall the amount, and clause 7.2 puts such a loss on us.",
        lesson="Much is written about payouts, and nothing of it says why. The reason is in a contract that "
        "knows neither merchants nor payouts. depends_on leads to it.",
    ),
    DemoQuestion(
        text="Can we deploy a fix on a Friday evening?",
        document_id="runbooks/authorisations-down.md",
        answer="With that label and the names of two engineers the gate lets it through at any hour, "
        "straight to the whole fleet.",
        lesson="All that is written about deploying says no. The exception is in a runbook for outages. "
        "references leads to it: a plain link in the policy.",
    ),
)
SUGGESTED = DemoQuestion(
    text="Can a payout be booked twice?",
    document_id="decisions/003-idempotency-keys.md",
    answer="Every call that moves money carries a key chosen by the client. The first answer is stored with "
    "the key, and whoever comes again with it is given that answer.",
    lesson="The records about payouts do not say. The rule is for every call that moves money, and speaks of "
    "no payout. depends_on leads to it.",
)
"""To begin with, for whoever asks something himself."""
