"""Puts a world into a database, and asks the database what the model is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from docgraph import calls
from tests.conftest import Installed
from tests.properties.model import Claim, Held, World
from tests.properties.worlds import LOGINS, TENANTS
from tests.sql.layers import Layers

Connection = psycopg.Connection[Any]

as_it_is = pytest.mark.parametrize("asked", [Layers.BOTH], ids=lambda layers: layers.value, indirect=True)
"""For what is no question of access: the database with all its layers is enough."""

_CLASS = """
INSERT INTO docgraph.access_classes VALUES (
    %(tenant)s, %(number)s, %(repository)s, %(snapshot)s, %(tags)s, %(labels)s, %(clearance)s,
    docgraph.access_fingerprint(
        %(repository)s, %(snapshot)s, %(tags)s::text[], %(labels)s::text[], %(clearance)s
    )
)
"""
_DOCUMENT = """
INSERT INTO docgraph.document_nodes (tenant_id, document_id, access_class, content_hash)
VALUES (%s, %s, %s, sha256('x'))
"""


@dataclass
class Asked:
    """A database with a connection for the superuser and for each login."""

    installed: Installed
    superuser: Connection
    logins: dict[str, Connection]

    def put(self, world: World) -> None:
        """This world in place of the one before."""
        classes = [
            {
                "tenant": tenant,
                "number": number,
                "repository": needed.repository,
                "snapshot": needed.snapshot,
                "tags": sorted(needed.tags, key=str.encode),
                "labels": sorted(needed.labels, key=str.encode),
                "clearance": needed.clearance,
            }
            for tenant, found in world.classes.items()
            for number, needed in found.items()
        ]
        documents = [(t, d, number) for t, found in world.documents.items() for d, number in found.items()]
        requests = [calls.grant_access(tenant, ceiling) for (tenant, _), ceiling in world.ceilings.items()]
        with self.superuser.transaction(), self.superuser.cursor() as cursor:
            for table in ("document_nodes", "access_classes", "access_grants"):
                cursor.execute(f"DELETE FROM docgraph.{table}".encode())
            cursor.executemany(_CLASS, classes)
            cursor.executemany(_DOCUMENT, documents)
            cursor.executemany(calls.GRANT_ACCESS.statement.encode(), [r.arguments for r in requests])

    def held(self, login: str, tenant: str, claim: Claim) -> Held | None:
        """As whoami says it."""
        try:
            found = calls.fetch(self.logins[login], calls.WHOAMI(tenant=tenant, access=claim))
        except psycopg.errors.InsufficientPrivilege:
            return None
        assert found.login == login
        assert found.tags is not None  # only what may be "all" may be absent
        assert found.labels is not None
        for entries in (found.repositories, found.snapshots, found.tags, found.labels):
            assert entries is None or list(entries) == sorted(set(entries), key=str.encode)
        return Held(
            None if found.repositories is None else frozenset(found.repositories),
            None if found.snapshots is None else frozenset(found.snapshots),
            frozenset(found.tags),
            frozenset(found.labels),
            found.clearance,
        )

    def visible(self, login: str, tenant: str, claim: Claim) -> tuple[list[int], list[str]] | None:
        """Classes and documents, in the order of the database."""
        query = (
            "SELECT probe.classes(%(t)s, %(c)s), ARRAY(SELECT document_id FROM probe.documents(%(t)s, %(c)s))"
        )
        values = {"t": tenant, "c": Jsonb(claim)}
        try:
            row = self.logins[login].execute(query, values).fetchone()
        except psycopg.errors.InsufficientPrivilege:
            return None
        assert row is not None
        return row[0], row[1]

    def compare(self, world: World, claim: Claim) -> None:
        """The model and the database say the same about everybody in every tenant."""
        for login in LOGINS:
            for tenant in (*TENANTS, "no tenant"):
                assert self.held(login, tenant, claim) == world.held(login, tenant, claim)
                classes = world.visible_classes(login, tenant, claim)
                documents = world.visible_documents(login, tenant, claim)
                expected = None if classes is None else (classes, documents)
                assert self.visible(login, tenant, claim) == expected
