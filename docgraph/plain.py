"""Texts of somebody else's, made harmless for whoever reads them on a screen; and counts in words."""

from __future__ import annotations

import re

_STEERING = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Control characters, line separators, what turns the direction of a text round, and halves of characters."""


def plain(text: str, keep: str = "") -> str:
    """The text with what would steer a terminal or a page spelt out."""
    return _STEERING.sub(
        lambda found: found[0] if found[0] in keep else found[0].encode("unicode_escape").decode(), text
    )


def counted(number: int, what: str) -> str:
    """Such as "1 chunk", "2 chunks"."""
    return f"{number} {what}{'' if number == 1 else 's'}"
