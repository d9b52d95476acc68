"""Random writing notices every small mistake in the functions that write, with row security off."""

from __future__ import annotations

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.properties.database import Asked
from tests.properties.model import Claim, World
from tests.properties.test_mutants import Mutant, mistaken
from tests.properties.test_writing import Step, agree, communities, plans, wide
from tests.properties.worlds import LOGINS

pytestmark = pytest.mark.long

CONNECT = "core/connect_documents.sql"
COMPARE = "core/compare_documents.sql"
REFERENCES = "core/write_references.sql"
AMONG = "core/writable_among.sql"
WAITING = "core/waiting_references.sql"
MAY_WRITE = "leaf/may_write.sql"
SET_ACCESS = "api/set_document_access.sql"
RELATE = "api/put_relationships.sql"
UNRELATE = "api/delete_relationships.sql"
RELATED = "api/list_relationships.sql"
FORGET = "core/forget_classes.sql"
LEFT = "left_classes := left_classes || one."

MUTANTS = [
    Mutant(MAY_WRITE, "tags <@ held_tags", "(tags = '{}'::text[] OR tags && held_tags)"),
    Mutant(MAY_WRITE, "labels <@ held_labels", "true"),
    Mutant(MAY_WRITE, "clearance <= held_clearance", "true"),
    Mutant(COMPARE, "n.document_id IS NOT NULL AND n.access_class <> ALL (writable)\n        OR ", ""),
    Mutant(COMPARE, "WHEN n.content_hash <> g.digest OR g.entry ? 'relationships' AND (", "WHEN false AND ("),
    Mutant(
        AMONG, "= ANY (ids) AND d.access_class = ANY (visible)\n        ORDER", "= ANY (ids)\n        ORDER"
    ),
    Mutant(CONNECT, "WHERE p.from_document <> p.to_document", "WHERE p.from_document < p.to_document"),
    Mutant(CONNECT, "OR e.to_document = ANY (targets)", ""),
    Mutant(REFERENCES, "(d.entry ? 'relationships' OR NOT r.declared)", "NOT r.declared"),
    Mutant(REFERENCES, "SELECT g.document_id FROM gone g UNION ", ""),
    Mutant(RELATE, "WHEN g.origin <> ALL (origins) THEN 'absent'\n", ""),
    Mutant(RELATE, "WHEN s.declared AND", "WHEN"),
    Mutant(UNRELATE, "PERFORM docgraph.connect_documents(tenant, origins, '{}');", ""),
    Mutant(SET_ACCESS, "PERFORM docgraph.refuse_outside('attributes');", ""),
    Mutant(RELATED, "AND e.to_access_class = ANY (visible)", ""),
    Mutant(RELATED, "AND e.from_access_class = ANY (visible)", ""),
    # Classes that nobody has any more.
    Mutant(FORGET, "AND NOT EXISTS (", "AND false AND NOT EXISTS ("),
    Mutant("api/put_documents.sql", f"{LEFT}stored_class;", ""),
    Mutant(SET_ACCESS, f"{LEFT}access_class;", ""),
    Mutant("api/delete_documents.sql", "PERFORM docgraph.forget_classes(tenant, left_classes);", ""),
    Mutant(RELATED, "r.to_name AND d.access_class = ANY (visible)", "r.to_name"),
]


@pytest.fixture(scope="module", autouse=True)
def _writers(unguarded: Asked) -> None:
    for login in LOGINS:
        unguarded.superuser.execute(f'GRANT docgraph_writer TO "{login}"'.encode())


def look(asked: Asked, examples: int = 1000) -> None:
    """Until the model does not agree. Nothing is made smaller: one is enough."""

    @settings(phases=[Phase.generate], report_multiple_bugs=False, max_examples=examples)
    @given(
        world=communities(),
        plan=plans,
        readers=st.lists(wide(), max_size=2),
    )
    def agrees(world: World, plan: list[Step], readers: list[Claim]) -> None:
        agree(asked, world, plan, readers)

    agrees()


def test_without_a_mistake_nothing_is_noticed(unguarded: Asked) -> None:
    look(unguarded, examples=20)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.before} -> {mutant.after}")
def test_a_mistake_is_noticed(unguarded: Asked, mutant: Mutant) -> None:
    with mistaken(unguarded, mutant), pytest.raises(Exception):  # noqa: B017, PT011 - an error notices, too
        look(unguarded)
