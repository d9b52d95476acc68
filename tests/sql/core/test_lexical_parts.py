"""The steps of a search by words, each by itself."""

from __future__ import annotations

import itertools
import math
from random import Random
from typing import Any

import pytest

from tests.sql.asking import Connection
from tests.sql.writing import put


def one(connection: Connection, query: str, *arguments: Any) -> Any:
    row = connection.execute(query.encode(), arguments or None).fetchone()
    assert row is not None
    return row[0] if len(row) == 1 else row


class TestReadQuestion:
    """What a question asks: its words, and what must hold beside them."""

    QUERY = "SELECT words, times, must::text FROM docgraph.read_question(%s)"

    @pytest.mark.parametrize(
        ("question", "words", "must"),
        [
            ("leave and pay", ["leav", "pay"], None),
            ('"parental leave"', ["leav", "parent"], "'parent' <-> 'leav'"),
            ("pay -draft", ["pay"], "!'draft'"),
            ('pay -"old draft"', ["pay"], "!( 'old' <-> 'draft' )"),
            ('a "x y" "z" -w', ["x", "y", "z"], "'x' <-> 'y' & 'z' & !'w'"),
            ("leave or pay", ["leav", "pay"], None),
            ('leave or "sick pay"', ["leav", "pay", "sick"], "'leav' | 'sick' <-> 'pay'"),
            ("leave -x OR pay", ["leav", "pay"], "!'x' & 'leav' | 'pay'"),
            ("-x or pay", ["pay"], "!'x' | 'pay'"),
            ('"or" pay', ["pay"], None),
            ("multi-tenant", ["multi", "multi-ten", "tenant"], None),
            ("-multi-tenant x", ["x"], "!( 'multi-ten' <-> 'multi' <-> 'tenant' )"),
            ("well-known pay-day", ["day", "known", "pay", "pay-day", "well", "well-known"], None),
            ('un"closed quote', ["close", "quot", "un"], "'close' <-> 'quot'"),
            ('pay -"old draft', ["pay"], "!( 'old' <-> 'draft' )"),
            ('pay "', ["pay"], None),
            ("pay - draft", ["draft", "pay"], None),
            ("„leave“ \u2013 it\u2019s pay…", ["leav", "pay"], None),
            ('"„sick“ pay"', ["pay", "sick"], "'sick' <-> 'pay'"),
        ],
    )
    def test_reading(self, boss: Connection, question: str, words: list[str], must: str | None) -> None:
        found, _, condition = one(boss, self.QUERY, question)
        assert sorted(found) == words
        assert condition == must

    def test_conditions_are_those_of_a_web_search(self, boss: Connection) -> None:
        """Of phrases and exclusions, with a quote at the end that may have no partner."""
        chance = Random(11)
        pieces = ['"sick pay"', "-draft", '-"old draft"', '"multi-tenant"', "-well-known", '"a"', '-"the"']
        for _ in range(200):
            asked = [chance.choice(pieces) for _ in range(chance.randint(1, 4))]
            question = " ".join(asked)
            if question.endswith('"') and chance.random() < 0.5:
                question = question[:-1]
            query = (
                "SELECT must::text, websearch_to_tsquery('english', %s)::text FROM docgraph.read_question(%s)"
            )
            ours, theirs = one(boss, query, question, question)
            assert (ours or "") == theirs, question

    def test_how_often_a_word_is_asked_for(self, boss: Connection) -> None:
        assert one(boss, self.QUERY, 'pay "pay day" leave -day')[:2] == (["day", "leav", "pay"], [1, 1, 2])

    def test_code(self, undone: Connection) -> None:
        undone.execute("UPDATE docgraph.embedding_space SET text_search = 'code'")
        found, _, must = one(undone, self.QUERY, 'getUser "user name" -HTTPServer')
        assert sorted(found) == ["get", "getuser", "name", "user"]
        assert must == "'user' <-> 'name' & !( 'http' <-> 'server' )"


class TestScoreEntries:
    QUERY = """
        SELECT (docgraph.score_entries(
            t.tenant_id, %s, true, docgraph.sparse(t.term_number || ':1'), %s, %s, 10, 0, '{}')).documents
        FROM docgraph.lexical_terms t WHERE t.term = 'pay'
    """

    @pytest.mark.parametrize("candidates", [None, "pay"])
    def test_what_must_hold_holds_in_the_row(self, undone: Connection, candidates: str | None) -> None:
        """Candidates may not say it: an index that is being brought up to date gives others, too."""
        put(undone, *({"id": text, "chunks": [{"text": text}]} for text in ("pay", "pay draft")))
        classes = one(undone, "SELECT array_agg(c.access_class) FROM docgraph.access_classes c")
        assert sorted(one(undone, self.QUERY, classes, candidates, None)) == ["pay", "pay draft"]
        assert one(undone, self.QUERY, classes, candidates, "!draft") == ["pay"]


