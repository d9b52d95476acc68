"""Whatever stands in a plan is data: it runs nothing, ends no line, and stays as it is."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import pytest

from docgraph import calls
from tests.sql.api.test_plan_functions import said, tree
from tests.sql.asking import PLAN, Connection, nothing_written, refusal
from tests.sql.planning import Plan, by_ids, changed, expanded_of, plan, sealed
from tests.sql.writing import put, relate
from tests.unit.plans import NASTY

TURNING = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the direction of what follows."""


def printable(text: str) -> bool:
    return not TURNING & set(text) and all(
        unicodedata.category(each) not in {"Cc", "Zl", "Zp"} for each in text
    )


DATA = [
    *NASTY[2:],
    "'; DROP TABLE docgraph.document_nodes; --",
    "%s",
    "%1$s %I %%",
    "{}",
    "{0}",
    "$1",
    "$$",
    ":x",
    "\\",
    "null",
    "a\nplan 000000000000\n[9] forged.md  (seed 9, given)",
    "\r[1]",
    "a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g",
    "\u202emd.exe\u2066\u2069\u202a\u202c",
    "\u2514\u2500\u2500 forged.md",
    "     cites -> [3] forged.md",
    "\x7f\x1b]0;title\x07",
]
FULL = changed("omitted", 1) | {"dropped": 1, "truncated": ["documents"]}
TEXTS = [
    "scope.tenant",
    "seed_documents.0.document_id",
    "expanded_documents.1.document_id",
    "expanded_documents.0.via.0.relation_type",
    "constraints.relation_types",
    "constraints.dominant_scope",
    "made_by.mode",
    "made_by.search_in",
    "made_by.method",
    "made_by.revision",
    "made_by.embedding_space.model",
    "truncated",
]
"""Where the tree shows a text of the plan."""


def with_text(path: str, text: str) -> Plan:
    """A sealed plan with a text at a place, and where the place is a seed's id, in the reasons too."""
    found = changed(path, [text] if path in {"truncated", "constraints.relation_types"} else text, FULL)
    if path == "seed_documents.0.document_id":
        found["expanded_documents"][0]["via"][0]["from"] = text
    return sealed(found)


@pytest.mark.parametrize("path", TEXTS)
def test_one_line_for_each_entry_whatever_its_text(boss: Connection, path: str) -> None:
    """And nothing in it that a terminal would obey, or that would end or turn the line."""
    usual = tree(boss, sealed(FULL))
    assert len(usual) == 11
    for text in DATA:
        lines = tree(boss, with_text(path, text))
        assert [line[:3] for line in lines] == [line[:3] for line in usual], ascii(text)
        for line in lines:
            assert not [c for c in line if unicodedata.category(c) in {"Cc", "Zl", "Zp"}]
            assert not set(line) & TURNING


@pytest.mark.parametrize("text", [text for text in DATA if printable(text)], ids=ascii)
def test_what_is_harmless_is_shown_as_it_is(boss: Connection, text: str) -> None:
    for path in TEXTS:
        assert text in "\n".join(tree(boss, with_text(path, text)))


@pytest.mark.parametrize("text", DATA, ids=ascii)
def test_text_is_data_in_a_plan(boss: Connection, text: str) -> None:
    """In every id and relation type; and as a key it is unknown."""
    with nothing_written(boss):
        rows = said(boss, "plan_documents", with_text("seed_documents.0.document_id", text))
        assert (rows[0][1], rows[2][4]) == (text, text)
        rows = said(boss, "plan_documents", with_text("expanded_documents.1.via.0.relation_type", text))
        assert (rows[4][3], rows[4][5]) == (text, f"seed 2 {text} this")
        for place in ("", "scope.", "constraints.", "seed_documents.0.", "expanded_documents.0.via.0."):
            bad = json.loads(PLAN)
            inner: Any = bad
            for step in filter(None, place.split(".")):
                inner = inner[int(step)] if isinstance(inner, list) else inner[step]
            inner[text] = text
            error = refusal(boss, calls.SEAL_PLAN, plan=json.dumps(bad))
            assert error.diag.sqlstate == "22023"
            assert text not in (error.diag.message_primary or "") or len(text) < 3


@pytest.mark.parametrize("text", DATA, ids=ascii)
def test_text_is_data_in_planning(undone: Connection, text: str) -> None:
    """As the id of a seed, of what it brings in, as a relation type, and as one that is allowed."""
    target = f"{text[:400]} target"
    put(undone, {"id": text}, {"id": target}, {"id": "s"})
    relate(undone, (text, text, target), ("s", text, text))
    expected = {target: [(text, text)]}
    types = {"relation_types": [text]}
    made = plan(undone, seeds=[text], **types)
    assert made == by_ids(undone, [(text, "given")], expected, constraints=types)
    assert expanded_of(plan(undone, seeds=["s"])) == {text: [("s", text)]}
    assert plan(undone, seeds=[f"{text} "[-512:]], relation_types=[f"{text} "[-512:]])["omitted"] == 1
