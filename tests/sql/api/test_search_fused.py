"""search_nodes in mode hybrid and with reranking: two orders made into one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sql.asking import Connection
from tests.sql.planning import NORTH, hits
from tests.sql.writing import put

VECTORS = {"near": [9, 1, 0, 0], "middle": [9, 3, 0, 0], "far": [9, 9, 0, 0], "away": [-1, 0, 0, 0]}
"""In order of their distance to the north."""
SUMMARIES = {
    "near": "nothing",
    "middle": "word and other things that are many more than that",
    "far": "word word",
    "away": "nothing",
    "no vector": "word",
}


@pytest.fixture
def pages(undone: Connection) -> Connection:
    put(
        undone,
        *(
            {
                "id": name,
                "summary": text,
                "title": f"The {name} page",
                **({"summary_embedding": VECTORS[name]} if name in VECTORS else {}),
                "chunks": [
                    {"text": text, **({"embedding": VECTORS[name]} if name in VECTORS else {})},
                    {"text": "more"},
                ],
            }
            for name, text in SUMMARIES.items()
        ),
    )
    return undone


def found(connection: Connection, **arguments: Any) -> list[str]:
    how = {"query_text": "word", "mode": "hybrid", "query_embedding": NORTH, **arguments}
    return [row[1] for row in hits(connection, **how)]


def test_both_lists_count(pages: Connection) -> None:
    """By meaning near, middle, far, away; by words far, no vector, middle."""
    assert found(pages, mode="semantic", query_text=None) == ["near", "middle", "far", "away"]
    assert found(pages, mode="bm25", query_embedding=None) == ["far", "no vector", "middle"]
    # 1/3 + 1/1 and so on: the lower the constant, the more the first places count.
    assert found(pages, rrf_k=1) == ["far", "middle", "near", "no vector", "away"]
    assert found(pages) == ["far", "middle", "near", "no vector", "away"]


def test_chunks(pages: Connection) -> None:
    rows = hits(pages, query_text="word", mode="hybrid", search_in="chunks")
    assert [row[1:3] for row in rows] == [
        ("far", 0),
        ("middle", 0),
        ("near", 0),
        ("no vector", 0),
        ("away", 0),
    ]
    assert {row[3] for row in rows} == {"exact"}


def test_what_stands_in_both_at_the_same_places_is_in_order_of_meaning(undone: Connection) -> None:
    """First by meaning and second by words, and the other way round: the sums are the same."""
    put(
        undone,
        {"id": "b", "summary": "word and another", "summary_embedding": [9, 1, 0, 0]},
        {"id": "a", "summary": "word", "summary_embedding": [9, 2, 0, 0]},
    )
    assert found(undone) == ["b", "a"]


def test_fewer_places_are_the_beginning_of_more(pages: Connection) -> None:
    everything = found(pages)
    for most in range(len(everything) + 1):
        assert found(pages, max_nodes=most) == everything[:most]


def test_a_blank_question_leaves_the_order_by_meaning(pages: Connection) -> None:
    assert found(pages, query_text="the") == ["near", "middle", "far", "away"]


def test_the_method_is_that_of_the_vectors(pages: Connection) -> None:
    rows = hits(pages, query_text="word", mode="hybrid", method="approximate")
    assert {row[3] for row in rows} == {"approximate"}
    rows = hits(pages, query_text="word", mode="bm25", query_embedding=None, method="approximate")
    assert {row[3] for row in rows} == {"exact"}


class TestTitles:
    """Documents whose title stands in the question, as a third list."""

    def test_they_count_once_more(self, pages: Connection) -> None:
        question = "what does THE AWAY, page say?"
        assert found(pages, query_text=question)[0] != "away"
        assert found(pages, query_text=question, title_hits=True)[0] == "away"

    def test_the_longest_first_then_the_id(self, undone: Connection) -> None:
        titles = {"c": "Leave", "b": "Parental leave", "a": "leave", "d": "Parental", "e": "parental leave x"}
        put(undone, *({"id": name, "title": title} for name, title in titles.items()))
        query = "SELECT docgraph.title_hits('default', docgraph.visible_classes('default', '{}'), %s, 10, %s)"
        question = "About PARENTAL  leave: how?"
        assert undone.execute(query, (question, [])).fetchone() == (["b", "d", "a", "c"],)
        assert undone.execute(query, (question, ["b", "a"])).fetchone() == (["d", "c"],)
        assert undone.execute(query, ("parentalleave", [])).fetchone() == ([],)

    def test_what_stands_in_parentheses_at_the_end_need_not_be_asked_for(self, undone: Connection) -> None:
        titles = {
            "a": "Mercury (planet)",
            "b": "Mercury",
            "c": "(Mercury)",
            "d": "Mercury (old) rules",
            "e": "Go (game)",
            "f": "mercury(x)",
            "g": "Mercury (element)",
            "h": "C++  (language)",
            "i": "!!!! (film)",
            "j": "Solar System",
        }
        put(undone, *({"id": name, "title": title} for name, title in titles.items()))
        query = (
            "SELECT docgraph.title_hits('default', docgraph.visible_classes('default', '{}'), %s, 10, '{}')"
        )
        for question, expected in (
            # Who is called just that comes first, or who is asked for with the parentheses.
            ("How hot is Mercury?", ["b", "c", "a", "g"]),
            ("mercury (planet)", ["a", "b", "c", "g"]),
            ("what is mercury (element)", ["g", "b", "c", "a"]),
            ("Is Mercury (planet) in the Solar System?", ["a", "j", "b", "c", "g"]),
            ("mercury old rules", ["d", "b", "c", "a", "g"]),
            ("planet", []),
            ("go on", []),
            ("go (game)", ["e"]),
            ("mercury(x)", ["f", "b", "c", "a", "g"]),
            # Of which too little would be left.
            ("c is a letter", []),
            ("the c language", ["h"]),
            ("which film", ["i"]),
        ):
            ((names,),) = undone.execute(query.encode(), [question]).fetchall()
            assert names == expected

    def test_titles_without_words_and_very_long_ones_are_not_looked_for(self, undone: Connection) -> None:
        long = " ".join(f"w{n}" for n in range(13))
        put(
            undone,
            *({"id": "long", "title": long}, {"id": "signs", "title": "???"}, {"id": "none"}),
            {"id": "apart", "title": f"A name ({long})"},
        )
        query = (
            "SELECT docgraph.title_hits('default', docgraph.visible_classes('default', '{}'), %s, 10, '{}')"
        )
        for question in (long, "???", ""):
            assert undone.execute(query, (question,)).fetchone() == ([],)
        assert undone.execute(query, ("what is a name?",)).fetchone() == (["apart"],)

    def test_hidden_ones_are_not_among_them(self, undone: Connection) -> None:
        put(undone, {"id": "a", "title": "Leave", "tags": ["hr"]}, access={"tags": ["hr"]})
        assert found(undone, query_text="leave", title_hits=True) == []
        assert found(undone, query_text="leave", title_hits=True, access={"tags": ["hr"]}) == ["a"]


class TestKeywords:
    """rerank => 'keyword'."""

    def test_what_has_the_words_comes_first(self, pages: Connection) -> None:
        how = {"mode": "semantic", "rerank": "keyword"}
        assert found(pages, **how) == ["far", "middle", "near", "away"]
        assert found(pages, query_text="the", **how) == ["near", "middle", "far", "away"]
        rows = hits(pages, query_text="word", search_in="chunks", **how)
        assert [row[1:3] for row in rows] == [("far", 0), ("middle", 0), ("near", 0), ("away", 0)]

    def test_candidates_are_six_times_as_many(self, undone: Connection) -> None:
        put(
            undone,
            *(
                {"id": f"{n}", "summary": "word" if n in {5, 6} else "x", "summary_embedding": [9, n, 0, 0]}
                for n in range(8)
            ),
        )
        how = {"mode": "semantic", "rerank": "keyword"}
        assert found(undone, max_nodes=1, **how) == ["5"]
        assert found(undone, max_nodes=2, **how) == ["5", "6"]
        assert found(undone, max_nodes=0, **how) == []

    @pytest.mark.parametrize("mode", ["bm25", "hybrid"])
    def test_of_lists_by_words_only_where_it_is_said(self, pages: Connection, mode: str) -> None:
        vector = NORTH if mode == "hybrid" else None
        how = {"mode": mode, "query_embedding": vector, "rerank": "keyword", "rerank_lexical": True}
        assert found(pages, **how)[:3] == ["far", "no vector", "middle"]
        assert sorted(found(pages, **how)) == sorted(found(pages, mode=mode, query_embedding=vector))
