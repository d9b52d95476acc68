"""The DBA guide, followed from beginning to end on a cluster of its own, with the server's own programs."""

from __future__ import annotations

import os
import re
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
from tests.docs.blocks import ROOT, block, blocks
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

    grant, revoke = (each.text for each in blocks(PAGE, "sql") if each.heading == "Roles")
    ceiling = "SELECT login FROM docgraph.list_access('default') WHERE login = 'app'"
    assert "app" in dba.psql(grant, **installer)
    assert dba.psql(ceiling, **installer) == "app\n"
    dba.psql(revoke, **installer)
    assert dba.psql(ceiling, **installer) == ""

    dba.shell("docgraph init", **installer)
    with psycopg.connect(dba.server.conninfo("knowledge"), autocommit=True) as connection:
        put_document(connection, "kept", embedding=str([1] * 384), tags=("hr",))

    dba.psql(block(PAGE, "Backup and restore", "sql"))
    roles, dump, roles_back, create, restore, words, verify = (
        line.partition("#")[0] for line in block(PAGE, "Backup and restore", "sh").splitlines()
    )
    dba.shell(roles)
    dba.shell(dump, user="backup")
    dba.psql("DROP DATABASE knowledge")
    for line in (roles_back, create, restore, words):
        dba.shell(line)
    assert "No drift" in dba.shell(verify, **installer)
    assert dba.psql("SELECT document_id FROM docgraph.document_nodes", database="knowledge") == "kept\n"

    dba.shell(block(PAGE, "Uninstalling", "sh"), **installer)
    dba.psql(block(PAGE, "Uninstalling", "sql"), database="knowledge")
    assert dba.psql("SELECT rolname FROM pg_roles WHERE rolname LIKE 'docgraph%'") == ""


def test_the_embedded_server_is_moved_to_another_folder(tmp_path: Path) -> None:
    """In a shell that knows of nothing but its home."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("DOCGRAPH", "PG"))}
    with temporary_home() as home, temporary_home() as new:
        environment = clean | {
            "PATH": f"{CLI}:{os.environ['PATH']}",
            "DOCGRAPH_HOME": str(home),
            "NEW": str(new),
        }

        def shell(script: str) -> str:
            done = subprocess.run(
                ["bash", "-euc", script],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
            assert done.returncode == 0, done.stderr + done.stdout
            return done.stdout

        shell("docgraph init && mkdir docs && echo '# Kept' > docs/kept.md && docgraph ingest docs")
        shell('docgraph db psql -c "CREATE ROLE app LOGIN IN ROLE docgraph_reader"')
        try:
            assert "No drift" in shell(block(PAGE, "Of the embedded server", "sh"))
            assert shell('docgraph ls --home "$NEW"').startswith("kept.md\t")
            assert shell('docgraph db psql --home "$NEW" --user app -XAtc "SELECT session_user"') == "app\n"
        finally:
            shell('docgraph db stop; docgraph db stop --home "$NEW"')


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


@pytest.fixture
def knowledge(dba: Dba) -> Dba:
    """docgraph in a database that a reader may see everything of."""
    dba.psql("CREATE DATABASE knowledge; CREATE ROLE app LOGIN")
    dba.shell("docgraph init", database="knowledge")
    dba.psql(
        "GRANT docgraph_reader TO app;"
        "SELECT docgraph.grant_access('default', 'app', NULL, NULL, NULL, NULL, NULL)",
        database="knowledge",
    )
    return dba


def section(heading: str) -> str:
    """The text under a heading, up to the next one."""
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    return re.split(r"^#+ ", page.partition(f" {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def test_what_a_plan_does_inside_is_seen_as_the_guide_says(knowledge: Dba) -> None:
    for call, shown in {
        "SELECT docgraph.plan_retrieval('default', '{}', seeds => '{a}')": "Result",
        "SELECT * FROM docgraph.search_nodes('default', '{}', '{1}')": "Function Scan on search_nodes",
    }.items():
        assert knowledge.psql(f"EXPLAIN (COSTS OFF) {call}", database="knowledge") == f"{shown}\n"
    if not list(knowledge.server.psql.parents[1].rglob("auto_explain*")):
        pytest.skip("this build of PostgreSQL has no auto_explain")
    inside, _ = (each.text for each in blocks(PAGE, "sql") if each.heading == "Seeing inside")
    shown = knowledge.shell(
        f"psql -X -q -v ON_ERROR_STOP=1 2>&1 <<< {shlex.quote(inside)}", database="knowledge"
    )
    for part in ("document_nodes", "document_relationships_out_idx", "InitPlan", "actual time"):
        assert part in shown


def test_every_setting_that_a_function_pins_is_in_the_guide(knowledge: Dba) -> None:
    _, pinned = (each.text for each in blocks(PAGE, "sql") if each.heading == "Seeing inside")
    found = [line.split("|") for line in knowledge.psql(pinned, database="knowledge").splitlines()]
    assert ["nearest_approximately", "hnsw.ef_search=40"] in found
    told = re.findall(r"^\| `([\w.*]+)` \|", section("Seeing inside"), re.MULTILINE)
    names = {setting.partition("=")[0] for _, setting in found}
    for pattern in told:
        assert any(re.fullmatch(pattern.replace("*", ".*"), name) for name in names), pattern
    for name in names:
        assert any(re.fullmatch(pattern.replace("*", ".*"), name) for pattern in told), name


def test_what_to_watch_can_be_asked(knowledge: Dba) -> None:
    statements = re.findall(r"`((?:SELECT|ALTER) [^`]+)`", section("What to watch"))
    assert len(statements) == 3
    for statement in statements:
        knowledge.psql(statement, database="knowledge")
    assert knowledge.psql("SHOW statement_timeout", user="app", database="knowledge") == "10s\n"


def test_a_limit_is_changed_and_shows_as_drift(knowledge: Dba) -> None:
    limit = "SELECT docgraph.bound('exact_rows')"
    assert knowledge.psql(limit, database="knowledge") == "50000\n"
    assert "after 50,000" in section("Searches, plans and contexts")
    change = f"{block(PAGE, 'Changing a limit', 'sh')}\n{block(PAGE, 'Drift', 'sh')}"
    knowledge.shell(change, database="knowledge")
    assert knowledge.psql(limit, database="knowledge") == "200000\n"
    with pytest.raises(AssertionError, match=r"docgraph\.bound"):
        knowledge.shell("docgraph db verify", database="knowledge")
