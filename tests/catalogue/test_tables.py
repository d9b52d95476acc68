"""Every table is walled, led by its tenant, owned by the owner, and explained."""

from __future__ import annotations

import psycopg
import pytest

from docgraph import migrate
from tests.catalogue.reading import (
    CONTROL_TABLES,
    OF_THE_DATABASE,
    ROLES,
    Connection,
    column,
    tenant_tables,
)

OURS = "relnamespace = 'docgraph'::regnamespace"


def test_row_security_is_on_and_forced_on_every_tenant_table(catalogue: Connection) -> None:
    query = f"""
        SELECT relname FROM pg_class
        WHERE {OURS} AND relkind = 'r' AND relrowsecurity AND relforcerowsecurity
    """
    assert sorted(column(catalogue, query)) == tenant_tables(catalogue)


def test_it_is_so_before_the_embedding_space_is_configured(empty: str) -> None:
    """configure_embedding_space lifts FORCE and sets it again, which would mend a table that never had it."""
    migrate.upgrade(empty)
    query = f"""
        SELECT relname FROM pg_class
        WHERE {OURS} AND relkind = 'r' AND relrowsecurity AND relforcerowsecurity
    """
    with psycopg.connect(empty) as connection:
        assert sorted(column(connection, query)) == tenant_tables(connection)


def test_control_tables_have_none(catalogue: Connection) -> None:
    query = f"SELECT relname FROM pg_class WHERE {OURS} AND relkind = 'r' AND NOT relrowsecurity"
    assert set(column(catalogue, query)) == CONTROL_TABLES


def test_each_has_exactly_one_permissive_policy_for_everything_and_everybody(catalogue: Connection) -> None:
    rows = catalogue.execute(
        """
        SELECT c.relname, count(*), bool_and(p.polpermissive), string_agg(p.polcmd::text, ''),
            max(p.polroles::text), min(pg_get_expr(p.polqual, p.polrelid)),
            min(pg_get_expr(p.polwithcheck, p.polrelid))
        FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
        GROUP BY c.relname ORDER BY 1
        """
    ).fetchall()
    expression = "(tenant_id = ANY (( SELECT docgraph.allowed_tenants() AS allowed_tenants)::text[]))"
    assert rows == [(table, 1, True, "*", "{0}", expression, None) for table in tenant_tables(catalogue)]


def test_no_role_but_the_owner_has_any_right_on_a_table_or_a_column(catalogue: Connection) -> None:
    tables = f"""
        SELECT c.relname || ' ' || a.grantee::regrole::text FROM pg_class c
        CROSS JOIN LATERAL aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) AS a
        WHERE {OURS} AND a.grantee <> 'docgraph_owner'::regrole
    """
    columns = f"""
        SELECT c.relname || '.' || a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE {OURS} AND a.attacl IS NOT NULL
    """
    assert column(catalogue, tables) == []
    assert column(catalogue, columns) == []


def test_everything_is_owned_by_the_owner(catalogue: Connection) -> None:
    query = f"""
        SELECT DISTINCT owner::regrole::text FROM (
            SELECT relowner FROM pg_class WHERE {OURS}
            UNION ALL SELECT typowner FROM pg_type WHERE typnamespace = 'docgraph'::regnamespace
            UNION ALL SELECT nspowner FROM pg_namespace WHERE nspname = 'docgraph'
        ) AS o (owner)
    """
    assert column(catalogue, query) == ["docgraph_owner"]


def test_the_kinds_of_objects_are_known(catalogue: Connection) -> None:
    """A view, a rule or a foreign table would go round the wall: none comes in unseen."""
    assert set(column(catalogue, f"SELECT DISTINCT relkind::text FROM pg_class WHERE {OURS}")) == {"r", "i"}
    assert column(catalogue, f"SELECT relname FROM pg_class WHERE {OURS} AND relhasrules") == []


def test_there_are_no_triggers_of_ours(catalogue: Connection) -> None:
    query = f"""
        SELECT t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE {OURS} AND NOT t.tgisinternal
    """
    assert column(catalogue, query) == []


def test_the_tenant_leads_every_key(catalogue: Connection) -> None:
    """Both sides of a foreign key, too: else it could reach into another tenant."""
    rows = catalogue.execute(
        """
        SELECT k.conname, k.contype::text,
            (SELECT attname FROM pg_attribute WHERE attrelid = k.conrelid AND attnum = k.conkey[1]),
            (SELECT attname FROM pg_attribute WHERE attrelid = k.confrelid AND attnum = k.confkey[1])
        FROM pg_constraint k
        WHERE k.connamespace = 'docgraph'::regnamespace AND k.contype IN ('p', 'u', 'f')
            AND k.conrelid <> ALL (%s::text[]::regclass[])
        """,
        (OF_THE_DATABASE,),
    ).fetchall()
    assert len(rows) > 15
    for name, kind, first, referred in rows:
        assert first == "tenant_id", name
        assert referred == ("tenant_id" if kind == "f" else None), name


