"""What put_documents refuses: the place by name, never a value, a hint, and nothing written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from docgraph import calls
from tests.sql.api.bad_kinds import SECRET
from tests.sql.asking import Connection, contents, refusal, words
from tests.sql.writing import put

LONG = SECRET.ljust(513, "x")
LINE = SECRET.ljust(4001, "x")
TEXT = SECRET.ljust(262_145, "x")
NFC_GROWS = "\U0001d160"
"""Four bytes that NFC writes as twelve."""

_ID = "a text of 1 to 512 bytes"
_NAME = "a text of at most 512 bytes"
_LINE = "a text of at most 4000 bytes"
_TEXT = "a text of at most 262144 bytes"
_COUNT = "a whole number from 0 to 2147483647"
_LINES = "a list of at most 1000 texts of at most 4000 bytes"
_NAMES = "a list of at most 1000 texts of at most 512 bytes"

NO_TEXTS: list[Any] = [None, 1, True, [SECRET], {SECRET: SECRET}]
NO_LISTS: list[Any] = [None, 1, SECRET, {SECRET: 1}]
NO_COUNTS: list[Any] = [None, SECRET, "1", -1, 1.5, True, [1], 2_147_483_648, 1e300]

FIELDS: dict[str, tuple[str, list[Any]]] = {
    "id": (_ID, [*NO_TEXTS, "", LONG, "é" * 257]),
    "title": (_LINE, [*NO_TEXTS, LINE, NFC_GROWS * 334]),
    "doc_type": (_NAME, [*NO_TEXTS, LONG]),
    "source": (_LINE, [*NO_TEXTS, LINE]),
    "summary": (_TEXT, [*NO_TEXTS, TEXT, NFC_GROWS * 30_000]),
    "section_titles": (_LINES, [*NO_LISTS, [None], [1], [SECRET, [SECRET]], [LINE], [SECRET] * 1001]),
    "metadata": ("an object of at most 262144 bytes", [None, 1, SECRET, [], [{}], {"a": TEXT}]),
    "names": (
        "a list of at most 50 texts of 1 to 512 bytes",
        [*NO_LISTS, [None], [""], [LONG], [[SECRET]], list(map(str, range(51)))],
    ),
    "content_hash": (
        "a SHA-256 in 64 lower-case hexadecimal digits",
        [*NO_TEXTS, "", "ab", "AB" * 32, "ag" * 32, "ab" * 33, "ab" * 32 + "\n", "\\x" + "ab" * 31],
    ),
    "repository": (_NAME, [*NO_TEXTS, LONG]),
    "snapshot": (_NAME, [*NO_TEXTS, LONG]),
    "tags": (_NAMES, [*NO_LISTS, [None], [1], [[SECRET]], [LONG], [SECRET] * 1001]),
    "labels": (_NAMES, [*NO_LISTS, [None], [LONG]]),
    "clearance": (
        "a whole number from 0 to 32767",
        [None, SECRET, "1", -1, 0.5, True, [1], 32_768, 1e300],
    ),
}
CHUNK_FIELDS: dict[str, tuple[str, list[Any]]] = {
    "text": ("a text of 1 to 262144 bytes", [*NO_TEXTS, "", TEXT, NFC_GROWS * 30_000]),
    "token_count": (_COUNT, NO_COUNTS),
    "section_path": (_LINES, [*NO_LISTS, [None], [LINE], [[SECRET]]]),
    "start": (_COUNT, NO_COUNTS),
    "end": (_COUNT, NO_COUNTS),
}
LINK_FIELDS: dict[str, tuple[str, list[Any]]] = {
    "relation_type": (_ID, [*NO_TEXTS, "", LONG]),
    "to": (_ID, [*NO_TEXTS, "", LONG]),
    "evidence": (_LINE, [*NO_TEXTS, LINE, NFC_GROWS * 334]),
}

FINE = {"id": "fine"}
LINK = {"relation_type": "references", "to": "b"}


Case = tuple[str, list[Any]]
"""A message, and documents that it is said of."""


def field_cases() -> Iterator[Case]:
    """A value of another kind than its field."""
    for key, (kind, values) in FIELDS.items():
        for value in values:
            yield f"documents[1].{key} must be {kind}", [FINE, {"id": "a", key: value}]
    for key, (kind, values) in CHUNK_FIELDS.items():
        for value in values:
            chunk = {"text": "t", key: value}
            yield (
                f"documents[0].chunks[2].{key} must be {kind}",
                [{"id": "a", "chunks": [{"text": "t"}, {"text": "t"}, chunk]}],
            )
    for key, (kind, values) in LINK_FIELDS.items():
        for value in values:
            for place in ("links", "relationships"):
                yield (
                    f"documents[1].{place}[1].{key} must be {kind}",
                    [FINE, {"id": "a", place: [LINK, {**LINK, key: value}]}],
                )


def link_cases() -> Iterator[Case]:
    """What is wrong with a list of links as a whole."""
    for place in ("links", "relationships"):
        kind = "a list of at most 5000 relationships"
        for wrong in (*NO_LISTS, [LINK] * 5001):
            yield f"documents[0].{place} must be {kind}", [{"id": "a", place: wrong}]
        for key in ("relation_type", "to"):
            short = {k: v for k, v in LINK.items() if k != key}
            yield f"documents[0].{place}[0].{key} must be {_ID}", [{"id": "a", place: [short]}]
        yield f"documents[0].{place}[1] must be an object", [{"id": "a", place: [LINK, SECRET]}]
        yield f"documents[0].{place}[0] has an unknown key", [{"id": "a", place: [{**LINK, SECRET: 1}]}]
        itself = {"id": SECRET, place: [LINK, {**LINK, "to": SECRET}]}
        yield f"documents[1].{place}[1].to is the document itself", [FINE, itself]


def shape_cases() -> Iterator[Case]:
    """What is wrong with a document or a list of chunks as a whole."""
    for wrong in (*NO_LISTS, [{"text": "t"}] * 10_001):
        yield "documents[0].chunks must be a list of at most 10000 chunks", [{"id": "a", "chunks": wrong}]
    yield "documents[0].chunks[0].text must be a text of 1 to 262144 bytes", [{"id": "a", "chunks": [{}]}]
    yield "documents[0].chunks[1] must be an object", [{"id": "a", "chunks": [{"text": "t"}, SECRET]}]
    yield (
        "documents[1].chunks[0] has an unknown key",
        [FINE, {"id": "a", "chunks": [{"text": "t", SECRET: SECRET}]}],
    )
    yield f"documents[0].id must be {_ID}", [{"title": SECRET}]
    yield "documents[1] has an unknown key", [FINE, {"id": "a", "Title": SECRET}]
    yield "documents[1] has an unknown key", [FINE, {"id": "a", SECRET: None}]
    for no_object in (None, 1, SECRET, [], [FINE]):
        yield "documents[1] must be an object", [FINE, no_object]
    yield (
        "documents[2].id is the id of an earlier document of this call",
        [{"id": SECRET}, FINE, {"id": SECRET}],
    )
    for offsets in ({"start": 1}, {"end": 1}, {"start": 2, "end": 1}):
        message = (
            "documents[1].chunks[1] must have both start and end, the end not before the start, or neither"
        )
        yield message, [FINE, {"id": "a", "chunks": [{"text": SECRET}, {"text": SECRET, **offsets}]}]


@pytest.fixture(scope="module", autouse=True)
def _something_is_stored(boss: Connection) -> Iterator[None]:
    """Which a bad call could change, and a check for all tests together."""
    put(boss, {"id": "fine", "title": "as it was", "chunks": [{"text": "t", "embedding": [1, 0, 0, 0]}]})
    before = contents(boss)
    yield
    assert contents(boss) == before


def check(connection: Connection, function: str, documents: str, message: str) -> None:
    call = calls.PUT_DOCUMENTS if function == "put_documents" else calls.UNCHANGED_DOCUMENTS
    error = refusal(connection, call, documents=documents)
    assert (error.diag.sqlstate, error.diag.message_primary) == ("22023", message)
    assert error.diag.message_hint
    assert SECRET not in repr(words(error))


@pytest.mark.parametrize("function", ["put_documents", "unchanged_documents"])
def test_the_place_is_named_and_no_value(boss: Connection, function: str) -> None:
    found = [*field_cases(), *link_cases(), *shape_cases()]
    assert len(found) > 200
    for message, documents in found:
        check(boss, function, json.dumps(documents), message)


VECTORS: dict[str, tuple[str, str]] = {
    "none": ("[]", "kind"),
    "too short": ("[1, 0, 0]", "length"),
    "too long": ("[1, 0, 0, 0, 0]", "length"),
    "zero": ("[0, 0, 0, 0]", "length"),
    "minus zero": ("[-0.0, 0, 0, 0]", "length"),
    "tiny": ("[5e-8, 5e-8, 5e-8, 5e-8]", "length"),
    "1e-30": ("[1e-30, 0, 0, 0]", "length"),
    "smaller than any float": ("[1e-50, 0, 0, 0]", "length"),
    "smaller than any double": ("[1e-400, 1e-16000, 0, 0]", "length"),
    "just too short": ("[0.00099, 0, 0, 0]", "length"),
    "just too long": ("[60000, 60000, 0, 0]", "length"),
    "60001": ("[60001, 0, 0, 0]", "length"),
    "-60001": ("[-60001, 0, 0, 0]", "length"),
    "1e20": ("[1e20, 0, 0, 0]", "kind"),
    "1e39": ("[0, 1e39, 0, 0]", "kind"),
    "1e999": ("[0, 1e999, 0, 0]", "kind"),
    "NaN": ('["NaN", 0, 0, 0]', "kind"),
    "infinity": ('[1, "Infinity", 0, 0]', "kind"),
    "a number in quotes": ('["1", 0, 0, 0]', "kind"),
    "null in it": ("[1, null, 0, 0]", "kind"),
    "true in it": ("[1, true, 0, 0]", "kind"),
    "a list in it": ("[1, [0], 0, 0]", "kind"),
    "a list of it": ("[[1, 0, 0, 0]]", "kind"),
    "an object": ('{"0": 1}', "kind"),
    "null": ("null", "kind"),
    "a number": ("1", "kind"),
    "another word": (f'"{SECRET}"', "kind"),
    "keep in capitals": ('"KEEP"', "kind"),
    "as text, too short": ('"[1,0,0]"', "length"),
    "as text, too long": ('"[1,0,0,0,0]"', "length"),
    "as text, zero": ('"[0,0,0,0]"', "length"),
    "as text, tiny": ('"[1e-30,0,0,0]"', "length"),
    "as text, NaN": ('"[NaN,0,0,0]"', "kind"),
    "as text, infinity": ('"[1,Infinity,0,0]"', "kind"),
    "as text, null in it": ('"[1,null,0,0]"', "kind"),
    "as text, a list in it": ('"[1,[0],0,0]"', "kind"),
    "as text, not closed": ('"[1,0,0,0"', "kind"),
    "as text, more behind it": ('"[1,0,0,0]; x"', "kind"),
    "as text, a number missing": ('"[1,,0,0]"', "kind"),
    "as text, 1e39": ('"[1e39,0,0,0]"', "kind"),
}


@pytest.mark.parametrize("function", ["put_documents", "unchanged_documents"])
@pytest.mark.parametrize("name", VECTORS)
def test_vectors(boss: Connection, function: str, name: str) -> None:
    vector, reason = VECTORS[name]
    said = {
        "length": "have 4 elements, and a length from 0.001 to 60000",
        "kind": 'be a list of numbers from -60000 to 60000, the same as a text, or "keep"',
    }[reason]
    chunk = f'{{"text": "{SECRET}", "embedding": {vector}}}'
    good = '{"text": "t", "embedding": [1, 0, 0, 0]}'
    for place, document in (
        ("documents[1].chunks[1].embedding", f'{{"id": "a", "chunks": [{good}, {chunk}]}}'),
        ("documents[1].summary_embedding", f'{{"id": "a", "summary_embedding": {vector}}}'),
    ):
        check(boss, function, f'[{{"id": "fine"}}, {document}]', f"{place} must {said}")


NO_LIST = ["null", "{}", f'{{"id": "{SECRET}"}}', f'"{SECRET}"', "1", "true"]


@pytest.mark.parametrize("function", ["put_documents", "unchanged_documents"])
def test_the_list_itself(boss: Connection, function: str) -> None:
    message = "documents must be a list of at most 200 entries"
    for documents in (*NO_LIST, json.dumps([{"id": f"{SECRET}{n}"} for n in range(201)])):
        check(boss, function, documents, message)
    error = refusal(boss, calls.PUT_DOCUMENTS, documents=None)
    assert (error.diag.sqlstate, error.diag.message_primary) == ("22023", message)


BY_POSTGRESQL = {
    "zero character in a text": (r'[{"id": "a", "title": "a\u0000b"}]', "22P05"),
    "zero character in a key": (r'[{"id": "a", "metadata": {"a\u0000": 1}}]', "22P05"),
    "half a character": (r'[{"id": "a\ud800"}]', "22P02"),
    "NaN": ('[{"id": "a", "chunks": [{"text": "t", "embedding": [NaN, 0, 0, 0]}]}]', "22P02"),
    "no JSON": ("[{id: 1}]", "22P02"),
    "20,000 levels": ('[{"id": "a", "metadata": ' + '{"a":' * 20_000 + "1" + "}" * 20_001 + "]", "54001"),
}


@pytest.mark.parametrize("name", BY_POSTGRESQL)
def test_what_is_no_jsonb_is_refused_by_postgresql(boss: Connection, name: str) -> None:
    documents, state = BY_POSTGRESQL[name]
    assert refusal(boss, calls.PUT_DOCUMENTS, documents=documents).diag.sqlstate == state


PATHOLOGICAL = {
    "two letters": " ".join(f"{chr(0x430 + n // 32 % 32)}{chr(0x430 + n % 32)}" for n in range(60_000)),
    "single ideographs": " ".join(chr(0x4E00 + n % 20_000) for n in range(70_000)),
    "hyphens": " ".join(f"{chr(0x4E00 + n)}-{chr(0xAC00 + n % 11_000)}" for n in range(20_900)),
    "long hyphens": "-".join(f"{chr(0x4E00 + n % 20_000)}" for n in range(70_000)),
    "letters that grow in lower case": " ".join(f"\u023a{chr(0x4E00 + n)}" for n in range(20_900)),
    "addresses": " ".join(f"a{n}.example.com/b{n}/c{n}" for n in range(12_000)),
    "mail": " ".join(f"a{n}@b{n}.example.com" for n in range(12_000)),
    "numbers": " ".join(map(str, range(50_000))),
    "versions": " ".join(f"1.{n}.2-{n}" for n in range(20_000)),
    "one word": "x" * 262_144,
    "quotes": "'" * 262_144,
    "backslashes": "\\" * 262_144,
    "tags": "<a>" * 87_381,
}


@pytest.mark.parametrize("configuration", ["english", "simple"])
@pytest.mark.parametrize("name", PATHOLOGICAL)
def test_the_longest_text_fits_into_a_lexical_index(boss: Connection, name: str, configuration: str) -> None:
    """Its lexemes are at most a megabyte, whatever the words."""
    text = PATHOLOGICAL[name].encode()[:262_144].decode(errors="ignore")
    assert len(text.encode()) > 100_000
    row = boss.execute(
        "SELECT pg_column_size(to_tsvector(%s::regconfig, %s)) > 0", (configuration, text)
    ).fetchone()
    assert row == (True,)


def test_the_longest_of_everything_is_taken(boss: Connection) -> None:
    document = {
        "id": "é" * 256,
        "title": "x" * 4000,
        "source": "x" * 4000,
        "summary": "x y " * 65_536,
        "section_titles": ["x" * 4000] * 1000,
        "metadata": {"a": "x" * 262_000},
        "names": [f"{n:02}".ljust(512, "x") for n in range(50)],
        "repository": "x" * 512,
        "chunks": [{"text": "'\\ " * 87_381, "embedding": [60_000, 0, 0, 0]}] + [{"text": "t"}] * 9_999,
        "links": [{"relation_type": "r", "to": str(n), "evidence": "x" * 40} for n in range(5000)],
    }
    with boss.transaction(force_rollback=True):
        assert put(boss, document)["added"] == [document["id"]]
        assert len(put(boss, *({"id": f"{n:0512}"} for n in range(200)))["added"]) == 200
