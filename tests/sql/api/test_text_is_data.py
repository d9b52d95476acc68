"""Text is data, byte for byte: whatever it looks like, it is not run, folded, trimmed or normalised."""

from __future__ import annotations

import json
import unicodedata

import pytest

from docgraph import calls
from docgraph.access import Access, Ceiling, EmbeddingSpace
from docgraph.client import DocGraph
from tests.conftest import Installed
from tests.sql.api.evidenced import evidence, executed, pieces
from tests.sql.asking import Connection, ask, nothing_written, refusal
from tests.sql.planning import changed, plan, sealed
from tests.sql.stages import edges, fetched, nodes, tree
from tests.sql.writing import put, relate

TEXTS = [
    "'; DROP TABLE docgraph.access_grants; --",
    "' OR '1'='1",
    "x') RETURNING (SELECT 1",
    '"',
    "''",
    "\\",
    "\\'",
    "\\x41",
    "$$",
    "$1",
    "$body$",
    "%s",
    "%(tenant)s",
    "%",
    "%%",
    "%I",
    "{}",
    "{a,b}",
    "{0}",
    "[1]",
    ":x",
    ":'x'",
    "?",
    "NULL",
    "null",
    "true",
    "default",
    "*",
    "/* */",
    "--",
    "a\nb",
    "\ta",
    " edge ",
    "\u00a0",
    "\u200bx",
    "x\u200b",
    "\u202etxet",
    "\ufeff",
    "Straße",
    "STRASSE",
    unicodedata.normalize("NFC", "é"),
    unicodedata.normalize("NFD", "é"),
    "ﬁ",
    "🦆",
    "\U0010ffff",
    "\x01",
    "\x7f",
]


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_a_ceiling_keeps_every_text_as_it_is(shared_client: DocGraph, text: str) -> None:
    ceiling = Ceiling(text, (text,), (text,), (text,), (text,), 0)
    shared_client.grant_access(ceiling, tenant=f"tenant {text}")
    assert shared_client.list_access(tenant=f"tenant {text}") == [ceiling]
    assert shared_client.revoke_access(text, tenant=f"tenant {text}") is True


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_a_claim_keeps_every_text_as_it_is(shared_client: DocGraph, text: str) -> None:
    found = shared_client.whoami(access=Access([text], [text], [text], [text]))
    assert (found.repositories, found.snapshots, found.tags, found.labels) == ((text,),) * 4


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_a_json_key_is_an_unknown_key_and_nothing_else(boss: Connection, text: str) -> None:
    with nothing_written(boss):
        error = refusal(boss, calls.WHOAMI, access=json.dumps({text: ["a"]}, ensure_ascii=False))
    assert error.diag.sqlstate == "22023"
    assert error.diag.message_primary == "access has an unknown key"


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_what_names_something_of_the_database_is_looked_up_and_not_run(boss: Connection, text: str) -> None:
    for parameter in ("metric", "text_search"):
        with nothing_written(boss):
            error = refusal(boss, calls.CONFIGURE_EMBEDDING_SPACE, **{parameter: text})
        assert error.diag.sqlstate == "22023"


