"""One table of errors: the RAISE sites, the exception classes and the page for users of psql agree."""

from __future__ import annotations

import re

from docgraph.errors import BY_SQLSTATE
from docgraph.resources import SQL

# A statement up to its semicolon; one inside a string does not end it.
_RAISE = re.compile(r"RAISE\s+(\w+)\s+((?:'(?:[^']|'')*'|[^';])*);")


def raises() -> list[tuple[str, str, str]]:
    """Every RAISE of sql/: the file, its level, what it says."""
    return [
        (path.name, level, body)
        for path in sorted(SQL.rglob("*.sql"))
        for level, body in _RAISE.findall(path.read_text(encoding="utf-8"))
    ]


def raised() -> set[str]:
    return {state for _, _, body in raises() for state in re.findall(r"ERRCODE = '(\w{5})'", body)}


def documented() -> dict[str, str]:
    """The rows of the table in sql/README.md: SQLSTATE and class."""
    text = (SQL / "README.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| `(\w{5})` \| `(\w+)` \|", text, re.MULTILINE))


def test_every_raise_has_a_sqlstate_and_a_hint() -> None:
    found = raises()
    assert len(found) > 20
    for file, level, body in found:
        assert level == "EXCEPTION", file
        assert re.search(r"\bERRCODE = '\w{5}'", body), f"{file}: {body}"
        assert re.search(r"\bHINT = ", body), f"{file}: {body}"


def test_no_raise_is_overlooked() -> None:
    texts = [path.read_text(encoding="utf-8") for path in SQL.rglob("*.sql")]
    words = sum(len(re.findall(r"^\s*RAISE\b", text, re.MULTILINE)) for text in texts)
    assert words == len(raises())


def test_what_is_raised_has_a_class_and_every_class_is_raised() -> None:
    assert raised() == BY_SQLSTATE.keys()


def test_the_page_says_the_same() -> None:
    assert documented() == {state: cls.__name__ for state, cls in BY_SQLSTATE.items()}


def test_every_class_is_explained() -> None:
    for state, cls in BY_SQLSTATE.items():
        assert cls.sqlstate == state
        assert cls.__doc__
