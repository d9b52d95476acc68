"""Who may do what: the whole matrix of roles and objects, against the file beside this one.

To write the file anew after a change that was meant: UPDATE_GOLDEN=1 pytest tests/catalogue
"""

from __future__ import annotations

import os
from pathlib import Path

from tests.catalogue.reading import ROLES, Connection

GOLDEN = Path(__file__).parent / "privileges.txt"

_OBJECTS = """
WITH roles (role, position) AS (SELECT * FROM unnest(%(roles)s::text[] || 'PUBLIC'::text) WITH ORDINALITY),
objects (object, acl) AS (
    SELECT format('function %%s', proname), coalesce(proacl, acldefault('f', proowner))
    FROM pg_proc WHERE pronamespace = 'docgraph'::regnamespace
    UNION ALL
    SELECT format('table %%s', relname), coalesce(relacl, acldefault('r', relowner))
    FROM pg_class WHERE relnamespace = 'docgraph'::regnamespace AND relkind <> 'i'
    UNION ALL
    SELECT 'schema docgraph', nspacl FROM pg_namespace WHERE nspname = 'docgraph'
)
SELECT o.object, array_agg(
    coalesce(
        CASE
            -- Of the roles what they have themselves or through each other, of everybody what PUBLIC has.
            WHEN r.role = 'PUBLIC' THEN (
                SELECT string_agg(lower(a.privilege_type), ' ' ORDER BY lower(a.privilege_type))
                FROM aclexplode(o.acl) a
                WHERE a.grantee = 0
            )
            ELSE (
                SELECT string_agg(DISTINCT lower(a.privilege_type), ' ' ORDER BY lower(a.privilege_type))
                FROM aclexplode(o.acl) a
                WHERE a.grantee <> 0 AND pg_has_role(r.role::regrole, a.grantee, 'USAGE')
                    AND a.privilege_type <> 'MAINTAIN'
            )
        END,
        '-'
    )
    ORDER BY r.position
)
FROM objects o CROSS JOIN roles r
GROUP BY o.object
ORDER BY o.object COLLATE "C"
"""

EVERYTHING = "delete insert references select trigger truncate update"


def matrix(connection: Connection) -> str:
    """One line for each object, one column for each role."""
    rows = connection.execute(_OBJECTS, {"roles": ROLES}).fetchall()
    table = [["object", *(role.removeprefix("docgraph_") for role in ROLES), "PUBLIC"]]
    table += [[name, *(text.replace(EVERYTHING, "all") for text in rights)] for name, rights in rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in table
    ]
    return "\n".join(lines) + "\n"


def test_the_matrix_is_the_one_that_was_agreed(catalogue: Connection) -> None:
    found = matrix(catalogue)
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(found, encoding="utf-8")
    assert found == GOLDEN.read_text(encoding="utf-8")
