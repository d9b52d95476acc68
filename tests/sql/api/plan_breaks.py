"""Planners that are broken in one place each, and the guardrail that must notice."""

from __future__ import annotations

from dataclasses import dataclass

import psycopg

from tests.sql.api import guardrails
from tests.sql.api.guardrails import Guardrail, source
from tests.sql.asking import Connection

PLAN = "core/make_plan.sql"
EXPAND = "core/expand_once.sql"
LOOKS = ("core/all_links.sql", "core/first_links.sql")
"""The parts of the step that read relationships: one or both of them are executed."""
ROWS = "api/plan_documents.sql"
TREE = "api/explain_plan.sql"

_STEP = """    expanded := docgraph.expand_once(
        tenant, visible, all_seeds, allowed_types, expanded_per_seed, max_documents - cardinality(all_seeds));
"""
_FARTHER = "all_seeds || ARRAY(SELECT d ->> 'document_id' FROM jsonb_array_elements(expanded.documents) AS d)"
_SECOND_STEP = _STEP.replace("all_seeds,", f"{_FARTHER},", 1)
_STEPS = f"""    WHILE jsonb_array_length(expanded.documents) > 0 LOOP
        all_seeds := docgraph.canonical_list({_FARTHER});
        expanded := docgraph.expand_once(tenant, visible, all_seeds, allowed_types, 200, 400);
    END LOOP;
"""
_BEGINNING = "BEGIN\n"
_ITSELF = """BEGIN
    IF cardinality(seeds) > 99 THEN
        PERFORM docgraph.expand_once(tenant, visible, seeds[:99], relation_types, per_seed, 9);
    END IF;
"""
_RECURSIVE = """BEGIN
    places := ARRAY(WITH RECURSIVE farther AS (SELECT 1 AS n) SELECT f.n FROM farther f);
"""
_EDGES = "FROM docgraph.document_relationships "
_EDGES_BOTH_WAYS = """FROM (
    SELECT tenant_id, from_document, relation_type, to_document, to_access_class
    FROM docgraph.document_relationships
    UNION ALL
    SELECT tenant_id, to_document, relation_type, from_document, from_access_class
    FROM docgraph.document_relationships
) AS """
_ORDER = "(ORDER BY r.first_place, r.first_type, r.to_document)"
_NEAREST_FIRST = """ORDER BY (
    SELECT n.summary_embedding IS NULL FROM docgraph.document_nodes n
    WHERE n.tenant_id = tenant AND n.document_id = r.to_document
), r.first_place, """


@dataclass(frozen=True)
class Break:
    """The guardrail that must notice; in which file what becomes what."""

    noticed_by: Guardrail
    name: str
    path: str
    edits: tuple[tuple[str, str], ...]
    by: type[Exception] = AssertionError

    def install(self, connection: Connection) -> None:
        """For the rest of the transaction."""
        text = source(self.path)
        for before, after in self.edits:
            assert before in text
            text = text.replace(before, after)
        connection.execute(
            "SELECT set_config('docgraph.pgvector_path', format('pg_catalog, %I', n.nspname), true)"
            " FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'"
        )
        connection.execute(text.encode())


def _break(noticed_by: Guardrail, name: str, path: str, *edits: tuple[str, str]) -> Break:
    return Break(noticed_by, name, path, edits)


def _in_either(noticed_by: Guardrail, name: str, *edits: tuple[str, str]) -> list[Break]:
    """Wherever the step reads relationships, while the other place is as it was."""
    return [Break(noticed_by, f"{name}: {path}", path, edits) for path in LOOKS]


BREAKS = [
    _break(guardrails.expansion_depth, "a second step", PLAN, (_STEP, _STEP + _SECOND_STEP)),
    _break(guardrails.expansion_depth, "steps until nothing is new", PLAN, (_STEP, _STEP + _STEPS)),
    _break(guardrails.no_recursion, "a step in a loop", PLAN, (_STEP, _STEP + _STEPS)),
    _break(guardrails.no_recursion, "the same step twice", PLAN, (_STEP, _STEP + _STEP)),
    _break(guardrails.no_recursion, "a step that calls itself", EXPAND, (_BEGINNING, _ITSELF)),
    *_in_either(guardrails.no_recursion, "a step that its part calls", (_BEGINNING, _ITSELF)),
    *_in_either(guardrails.no_recursion, "a recursive query", (_BEGINNING, _RECURSIVE)),
    _break(
        guardrails.no_recursion,
        "a second look that nothing asks for",
        EXPAND,
        ("IF links.documents IS NOT NULL", "IF false"),
    ),
    *_in_either(
        guardrails.directionality,
        "incoming instead of outgoing",
        ("from_document", "@"),
        ("to_document", "from_document"),
        ("@", "to_document"),
        ("to_access_class", "from_access_class"),
    ),
    *_in_either(guardrails.directionality, "both directions", (_EDGES, _EDGES_BOTH_WAYS)),
    _break(
        guardrails.determinism,
        "ties as they come",
        "core/nearest_exactly.sql",
        ("metric), d.document_id\n", "metric)\n"),
    ),
    _break(
        guardrails.determinism,
        "a draw of what stays",
        "core/first_links.sql",
        ("ORDER BY f.rank, f.relation_type, f.to_document\n", "ORDER BY random()\n"),
    ),
    _break(guardrails.determinism, "a draw of the order", EXPAND, (_ORDER, "(ORDER BY random())")),
    _break(
        guardrails.determinism, "a time", PLAN, ("'format', 1,", "'format', 1, 'made_at', clock_timestamp(),")
    ),
    _break(
        guardrails.determinism,
        "types in the order given",
        PLAN,
        ("to_jsonb(allowed_types)", "to_jsonb(relation_types)"),
    ),
    Break(
        guardrails.read_only,
        "a row written",
        PLAN,
        (
            (" STABLE ", " VOLATILE "),
            (_STEP, "    INSERT INTO docgraph.write_turns VALUES ('noted');\n" + _STEP),
        ),
        psycopg.errors.ReadOnlySqlTransaction,
    ),
    _break(guardrails.read_only, "a function that could write", PLAN, (" STABLE ", " VOLATILE ")),
    _break(
        guardrails.no_ranking_or_scoring,
        "a score",
        EXPAND,
        ("'via', r.via)", "'via', r.via, 'score', 1.0 / r.first_place)"),
    ),
    _break(
        guardrails.no_ranking_or_scoring,
        "more reasons first",
        EXPAND,
        (_ORDER, _ORDER.replace("ORDER BY ", "ORDER BY jsonb_array_length(r.via) DESC, ")),
    ),
    _break(
        guardrails.no_ranking_or_scoring,
        "what is near first",
        EXPAND,
        (_ORDER, _ORDER.replace("ORDER BY r.first_place, ", _NEAREST_FIRST)),
    ),
    _break(
        guardrails.inspectability,
        "rows left out",
        ROWS,
        ("ORDER BY r.place, r.nth", "ORDER BY r.place, r.nth LIMIT 1"),
    ),
    _break(guardrails.inspectability, "a tree without documents", TREE, ("        tree,\n", "")),
    _break(
        guardrails.inspectability,
        "another hash",
        "leaf/plan_hash.sql",
        ("plan - 'plan_hash'", "plan - 'format'"),
    ),
]
