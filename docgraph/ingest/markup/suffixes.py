"""Which file is read how, by the end of its name."""

from __future__ import annotations

from pathlib import PurePosixPath

_LANGUAGES = {
    "bash": "bash zsh sh",
    "c": "c h",
    "cpp": "cc cpp cxx hh hpp hxx",
    "csharp": "cs",
    "css": "css scss sass less",
    "dart": "dart",
    "elixir": "ex exs",
    "erlang": "erl hrl",
    "go": "go",
    "haskell": "hs",
    "ini": "ini cfg conf properties",
    "java": "java",
    "javascript": "js mjs cjs jsx",
    "json": "json jsonl json5",
    "kotlin": "kt kts",
    "lua": "lua",
    "perl": "pl pm",
    "php": "php",
    "powershell": "ps1 psm1",
    "protobuf": "proto",
    "python": "py pyi pyw",
    "r": "r",
    "ruby": "rb",
    "rust": "rs",
    "scala": "scala",
    "sql": "sql",
    "swift": "swift",
    "toml": "toml",
    "typescript": "ts tsx mts cts",
    "vue": "vue",
    "xml": "xml xsd xsl",
    "yaml": "yaml yml",
    "zig": "zig",
}
_OTHERS = {
    "markdown": "md markdown mdx",
    "rst": "rst rest",
    "text": "txt text adoc asciidoc org csv tsv log",
    "html": "html htm xhtml",
    "office": "pdf docx pptx xlsx epub",
}
MARKUPS = {
    f".{suffix}": markup
    for table, prefix in ((_OTHERS, ""), (_LANGUAGES, "code:"))
    for markup, suffixes in ((prefix + name, listed) for name, listed in table.items())
    for suffix in suffixes.split()
}

NO_DOCUMENTS = frozenset({
    ".7z", ".apng", ".avi", ".avif", ".bin", ".bmp", ".bz2", ".deb", ".dll", ".dmg", ".eot", ".exe",
    ".flac", ".gif", ".gz", ".heic", ".ico", ".iso", ".jar", ".jpeg", ".jpg", ".m4a", ".m4v", ".mkv",
    ".mov", ".mp3", ".mp4", ".msi", ".ogg", ".otf", ".png", ".psd", ".rar", ".rpm", ".so", ".svg", ".tar",
    ".tgz", ".tif", ".tiff", ".ttf", ".wasm", ".wav", ".webm", ".webp", ".whl", ".woff", ".woff2", ".xz",
    ".zip", ".zst",
})  # fmt: skip
"""Pictures, sound, archives, programs. Some are text inside (.svg), and yet nothing that people read."""

NAMES = frozenset(_OTHERS)
"""Every markup there is, beside code:LANGUAGE."""


def suffix_of(path: str) -> str:
    """ ".md" for "a/B.MD"; "" for "README" and ".profile"."""
    return PurePosixPath(path).suffix.lower()


def markup_of(path: str) -> str | None:
    """None: not known by its name. Then it is text, unless it is binary."""
    return MARKUPS.get(suffix_of(path))
