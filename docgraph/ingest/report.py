"""What a job has done so far: shown while it runs, and returned when it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import TypeAlias

from docgraph.ingest.types import Problem
from docgraph.stored import Written

PROBLEMS_KEPT = 1000
"""Problems that a report names; the others it counts. A report must not grow with the source."""


@dataclass(slots=True)
class Report:
    """Counts of documents, and of the chunks that were stored and embedded."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    deleted: int = 0
    skipped: int = 0
    """Left out on purpose: empty, binary, excluded."""
    failed: int = 0
    chunks: int = 0
    """Of documents that were added or changed."""
    embedded: int = 0
    """Their texts that were embedded; what had a vector already is not."""
    without_vector: int = 0
    """Their texts, chunks and summaries, that `put` was given no vector for: no search finds them."""
    waiting: int = 0
    """References without a document in sight."""
    problems: list[Problem] = field(default_factory=list)
    """The first ones, failures and what was skipped."""
    ingestion: str | None = None
    wal: str | None = None
    """The WAL position that a standby must have reached to show all this."""
    notes: list[str] = field(default_factory=list)
    """What was not done, and why."""

    @property
    def done(self) -> int:
        """Documents looked at."""
        return self.added + self.changed + self.unchanged + self.skipped + self.failed

    def take(self, written: Written) -> None:
        """Counts what a call did."""
        self.added += len(written.added)
        self.changed += len(written.changed)
        self.unchanged += len(written.unchanged)
        self.deleted += len(written.deleted)
        self.waiting += len(written.waiting)

    def trouble(self, problem: Problem) -> None:
        """Counts a problem, and keeps it if there are not too many yet."""
        if problem.failed:
            self.failed += 1
        else:
            self.skipped += 1
        if len(self.problems) >= PROBLEMS_KEPT and problem.failed:
            # What failed matters more than what was left out on purpose.
            kept = [at for at, other in enumerate(self.problems) if not other.failed]
            if kept:
                del self.problems[kept[-1]]
        if len(self.problems) < PROBLEMS_KEPT:
            self.problems.append(problem)

    def counts(self) -> dict[str, int]:
        """The numbers alone."""
        return {f.name: value for f in fields(self) if isinstance(value := getattr(self, f.name), int)}

    def to_dict(self) -> dict[str, object]:
        """As JSON has it."""
        problems = [{"path": p.path, "reason": p.reason, "failed": p.failed} for p in self.problems]
        return {
            **self.counts(),
            "ingestion": self.ingestion,
            "wal": self.wal,
            "notes": self.notes,
            "problems": problems,
        }


Progress: TypeAlias = Callable[[Report], object]
"""Called at the start and after every batch, with the report that goes on counting."""
