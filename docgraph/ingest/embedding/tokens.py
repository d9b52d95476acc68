"""The length of a text in tokens where no tokenizer is at hand."""

from __future__ import annotations


def estimate_tokens(text: str) -> int:
    """A quarter of its UTF-8 bytes, rounded up, at least one: as the database estimates it.

    English prose has about four bytes a token; other scripts have more bytes a character and more tokens.
    """
    return max(1, (len(text.encode("utf-8", "surrogatepass")) + 3) // 4)
