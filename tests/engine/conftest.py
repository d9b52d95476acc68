from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from docgraph.embedded import EmbeddedServer
from docgraph.errors import EmbeddedServerError
from tests.servers import temporary_home

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def home() -> Iterator[Path]:
    """The place for one embedded server, not made yet."""
    with temporary_home() as path:
        try:
            yield path
        finally:
            with suppress(EmbeddedServerError):
                EmbeddedServer(path).stop()


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DOCGRAPH_DATABASE_URL", "DOCGRAPH_HOME"):
        monkeypatch.delenv(name, raising=False)
