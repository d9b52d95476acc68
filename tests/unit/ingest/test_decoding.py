"""Bytes to text: by the mark, as UTF-8, as declared, by a good guess, or not at all."""

from __future__ import annotations

import codecs

import pytest

from docgraph.ingest.decoding import decode

GERMAN = "Die Häuser der Bürger müssen größer werden, schön wäre das. Über allen Gipfeln ist Ruh."
RUSSIAN = "Привет, мир. Это короткий текст на русском языке, который нужно распознать."


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_byte_order_mark_decides_and_is_dropped(mark: bytes, encoding: str) -> None:
    assert decode(mark + GERMAN.encode(encoding), "a.txt") == GERMAN


def test_a_mark_that_lies_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"mark of utf-8, but byte 4"):
        decode(codecs.BOM_UTF8 + b"a\xff", "a.txt")


@pytest.mark.parametrize(
    ("path", "source", "encoding"),
    [
        ("a.html", '<html><head><meta charset="iso-8859-2"></head>Zażółć', "iso-8859-2"),
        ("a.html", '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">Да', "koi8-r"),
        ("a.xml", '<?xml version="1.0" encoding="shift_jis"?><a>日本</a>', "shift_jis"),
        ("a.py", "#!/usr/bin/python\n# -*- coding: latin-1 -*-\nx = 'é'\n", "latin-1"),
        ("a.rst", ".. -*- coding: euc-jp -*-\n\n日本\n", "euc-jp"),
    ],
)
def test_what_the_file_declares_is_believed(path: str, source: str, encoding: str) -> None:
    assert decode(source.encode(encoding), path) == source


def test_latin_1_in_html_is_what_browsers_take_it_for() -> None:
    assert decode(b'<meta charset="iso-8859-1">\x80', "a.html").endswith("\u20ac")


@pytest.mark.parametrize(("text", "encoding"), [(GERMAN, "cp1252"), (RUSSIAN, "cp1251")])
def test_a_good_guess_is_taken(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding), "a.txt") == text


@pytest.mark.parametrize(
    "data",
    [
        "Grüße".encode("cp1252"),
        bytes(range(32, 256)) * 8,
        # Each makes words of Baltic or Slavic languages, too.
        "# Menu du café\n\nExpresso et crème brûlée à la cantine; déjà vu.\n".encode("cp1252"),
        "Le café coûte deux euros, le thé aussi. Très bon marché déjà.\n".encode("cp1252"),
        "# Cooling\n\nThe detector is cooled to -110 °C, ±5 °C. Noise 3 µV.\n".encode("cp1252"),
    ],
)
def test_a_bad_guess_is_not(data: bytes) -> None:
    with pytest.raises(ValueError, match="its encoding cannot be told; convert it to UTF-8"):
        decode(data, "a.txt")


def test_the_error_names_a_declaration_that_is_wrong() -> None:
    with pytest.raises(ValueError, match="nor ascii as it declares"):
        decode("# coding: ascii\nGrüße".encode("cp1252"), "a.py")


def test_line_ends_and_composition_are_made_one() -> None:
    assert decode("a\r\nb\rc\ne\u0301".encode(), "a.txt") == "a\nb\nc\n\xe9"


def test_nul_is_refused() -> None:
    for data in (b"a\0b", codecs.BOM_UTF16_LE + b"a\0\0\0"):
        with pytest.raises(ValueError, match="NUL"):
            decode(data, "a.txt")


@pytest.mark.parametrize(
    "data",
    [b"\xed\xa0\x80", codecs.BOM_UTF16_LE + b"\x00\xd8", b"# coding: unicode_escape\n'\\ud800' \xe9"],
)
def test_no_half_of_a_character_comes_out(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"UTF-8|surrogate"):
        decode(data, "a.py")


def test_marks_without_end_are_refused_and_not_sorted() -> None:
    decode(("a" + "\u0301\u0323" * 100).encode(), "a.txt")
    with pytest.raises(ValueError, match="combining characters in a row"):
        decode(("a" + "\u0301\u0323" * 1_000_000).encode(), "a.txt")
