"""docker-compose.yml: that it is what the pages say, since not every machine has a Docker engine."""

from __future__ import annotations

from typing import Any

import psycopg
import yaml

from docgraph.embedded import EmbeddedServer
from tests.docs.blocks import ROOT
from tests.servers import DOCKER_IMAGE, temporary_home


def service() -> dict[str, Any]:
    document = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    assert set(document) == {"services", "volumes"}
    (found,) = document["services"].values()
    assert isinstance(found, dict)
    return found


def test_image_is_pinned_and_the_one_the_tests_use() -> None:
    assert service()["image"] == DOCKER_IMAGE


def test_no_password_is_in_the_file() -> None:
    assert service()["environment"]["POSTGRES_PASSWORD"].startswith("${DOCGRAPH_DB_PASSWORD:?")


def test_port_is_open_to_this_machine_only() -> None:
    assert all(port.startswith("127.0.0.1:") for port in service()["ports"])


def test_data_outlives_the_container() -> None:
    document = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    ((volume, _, target),) = (entry.partition(":") for entry in service()["volumes"])
    assert volume in document["volumes"]
    # The image of PostgreSQL 18 and later declares its volume here, not at …/data.
    assert target == "/var/lib/postgresql"


def test_health_is_asked_of_the_database_that_is_made() -> None:
    environment = service()["environment"]
    command = " ".join(service()["healthcheck"]["test"])
    assert f"--username={environment['POSTGRES_USER']}" in command
    assert f"--dbname={environment['POSTGRES_DB']}" in command


def test_postgresql_starts_with_these_settings() -> None:
    command = service()["command"]
    assert command[0] == "postgres"
    assert set(command[1::2]) == {"-c"}
    settings = dict(setting.split("=", 1) for setting in command[2::2])
    with (
        temporary_home() as home,
        EmbeddedServer(home, settings=settings) as server,
        psycopg.connect(server.conninfo) as connection,
    ):
        for name, value in settings.items():
            shown = connection.execute("SELECT pg_catalog.current_setting(%s)", (name,)).fetchone()
            assert shown == (value,)


def test_parallel_index_builds_have_shared_memory() -> None:
    assert service()["shm_size"] == "1gb"
