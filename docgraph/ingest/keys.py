"""What the keys of front matter and header fields mean."""

from __future__ import annotations

import re

from docgraph.ingest.identifiers import PREFIXES

RELATIONS = frozenset({
    "amended_by", "amends", "children", "contradicts", "depends_on", "duplicates", "explains", "extends",
    "implemented_by", "implements", "obsoleted_by", "obsoletes", "parent", "part_of", "references", "refines",
    "related", "relates_to", "replaced_by", "replaces", "requires", "see_also", "superseded_by", "supersedes",
    "updates",
})  # fmt: skip
"""Keys that are types of relations. `related` is another word for relates_to."""

_SAID_OF_DOCUMENTS = frozenset({
    "aliases", "approvers", "author", "authors", "bdfl_delegate", "category", "consulted", "content_type",
    "created", "date", "deciders", "decision_makers", "discussions_to", "doc_type", "editor", "editors", "id",
    "identifier", "informed", "keywords", "labels", "last_modified", "last_updated", "license", "maintainer",
    "maintainers", "modified", "owner", "owners", "pep_delegate", "post_history", "python_version",
    "resolution", "reviewers", "revision", "sponsor", "status", "stakeholders", "subject", "tags",
    "technical_story", "title", "topic", "type", "updated", "version",
})  # fmt: skip


def key_of(key: object) -> str:
    """Superseded-By and "superseded by" are superseded_by."""
    return re.sub(r"[\s_-]+", "_", str(key).strip().casefold())


def relation_of(key: object) -> str | None:
    folded = key_of(key)
    return {"related": "relates_to"}.get(folded, folded) if folded in RELATIONS else None


def is_field(key: object) -> bool:
    """Whether it is known as a header field. `Note`, `Warning` and `Example` begin sentences."""
    folded = key_of(key)
    return folded in RELATIONS or folded in _SAID_OF_DOCUMENTS or folded.upper() in PREFIXES
