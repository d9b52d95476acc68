"""The DBA guide, followed from beginning to end on a cluster of its own, with the server's own programs."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from docgraph.resources import SQL
from tests.docs.blocks import block
from tests.documents import put_document
from tests.servers import Server, start_server, temporary_home

PAGE = "docs/dba.md"
CLI = Path(sys.executable).parent


@dataclass(frozen=True)
class Dba:
    """A shell in which psql and its family reach the cluster, as a login and in a database."""

    server: Server
    folder: Path

    def shell(self, script: str, *, user: str = "postgres", database: str = "postgres") -> str:
        target = conninfo_to_dict(self.server.conninfo(database))
        environment = os.environ | {
            "PATH": f"{self.server.psql.parent}:{CLI}:{os.environ['PATH']}",
            "PGHOST": str(target["host"]),
            "PGPORT": str(target.get("port", 5432)),
            "PGUSER": user,
            "PGDATABASE": database,
            "DATABASE": f"dbname={database}",
            "DOCGRAPH_DATABASE_URL": f"host={target['host']} user={user} dbname={database}",
        }
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout

    def psql(self, statements: str, *, user: str = "postgres", database: str = "postgres") -> str:
        return self.shell(
            f"psql -X -q -At -v ON_ERROR_STOP=1 <<< {shlex.quote(statements)}", user=user, database=database
        )


@pytest.fixture
def dba(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Dba]:
    kind = request.config.getoption("--pg")
    if kind not in ("embedded", "16"):
        pytest.skip("drops roles that other databases of a cluster may use")
    with temporary_home() as home:
        server = start_server(kind, home)
        yield Dba(server, tmp_path)
        server.stop()


def test_the_guide_from_installing_to_uninstalling(dba: Dba) -> None:
    installer = {"user": "installer", "database": "knowledge"}
    dba.psql(block(PAGE, "Requirements", "sql"))

    review, part, apply = (
        line.partition("#")[0] for line in block(PAGE, "Reviewing and installing", "sh").splitlines()
    )
    dba.shell("\n".join((review, part, apply)), **installer)
    assert dba.psql(block(PAGE, "Reviewing and installing", "sql"), **installer) == "t\n"
    assert "No drift" in dba.shell("docgraph db verify", **installer)

    assert "app" in dba.psql(block(PAGE, "Roles", "sql"), **installer)

    dba.shell("docgraph init", **installer)
    with psycopg.connect(dba.server.conninfo("knowledge"), autocommit=True) as connection:
        put_document(connection, "kept", embedding=str([1] * 384), tags=("hr",))

    dba.psql(block(PAGE, "Backup and restore", "sql"))
    roles, dump, restore, verify = (
        line.partition("#")[0] for line in block(PAGE, "Backup and restore", "sh").splitlines()
    )
    dba.shell(roles)
    dba.shell(dump, user="backup")
    dba.psql("DROP DATABASE knowledge")
    dba.psql("CREATE DATABASE knowledge OWNER installer")
    dba.shell(restore)
    assert "No drift" in dba.shell(verify, **installer)
    assert dba.psql("SELECT document_id FROM docgraph.document_nodes", database="knowledge") == "kept\n"

    dba.shell(block(PAGE, "Uninstalling", "sh"), **installer)
    dba.psql(block(PAGE, "Uninstalling", "sql"), database="knowledge")
    assert dba.psql("SELECT rolname FROM pg_roles WHERE rolname LIKE 'docgraph%'") == ""


def test_a_dump_as_the_owner_is_refused_rather_than_incomplete(dba: Dba) -> None:
    dba.psql("CREATE DATABASE knowledge")
    dba.shell("docgraph init", database="knowledge")
    with pytest.raises(AssertionError, match="row-level security"):
        dba.shell("pg_dump --role=docgraph_owner knowledge")


def test_a_drifted_function_is_put_back_as_the_guide_says(dba: Dba) -> None:
    dba.psql("CREATE DATABASE knowledge")
    dba.shell("docgraph init", database="knowledge")
    recipe = block(PAGE, "Drift", "sh")
    for function, harm in {
        "api/whoami": "ALTER FUNCTION docgraph.whoami SET search_path = public",
        "leaf/vector_norm": "COMMENT ON FUNCTION docgraph.vector_norm IS 'other'",
        "leaf/bound": "GRANT EXECUTE ON FUNCTION docgraph.bound TO PUBLIC",
    }.items():
        dba.psql(harm, database="knowledge")
        with pytest.raises(AssertionError, match=f"docgraph.{function.split('/')[1]}"):
            dba.shell("docgraph db verify", database="knowledge")
        dba.shell(f"FILE={SQL / 'functions' / function}.sql\n{recipe}", database="knowledge")
        assert "No drift" in dba.shell("docgraph db verify", database="knowledge")
