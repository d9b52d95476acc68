"""Identifiers: one spelling, from texts, file names and titles; and what only looks like one."""

from __future__ import annotations

import pytest

from docgraph.errors import InvalidArgument
from docgraph.ingest.identifiers import Identifiers


def cited(text: str, *more: str) -> list[str]:
    return [found.identifier for found in Identifiers(more).cited(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see PEP 8.", ["PEP-8"]),
        ("PEP-0008, PEP8 and (PEP\n    484)", ["PEP-8", "PEP-8", "PEP-484"]),
        ("ADR-005: x; ADR 5; _RFC 2119_; RFC2119-style", ["ADR-5", "ADR-5", "RFC-2119", "RFC-2119"]),
        ("PEPs 8, 257 and 484", ["PEP-8", "PEP-257", "PEP-484"]),
        ("CVE-2024-1234 or cve-2024-00123", ["CVE-2024-1234", "CVE-2024-00123"]),
        ("ghsa-ABCD-1234-wxyz", ["GHSA-abcd-1234-wxyz"]),
        ("EIP-1559 JEP 400 BIP 32 MADR 2", ["EIP-1559", "JEP-400", "BIP-32", "MADR-2"]),
    ],
)
def test_cited_in_a_text(text: str, expected: list[str]) -> None:
    assert cited(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "PEPPER 8", "XPEP 8", "PAY-ADR-5", "ADR-005a", "RFC 1.2", "pep8", "PEP\n\n8", "PEP eight", "JIRA-12",
        "CVE-24-1", "RFC 2119_x", "GHSA-abcd-1234", "PEP 1234567890",
    ],
)  # fmt: skip
def test_what_only_looks_like_one(text: str) -> None:
    assert cited(text) == []


def test_offsets_are_those_of_the_text() -> None:
    text = "\u00e9\u00e9 by PEP  0484, no"
    (found,) = Identifiers().cited(text)
    assert text[found.start : found.end] == "PEP  0484"


def test_more_series() -> None:
    assert cited("JIRA-12 and REQ 007", "jira", "REQ") == ["JIRA-12", "REQ-7"]
    with pytest.raises(InvalidArgument, match=r"identifiers: '\(A'"):
        Identifiers(["(a"])


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("peps/pep-0008.rst", "PEP-8"),
        ("x/adr-005-foo.md", "ADR-5"),
        ("ADR005.md", "ADR-5"),
        ("adr_005_foo.md", "ADR-5"),
        ("rfc2119.txt", "RFC-2119"),
        ("cve-2024-1234.json", "CVE-2024-1234"),
        ("doc/adr/0005-foo.md", "ADR-5"),
        ("decisions/5.md", "ADR-5"),
        ("rfcs/0012_x.md", "RFC-12"),
        ("peps/7.rst", "PEP-7"),
        ("docs/0005-foo.md", None),
        ("decisions/2024-01-05-foo.md", None),
        ("decisions/20240105.md", None),
        ("adr-2024-01-05.md", None),
        ("peppers-8.md", None),
        ("rfc1.2.md", None),
    ],
)
def test_by_the_name_of_a_file(path: str, expected: str | None) -> None:
    assert Identifiers().of_path(path) == expected


@pytest.mark.parametrize(
    ("title", "path", "expected"),
    [
        ("ADR-005: Relationship-aware planning", "x.md", "ADR-5"),
        ("PEP 8 \u2013 Style Guide", "x.md", "PEP-8"),
        ("RFC 2119 - Key words", "x.md", "RFC-2119"),
        ("ADR 5.", "x.md", "ADR-5"),
        ("ADR-005", "x.md", "ADR-5"),
        ("ADR-005 considered harmful", "x.md", None),
        ("RFC 2119-style words", "x.md", None),
        ("On ADR-005: a review", "x.md", None),
        ("5. Record decisions", "doc/adr/x.md", "ADR-5"),
        ("5. Record decisions", "doc/x.md", None),
        ("2.5. Figures", "adr/x.md", None),
    ],
)
def test_by_a_title(title: str, path: str, expected: str | None) -> None:
    assert Identifiers().of_title(title, path) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [(" pep-008 ", "PEP-8"), ("Adr 5", "ADR-5"), ("ADR-5 x", None), ("plan", None), ("PEP 0", "PEP-0")],
)
def test_canonical(text: str, expected: str | None) -> None:
    assert Identifiers().canonical(text) == expected
