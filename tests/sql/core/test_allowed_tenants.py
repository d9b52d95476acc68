"""allowed_tenants: what the policies compare with, for the login that connected."""

from __future__ import annotations

from tests.conftest import Installed
from tests.sql.asking import Connection


def tenants(connection: Connection, login: str) -> list[str]:
    """As the login itself would have them; nobody but the owner may call the function."""
    connection.execute(f"SET SESSION AUTHORIZATION {login}".encode())
    try:
        row = connection.execute("SELECT probe.tenants()").fetchone()
    finally:
        connection.execute("RESET SESSION AUTHORIZATION")
    assert row is not None
    return list(row[0])


def test_its_tenants_and_no_others(database: Installed, superuser: Connection) -> None:
    superuser.execute(
        """
        CREATE SCHEMA probe;
        GRANT USAGE ON SCHEMA probe TO docgraph_reader;
        CREATE FUNCTION probe.tenants() RETURNS text[] LANGUAGE sql STABLE SECURITY DEFINER
            RETURN docgraph.allowed_tenants();
        ALTER FUNCTION probe.tenants() OWNER TO docgraph_owner
        """
    )
    database.cluster.login("nobody", member_of="docgraph_reader")
    database.reader("somebody", "b")
    database.grant("somebody", "B", repositories=[], tags=[], clearance=0)
    database.grant("somebody", "a")
    database.grant("other", "c")
    assert tenants(superuser, "nobody") == []
    assert tenants(superuser, "somebody") == ["B", "a", "b"]


def test_a_superuser_without_a_ceiling_has_none(superuser: Connection) -> None:
    superuser.execute("DELETE FROM docgraph.access_grants")
    assert superuser.execute("SELECT docgraph.allowed_tenants()").fetchone() == ([],)
