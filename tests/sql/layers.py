"""The layers of the wall, each to be tested with the other one off."""

from __future__ import annotations

import enum

from psycopg import sql

from tests.sql.asking import Connection

TENANT_TABLES = (
    "access_classes",
    "document_names",
    "document_nodes",
    "document_references",
    "document_relationships",
    "ingestion_requests",
    "lexical_counts",
    "lexical_terms",
    "next_vectors",
    "vector_chunks",
    "write_turns",
)
"""The tables that row security guards."""


class Layers(enum.Enum):
    """What stands between a caller and a row."""

    BOTH = "both layers"
    PREDICATE = "predicate alone"


def turn_off_row_security(superuser: Connection) -> None:
    """From here on the predicate in the functions is all there is."""
    for table in TENANT_TABLES:
        superuser.execute(
            sql.SQL(
                "ALTER TABLE docgraph.{0} DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY"
            ).format(sql.Identifier(table))
        )


_PROBES = """
CREATE SCHEMA probe AUTHORIZATION docgraph_owner;
GRANT USAGE ON SCHEMA probe TO docgraph_reader;

-- As every function that touches documents is written.
CREATE FUNCTION probe.documents(tenant text, access jsonb) RETURNS TABLE (document_id text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    visible constant bigint[] := docgraph.visible_classes(tenant, access);
BEGIN
    RETURN QUERY
    SELECT d.document_id FROM docgraph.document_nodes d
    WHERE d.tenant_id = tenant AND d.access_class = ANY (visible)
    ORDER BY d.document_id;
END
$$;

CREATE FUNCTION probe.classes(tenant text, access jsonb) RETURNS bigint[]
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN docgraph.visible_classes(tenant, access);
END
$$;

ALTER FUNCTION probe.documents(text, jsonb) OWNER TO docgraph_owner;
ALTER FUNCTION probe.classes(text, jsonb) OWNER TO docgraph_owner;
"""


def install_probes(superuser: Connection) -> None:
    """Two functions that a reader may call: the visible documents, and the visible classes."""
    superuser.execute(_PROBES)


def visible_documents(connection: Connection, tenant: str, access: str) -> list[str]:
    """What the login of this connection sees with a claim."""
    rows = connection.execute("SELECT document_id FROM probe.documents(%s, %s::jsonb)", (tenant, access))
    return [document for (document,) in rows]


def visible_classes(connection: Connection, tenant: str, access: str) -> list[int]:
    """The numbers of the classes that the login of this connection sees with a claim."""
    row = connection.execute("SELECT probe.classes(%s, %s::jsonb)", (tenant, access)).fetchone()
    assert row is not None
    return list(row[0])
