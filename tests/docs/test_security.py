"""The page about security: its examples, and what they print."""

from __future__ import annotations

from pathlib import Path

from tests.docs.following import follow

PAGE = "docs/security.md"


def test_every_example_prints_what_the_page_shows(tmp_path: Path) -> None:
    assert len(follow(PAGE, tmp_path)) == 3
