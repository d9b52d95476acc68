"""What opens a class or a function, as it is written."""

from __future__ import annotations

import io
import tokenize

from docgraph.ingest.markup.lines import line_starts

_SKIPPED = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.INDENT})


def signature(text: str) -> str:
    """Of the text that begins with it: on one line, without its colon and without comments."""
    text = text.lstrip()
    starts = line_starts(text)
    written, depth, row, end = "", 0, 1, 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in _SKIPPED:
            continue
        if token.string == ":" and depth == 0:
            break
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
        begin = starts[token.start[0] - 1] + token.start[1]
        if token.start[0] == row:
            begin = end  # with the blanks between; and parts of f-strings have no places of their own
        elif token.string in ")]}":
            written = written.removesuffix(",")
        elif not written.endswith(("(", "[", "{")):
            written += " "
        row, end = token.end[0], starts[token.end[0] - 1] + token.end[1]
        written += text[begin:end]
    return " ".join(written.split("\n")).strip()
