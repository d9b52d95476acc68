"""Whatever is written in whatever order: a search by words finds what the model finds, and scores it so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.resources import SQL
from tests.properties.database import Asked
from tests.properties.words import Constants, Key, fused, ranked, scores, tokens
from tests.sql.asking import Connection
from tests.sql.writing import put, report

WORDS = ["ada", "bel", "cat", "dog", "eel", "fox", "gnu"]
TAGS = ("", "x", "y")
"""What a document is tagged with; empty is public."""
CLAIMS: list[dict[str, Any]] = [{}, {"tags": ["x"]}, {"tags": ["x", "y"]}]
WIDE = {"tags": ["x", "y"]}
CONSTANTS = Constants(average=8.0)

Stored = tuple[str, str, tuple[str, ...]]
"""Tag, summary, chunks."""

texts = st.lists(st.sampled_from([*WORDS, *WORDS[:2] * 3]), max_size=12).map(" ".join)
documents = st.tuples(st.sampled_from(TAGS), texts, st.lists(texts.filter(bool), max_size=4).map(tuple))
questions = st.lists(st.sampled_from([*WORDS, "unknown"]), min_size=1, max_size=5)
writes = st.tuples(
    st.sampled_from(["put", "put", "put", "delete", "tag"]), st.sampled_from("abcdeA"), documents
)

COUNTED = """
SELECT i.tenant_id, t.term_number, i.ordinal >= 0, i.access_class, count(*)
FROM docgraph.lexical_index i
CROSS JOIN LATERAL unnest(tsvector_to_array(i.lexemes)) AS w (word)
JOIN docgraph.lexical_terms t ON t.tenant_id = i.tenant_id AND t.term = w.word
GROUP BY 1, 2, 3, 4
UNION ALL
SELECT i.tenant_id, 0, i.ordinal >= 0, i.access_class, count(*) FROM docgraph.lexical_index i GROUP BY 1, 3, 4
ORDER BY 1, 2, 3, 4
"""
KEPT = """
SELECT tenant_id, term_number, in_chunks, access_class, entries
FROM docgraph.lexical_counts ORDER BY 1, 2, 3, 4
"""


@pytest.fixture(scope="module", autouse=True)
def _constants(unguarded: Asked) -> None:
    unguarded.superuser.execute(
        "SELECT docgraph.rebuild_lexical(average_length => 8, text_search => 'simple')"
    )
    unguarded.superuser.execute(
        "SELECT docgraph.grant_access('default', session_user::text, NULL, NULL, NULL, NULL, NULL)"
    )


@pytest.fixture(scope="module", params=[(2000, 500), (0, 0)], ids=["all scored", "by the index"])
def superuser(request: pytest.FixtureRequest, unguarded: Asked) -> Iterator[Connection]:
    """Small worlds are scored entry by entry; with another limit they are looked up as large ones are."""
    text = (SQL / "functions/leaf/bound.sql").read_text(encoding="utf-8")
    scanned, first = request.param
    changed = text.replace("WHEN 'scanned_entries' THEN 2000", f"WHEN 'scanned_entries' THEN {scanned}")
    changed = changed.replace("WHEN 'first_entries' THEN 500", f"WHEN 'first_entries' THEN {first}")
    unguarded.superuser.execute("SET ROLE docgraph_owner")
    unguarded.superuser.execute(changed.encode())
    unguarded.superuser.execute("RESET ROLE")
    yield unguarded.superuser
    unguarded.superuser.execute("SET ROLE docgraph_owner")
    unguarded.superuser.execute(text.encode())
    unguarded.superuser.execute("RESET ROLE")


def write(superuser: Connection, library: dict[str, Stored], what: str, name: str, new: Stored) -> None:
    """By the database, and in the library."""
    tag, summary, chunks = new
    if what == "put":
        entry = {"id": name, "summary": summary, "chunks": [{"text": text} for text in chunks]}
        put(superuser, entry | ({"tags": [tag]} if tag else {}), access=WIDE)
        library[name] = new
    elif what == "delete":
        report(superuser, "delete_documents", documents=[name], access=WIDE)
        library.pop(name, None)
    elif name in library:
        attributes = {"tags": [tag] if tag else []}
        report(superuser, "set_document_access", documents=[name], attributes=attributes, access=WIDE)
        library[name] = (tag, *library[name][1:])


def entries(library: Mapping[str, Stored], claim: Mapping[str, Any], search_in: str) -> dict[Key, str]:
    """What this claim sees."""
    seen = {name: each for name, each in library.items() if not each[0] or each[0] in claim.get("tags", ())}
    if search_in == "summaries":
        return {(name, -1): each[1] for name, each in seen.items()}
    return {(name, n): text for name, each in seen.items() for n, text in enumerate(each[2])}


def found(
    superuser: Connection, claim: Mapping[str, Any], words: Sequence[str], search_in: str, most: int
) -> list[tuple[Key, float]]:
    """What core function best_by_words gives, with scores."""
    row = superuser.execute(
        "SELECT * FROM docgraph.best_by_words("
        "'default', docgraph.visible_classes('default', %s), %s, %s, %s, '{}')",
        (_json(claim), " ".join(words), search_in, most),
    ).fetchone()
    assert row is not None
    names, chunks, values = row
    places = [-1] * len(names) if chunks is None else chunks
    return [((name, n), score) for name, n, score in zip(names, places, values, strict=True)]


def _json(claim: Mapping[str, Any]) -> str:
    return str(dict(claim)).replace("'", '"')


@given(
    plan=st.lists(writes, min_size=4, max_size=14),
    asked=st.lists(questions, min_size=3, max_size=3),
    most=st.sampled_from([1, 2, 3, 50]),
)
def test_a_search_by_words_is_bm25_over_what_the_caller_sees(
    superuser: Connection, plan: list[tuple[str, str, Stored]], asked: list[list[str]], most: int
) -> None:
    library: dict[str, Stored] = {}
    with superuser.transaction(force_rollback=True):
        for step in plan:
            write(superuser, library, *step)
        assert superuser.execute(KEPT).fetchall() == superuser.execute(COUNTED).fetchall()
        for claim in CLAIMS:
            for words in asked:
                for search_in in ("summaries", "chunks"):
                    expected = ranked(scores(entries(library, claim, search_in), words, CONSTANTS), most)
                    assert found(superuser, claim, words, search_in, most) == expected


@given(
    plan=st.lists(writes, min_size=4, max_size=10),
    more=st.lists(writes, min_size=1, max_size=6),
    words=questions,
    mode=st.sampled_from(["bm25", "hybrid"]),
)
def test_what_is_hidden_changes_nothing(
    superuser: Connection,
    plan: list[tuple[str, str, Stored]],
    more: list[tuple[str, str, Stored]],
    words: list[str],
    mode: str,
) -> None:
    """Whatever happens to documents of other ids that this caller cannot see, with new words and old ones."""
    asked = """
        SELECT string_agg(s::text, ' ' ORDER BY rank) FROM docgraph.search_nodes(
            'default', '{}', CASE %s::text WHEN 'hybrid' THEN '{1,0,0,0}'::float8[] END, %s, %s,
            search_in => %s, rerank => %s, rerank_lexical => true) AS s
    """
    library: dict[str, Stored] = {}

    def answers() -> list[Any]:
        return [
            superuser.execute(asked, (mode, " ".join(words), mode, search_in, rerank)).fetchone()
            for search_in in ("summaries", "chunks")
            for rerank in ("none", "keyword")
        ]

    with superuser.transaction(force_rollback=True):
        for step in plan:
            write(superuser, library, *step)
        before = answers()
        for what, name, (tag, summary, chunks) in more:
            hidden = (tag or "x", f"{summary} {name}new", chunks)
            write(superuser, library, what, f"hidden {name}", hidden)
        assert answers() == before


@given(
    places=st.lists(st.sampled_from("abcdefgh"), max_size=8, unique=True),
    words=st.lists(st.sampled_from("abcdefgh"), max_size=8, unique=True),
    titles=st.none() | st.lists(st.sampled_from("abcdefgh"), max_size=8, unique=True),
    rrf_k=st.sampled_from([1, 2, 60, 200]),
)
def test_fusion_is_that_of_the_model(
    superuser: Connection, places: list[str], words: list[str], titles: list[str] | None, rrf_k: int
) -> None:
    """Two of a list's places may make the same sum as two others, where the order of the lists decides."""
    row = superuser.execute(
        "SELECT documents FROM docgraph.fuse_ranks(%s::text[], NULL, %s::text[], NULL, %s::text[], %s)",
        (places, words, titles, rrf_k),
    ).fetchone()
    keys = [[(name, -1) for name in each or ()] for each in (places, words, titles)]
    assert row is not None
    assert row[0] == [name for name, _ in fused(keys[0], keys[1], keys[2], rrf_k)]


def test_the_model_reads_words_as_the_database_does(superuser: Connection) -> None:
    row = superuser.execute(
        "SELECT tsvector_to_array(to_tsvector('simple', %s))", (" ".join(WORDS),)
    ).fetchone()
    assert row == (tokens(" ".join(WORDS)),)
