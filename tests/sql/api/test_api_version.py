"""api_version: major.minor, without a ceiling or a table."""

from __future__ import annotations

import re

from docgraph import calls
from tests.conftest import Installed
from tests.sql.asking import Connection, ask


def test_the_version_is_the_one_this_package_calls(boss: Connection) -> None:
    answer = ask(boss, calls.API_VERSION_OF_DATABASE)
    assert re.fullmatch(r"\d+\.\d+", answer)
    assert answer == ".".join(map(str, calls.API_VERSION))


def test_a_reader_without_a_ceiling_may_ask(shared: Installed) -> None:
    login = shared.cluster.login("version_reader", member_of="docgraph_reader")
    with shared.connect(login) as connection:
        assert ask(connection, calls.API_VERSION_OF_DATABASE)