def test_the_tenant_leads_every_index_that_can_have_it(catalogue: Connection) -> None:
    """Not those of vectors and lexemes, whose kind of index holds one column."""
    rows = catalogue.execute(
        f"""
        SELECT c.relname
        FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
        WHERE {OURS} AND m.amname = 'btree'
            AND i.indrelid <> ALL (%s::text[]::regclass[])
            AND pg_get_indexdef(i.indexrelid, 1, false) <> 'tenant_id'
        """.encode(),
        (OF_THE_DATABASE,),
    )
    assert rows.fetchall() == []


def test_no_foreign_key_sets_null_and_none_is_deferred(catalogue: Connection) -> None:
    query = """
        SELECT conname FROM pg_constraint
        WHERE connamespace = 'docgraph'::regnamespace
            AND (confdeltype IN ('n', 'd') OR confupdtype IN ('n', 'd') OR condeferrable OR NOT convalidated)
    """
    assert column(catalogue, query) == []


def test_every_constraint_is_named_after_its_table(catalogue: Connection) -> None:
    query = """
        SELECT k.conname FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
        WHERE k.connamespace = 'docgraph'::regnamespace AND k.contype <> 'n'
            AND NOT starts_with(k.conname, c.relname || '_')
    """
    assert column(catalogue, query) == []


def test_ids_are_compared_by_their_bytes(catalogue: Connection) -> None:
    """In every key; a collation of the database's would order them differently from server to server."""
    query = f"""
        SELECT DISTINCT c.relname || '.' || a.attname
        FROM pg_constraint k
        JOIN pg_class c ON c.oid = k.conrelid
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)
        JOIN pg_type t ON t.oid = a.atttypid
        WHERE {OURS} AND k.contype IN ('p', 'u', 'f') AND t.typcategory = 'S' AND t.typname <> 'name'
            AND a.attcollation <> 'pg_catalog."C"'::regcollation AND c.relname <> 'alembic_version'
    """
    assert column(catalogue, query) == []


class TestComments:
    """What a DBA finds with \\d+ and \\dn+."""

    def test_schema(self, catalogue: Connection) -> None:
        assert column(catalogue, "SELECT obj_description('docgraph'::regnamespace, 'pg_namespace')")[0]

    def test_tables(self, catalogue: Connection) -> None:
        query = (
            f"SELECT relname FROM pg_class WHERE {OURS} AND relkind = 'r' AND obj_description(oid) IS NULL"
        )
        assert column(catalogue, query) == []

    def test_columns(self, catalogue: Connection) -> None:
        query = f"""
            SELECT c.relname || '.' || a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
            WHERE {OURS} AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
                AND col_description(c.oid, a.attnum) IS NULL
        """
        assert column(catalogue, query) == []

    def test_functions(self, catalogue: Connection) -> None:
        query = """
            SELECT proname FROM pg_proc
            WHERE pronamespace = 'docgraph'::regnamespace AND obj_description(oid, 'pg_proc') IS NULL
        """
        assert column(catalogue, query) == []

    def test_indexes_that_belong_to_no_constraint(self, catalogue: Connection) -> None:
        query = f"""
            SELECT relname FROM pg_class c WHERE {OURS} AND relkind = 'i' AND obj_description(oid) IS NULL
                AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = c.oid AND contype IN ('p', 'u'))
        """
        assert column(catalogue, query) == []

    def test_policies(self, catalogue: Connection) -> None:
        assert (
            column(catalogue, "SELECT polname FROM pg_policy WHERE obj_description(oid, 'pg_policy') IS NULL")
            == []
        )

    def test_control_tables_say_so(self, catalogue: Connection) -> None:
        query = f"""
            SELECT relname FROM pg_class
            WHERE {OURS} AND relkind = 'r' AND obj_description(oid) LIKE '%Control table.'
        """
        assert set(column(catalogue, query)) == CONTROL_TABLES


@pytest.mark.parametrize("role", ROLES)
def test_the_roles_can_do_nothing_by_themselves(catalogue: Connection, role: str) -> None:
    query = """
        SELECT concat_ws(
            ' ', rolsuper, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls, rolconfig
        )
        FROM pg_roles WHERE rolname = %s
    """
    assert column(catalogue, query, role) == ["f f f f f f"]


def test_the_roles_are_members_of_nothing_but_the_reader(catalogue: Connection) -> None:
    query = """
        SELECT m.member::regrole || ' of ' || m.roleid::regrole FROM pg_auth_members m
        WHERE m.member = ANY (%s::text[]::regrole[]) ORDER BY 1
    """
    assert column(catalogue, query, ROLES) == [
        "docgraph_admin of docgraph_reader",
        "docgraph_writer of docgraph_reader",
    ]
