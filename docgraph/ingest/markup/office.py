"""PDF, Word, PowerPoint, Excel and EPUB to Markdown, through markitdown."""

from __future__ import annotations

import io
import zipfile

from docgraph.errors import InvalidArgument

_UNPACKED = 500_000_000
"""Bytes. All but PDF are ZIP files, and a small one may unfold to anything."""


def to_markdown(data: bytes, suffix: str) -> tuple[str, str]:
    """The text, and the title that the file has for itself. ValueError if it cannot be read."""
    try:
        from markitdown import MarkItDown, StreamInfo  # noqa: PLC0415 - optional, and very slow to import
    except ImportError as error:
        raise InvalidArgument(
            f"Reading {suffix} files needs markitdown, which is not installed.",
            hint="Run: pip install 'docgraph[office]'",
        ) from error
    if suffix != ".pdf":
        _refuse_bombs(data, suffix)
    try:
        converted = MarkItDown(enable_plugins=False).convert_stream(
            io.BytesIO(data), stream_info=StreamInfo(extension=suffix)
        )
    except RecursionError:
        raise
    except Exception as error:
        # Whatever its many readers raise for a broken file: the first line says what.
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ValueError(f"cannot be read as {suffix}: {reason}") from error
    return converted.markdown, converted.title or ""


def _refuse_bombs(data: bytes, suffix: str) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
    except zipfile.BadZipFile:
        raise ValueError(f"is no {suffix} file: it cannot be unpacked") from None
    if size > _UNPACKED:
        raise ValueError(f"unpacks to {size} bytes, more than the limit of {_UNPACKED}")
