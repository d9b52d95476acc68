"""search_nodes by words: what is found, in which order, and what a question in words may say."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from docgraph import calls
from tests.conftest import Installed
from tests.sql.asking import Connection, ask, nothing_written, refusal
from tests.sql.planning import NORTH, hits
from tests.sql.writing import put, report

PAGES: dict[str, dict[str, Any]] = {
    "leave.md": {
        "title": "Parental leave",
        "summary": "How many days parents may take.",
        "chunks": ["Parents take ninety days of leave.", "Holiday is thirty days for everybody."],
    },
    "pay.md": {
        "title": "Pay",
        "summary": "When salaries come.",
        "chunks": ["Salaries come on the last day.", "A bonus comes in March. Holiday pay is part of it."],
    },
    "travel.md": {"title": "Travel", "summary": "Book, then travel.", "chunks": ["Trains before flights."]},
    "empty.md": {"chunks": ["???"]},
}


def put_pages(connection: Connection, pages: dict[str, dict[str, Any]], **attributes: Any) -> None:
    put(
        connection,
        *(
            {"id": name, **page, "chunks": [{"text": text} for text in page.get("chunks", [])], **attributes}
            for name, page in pages.items()
        ),
        access={key: value for key, value in attributes.items() if key in {"tags", "labels", "clearance"}},
    )


def by_words(connection: Connection, question: str, **arguments: Any) -> list[tuple[Any, ...]]:
    """Document and chunk, in order."""
    how = {
        "query_embedding": None,
        "query_text": question,
        "mode": "bm25",
        "search_in": "chunks",
        **arguments,
    }
    return [row[1:3] for row in hits(connection, **how)]


def documents(connection: Connection, question: str, **arguments: Any) -> list[str]:
    return [name for name, _ in by_words(connection, question, **{"search_in": "summaries", **arguments})]


@pytest.fixture
def pages(undone: Connection) -> Connection:
    put_pages(undone, PAGES)
    return undone


def test_chunks_by_their_text(pages: Connection) -> None:
    assert by_words(pages, "holiday") == [("leave.md", 1), ("pay.md", 1)]
    assert by_words(pages, "leave") == [("leave.md", 0)]
    assert hits(pages, query_embedding=None, query_text="leave", mode="bm25", search_in="chunks") == [
        (1, "leave.md", 0, "exact")
    ]


def test_documents_by_title_and_summary(pages: Connection) -> None:
    assert documents(pages, "parental") == ["leave.md"]
    assert documents(pages, "travel") == ["travel.md"]
    assert documents(pages, "salary travel days") == ["travel.md", "pay.md", "leave.md"]
    assert documents(pages, "ninety") == []
    assert hits(pages, query_embedding=None, query_text="pay", mode="bm25")[0] == (1, "pay.md", None, "exact")


def test_a_list_of_words_is_ranked_and_no_condition(pages: Connection) -> None:
    """The rarer word counts for more; what has more of them comes first."""
    assert by_words(pages, "holiday bonus") == [("pay.md", 1), ("leave.md", 1)]
    assert by_words(pages, "flights unheard-of holiday")[0] == ("travel.md", 0)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ('"holiday pay"', [("pay.md", 1)]),
        ('"pay holiday"', []),
        ('holiday "thirty days"', [("leave.md", 1)]),
        ("holiday -bonus", [("leave.md", 1)]),
        ("holiday -thirty", [("pay.md", 1)]),
        ('holiday -"thirty days"', [("pay.md", 1)]),
        ('"ninety days" or "thirty days"', [("leave.md", 0), ("leave.md", 1)]),
        ('"ninety days" OR bonus', [("leave.md", 0), ("pay.md", 1)]),
        ('days -ninety or bonus -"part of"', [("leave.md", 1), ("pay.md", 0)]),
        ("-holiday", []),
        ('-"thirty days"', []),
    ],
)
def test_phrases_exclusions_and_alternatives(
    pages: Connection, question: str, expected: list[tuple[str, int]]
) -> None:
    found = by_words(pages, question)
    # Where the words of several alternatives are ranked, their order is of no interest here.
    assert sorted(found) == sorted(expected) if " or " in question.lower() else found == expected


@pytest.mark.parametrize(
    "question", ["", " \n\t", "the of and", "???", '"', "-", '""', "or", "-the", '"the of"']
)
def test_nothing_to_look_for_finds_nothing(pages: Connection, question: str) -> None:
    assert by_words(pages, question) == []
    assert documents(pages, question) == []


@pytest.mark.parametrize(
    "question",
    [
        "a & & 'b holiday",
        'holiday "',
        '" holiday',
        "holiday ! | & ( ) :* <-> \\",
        "'; DROP TABLE docgraph.document_nodes; -- holiday",
        "holiday $$ %s {} :x \\' ''",
        'x" -y" "z holiday',
        "holi\u200bday holiday \U0001f600",
    ],
)
def test_whatever_is_asked_is_no_error(pages: Connection, question: str) -> None:
    assert ("leave.md", 1) in by_words(pages, question) or "-y" in question


ASKED = "SELECT document_id FROM docgraph.search_nodes({}, '{{}}', query_text => {}, mode => 'bm25')"


@pytest.mark.parametrize("tenant", ["'default' COLLATE \"C\"", "'default'::name"])
def test_the_collation_of_an_argument_changes_nothing(undone: Connection, tenant: str) -> None:
    put(undone, {"id": "a", "title": "leave"}, {"id": "b", "title": "leave draft"})
    for question in ("'leave\u00a0-draft'", '\'"leave" OR "draft"\''):
        rows = undone.execute(ASKED.format("'default'", question).encode()).fetchall()
        assert rows
        assert undone.execute(ASKED.format(tenant, question).encode()).fetchall() == rows


def test_another_collation_is_refused(undone: Connection) -> None:
    undone.execute(
        "CREATE TEMP TABLE asked (question text COLLATE \"POSIX\"); INSERT INTO asked VALUES ('leave')"
    )
    with pytest.raises(psycopg.errors.InvalidParameterValue) as raised:
        undone.execute(
            "SELECT s.* FROM asked a,"
            " docgraph.search_nodes('default', '{}', query_text => a.question, mode => 'bm25') s"
        )
    assert (
        raised.value.diag.message_primary
        == 'the texts of a call must have the collation of the database, or "C"'
    )
    assert raised.value.diag.message_hint == 'Write COLLATE "default" behind the one that has another.'


def test_spellings_of_one_character(undone: Connection) -> None:
    put_pages(undone, {"a": {"chunks": ["cafe\u0301"]}, "b": {"chunks": ["caf\u00e9"]}})
    assert by_words(undone, "caf\u00e9") == by_words(undone, "cafe\u0301") == [("a", 0), ("b", 0)]


def test_ties_are_in_order_of_the_bytes_of_the_id(undone: Connection) -> None:
    names = ["Z", "a", "A", "é", "e\u0301", "_", "a ", "\U0001f600"]
    put_pages(undone, {name: {"title": "word", "chunks": ["word", "word"]} for name in names})
    ordered = sorted(names, key=str.encode)
    assert documents(undone, "word") == ordered
    assert documents(undone, "word", max_nodes=3) == ordered[:3]
    assert by_words(undone, "word", max_nodes=16) == [(name, n) for name in ordered for n in (0, 1)]


def test_many_equal_scores(undone: Connection) -> None:
    """More than are looked at in the first round."""
    put_pages(undone, {f"{n:03}": {"title": "word"} for n in range(150)})
    assert documents(undone, "word", max_nodes=5) == [f"{n:03}" for n in range(5)]
    assert documents(undone, "word", max_nodes=200) == [f"{n:03}" for n in range(150)]


def test_limits(pages: Connection) -> None:
    everything = by_words(pages, "days holiday salary")
    assert len(everything) > 3
    for most in range(len(everything) + 1):
        assert by_words(pages, "days holiday salary", max_nodes=most) == everything[:most]


HIDDEN: dict[str, dict[str, Any]] = {
    "tag": {"tags": ["law"]},
    "label": {"labels": ["secret"]},
    "clearance": {"clearance": 1},
}


@pytest.mark.parametrize("mode", ["bm25", "hybrid"])
@pytest.mark.parametrize("search_in", ["summaries", "chunks"])
def test_what_is_hidden_is_never_found(undone: Connection, search_in: str, mode: str) -> None:
    wide = {"tags": ["law"], "labels": ["secret"], "clearance": 1}
    ask(
        undone,
        calls.GRANT_ACCESS,
        tenant="elsewhere",
        login=undone.info.user,
        **dict.fromkeys(("repositories", "snapshots", *wide)),
    )
    page = {
        "title": "word",
        "summary_embedding": NORTH,
        "chunks": [{"text": "word", "embedding": NORTH}],
    }
    put(undone, {"id": "seen", **page})
    put(undone, {"id": "another tenant", **page}, tenant="elsewhere")
    for why, attributes in HIDDEN.items():
        put(undone, {"id": why, **page, **attributes}, access=wide)
    how: dict[str, Any] = {
        "query_embedding": NORTH if mode == "hybrid" else None,
        "query_text": "word",
        "mode": mode,
        "search_in": search_in,
    }
    assert [row[1] for row in hits(undone, **how)] == ["seen"]
    assert [row[1] for row in hits(undone, access={"tags": ["law"]}, **how)] == ["seen", "tag"]
    assert [row[1] for row in hits(undone, access=wide, **how)] == ["clearance", "label", "seen", "tag"]
    assert [row[1] for row in hits(undone, tenant="elsewhere", **how)] == ["another tenant"]


def test_access_and_words_that_change(pages: Connection) -> None:
    """From the next call on."""
    put(pages, {"id": "pay.md", "chunks": [{"text": "Nothing about money."}]})
    assert by_words(pages, "bonus") == []
    assert by_words(pages, "money") == [("pay.md", 0)]
    wide = {"tags": ["hr"]}
    report(pages, "set_document_access", documents=["pay.md"], attributes={"tags": ["hr"]}, access=wide)
    assert by_words(pages, "money") == []
    assert by_words(pages, "money", access=wide) == [("pay.md", 0)]
    report(pages, "delete_documents", documents=["pay.md"], access=wide)
    assert by_words(pages, "money", access=wide) == []


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a vector for words": (
        {"mode": "bm25", "query_text": "x", "query_embedding": NORTH},
        "query_embedding must be null in mode bm25",
    ),
    "no text": ({"mode": "bm25", "query_embedding": None}, "query_text must not be null in mode bm25"),
    "half of both, no text": ({"mode": "hybrid"}, "query_text must not be null in mode hybrid"),
    "half of both, no vector": (
        {"mode": "hybrid", "query_text": "x", "query_embedding": None},
        "query_embedding must not be null in mode hybrid",
    ),
    "neither of both": (
        {"mode": "hybrid", "query_embedding": None},
        "query_embedding must not be null in mode hybrid",
    ),
    "too long": (
        {"mode": "bm25", "query_embedding": None, "query_text": "x" * 10_001},
        "query_text must be a text of at most 10000 bytes",
    ),
    "too long in NFC": (
        {"mode": "bm25", "query_embedding": None, "query_text": "\U0001d160" * 900},
        "query_text must be a text of at most 10000 bytes",
    ),
    "reranking of words": (
        {"mode": "bm25", "query_embedding": None, "query_text": "x", "rerank": "keyword"},
        "rerank must be none in mode bm25",
    ),
    "reranking of both": (
        {"mode": "hybrid", "query_text": "x", "rerank": "keyword"},
        "rerank must be none in mode hybrid",
    ),
    "reranking without words": ({"rerank": "keyword"}, "query_text must not be null for reranking"),
    "titles of chunks": (
        {"mode": "hybrid", "query_text": "x", "title_hits": True, "search_in": "chunks"},
        "title_hits must be false but for mode hybrid in summaries",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(boss: Connection, case: str) -> None:
    arguments, message = REFUSED[case]
    with nothing_written(boss):
        error = refusal(boss, calls.SEARCH_NODES, **arguments)
    assert error.diag.sqlstate == "22023"
    assert error.diag.message_primary == message
    assert error.diag.message_hint


def test_the_longest_questions(pages: Connection) -> None:
    """As many different words as fit, and one that is no word; never an error."""
    assert by_words(pages, " ".join(f"{n:x}" for n in range(2000)) + " holiday")[0][0] in {
        "leave.md",
        "pay.md",
    }
    assert by_words(pages, "x" * 10_000) == []
    assert by_words(pages, '"' * 10_000) == []
    assert by_words(pages, ("or " * 3000) + "holiday") == [("leave.md", 1), ("pay.md", 1)]
    assert by_words(pages, "-a " * 3000) == []


@pytest.mark.parametrize("mode", ["bm25", "hybrid"])
def test_before_an_embedding_space_is_configured(undone: Connection, mode: str) -> None:
    undone.execute("DELETE FROM docgraph.embedding_space")
    vector = NORTH if mode == "hybrid" else None
    error = refusal(undone, calls.SEARCH_NODES, mode=mode, query_text="x", query_embedding=vector)
    assert error.diag.sqlstate == "KG003"


def test_without_a_ceiling(shared: Installed) -> None:
    shared.reader("words_stranger", "elsewhere")
    with shared.connect("words_stranger") as connection:
        for tenant in ("default", "nowhere"):
            error = refusal(
                connection,
                calls.SEARCH_NODES,
                tenant=tenant,
                mode="bm25",
                query_text="x",
                query_embedding=None,
            )
            assert error.diag.sqlstate == "42501"


def test_no_text_is_read(pages: Connection) -> None:
    """Words and vectors only: whatever the mode, a search looks at no title, summary or text of a chunk."""
    vector: dict[str, Any] = {"query_embedding": NORTH}
    modes: list[dict[str, Any]] = [
        {"query_embedding": None, "mode": "bm25", "query_text": "holiday"},
        {**vector, "mode": "hybrid", "query_text": "holiday pay", "title_hits": True},
        {**vector, "mode": "semantic", "query_text": "holiday", "rerank": "keyword"},
    ]
    before = [hits(pages, **how) for how in modes]
    pages.execute(
        """
        REVOKE SELECT ON docgraph.document_nodes, docgraph.vector_chunks FROM docgraph_owner;
        GRANT SELECT (tenant_id, document_id, access_class, summary_embedding)
            ON docgraph.document_nodes TO docgraph_owner;
        GRANT SELECT (tenant_id, document_id, ordinal, access_class, embedding)
            ON docgraph.vector_chunks TO docgraph_owner
        """
    )
    assert [hits(pages, **how) for how in modes] == before
    assert refusal(pages, calls.CANDIDATE_TEXTS).diag.sqlstate == "42501"
