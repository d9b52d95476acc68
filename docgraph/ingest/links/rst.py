"""Links of reStructuredText, and of Sphinx where it says which document is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docgraph.ingest.links.found import Found
from docgraph.ingest.links.prose import Prose
from docgraph.ingest.links.targets import Targets

_ROLE = re.compile(r":(pep|rfc|doc):`([^`]{1,500})`")
_HYPERLINK = re.compile(r"(?<![:`\w])`[^`<>]{0,500}<([^`<>]{1,2000})>`__?")
_TARGET = re.compile(
    r"^[ \t]*(?:\.\. _[^\n]{1,300}?:|__)[ \t]+(?:\n[ \t]+)?(\S{1,2000})[ \t]*$", re.MULTILINE
)
_INCLUDE = re.compile(r"^[ \t]*\.\. include::[ \t]+(\S{1,1000})[ \t]*$", re.MULTILINE)
_TOCTREE = re.compile(r"^([ \t]*)\.\. toctree::[^\n]*\n((?:[ \t]*\n|\1[ \t]+[^\n]*\n?)*)", re.MULTILINE)


def rst_links(prose: Prose, path: str, targets: Targets) -> Iterator[Found]:
    """In no particular order."""
    for target, found in _hyperlinks(prose.plain):
        if to := targets.href(target, path):
            yield Found(to, *found.span(), found.span(1))
    for found in _ROLE.finditer(prose.plain):
        target = _explicit(found[2])
        to = targets.document(target, path) if found[1] == "doc" else targets.numbered(found[1], target)
        if to:
            yield Found(to, *found.span(), found.span(2))
    for target, start, end in _files(prose.plain):
        if to := targets.document(target, path):
            yield Found(to, start, end, (start, end))


def _hyperlinks(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    for pattern in (_HYPERLINK, _TARGET):
        for found in pattern.finditer(text):
            target = "".join(found[1].split())
            # A name with an underscore behind it stands for another target, which is found by itself.
            if not target.endswith("_"):
                yield target, found


def _files(text: str) -> Iterator[tuple[str, int, int]]:
    """Of include and toctree, with where they are written."""
    for found in _INCLUDE.finditer(text):
        yield found[1], *found.span()
    for tree in _TOCTREE.finditer(text):
        for line in re.finditer(r"[^\n]+", tree[2]):
            entry = _explicit(line[0].strip())
            if entry and not entry.startswith(":"):
                yield entry, tree.start(2) + line.start(), tree.start(2) + line.end()


def _explicit(content: str) -> str:
    """The target of `words <target>`, or else of `target`."""
    within = re.search(r"<([^<>]*)>\s*$", content)
    return " ".join((within[1] if within else content).split())