def test_a_model_keeps_its_name(database: Installed) -> None:
    with DocGraph(database.conninfo) as client:
        for text in [*TEXTS, "é" * 256]:
            space = EmbeddingSpace(text, 2, "l2", "simple", 10)
            assert client.configure_embedding_space(space) is True
            assert client.embedding_space() == space


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_evidence_keeps_every_text_as_it_is(undone: Connection, text: str) -> None:
    """Ids, titles, texts and types; in rows, in JSON and in the words of why.

    What is there to be read was normalised when it was written; ids and types never are.
    """
    read = unicodedata.normalize("NFC", text)
    chunk = {"text": text, "token_count": 1, "section_path": [text, text], "embedding": [1, 0, 0, 0]}
    said = {"title": text, "source": text, "doc_type": text, "summary": text, "section_titles": [text, "x"]}
    put(undone, {"id": f"{text}2", "chunks": [chunk], **said})
    put(undone, {"id": text, "chunks": [chunk], **said})
    relate(undone, (text, text, f"{text}2"))
    made = plan(undone, seeds=[text])
    whys = ["seed 1, given", f"{text} {text} this"]
    assert [(row.document_id, row.text, row.section_path, row.why) for row in evidence(undone, made)] == [
        (name, read, [read, read], why) for name, why in zip((text, f"{text}2"), whys, strict=True)
    ]
    rows, _ = pieces(undone, made)
    parts = [read, f"{read}\nx"]
    assert [row.text for row in rows] == [*parts, *parts, read, read]
    found = said | {"title": read, "summary": read, "section_titles": [read, "x"]}
    for each, why in zip(executed(undone, made)["context"]["documents"], whys, strict=True):
        assert {key: each[key] for key in said} == found
        assert each["why"] == why
        assert [(piece["text"], piece["section_path"]) for piece in each["chunks"]] == [(read, [read, read])]


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_stages_keep_every_text_as_it_is(undone: Connection, text: str) -> None:
    """Ids and relation types in nodes and edges, and texts as they were stored; also as an allow-list."""
    put(undone, {"id": text, "chunks": [{"text": text}]}, {"id": f"{text}2", "chunks": [{"text": text}]})
    relate(undone, (text, text, f"{text}2"))
    for types in (None, [text]):
        found = tree(undone, text, edge_allowlist=types)
        assert list(nodes(found).items()) == [(text, (0, None)), (f"{text}2", (1, text))]
        assert edges(found) == [(text, text, f"{text}2")]
    assert list(nodes(tree(undone, text, edge_allowlist=[f"{text} "]))) == [text]
    rows, _ = fetched(undone, found["nodes"], seeds=[f"{text}2", text], max_chars=100)
    read = unicodedata.normalize("NFC", text)
    assert [(row.id, row.parent, row.text) for row in rows] == [(f"{text}2", text, read), (text, None, read)]


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_a_plan_of_another_model_names_it_as_json_does(boss: Connection, text: str) -> None:
    made = sealed(changed("made_by.embedding_space.model", text))
    error = refusal(boss, calls.EXECUTE_PLAN, plan=json.dumps(made))
    ((named,),) = boss.execute("SELECT to_jsonb(%s::text)::text", (text,)).fetchall()
    assert error.diag.sqlstate == "KG001"
    assert f'"model": {named}, ' in str(error.diag.message_primary)


def test_texts_that_look_alike_are_different_tenants(boss: Connection) -> None:
    """Each gets a ceiling of its own; a single one folded into another would overwrite it."""
    tenants = [
        "a",
        "A",
        " a",
        "a ",
        "a\u200b",
        "a\u00ad",
        "á",
        "a\u0301",
        "\uff41",
        "\u0430",
    ]
    assert len(set(tenants)) == len(tenants)
    for number, tenant in enumerate(tenants):
        ask(boss, calls.GRANT_ACCESS, tenant=tenant, clearance=number)
    for number, tenant in enumerate(tenants):
        (found,) = ask(boss, calls.LIST_ACCESS, tenant=tenant)
        assert found.clearance == number


@pytest.mark.parametrize(
    "name", ["'; DROP ROLE x; --", "%s", "{}", "$$", "a b", "é", "e\u0301", "\\"], ids=ascii
)
def test_a_login_is_taken_as_it_is_spelt(shared: Installed, boss: Connection, name: str) -> None:
    shared.reader(name, "spelt", tags=[name])
    with shared.connect(name) as connection:
        found = ask(connection, calls.WHOAMI, tenant="spelt", access=json.dumps({"tags": [name, "x"]}))
    assert (found.login, found.tags) == (name, (name,))
    ask(boss, calls.REVOKE_ACCESS, tenant="spelt", login=name)
