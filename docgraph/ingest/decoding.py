"""Bytes to text: what the file says of itself first, a guess last, and only a good one."""

from __future__ import annotations

import codecs
import re
import unicodedata
from functools import cache

from docgraph.ingest.markup.suffixes import suffix_of

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
BYTE_ORDER_MARKS = tuple(mark for mark, _ in _MARKS)

_DECLARED_IN_HTML = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_DECLARED_IN_XML = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]+)")
_DECLARED_IN_COMMENT = re.compile(rb"[ \t\f]*(?:#|\.\.|<!--|//|--|;|%).{0,200}?coding[:=][ \t]*([\w.-]+)")

_CONFIDENT = 0.4
"""How much a guess must look like a language that charset-normalizer knows, of 1."""
_CHAOS = 0.1
"""How much of what it reads may be no text, of 1."""
_LEAD = 0.03
"""How much better than any other that would do, and reads differently."""
_SAMPLE = 65_536
_MARKS_IN_A_ROW = 256


def decode(data: bytes, path: str) -> str:
    """The text, as NFC with "\\n" line ends. ValueError if there is no telling what it says."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return normalise(data[len(mark) :].decode(encoding))
            except UnicodeDecodeError as error:
                raise ValueError(
                    f"begins with the mark of {encoding}, but byte {error.start + len(mark)} is not; "
                    "convert it to UTF-8"
                ) from None
    try:
        return normalise(data.decode("utf-8"))
    except UnicodeDecodeError:
        pass
    declared = _declared(data, path)
    for encoding in (*_readings(declared, path), *_guessed(data)):
        try:
            return normalise(data.decode(encoding))
        except (UnicodeDecodeError, LookupError):
            continue
    said = f", nor {declared} as it declares," if declared and _unlike_utf8(declared) else ""
    raise ValueError(f"not UTF-8{said} and its encoding cannot be told; convert it to UTF-8")


def normalise(text: str) -> str:
    """NFC with "\\n" line ends. ValueError for what cannot be stored: NUL, and halves of characters."""
    if "\0" in text:
        raise ValueError("contains NUL characters: it is binary, or UTF-16 without a byte order mark")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"character {error.start} is half of a surrogate pair") from None
    # Sorting them takes time that grows with the square of their number.
    if _too_many_marks().search(text):
        raise ValueError(f"{_MARKS_IN_A_ROW} combining characters in a row: it is no text")
    return unicodedata.normalize("NFC", text)


@cache
def _too_many_marks() -> re.Pattern[str]:
    found = (chr(code) for code in range(0x300, 0x20000) if not 0xD800 <= code < 0xE000)
    marks = "".join(each for each in found if unicodedata.combining(unicodedata.normalize("NFD", each)[0]))
    return re.compile(f"[{marks}]{{{_MARKS_IN_A_ROW}}}")


def _declared(data: bytes, path: str) -> str:
    """The encoding that the first lines name, or nothing."""
    head = data[:4096]
    suffix = suffix_of(path)
    patterns = [_DECLARED_IN_XML] if suffix in {".xml", ".xhtml", ".html", ".htm", ".svg"} else []
    patterns += [_DECLARED_IN_HTML] if suffix in {".xhtml", ".html", ".htm"} else []
    for pattern in patterns:
        if found := pattern.search(head):
            return found[1].decode("ascii", "replace")
    for line in head.splitlines()[:2]:
        if found := _DECLARED_IN_COMMENT.match(line):
            return found[1].decode("ascii", "replace")
    return ""


def _readings(declared: str, path: str) -> tuple[str, ...]:
    if not declared:
        return ()
    try:
        name = codecs.lookup(declared).name
    except LookupError:
        return ()
    # Browsers read Latin-1 as Windows-1252, so that is what authors of HTML see.
    return ("cp1252", name) if name == "iso8859-1" and suffix_of(path) != ".py" else (name,)


def _unlike_utf8(declared: str) -> bool:
    try:
        return codecs.lookup(declared).name != "utf-8"
    except LookupError:
        return True


def _guessed(data: bytes) -> list[str]:
    """One encoding at most. Latin-1 decodes anything, so what can be decoded proves nothing."""
    from charset_normalizer import from_bytes  # noqa: PLC0415 - rarely needed, and slow to import

    telling, size = [], 0
    for line in data.splitlines(keepends=True):
        if not line.isascii():
            telling.append(line[:_SAMPLE])
            size += len(telling[-1])
            if size >= _SAMPLE:
                break
    matches = list(from_bytes(b"".join(telling)))
    if not matches:
        return []
    best = matches[0]
    rivals = [each.coherence for each in matches[1:] if each.chaos <= _CHAOS]
    if best.chaos > _CHAOS or best.coherence < max([_CONFIDENT, *(rival + _LEAD for rival in rivals)]):
        return []
    return [best.encoding]
