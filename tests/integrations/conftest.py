"""A handbook to ask through other frameworks: linked pages, one of them for some, and another tenant's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from docgraph import Access, DocGraph
from docgraph.ingest.types import Raw
from tests.cli.conftest import cli, quick, ready

if TYPE_CHECKING:
    from tests.conftest import Installed

__all__ = ["cli", "quick", "ready"]

QUESTION = "How many days of holiday do I have?"
PAGES = {
    "leave.md": "---\nrequires: secret.md\n---\n# Leave\n\nThirty days of holiday.\n\n## A\n\n[pay](pay.md)",
    "pay.md": "# Pay\n\nSalaries come on the last day of a month. See [visa](visa.md).\n",
    "secret.md": "---\naccess: {tags: [hr]}\n---\n# Secret\n\nWho has how many days of holiday.\n",
    "visa.md": "# Visa\n\nPassports and embassies.\n",
}
RIVAL = "# Rival\n\nForty days of holiday a year.\n"
HR = Access(tags=["hr"])


@pytest.fixture
def handbook(database: Installed, ready: str) -> str:
    """Its conninfo."""
    with DocGraph(ready, access=HR) as client:
        assert client.ingest([Raw(path, text.encode()) for path, text in PAGES.items()], name="").added == 4
        database.grant(client.whoami().login, "rival")
        assert client.ingest([Raw("rival.md", RIVAL.encode())], name="", tenant="rival").added == 1
    return ready


@pytest.fixture(params=["auto", "legacy"])
def mode(request: pytest.FixtureRequest) -> str:
    """With and without the handshake of older versions of the protocol."""
    return str(request.param)
