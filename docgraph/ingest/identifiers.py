"""Identifiers that documents are known by, as PEP-8, ADR-5 or CVE-2024-1234, in one canonical spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import PurePosixPath
from typing import NamedTuple

from docgraph.errors import InvalidArgument

PREFIXES = frozenset({
    "ADR", "BIP", "DEP", "EIP", "ERC", "JEP", "KEP", "MADR", "PEP", "RFC", "TEP", "XEP",
})  # fmt: skip
"""Series of numbered documents. CVE and GHSA have forms of their own and are always known."""

_ADR_FOLDERS = frozenset({
    "adl", "adr", "adrs", "architectural-decisions", "architecture-decisions", "decisions",
})  # fmt: skip

_GLOBAL = r"(?P<cve>CVE-[0-9]{4}-[0-9]{4,12})|(?P<ghsa>GHSA(?:-[0-9a-z]{4}){3})"
# Between prefix and number: a hyphen, or blanks with at most one line break; or nothing.
_GAP = r"(?:[-_]|[ \t\xa0]{0,4}(?:\n[ \t]{0,40})?)"
# Part of a longer word (XPEP 8, PAY-ADR-5, ADR-005a) or of a version (RFC 1.2) is something else.
# Underscores may be emphasis.
_BEFORE = r"(?<![^\W_])(?<![^\W_][-_.])"
_AFTER = r"(?![^\W_]|[_.]\w|-[0-9])"
# In the name of a file other words may follow, but not those of a date or a version.
_AFTER_IN_FILE = r"(?=[-_ .]|$)(?!-\d\d-\d\d|[.]\d)"
_NUMBER = r"[0-9]{1,9}"
_NUMBERS = rf"{_NUMBER}(?:(?:,|,?\s{{1,4}}(?:and|or|&))\s{{1,4}}{_NUMBER}){{0,20}}"


class Citation(NamedTuple):
    """An identifier in a text: text[start:end]."""

    identifier: str
    start: int
    end: int


class Identifiers:
    """Reads identifiers of the known series, and of more that are named."""

    def __init__(self, more: Iterable[str] = ()) -> None:
        if isinstance(more, str):
            more = (more,)
        extra = {prefix.upper() for prefix in more}
        if wrong := sorted(prefix for prefix in extra if not re.fullmatch(r"[A-Z][A-Z0-9_]{0,31}", prefix)):
            raise InvalidArgument(
                f"identifiers: {wrong[0]!r} cannot be the prefix of an identifier.",
                hint="Give letters and digits that begin with a letter, such as JIRA for JIRA-12.",
            )
        self.prefixes = PREFIXES | extra

    @cached_property
    def _series(self) -> str:
        return "|".join(sorted(self.prefixes))

    @cached_property
    def _cited(self) -> re.Pattern[str]:
        firsts = "".join(sorted({prefix[0] for prefix in self.prefixes} | set("cCgG")))
        return re.compile(
            rf"(?=[{firsts}]){_BEFORE}(?:(?i:{_GLOBAL})|(?P<prefix>{self._series})"
            rf"(?:{_GAP}(?P<number>{_NUMBER})|s\s{{1,4}}(?P<numbers>{_NUMBERS}))){_AFTER}"
        )

    @cached_property
    def _whole(self) -> str:
        return rf"(?i:{_GLOBAL}|(?P<prefix>{self._series}){_GAP}(?P<number>{_NUMBER}))"

    def numbered(self, prefix: str, number: str | int) -> str | None:
        """PEP and 0008 to PEP-8; None for what is no number or no known series."""
        prefix, number = prefix.strip().upper(), str(number).strip()
        if prefix in self.prefixes and re.fullmatch(_NUMBER, number):
            return f"{prefix}-{int(number)}"
        return None

    def canonical(self, text: str) -> str | None:
        """The canonical spelling of a text that is one identifier and nothing else."""
        found = re.fullmatch(self._whole, text.strip())
        return _spelled(found) if found else None

    def cited(self, text: str, start: int = 0) -> Iterator[Citation]:
        """Identifiers in a text, in order. Series in capitals only: pep8 is a program."""
        for found in self._cited.finditer(text, start):
            if not found["numbers"]:
                yield Citation(_spelled(found), found.start(), found.end())
                continue
            for number in re.finditer(_NUMBER, found["numbers"]):
                yield Citation(f"{found['prefix']}-{int(number[0])}", found.start(), found.end())

    def of_path(self, path: str) -> str | None:
        """By the name of a file: adr-005-foo.md is ADR-5, and so is 0005-foo.md in a folder of decisions."""
        file = PurePosixPath(path)
        if found := re.match(self._whole + _AFTER_IN_FILE, file.name):
            return _spelled(found)
        series = self._series_of_folder(path)
        numbered = re.match(rf"(?![0-9]{{8}})({_NUMBER}){_AFTER_IN_FILE}", file.name)
        return self.numbered(series, numbered[1]) if series and numbered else None

    def of_title(self, title: str, path: str) -> str | None:
        """By the beginning of a title, where a colon, a full stop or a dash sets it off from the rest.

        "ADR-005: Plan" is ADR-5, "ADR-005 considered harmful" is about it. "5. Plan" is ADR-5 in a folder of
        decisions only.
        """
        title = title.strip()
        if found := re.match(self._whole + _AFTER, title):
            return _spelled(found) if _set_off(title[found.end() :]) else None
        numbered = re.match(rf"({_NUMBER})[.:](?=\s)", title)
        series = self._series_of_folder(path)
        return self.numbered(series, numbered[1]) if series and numbered else None

    def _series_of_folder(self, path: str) -> str:
        folder = PurePosixPath(path).parent.name.casefold()
        if folder in _ADR_FOLDERS:
            return "ADR"
        for series in (folder.upper(), folder.removesuffix("s").upper()):
            if series in self.prefixes:
                return series
        return ""


def _spelled(found: re.Match[str]) -> str:
    if found["cve"]:
        return found["cve"].upper()
    if found["ghsa"]:
        return f"GHSA{found['ghsa'][4:].lower()}"
    return f"{found['prefix'].upper()}-{int(found['number'])}"


def _set_off(rest: str) -> bool:
    return (
        not rest or re.match(r"\s*[:.](?:\s|$)|\s+[-\u2013\u2014]|[-\u2013\u2014](?:\s|$)", rest) is not None
    )
