"""PDF, Word, PowerPoint, Excel and EPUB to Markdown, through markitdown."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

from docgraph.errors import InvalidArgument

_UNPACKED = 500_000_000
"""Bytes. All but PDF are ZIP files, and a small one may unfold to anything."""
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def to_markdown(data: bytes, suffix: str) -> tuple[str, str]:
    """The text, and the title that the file has for itself. ValueError if it cannot be read."""
    try:
        from markitdown import MissingDependencyException, StreamInfo, converters  # noqa: PLC0415 - optional
    except ImportError as error:
        raise _missing(suffix, "markitdown, which is not installed") from error
    if suffix != ".pdf":
        _refuse_bombs(data, suffix)
    # Each by its own reader: left to choose, markitdown takes a broken PDF for plain text.
    readers: dict[str, Any] = {
        ".pdf": converters.PdfConverter,
        ".docx": converters.DocxConverter,
        ".pptx": converters.PptxConverter,
        ".xlsx": converters.XlsxConverter,
        ".epub": converters.EpubConverter,
    }
    if suffix not in readers:
        raise ValueError("is not named as a .pdf, .docx, .pptx, .xlsx or .epub file")
    try:
        converted = readers[suffix]().convert(io.BytesIO(data), StreamInfo(extension=suffix))
    except MissingDependencyException as error:
        raise _missing(suffix, "parts of markitdown that are not installed") from error
    except RecursionError:
        raise
    except Exception as error:
        # Whatever its many readers raise for a broken file.
        reason = _ADDRESS.sub("", f"{type(error).__name__} {error}").strip().splitlines()[0]
        raise ValueError(f"cannot be read as {suffix}, it is broken or protected: {reason}") from error
    if not converted.markdown.strip():
        raise ValueError("there is no text in it: pictures of pages, perhaps; run text recognition first")
    return converted.markdown, converted.title or ""


def _missing(suffix: str, what: str) -> InvalidArgument:
    return InvalidArgument(
        f"Reading {suffix} files needs {what}.",
        hint="Run: pip install 'docgraph[office]'",
    )


def _refuse_bombs(data: bytes, suffix: str) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
    except zipfile.BadZipFile:
        raise ValueError(f"is no {suffix} file: it cannot be unpacked") from None
    if size > _UNPACKED:
        raise ValueError(f"unpacks to {size} bytes, more than the limit of {_UNPACKED}")
