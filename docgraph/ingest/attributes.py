"""Who may see what is brought in: attributes of a source, narrowed by what a document says of itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from docgraph.access import Access

KEYS = ("tags", "labels", "clearance")


@dataclass(frozen=True, slots=True)
class Attributes:
    """Access attributes of documents. `repository` and `snapshot` also go before their ids and names."""

    repository: str = ""
    snapshot: str = ""
    tags: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    clearance: int = 0

    def scoped(self, name: str) -> str:
        """An id or a name as it is in the whole tenant: the same path in two snapshots is two documents."""
        scope = f"{self.repository}@{self.snapshot}" if self.snapshot else self.repository
        return f"{scope}:{name}" if scope else name

    def narrowed(self, said: object) -> Attributes:
        """With what the `access` of a document's front matter asks for. Whom one of the two keeps out sees
        nothing: labels add up, the higher clearance counts, and of tags those that both have."""
        if not isinstance(said, Mapping) or (unknown := sorted(str(key) for key in said if key not in KEYS)):
            known = ", ".join(KEYS)
            raise ValueError(
                f"front matter: access must be a mapping of {known}"
                + (f", not {unknown[0]}" if isinstance(said, Mapping) else "")
            )
        clearance = said.get("clearance", 0)
        if isinstance(clearance, bool) or not isinstance(clearance, int) or clearance < 0:
            raise ValueError("front matter: clearance in access must be a whole number from 0")
        return replace(
            self,
            tags=_in_both(self.tags, _texts(said, "tags")),
            labels=tuple(sorted({*self.labels, *_texts(said, "labels")})),
            clearance=max(self.clearance, clearance),
        )


def _in_both(given: tuple[str, ...], asked: tuple[str, ...]) -> tuple[str, ...]:
    """A document without tags is open; one with some is, to whoever has one of them."""
    if not (given and asked):
        return given or asked
    if not (both := tuple(tag for tag in given if tag in asked)):
        raise ValueError(
            f"front matter: access has tags {', '.join(asked)}, and the run gives {', '.join(given)}: none is"
            " in both. Give the run one of the former, or none, or write one of the latter into the file"
        )
    return both


def _texts(said: Mapping[object, object], key: str) -> tuple[str, ...]:
    found = said.get(key, [])
    found = [found] if isinstance(found, str) else found
    if not isinstance(found, list) or not all(isinstance(entry, str) for entry in found):
        raise ValueError(f"front matter: {key} in access must be a list of texts")
    return tuple(sorted(set(found)))


def claim_for(access: Access, given: Attributes) -> Access:
    """A claim that also holds what documents are given, as who writes them must. The ceiling bounds it."""
    return replace(
        access,
        repositories=None if access.repositories is None else {*access.repositories, given.repository},
        snapshots=None if access.snapshots is None else {*access.snapshots, given.snapshot},
        tags={*access.tags, *given.tags},
        labels={*access.labels, *given.labels},
        clearance=max(access.clearance, given.clearance),
    )
