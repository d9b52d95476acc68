"""The rules of writing once more, in plain Python: what the database must agree with.

Written from the rules and not from the SQL, with sets where the database has tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.properties.model import Attributes, Held, sees

Triple = tuple[str, str, str]
"""From, relation type, to."""


class Refused(Exception):
    """A call may not do this; the message says where."""


@dataclass
class Link:
    """A reference of a document."""

    declared: bool
    inferred: bool


@dataclass
class Stored:
    """A document, as it is stored."""

    attributes: Attributes
    content: Any
    title: str
    names: set[str]
    links: dict[tuple[str, str], Link]


def may_write(held: Held, needed: Attributes) -> bool:
    """Everything that the document asks for must be held, every tag included."""
    return sees(held, needed) and needed.tags <= held.tags


def attributes_of(given: Mapping[str, Any], default: Attributes) -> Attributes:
    """What is not said is as in the default."""
    return Attributes(
        repository=given.get("repository", default.repository),
        snapshot=given.get("snapshot", default.snapshot),
        tags=frozenset(given["tags"]) if "tags" in given else default.tags,
        labels=frozenset(given["labels"]) if "labels" in given else default.labels,
        clearance=given.get("clearance", default.clearance),
    )


_ACCESS = {"repository", "snapshot", "tags", "labels", "clearance"}


def _ordered(ids: Iterable[str]) -> list[str]:
    return sorted(ids, key=str.encode)


def _shown(triples: Iterable[Triple]) -> list[dict[str, str]]:
    ordered = sorted(set(triples), key=lambda triple: [part.encode() for part in triple])
    return [{"from": a, "relation_type": kind, "to": b} for a, kind, b in ordered]


@dataclass
class Library:
    """The documents of one tenant."""

    documents: dict[str, Stored] = field(default_factory=dict)

    def visible(self, held: Held) -> set[str]:
        return {each for each, found in self.documents.items() if sees(held, found.attributes)}

    def bearers(self, name: str) -> set[str]:
        return {each for each, found in self.documents.items() if name in found.names}

    def put(self, held: Held, given: list[dict[str, Any]]) -> dict[str, Any]:
        for number, each in enumerate(given):
            there = self.documents.get(each["id"])
            wanted = attributes_of(each, Attributes())
            if not may_write(held, wanted) or (there and not may_write(held, there.attributes)):
                raise Refused(f"documents[{number}] is outside what this call may write")
        said: dict[str, Any] = {"added": [], "changed": [], "unchanged": []}
        for each in given:
            said[self._put(each)].append(each["id"])
        return said | {"waiting": _shown(self.waiting(held, [each["id"] for each in given]))}

    def _put(self, given: dict[str, Any]) -> str:
        wanted = attributes_of(given, Attributes())
        content = {key: value for key, value in given.items() if key not in _ACCESS}
        there = self.documents.get(given["id"])
        declared = {(link["relation_type"], link["to"]) for link in given.get("relationships", ())}
        inferred = {(link["relation_type"], link["to"]) for link in given.get("links", ())}
        if there:
            stored = {key for key, link in there.links.items() if link.declared}
            if there.content == content and ("relationships" not in given or declared == stored):
                outcome = "unchanged" if there.attributes == wanted else "changed"
                there.attributes = wanted
                return outcome
            if "relationships" not in given:
                declared = stored
        self.documents[given["id"]] = Stored(
            wanted,
            content,
            given.get("title", ""),
            {given["id"], *given.get("names", ())},
            {key: Link(key in declared, key in inferred) for key in declared | inferred},
        )
        return "changed" if there else "added"

    def waiting(self, held: Held, origins: Iterable[str]) -> set[Triple]:
        visible = self.visible(held)
        return {
            (origin, kind, to)
            for origin in origins
            for kind, to in self.documents[origin].links
            if not self.bearers(to) & visible
        }

    def _writable(self, held: Held, parameter: str, ids: Iterable[str]) -> set[str]:
        found = self.visible(held) & set(ids)
        if not all(may_write(held, self.documents[each].attributes) for each in found):
            raise Refused(f"{parameter} is outside what this call may write")
        return found

    def delete(self, held: Held, ids: list[str]) -> dict[str, Any]:
        found = self._writable(held, "documents", ids)
        for each in found:
            del self.documents[each]
        return {"deleted": _ordered(found), "absent": _ordered(set(ids) - found)}

    def set_access(self, held: Held, ids: list[str], given: dict[str, Any]) -> dict[str, Any]:
        found = self._writable(held, "documents", ids)
        wanted = {each: attributes_of(given, self.documents[each].attributes) for each in found}
        if not all(may_write(held, each) for each in wanted.values()):
            raise Refused("attributes is outside what this call may write")
        changed = {each for each in found if self.documents[each].attributes != wanted[each]}
        for each in found:
            self.documents[each].attributes = wanted[each]
        return {
            "changed": _ordered(changed),
            "unchanged": _ordered(found - changed),
            "absent": _ordered(set(ids) - found),
        }

    def relate(self, held: Held, given: list[Triple]) -> dict[str, Any]:
        origins = self._writable(held, "relationships", [triple[0] for triple in given])
        outcomes: dict[str, set[Triple]] = {
            word: set() for word in ("added", "changed", "unchanged", "absent")
        }
        for origin, kind, to in set(given):
            if origin not in origins:
                outcome = "absent"
            else:
                links = self.documents[origin].links
                link = links.get((kind, to))
                outcome = "added" if link is None else "unchanged" if link.declared else "changed"
                links[kind, to] = Link(declared=True, inferred=bool(link and link.inferred))
            outcomes[outcome].add((origin, kind, to))
        waiting = self.waiting(held, origins) & set(given)
        return {word: _shown(found) for word, found in outcomes.items()} | {"waiting": _shown(waiting)}

    def unrelate(self, held: Held, given: list[Triple]) -> dict[str, Any]:
        origins = self._writable(held, "relationships", [triple[0] for triple in given])
        visible = self.visible(held)
        deleted: set[Triple] = set()
        gone: set[Triple] = set()
        for origin, kind, to in given:
            names = {to} | (self.documents[to].names if to in visible else set())
            meant = {(origin, kind, name) for name in names if origin in origins}
            meant = {each for each in meant if each[1:] in self.documents[origin].links}
            gone |= meant
            deleted |= {(origin, kind, to)} if meant else set()
        for origin, kind, to in gone:
            del self.documents[origin].links[kind, to]
        return {"deleted": _shown(deleted), "absent": _shown(set(given) - deleted)}

    def edges(self) -> dict[Triple, Link]:
        """Every relationship, whoever may see it."""
        found: dict[Triple, Link] = {}
        for origin, document in self.documents.items():
            for (kind, to), link in document.links.items():
                for target in self.bearers(to) - {origin}:
                    edge = found.setdefault((origin, kind, target), Link(False, False))
                    edge.declared |= link.declared
                    edge.inferred |= link.inferred
        return found

    def related(self, held: Held, document: str, direction: str) -> list[tuple[str, str, bool, bool, bool]]:
        """Relation type, other end, declared, inferred, waiting."""
        visible = self.visible(held)
        if document not in visible:
            return []
        this, other = (0, 2) if direction == "out" else (2, 0)
        found = [
            (edge[1], edge[other], link.declared, link.inferred, False)
            for edge, link in self.edges().items()
            if edge[this] == document and edge[other] in visible
        ]
        if direction == "out":
            for _, kind, to in self.waiting(held, [document]):
                link = self.documents[document].links[kind, to]
                found.append((kind, to, link.declared, link.inferred, True))
        return sorted(found, key=lambda row: [row[0].encode(), row[1].encode()])
