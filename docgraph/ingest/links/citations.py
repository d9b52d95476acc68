"""References without markup: identifiers, their known addresses, and paths of files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from docgraph.ingest.links.found import Found
from docgraph.ingest.links.prose import blanked
from docgraph.ingest.links.targets import DOCUMENT_SUFFIXES, Targets, file_path
from docgraph.ingest.markup.suffixes import suffix_of

_ADDRESS = re.compile(r"\b(?:https?|ftp)://[^\s<>\"'`|\]\[(){}]{1,2000}", re.IGNORECASE)
# Of each word with a slash, up to the last character that can end a file name.
_PATH = re.compile(
    r"(?<![\w./~@:\\$%*+=&#}-])(?:\.{0,2}/)?(?:[\w.+-]{1,200}/){1,40}[\w.+-]{0,199}\w(?![/\w*{])"
)

_HOST = re.compile(r"(?:www\.|[\w-]+\.(?:com|dev|edu|gov|io|net|org)/)", re.IGNORECASE)


def cited(prose: str, path: str, links: Iterable[Found], targets: Targets) -> Iterator[Found]:
    """In prose and in code in lines, but not in the targets of the links that were found there."""
    prose = blanked(prose, sorted(link.target for link in links))
    addresses = [*_ADDRESS.finditer(prose)]
    for found in addresses:
        if to := targets.home(found[0]):
            yield Found(to, *found.span())
    text = blanked(prose, (found.span() for found in addresses))
    paths = [found for found in _PATH.finditer(text) if _is_path(found[0])]
    for found in paths:
        # As people write them: from the root, unless they say otherwise.
        written = found[0] if found[0].startswith(("./", "../")) else f"/{found[0].lstrip('/')}"
        if to := file_path(written, path):
            yield Found(to, *found.span())
    text = blanked(text, (found.span() for found in paths))
    for citation in targets.identifiers.cited(text):
        yield Found(citation.identifier, citation.start, citation.end)


def _is_path(word: str) -> bool:
    return suffix_of(word) in DOCUMENT_SUFFIXES and not _HOST.match(word)
