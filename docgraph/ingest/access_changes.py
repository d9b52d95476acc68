"""Documents that a run opens or closes to readers: what it gives them, it gives them every time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from docgraph.plain import counted
from docgraph.stored import Written

_SHOWN = 3


class _Guarded(Protocol):
    """A document, as it is stored or as it shall be."""

    @property
    def id(self) -> str: ...
    @property
    def tags(self) -> Sequence[str]: ...
    @property
    def labels(self) -> Sequence[str]: ...
    @property
    def clearance(self) -> int: ...


class AccessChanges:
    """Counted once the database has taken the documents."""

    def __init__(self) -> None:
        self._looked_at: dict[str, tuple[str, str]] = {}
        self._counts: Counter[tuple[str, str]] = Counter()

    def look(self, before: _Guarded, after: _Guarded) -> None:
        """Before it is written."""
        change = _in_words(before), _in_words(after)
        if change[0] != change[1]:
            self._looked_at[after.id] = change

    def happened(self, written: Written) -> Written:
        """What was written has changed; what was refused has not. Gives it back."""
        for each in written.changed:
            if isinstance(each, str) and each in self._looked_at:
                self._counts[self._looked_at.pop(each)] += 1
        return written

    @property
    def notes(self) -> list[str]:
        """One, if there is anything to say."""
        if not self._counts:
            return []
        said = [f"from {before} to {after}" for (before, after), _ in self._counts.most_common(_SHOWN)]
        more = "; and others" if len(self._counts) > _SHOWN else ""
        return [f"Access changed of {counted(self._counts.total(), 'document')}: {'; '.join(said)}{more}."]


def _in_words(document: _Guarded) -> str:
    parts = [
        f"{name} {', '.join(sorted(found))}"
        for name, found in (("tags", document.tags), ("labels", document.labels))
        if found
    ]
    if document.clearance:
        parts.append(f"clearance {document.clearance}")
    return f"({'; '.join(parts)})" if parts else "public"
