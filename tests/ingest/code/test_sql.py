"""SQL files: what each creates, and which others create what it names."""

from __future__ import annotations

import pytest

from docgraph.ingest.code.sources import Source
from docgraph.ingest.code.sql import look_through
from tests.ingest.code.trees import read


@pytest.mark.parametrize(
    ("text", "creates"),
    [
        ("CREATE OR REPLACE FUNCTION s.f(a int) RETURNS int", ["function s.f"]),
        ("create procedure S.P()", ["procedure s.p"]),
        ('CREATE TABLE IF NOT EXISTS "S"."My ""t""" ();', ['table S.My "t"']),
        ("CREATE UNLOGGED TABLE t (); CREATE TEMP VIEW s.v AS SELECT 1", ["table t", "view s.v"]),
        ("CREATE MATERIALIZED VIEW s . /* x */ v AS SELECT 1", ["view s.v"]),
        ("CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON ONLY s.t (a)", ["index s.i"]),
        ("CREATE INDEX ON s.t (a); CREATE TABLE s.u ()", ["table s.u"]),
        ("CREATE POLICY p ON s.t USING (true)", ["policy s.t.p"]),
        ("CREATE CONSTRAINT TRIGGER g AFTER UPDATE OF a ON s.t", ["trigger s.t.g"]),
        ("CREATE ROLE x; CREATE", []),
        ("DO $$ BEGIN CREATE TABLE s.t (); END $$", []),
        ("-- CREATE TABLE s.t\nSELECT 'CREATE TABLE s.t'", []),
    ],
)
def test_creates(text: str, creates: list[str]) -> None:
    found = look_through(Source("x.sql", "", text))
    assert [" ".join(each) for each in found.creates] == creates


@pytest.mark.parametrize(
    ("text", "is_called"),
    [
        ("SELECT s.f(1)", True),
        ('SELECT "s" . "f"(1)', True),
        ("SELECT S.F(1)", True),
        ('SELECT "S".f(1)', False),
        ("SELECT f(1), s.f2(1), t.f(1), s.t.f, ss.f", False),
        ("SELECT s.f.a", True),
        ("-- s.f(1)\nSELECT 1", False),
        ("/* s.f /* s.f */ s.f */ SELECT 1", False),
        ("/* /* */ */ SELECT s.f(1)", True),
        ("SELECT 's.f', E'\\' s.f ', 'it''s s.f', U&'s.f'", False),
        ("SELECT E'\\\\', s.f(1)", True),
        ("SELECT '\\', s.f(1)", True),
        ("CREATE FUNCTION s.g() AS $$ SELECT s.f(1) $$", True),
        ("CREATE FUNCTION s.g() AS $body$ EXECUTE $q$ SELECT s.f(1) $q$; $body$", True),
        ("CREATE FUNCTION s.g() AS $$ -- s.f(1)\n SELECT 's.f' $$", False),
        ("CREATE FUNCTION s.g() AS $$ it's no SQL $$; SELECT s.f(1)", True),
        ("SELECT $1, a$b$c, s.f(1), 'x$$'", True),
        ("\\echo don't\nSELECT s.f(1)", True),
        ("\\ir s.f\nSELECT 1", False),
        ("SELECT 1.s.f", False),
        ("COPY t (a, b) FROM stdin;\nit's\ts.f\n\"$$ /*\n\\.\nSELECT 1;", False),
        ("COPY t FROM stdin;\nit's\n\\.\nSELECT s.f(1);", True),
        ("copy t from STDIN WITH (FORMAT csv);\n\\.\nSELECT s.f(1);", True),
        ("COPY t FROM stdin;\nit's s.f and no end", False),
        ("COPY t FROM stdin;", False),
        ("\\copy t from stdin csv\nit's s.f\n\\.\nSELECT 1;", False),
        ("\\copy t from stdin\n\\.\nSELECT s.f(1);", True),
        ("CREATE FUNCTION s.g() AS $$\n\\copy t from stdin\nSELECT s.f(1) $$;", True),
        ("COPY t TO stdout; SELECT s.f(1);", True),
        ("COPY t FROM 'stdin';\nSELECT s.f(1);", True),
        ("SELECT a FROM stdin;\nSELECT s.f(1);", True),
        ("CREATE FUNCTION s.g() AS $$ COPY t FROM stdin; SELECT 1;\nSELECT s.f(1) $$;", True),
    ],
)
def test_calls(text: str, is_called: bool) -> None:
    found = read({"f.sql": "CREATE FUNCTION s.f(a int) AS 'x';", "x.sql": text})
    assert found.problems == {}
    assert found.edges() == ({("x.sql", "calls", "f.sql")} if is_called else set())


def test_a_name_that_several_files_create_leads_to_each() -> None:
    create = "CREATE FUNCTION s.f() AS '';"
    found = read(
        {"a.sql": create, "b.sql": create + "SELECT s.f()", "c.sql": "SELECT 1;\nSELECT s.f();\nSELECT s.f()"}
    )
    assert found.edges() == {
        ("a.sql", "calls", "b.sql"),
        ("b.sql", "calls", "a.sql"),
        ("c.sql", "calls", "a.sql"),
        ("c.sql", "calls", "b.sql"),
    }
    assert {link.evidence for link in found.nodes["c.sql"].links} == {"SELECT s.f();"}


def test_what_a_file_becomes() -> None:
    comment = "-- adds: one to a number.\n-- It is quick.\n--\n-- More.\n"
    text = comment + "CREATE FUNCTION s.adds(a int);\nCREATE TABLE u ();\n"
    node = read({"functions/adds.sql": text}).nodes["functions/adds.sql"]
    assert (node.doc_type, node.title, node.text) == ("sql", "s.adds", text)
    assert node.summary == "adds: one to a number. It is quick."
    assert list(node.names) == ["s.adds"]
    assert node.metadata == {
        "kind": "function",
        "language": "sql",
        "file": "functions/adds.sql",
        "lines": [1, 6],
        "creates": ["function s.adds", "table u"],
    }


def test_without_a_comment_or_an_object() -> None:
    found = read(
        {
            "a.sql": "CREATE TABLE s.t ();",
            "b.sql": "SELECT 1",
            "c.sql": "/* First\n * line.\n\n More. */ SELECT 1",
        }
    )
    assert [node.summary for node in found.nodes.values()] == ["table s.t", "b.sql", "First line."]
    assert [node.title for node in found.nodes.values()] == ["s.t", "b.sql", "c.sql"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SELECT 1;\nSELECT 'x;\n", "line 2: a quotation that is never closed"),
        ('SELECT "x', "line 1: a quotation that is never closed"),
        ("SELECT 1 /* /* */", "line 1: a comment that is never closed"),
        ("\n\nDO $x$ SELECT $$ $y$", "line 3: a quotation that is never closed"),
    ],
)
def test_what_is_never_closed_is_said(text: str, reason: str) -> None:
    assert read({"x.sql": text, "good.sql": "SELECT 1"}).problems == {"x.sql": reason}
