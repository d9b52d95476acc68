"""What a link says it goes to, in the spelling that documents are called by within their source."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from urllib.parse import unquote

from docgraph.ingest.identifiers import Identifiers
from docgraph.ingest.markup.suffixes import NO_DOCUMENTS, suffix_of

DOCUMENT_SUFFIXES = frozenset({
    ".adoc", ".asciidoc", ".c", ".cfg", ".conf", ".cpp", ".cs", ".css", ".csv", ".cxx", ".docx", ".go",
    ".h", ".hpp", ".htm", ".html", ".ini", ".ipynb", ".java", ".js", ".json", ".jsx", ".kt", ".lua",
    ".markdown", ".md", ".mdx", ".mkd", ".odt", ".org", ".pdf", ".php", ".pl", ".pptx", ".proto", ".ps1",
    ".py", ".pyi", ".r", ".rb", ".rs", ".rst", ".rtf", ".scala", ".sh", ".sql", ".swift", ".tex", ".toml",
    ".ts", ".tsx", ".txt", ".xhtml", ".xlsx", ".xml", ".yaml", ".yml",
})  # fmt: skip
"""By these a word with a slash in it is known to be the path of a document."""

_PAGE_SUFFIXES = frozenset({".markdown", ".md", ".mdx", ".rst", ".txt"})
"""Those of pages that are texts: Node.js is a title."""

_HOMES = (
    re.compile(r"//(?:www\.)?(?:peps\.python\.org|python\.org/(?:dev/)?peps)/(pep-[0-9]{1,6})", re.I),
    re.compile(r"//(?:www\.)?rfc-editor\.org/(?:rfc|info|pdfrfc)/(rfc[0-9]{1,6})", re.I),
    re.compile(
        r"//(?:datatracker|tools)\.ietf\.org/(?:doc/)?(?:html/|pdf/|doc/)?(rfc[0-9]{1,6})(?![0-9])",
        re.I,
    ),
    re.compile(r"//nvd\.nist\.gov/(?:vuln/detail/|view/vuln/detail\?vulnId=)(CVE-[0-9-]{6,20})", re.I),
    re.compile(
        r"//(?:www\.)?cve\.(?:org|mitre\.org)/(?:CVERecord\?id=|cgi-bin/cvename\.cgi\?name=)(CVE-[0-9-]{6,20})",
        re.I,
    ),
    re.compile(r"//github\.com/(?:[\w./-]{1,200}/)?advisories/(GHSA(?:-[0-9a-z]{4}){3})", re.I),
)
"""Addresses that are known to be those of one identifier."""

_EXTERNAL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_UNFILLED = ("{{", "{%", "<%", "${")
_WIKI = re.compile(r"!?\[\[([^\[\]\n]{1,400})\]\]")


class Targets:
    """Reads targets. None stands for what no document of this source can be called by."""

    def __init__(self, identifiers: Identifiers) -> None:
        self.identifiers = identifiers

    def home(self, address: str) -> str | None:
        """The identifier whose known address this is."""
        found = next((match for home in _HOMES if (match := home.search(address))), None)
        return self.identifiers.canonical(found[1]) if found else None

    def numbered(self, series: str, number: str) -> str | None:
        """As in :pep:`8` or :rfc:`2119#section-1`."""
        return self.identifiers.numbered(series, number.partition("#")[0])

    def document(self, target: str, path: str) -> str | None:
        """What Sphinx takes for a document: a path, or other:path in the documentation of another project."""
        return None if _EXTERNAL.match(target) else file_path(target, path)

    def href(self, target: str, path: str) -> str | None:
        """The target of a hyperlink in the document at `path`: an address or a path."""
        target = target.strip()
        if _EXTERNAL.match(target):
            return self.home(target)
        if any(mark in target for mark in _UNFILLED):
            return None
        target = re.split(r"[?#]", target, maxsplit=1)[0]
        return file_path(unquote(target), path) if target else None

    def wiki(self, inside: str, path: str) -> str | None:
        """What stands between [[ and ]]: a page, with perhaps a part of it, and words to show instead."""
        page = re.split(r"[|#]", inside.replace("\\|", "|"), maxsplit=1)[0].strip()
        if not page or _EXTERNAL.match(page):
            return None
        if identifier := self.identifiers.canonical(page):
            return identifier
        suffix = suffix_of(page)
        if suffix in NO_DOCUMENTS:
            return None
        if "/" in page:
            return file_path(page, path if page.startswith(".") else "")
        return wiki_name(page[: -len(suffix)] if suffix in _PAGE_SUFFIXES else page)

    def named(self, name: str, path: str) -> str | None:
        """What somebody wrote as the name of a document: an identifier, a link, a path, or else its id."""
        name = unicodedata.normalize("NFC", name.strip())
        if identifier := self.identifiers.canonical(name):
            return identifier
        if inside := _WIKI.fullmatch(name):
            return self.wiki(inside[1], path)
        if link := re.fullmatch(r"\[[^\n]*\]\(<?([^()<>\s]+)>?\)|<([^<>\s]+)>", name):
            return self.href(link[1] or link[2], path)
        if _EXTERNAL.match(name):
            # urn:x:1 may be an id as well.
            return self.home(name) or (None if "//" in name else name)
        plain = name.partition("#")[0]
        is_path = plain.startswith(("./", "../", "/")) or suffix_of(plain) in DOCUMENT_SUFFIXES
        return file_path(plain, path) if is_path else name or None


def file_path(target: str, path: str) -> str | None:
    """A path as written in the document at `path`, from the root of the source; None if it leads out."""
    target = unicodedata.normalize("NFC", target.strip())
    if not target or suffix_of(target) in NO_DOCUMENTS:
        return None
    folder = "" if target.startswith("/") else posixpath.dirname(path)
    found = posixpath.normpath(posixpath.join(folder, target.lstrip("/") or "."))
    return None if found == ".." or found.startswith("../") else found.lstrip("/")


def without_suffix(path: str) -> str:
    """docs/plan.md is docs/plan; v1.2 stays, as its 2 is no kind of file."""
    return re.sub(r"(?<=[^/])\.[A-Za-z][A-Za-z0-9]{0,9}$", "", path)


def wiki_name(page: str) -> str:
    """[[Page Name]], [[page_name]] and [[page  name]] are the same page."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", page).casefold())
    return f"[[{' '.join(folded.replace('_', ' ').split())}]]"
