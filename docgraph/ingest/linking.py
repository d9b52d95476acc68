"""What a document is called, and what it refers to: read from its text by rules, the same every time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from docgraph.documents import Link
from docgraph.errors import InvalidArgument
from docgraph.ingest.identifiers import Identifiers
from docgraph.ingest.links.citations import cited
from docgraph.ingest.links.found import Found, words_around
from docgraph.ingest.links.markdown import html_links, markdown_links, wiki_links
from docgraph.ingest.links.mentions import Ids, Titles
from docgraph.ingest.links.names import all_names, fits, own_id
from docgraph.ingest.links.prose import Prose, prose_of
from docgraph.ingest.links.relations import beside_fields, field_links, front_matter_links
from docgraph.ingest.links.rst import rst_links
from docgraph.ingest.links.targets import Targets
from docgraph.ingest.types import Parsed

VERSION = 3
"""Goes up with every change of what is found, so that documents are read again."""

MOST = 5000
"""Links of one document."""


class DocumentLinker:
    """Finds relations in front matter and header fields, links, and references by identifier or path.

    With `titles` (title to id, or to the ids of all that have it) also mentions of other documents by their
    titles: at most `frequency_cap` for each document, the first ones, and none of titles that stand in more
    documents than that by `document_frequency`. `identifiers` are prefixes of more numbered series, such as
    JIRA.
    """

    def __init__(
        self,
        *,
        titles: Mapping[str, Ids] | None = None,
        frequency_cap: int = 20,
        document_frequency: Mapping[str, int] | None = None,
        identifiers: Iterable[str] = (),
    ) -> None:
        if frequency_cap < 1:
            raise InvalidArgument(
                f"frequency_cap is {frequency_cap}: at least 1 mention must be allowed.",
                hint="To have no mentions, give no titles.",
            )
        self._targets = Targets(Identifiers(identifiers))
        self._cap = frequency_cap
        frequency = document_frequency or {}
        self._titles = Titles(titles, frequency, frequency_cap) if titles else None
        known = [sorted(self._targets.identifiers.prefixes), self._cap if titles else 0]
        named = {title: ids if isinstance(ids, str) else sorted(ids) for title, ids in (titles or {}).items()}
        known += [sorted(named.items()), sorted(frequency.items()) if titles else []]
        digest = hashlib.sha256(json.dumps(known).encode()).hexdigest()
        self._fingerprint = f"links-{VERSION}-{digest[:32]}"

    @property
    def fingerprint(self) -> str:
        """Changes whenever the same document may get other names or links."""
        return self._fingerprint

    def names(self, parsed: Parsed) -> Sequence[str]:
        """Beside its id. Sorted."""
        return all_names(parsed, self._targets)

    def links(self, parsed: Parsed) -> Sequence[Link]:
        """One for each type and target, with the first words in which it was found. Sorted by the two."""
        own = {own_id(parsed), parsed.path, *self.names(parsed)}
        links: dict[tuple[str, str], Link] = {}
        for link in self._all(parsed, own):
            if len(links) == MOST:
                break
            if link.to not in own and fits(link.to) and fits(link.relation_type):
                links.setdefault((link.relation_type, link.to), link)
        return [links[key] for key in sorted(links)]

    def _all(self, parsed: Parsed, own: set[str]) -> Iterator[Link]:
        """What is stated, then what is found in the text, in its order."""
        yield from front_matter_links(parsed, self._targets)
        yield from field_links(parsed, self._targets)
        prose = prose_of(parsed)
        found = [*self._linked(parsed, prose)]
        found += cited(prose.text, parsed.path, found, self._targets)
        yield from _each_once("references", parsed, beside_fields(parsed, self._targets, found), own)
        if self._titles:
            mentioned = beside_fields(parsed, self._targets, self._titles.mentions(prose.plain))
            mentions = _each_once("mentions", parsed, mentioned, own)
            yield from (link for _, link in zip(range(self._cap), mentions, strict=False))

    def _linked(self, parsed: Parsed, prose: Prose) -> Iterator[Found]:
        if parsed.markup == "markdown":
            return markdown_links(prose, parsed.path, self._targets)
        if parsed.markup == "rst":
            return rst_links(prose, parsed.path, self._targets)
        if parsed.markup == "text":
            return _in_plain_text(prose, parsed.path, self._targets)
        return iter(())


def _in_plain_text(prose: Prose, path: str, targets: Targets) -> Iterator[Found]:
    yield from wiki_links(prose, path, targets)
    yield from html_links(prose, path, targets)


def _each_once(relation_type: str, parsed: Parsed, found: Iterable[Found], own: set[str]) -> Iterator[Link]:
    """Evidence is cut out for the first of each target only: there may be very many."""
    done = set(own)
    for reference in sorted(found, key=lambda each: (each.start, each.end, each.to)):
        if reference.to not in done:
            done.add(reference.to)
            around = words_around(parsed.text, reference.start, reference.end, parsed.body)
            yield Link(relation_type, reference.to, around)
