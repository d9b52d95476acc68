"""What a client loads, and the version check: same major, and at least the minor that this package calls."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from docgraph import AsyncDocGraph, DocGraph, any_client, calls
from docgraph.errors import IncompatibleVersion, InvalidArgument

MAJOR, MINOR = calls.API_VERSION


@pytest.mark.parametrize("answer", [f"{MAJOR}.{MINOR}", f"{MAJOR}.{MINOR + 1}", f"{MAJOR}.{MINOR + 10}"])
def test_versions_that_fit(answer: str) -> None:
    any_client.check_version(answer)


@pytest.mark.parametrize("answer", [f"{MAJOR + 1}.0", f"{MAJOR + 10}.{MINOR}"])
def test_a_newer_database_needs_a_newer_package(answer: str) -> None:
    with pytest.raises(IncompatibleVersion) as caught:
        any_client.check_version(answer)
    assert answer in caught.value.message
    assert "pip install" in str(caught.value.hint)


@pytest.mark.parametrize("answer", [f"{MAJOR - 1}.{MINOR + 5}", "0.9", "", "one", "1"])
def test_an_older_database_needs_an_upgrade(answer: str) -> None:
    with pytest.raises(IncompatibleVersion) as caught:
        any_client.check_version(answer)
    assert "docgraph db upgrade" in str(caught.value.hint)


@pytest.mark.parametrize("module", ["numpy", "rich", "docgraph.ingest.embedding", "docgraph.ingest.pipeline"])
def test_who_only_asks_does_not_load_what_embeds_and_ingests(module: str) -> None:
    code = f"import sys, docgraph.client, docgraph.async_client; sys.exit({module!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_client_that_is_opened_as_its_twin_is() -> None:
    with (
        pytest.raises(InvalidArgument, match="AsyncDocGraph is opened by async with") as caught,
        AsyncDocGraph("host=nowhere.invalid"),  # type: ignore[attr-defined]  # what is refused
    ):
        pass
    assert caught.value.hint == "For example: async with AsyncDocGraph() as client: ..."

    async def awaited() -> None:
        async with DocGraph("host=nowhere.invalid"):  # type: ignore[attr-defined]  # what is refused
            pass

    with pytest.raises(InvalidArgument, match="DocGraph is opened by with"):
        asyncio.run(awaited())