class TestIdentifiers:
    """The configuration code: the parts of identifiers, and the whole ones."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("getUserName", {"get", "user", "name", "getusername"}),
            ("HTTPServer2", {"http", "server2", "httpserver2"}),
            ("sha256Sum", {"sha256", "sum", "sha256sum"}),
            ("snake_case_name", {"snake", "case", "name", "snakecasename"}),
            ("os.path.join", {"os", "path", "join", "ospathjoin"}),
            (
                "my_module.getUser",
                {"my", "module", "get", "user", "mymodulegetuser", "mymodule", "getuser"},
            ),
            ("__init__", {"init"}),
            ("plain words stay", {"plain", "words", "stay"}),
            ("3.14", {"3.14"}),
            ("docgraph.may_see(x)", {"docgraph", "may", "see", "docgraphmaysee", "maysee", "x"}),
            (
                "total_price/item_count",
                {"total", "price", "totalprice", "item", "count", "itemcount"},
            ),
            ("if small<bigValue and x>y", {"if", "small", "big", "value", "bigvalue", "and", "x", "y"}),
            ("see https://host/fooBar?a=b", {"see", "https", "host", "foo", "bar", "foobar", "a", "b"}),
            (
                "lib/fooLib.so me@my_host",
                {"lib", "foo", "so", "foolibso", "foolib", "me", "my", "host", "myhost"},
            ),
            ("0xFF -2 1e-5", {"0x", "ff", "-2", "1e-5"}),
            ("", set()),
        ],
    )
    def test_words(self, boss: Connection, text: str, expected: set[str]) -> None:
        query = "SELECT tsvector_to_array(to_tsvector('simple', docgraph.indexed_text(%s, 'code')))"
        assert set(one(boss, query, text)) == expected

    def test_other_configurations_leave_a_text_alone(self, boss: Connection) -> None:
        assert one(boss, "SELECT docgraph.indexed_text('getUser', 'english')") == "getUser"
        assert one(boss, "SELECT docgraph.indexed_text(NULL, 'code')") is None

    @pytest.mark.parametrize(
        "letters", ["Wörterbuch", "naïve ½ m² µ", "日本語々", "עִבְרִית", "हिन्दी", "e\u0301", "ⅷ"]
    )
    def test_letters_and_their_marks_stay(self, boss: Connection, letters: str) -> None:
        assert one(boss, "SELECT docgraph.indexed_text(%s, 'simple')", letters) == letters

    def test_signs_of_print_are_no_letters(self, boss: Connection) -> None:
        """Whatever LC_CTYPE says: with C, PostgreSQL takes all of these for letters."""
        text = "Das „Wörterbuch“ \u2013 «aufgeschlagen»… it\u2019s 🙂here→there\u00a0now、ja\uff01 co\u00adop"
        query = "SELECT tsvector_to_array(to_tsvector('simple', docgraph.indexed_text(%s, 'simple')))"
        words = {"das", "wörterbuch", "aufgeschlagen", "it", "s", "here", "there", "now", "ja", "coop"}
        assert set(one(boss, query, text)) == words


class TestPromising:
    """No entry that scores above the bound is missed."""

    def test_against_every_set_of_words(self, boss: Connection) -> None:
        chance = Random(7)
        for _ in range(60):
            count = chance.randint(1, 6)
            worths = sorted((chance.uniform(0.1, 9) for _ in range(count)), reverse=True)
            rest = [sum(worths[n + 1 :], 0.0) for n in range(count)]
            bound = chance.uniform(0, sum(worths))
            words = [f"w{n}" for n in range(count)]
            frequencies = [chance.choice([10, 5000, 40_000]) for _ in words]
            query = one(
                boss,
                "SELECT docgraph.promising(%s, %s::float8[], %s::float8[], %s::bigint[], 90000, %s)::text",
                words,
                worths,
                rest,
                frequencies,
                bound,
            )
            for chosen in itertools.product([False, True], repeat=count):
                most = sum(worth for worth, there in zip(worths, chosen, strict=True) if there)
                text = " ".join(word for word, there in zip(words, chosen, strict=True) if there)
                if most > bound:
                    assert one(boss, "SELECT to_tsvector('simple', %s) @@ %s::tsquery", text, query) is True


class TestWeighing:
    """Rarity over what may be seen, and nothing else."""

    QUERY = (
        "SELECT entries, known, frequencies FROM docgraph.weigh_words("
        "'default', docgraph.visible_classes('default', %s), true, %s, array_fill(1, ARRAY[%s]))"
    )

    def test_counts_of_what_may_be_seen(self, undone: Connection) -> None:
        put(
            undone,
            {"id": "a", "chunks": [{"text": "ada bel"}, {"text": "ada"}]},
            {"id": "b", "tags": ["x"], "chunks": [{"text": "bel cat"}]},
            access={"tags": ["x"]},
        )
        words = ["ada", "bel", "cat", "dog"]
        assert one(undone, self.QUERY, "{}", words, 4) == (2, ["bel", "ada"], [1, 2])
        assert one(undone, self.QUERY, '{"tags": ["x"]}', words, 4) == (3, ["cat", "ada", "bel"], [1, 2, 2])

    def test_nothing_to_see(self, undone: Connection) -> None:
        assert one(undone, self.QUERY, "{}", ["ada"], 1) == (None, [], [])


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        ("word_weight", (1, 100, 100, 1.2, 0.75), 1 / 2.2),
        ("word_weight", (3, 50, 100, 1.2, 0.75), 3 / (3 + 1.2 * (0.25 + 0.375))),
        ("word_weight", (5, 1, 100, 0, 0.75), 1),
        ("word_rarity", (9, 9), math.log(1 + 0.5 / 9.5)),
        ("word_rarity", (1000, 3), math.log(1 + 997.5 / 3.5)),
    ],
)
def test_arithmetic(boss: Connection, function: str, arguments: tuple[float, ...], expected: float) -> None:
    marks = ", ".join(["%s"] * len(arguments))
    assert one(boss, f"SELECT docgraph.{function}({marks})", *arguments) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  Parental LEAVE: the\nrules!", "parental leave the rules"),
        ("???", None),
        ("", None),
        ("É-1", "é 1"),
    ],
)
def test_words_of_a_title(boss: Connection, text: str, expected: str | None) -> None:
    assert one(boss, "SELECT docgraph.title_words(%s)", text) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Mercury (planet) ", "mercury (planet)"),
        ("MERCURY  (the Roman-god)", "mercury (the roman god)"),
        ("Mercury (planet) (old)", "mercury planet (old)"),
        ("Mercury ()", "mercury"),
        ("Mercury (?!)", "mercury"),
        ("mercury(x)", "mercury x"),
        ("Mercury (old) rules", "mercury old rules"),
        ("(Mercury)", "mercury"),
        ("It (film)", "it film"),
        ("!!!! (film)", "film"),
        ("É-1a (x)", "é 1a (x)"),
        ("???", None),
        ("", None),
        (" ".join("abcdefghijkl") + " (of twelve words)", " ".join("abcdefghijkl") + " (of twelve words)"),
        (" ".join("abcdefghijklm"), None),
        (" ".join("abcdefghijklm") + " (x)", None),
        (f"Name ({'x' * 505})", f"name ({'x' * 505})"),
        (f"Name ({'x' * 506})", "name"),
        ("x" * 513, None),
    ],
)
def test_key_of_a_title(boss: Connection, title: str, expected: str | None) -> None:
    assert one(boss, "SELECT docgraph.title_key(%s)", title) == expected


def test_keys_of_a_name_are_one_range(boss: Connection) -> None:
    name = "title_key('Mercury')"
    inside = (
        f"SELECT docgraph.title_key(%s) COLLATE \"C\" BETWEEN docgraph.{name} AND docgraph.{name} || ' )'"
    )
    for title in ("mercury", "Mercury (planet)", "Mercury (1)", "Mercury (\U0010ffff zz)", "Mercury (é)"):
        assert one(boss, inside, title) is True
    for title in (
        "Mercury 1",
        "Mercury a (x)",
        "Mercurya (x)",
        "Mercuryé",
        "Mercur (y)",
        "Mercury (a) (b)",
        "Mercury(x)",
    ):
        assert one(boss, inside, title) is False


def test_any_word_takes_words_as_they_are(boss: Connection) -> None:
    words = ["it's", "back\\slash", "a & b", "'", ":*"]
    query = one(boss, "SELECT docgraph.any_word(%s)::text", words)
    for word in words:
        vector = "SELECT array_to_tsvector(ARRAY[%s]) @@ %s::tsquery"
        assert one(boss, vector, word, query) is True
    assert one(boss, "SELECT docgraph.any_word('{}')") is None
