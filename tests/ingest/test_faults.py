"""Disk full, lost connection, statement timeout in mid-batch: an error that says what, and no halves."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from docgraph.client import DocGraph
from docgraph.documents import Chunk, Document
from docgraph.errors import DatabaseError, DocgraphError, ServerUnavailable, StatementCancelled
from tests.ingest.cutting import CuttingProxy
from tests.ingest.loading import BATCH, COUNT, check_whole, identifier, load, put_all
from tests.ingest.place import Place, server_of_its_own
from tests.ingest.rows import stored
from tests.servers import FAST, temporary_home

MIDDLE = 4 * BATCH + 5
"""A document of the fifth batch. The load does not get over it."""

HANGS = f"""
CREATE FUNCTION public.hang() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.from_document = '{identifier(MIDDLE)}' THEN PERFORM pg_catalog.pg_sleep(60); END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER hang AFTER INSERT ON docgraph.document_relationships
FOR EACH ROW EXECUTE FUNCTION public.hang();
"""
"""Relationships are written last: by then the rest of the batch is there, not yet committed."""


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with server_of_its_own(FAST) as found:
        yield found


@contextmanager
def _hanging(conninfo: str) -> Iterator[None]:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(HANGS)
        yield
        connection.execute("DROP TRIGGER hang ON docgraph.document_relationships")


def _fails(conninfo: str, error: type[DocgraphError], match: str) -> int:
    """Loads until that error; how many documents were acknowledged by then."""
    done = [0]
    with DocGraph(conninfo) as client, pytest.raises(error, match=match):
        put_all(client, load(), progress=lambda report: done.append(report.done))
    return done[-1]


def _completes(place: Place, conninfo: str, acknowledged: int) -> None:
    """What is there is whole, and the next run brings the rest."""
    changed = check_whole(conninfo, place.old, place.new, acknowledged)
    with DocGraph(conninfo) as client:
        report = put_all(client, load())
    assert (report.unchanged, report.done, report.failed) == (changed, COUNT, 0)
    assert stored(conninfo) == place.new


def test_a_statement_timeout(place: Place) -> None:
    conninfo = place.database("timeout")
    impatient = make_conninfo(conninfo, options="-c statement_timeout=1500")
    with _hanging(conninfo):
        acknowledged = _fails(impatient, StatementCancelled, "statement timeout")
    assert acknowledged == MIDDLE // BATCH * BATCH
    _completes(place, conninfo, acknowledged)


def test_a_terminated_backend(place: Place) -> None:
    conninfo = place.database("terminated")

    def terminate() -> None:
        with place.superuser() as connection:
            for _ in range(3000):
                found = connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = 'terminated' AND wait_event = 'PgSleep'"
                ).fetchall()
                if found:
                    return
                time.sleep(0.01)

    thread = threading.Thread(target=terminate)
    with _hanging(conninfo):
        thread.start()
        acknowledged = _fails(conninfo, ServerUnavailable, "terminating connection")
        thread.join()
    assert acknowledged == MIDDLE // BATCH * BATCH
    _completes(place, conninfo, acknowledged)


@pytest.mark.parametrize("seed", range(4))
def test_a_connection_that_breaks_off(place: Place, seed: int) -> None:
    """In the middle of a message: the load has more than this."""
    conninfo = place.database("cut")
    proxy = CuttingProxy(place.server.home, random.Random(seed).randrange(20_000, 150_000))
    through = make_conninfo(
        host="127.0.0.1",
        port=proxy.port,
        sslmode="disable",
        gssencmode="disable",
        user="postgres",
        dbname="cut",
    )
    acknowledged = _fails(through, ServerUnavailable, "connection")
    assert acknowledged < COUNT
    place.wait_until_alone("cut")
    _completes(place, conninfo, acknowledged)


# -------------------------------------------------------------------- no room


def _big() -> list[Document]:
    """23 MB that cannot be compressed, in eight batches."""
    chance = random.Random(1)
    return [
        Document(id=f"big{n:02}", chunks=[Chunk(chance.randbytes(120_000).hex(), 1)])
        for n in range(8 * BATCH)
    ]


def _no_room(place: Place, conninfo: str, match: str) -> int:
    """Loads until there is no room; how many documents are there. The last batch is not, not even in part."""
    done = [0]
    with DocGraph(conninfo) as client, pytest.raises(DatabaseError, match=match):
        put_all(client, _big(), progress=lambda report: done.append(report.done))
    rows = stored(conninfo)
    names = [row[1] for row in rows["document_nodes"] if row[1].startswith("big")]
    assert names == [f"big{n:02}" for n in range(done[-1])]
    assert [row[1] for row in rows["vector_chunks"] if row[1].startswith("big")] == names
    assert 0 < len(names) < 8 * BATCH
    return len(names)


def _room_again(conninfo: str, there: int) -> None:
    with DocGraph(conninfo) as client:
        report = put_all(client, _big())
    assert (report.unchanged, report.added) == (there, 8 * BATCH - there)


@contextmanager
def _files_of_at_most(size: int, place: Place) -> Iterator[None]:
    """For connections made from now on. The limit of another user's process may be set as that user only."""
    pid, owner = place.server.status().pid, place.server.home.stat()
    program = shutil.which("prlimit")
    if program is None:
        pytest.skip("there is no program prlimit to limit the size of the server's files")

    def limit(soft: str) -> None:
        as_owner: dict[str, Any] = {"user": owner.st_uid, "group": owner.st_gid} if os.geteuid() == 0 else {}
        subprocess.run([program, f"--pid={pid}", f"--fsize={soft}:"], check=True, cwd="/", **as_owner)

    limit(str(size))
    try:
        yield
    finally:
        limit("unlimited")


def test_a_file_that_may_not_grow(place: Place) -> None:
    """As with a quota. WAL files have their 16 MB, and the table of long texts would need more."""
    conninfo = place.database("quota")
    with _files_of_at_most(17_000_000, place):
        there = _no_room(place, conninfo, "could not (extend|write)")
    _room_again(conninfo, there)
    place.drop("quota")


@contextmanager
def _small_disk(size: str) -> Iterator[Path]:
    with temporary_home() as folder:
        folder.mkdir()
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0777", "tmpfs", folder],
            check=False,
            capture_output=True,
        )
        if mounted.returncode:
            pytest.skip(
                "a small disk can be mounted by root only; the limit on file sizes is tested all the same"
            )
        try:
            yield folder
        finally:
            subprocess.run(["umount", "-l", folder], check=True)


def test_a_full_disk(place: Place) -> None:
    with _small_disk("24m") as disk:
        folder = disk / "space"
        folder.mkdir(mode=0o777)
        folder.chmod(0o777)
        with place.superuser() as connection:
            owner = place.server.home.stat()
            os.chown(folder, owner.st_uid, owner.st_gid)
            connection.execute(f"CREATE TABLESPACE small LOCATION '{folder}'")
        conninfo = place.database("full", "small")
        there = _no_room(place, conninfo, "No space left on device")
        subprocess.run(["mount", "-o", "remount,size=200m", disk], check=True)
        _room_again(conninfo, there)
        place.drop("full")
        with place.superuser() as connection:
            connection.execute("DROP TABLESPACE small")
