"""Contexts as values: what is in them, and their JSON byte for byte."""

from __future__ import annotations

import json
import pickle
from dataclasses import FrozenInstanceError, replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.context import RetrievedContext, Source
from docgraph.context.jsonb import text_of
from docgraph.context.views import notes
from docgraph.errors import InvalidArgument
from docgraph.plain import plain
from docgraph.plan import RetrievalPlan
from tests.unit.contexts import canonical, changed, context, contexts, scores, written_out
from tests.unit.plans import EXAMPLES, plan


def test_what_is_in_it() -> None:
    found = context()
    assert [document.document_id for document in found] == ["leave.md", "visa.md"]
    assert (len(found), bool(found)) == (2, True)
    assert [(chunk.document_id, chunk.chunk) for chunk in found.chunks] == [
        ("leave.md", 2),
        ("leave.md", 0),
        ("visa.md", 0),
    ]
    assert found.documents[0].section_titles == ("Leave", "Carry-over")
    assert found.documents[1].section_titles is None
    assert found.chunks[0].section_path == ("Leave", "Carry-over")
    assert [chunk.score for chunk in found.chunks] == [0.5, 0.000001, 1]
    assert found.plan == plan()
    assert found.accounting.budget.evidence_used == 15
    assert found.accounting.reserve == "0.4"


def test_nothing_found() -> None:
    found = RetrievedContext.from_dict(changed("context.documents", []))
    assert (len(found), bool(found), found.chunks, found.sources()) == (0, False, (), ())


def test_it_does_not_change() -> None:
    found = context()
    with pytest.raises(FrozenInstanceError):
        found.documents = ()  # type: ignore[misc]  # what is refused
    with pytest.raises(FrozenInstanceError):
        found.chunks[0].text = "x"  # type: ignore[misc]  # what is refused
    with pytest.raises(FrozenInstanceError):
        found.accounting.budget.limit = 1  # type: ignore[misc]  # what is refused
    found.to_dict()["plan"]["scope"]["tenant"] = "another"
    assert found == context()


def test_equal_if_the_json_is() -> None:
    assert context() == context()
    assert hash(context()) == hash(context())
    for path in ("plan.omitted", "context.documents.0.chunks.0.tokens", "accounting.max_chunks"):
        assert RetrievedContext.from_dict(changed(path, 77)) != context()
    with_plan_made = context()
    assert with_plan_made.plan is with_plan_made.plan
    assert with_plan_made == context()
    assert pickle.loads(pickle.dumps(with_plan_made)) == context()
    assert replace(context(), documents=()).plan == plan()


def test_what_the_database_made_is_the_same_value() -> None:
    made = json.loads(canonical(written_out()))
    assert RetrievedContext.from_database(made) == context()
    assert RetrievedContext.from_database(made).to_json() == canonical(written_out())


def test_what_a_newer_database_says_besides_is_passed_over() -> None:
    made = json.loads(canonical(written_out()))
    for part in (made["accounting"], made["accounting"]["documents"], made["accounting"]["budget"]):
        part["new"] = 1
    assert RetrievedContext.from_database(made).to_json() == canonical(written_out())


def test_another_format() -> None:
    for read in (RetrievedContext.from_dict, RetrievedContext.from_database):
        with pytest.raises(InvalidArgument, match=r"accounting\.format must be 1") as caught:
            read(changed("accounting.format", 2))
        assert "upgrade" in str(caught.value.hint)


@EXAMPLES
@given(contexts())
def test_json_and_back(found: RetrievedContext) -> None:
    text = found.to_json()
    assert text == canonical(found.to_dict())
    assert RetrievedContext.from_json(text) == found
    assert RetrievedContext.from_json(json.dumps(found.to_dict(), indent=1).encode()) == found
    assert RetrievedContext.from_database(json.loads(text)) == found


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.5, "0.5"),
        (1.0, "1"),
        (-1.0, "-1"),
        (0.0, "0"),
        (-0.0, "0"),
        (0.000001, "0.000001"),
        (-0.000025, "-0.000025"),
        (0.734512, "0.734512"),
        (10.0, "10"),
        (1e16, "10000000000000000"),
        (1.5e-7, "0.00000015"),
        (123456789012345680.0, "123456789012345680"),
    ],
)
def test_numbers_as_jsonb_has_them(number: float, text: str) -> None:
    assert text_of(number) == text


@EXAMPLES
@given(scores)
def test_any_number_is_its_shortest_digits(number: float) -> None:
    text = text_of(number)
    assert set(text) <= set("-0123456789.")
    assert not ("." in text and text.endswith(("0", ".")))
    assert Decimal(text) == Decimal(repr(number))
    assert float(json.loads(text)) == number


@EXAMPLES
@given(st.integers(-(10**6), 10**6).map(lambda millionths: millionths / 10**6))
def test_scores_in_millionths(score: float) -> None:
    assert text_of(score) == (f"{score:.6f}".rstrip("0").rstrip(".") if score else "0")


def test_sources() -> None:
    assert context().sources() == (
        Source(1, "leave.md", "Leave", "handbook/leave.md"),
        Source(2, "visa.md", "", ""),
    )


def test_why() -> None:
    found = context()
    assert found.why("leave.md") == '"leave.md" is in the plan: seed 1, given.'
    assert found.why(found.documents[0]) == found.why("leave.md")
    assert found.why(found.chunks[1]) == (
        '"leave.md" is in the plan: seed 1, given. '
        "Its chunk 0 was chosen as number 3 of 4, with a score of 0.000001: it was the nearest left."
    )
    assert found.why(found.chunks[2]) == (
        '"visa.md" is in the plan: '
        "leave.md explains this; travel.md explains this; travel.md references this. "
        "Its chunk 0 was chosen as number 1 of 4, with a score of 1: "
        "in a place reserved for documents that relationships brought in."
    )
    assert found.why("forms.md") == (
        '"forms.md" is in the plan (seed 2 references this), but nothing of it is in the context.'
    )
    by_bridge = RetrievedContext.from_dict(
        changed("context.documents.1.chunks.0.chosen_by", "bridge, 1 behind leave.md")
    )
    assert by_bridge.why(by_bridge.chunks[2]).endswith("with a score of 1: bridge, 1 behind leave.md.")


def test_why_of_a_seeds_chunk_where_links_count() -> None:
    """Seeds keep the order of the plan there: it need not have been the nearest left."""
    found = RetrievedContext.from_dict(changed("accounting.selection", "bridge"))
    assert found.why(found.chunks[1]).endswith("0.000001: in its own place, as a chunk of a seed.")


def test_why_of_what_is_not_there() -> None:
    found = context()
    with pytest.raises(InvalidArgument, match=r'^"another\.md" is neither in this context') as refused:
        found.why("another.md")
    assert "context.plan.documents" in str(refused.value)
    with pytest.raises(InvalidArgument, match="the chunk is not in this context"):
        found.why(replace(found.chunks[0], chosen=9))
    with pytest.raises(InvalidArgument, match="why takes a chunk or the id of a document, not int"):
        found.why(1)  # type: ignore[arg-type]  # what is refused


@EXAMPLES
@given(contexts())
def test_why_is_one_line(found: RetrievedContext) -> None:
    sentences = [found.why(chunk) for chunk in found.chunks]
    sentences += [found.why(document.document_id) for document in found.plan.documents]
    assert all(plain(sentence) == sentence for sentence in sentences)


def test_an_id_is_in_it_if_its_document_is() -> None:
    found = context()
    assert "leave.md" in found
    assert found.documents[1] in found
    # Planned, but with nothing in the context.
    assert "travel.md" in {document.document_id for document in found.plan.documents}
    assert "travel.md" not in found
    assert "leave" not in found
    assert found.chunks[0] in found
    assert replace(found.chunks[0], chosen=9) not in found
    assert None not in found


OMITTED = "2 ids given as seeds are not there, or not to be seen"
DROPPED = "1 document found, and dropped by the scope of the plan"
CUT_SHORT = "the plan was cut short by its limit of documents and expanded_per_seed"


@pytest.mark.parametrize(
    ("omitted", "dropped", "truncated", "said"),
    [
        (0, 0, (), ()),
        (2, 0, (), (OMITTED,)),
        (0, 1, (), (DROPPED,)),
        (2, 1, ("documents", "expanded_per_seed"), (OMITTED, DROPPED, CUT_SHORT)),
    ],
)
def test_notes_of_the_plan_come_first(
    omitted: int, dropped: int, truncated: tuple[str, ...], said: tuple[str, ...]
) -> None:
    written = written_out()
    made = RetrievalPlan.from_dict(written["plan"]).replace(
        omitted=omitted, dropped=dropped, truncated=truncated
    )
    found = RetrievedContext.from_dict({**written, "plan": made.to_dict()})
    assert found.notes == (*said, *found.accounting.notes)
    assert all(note in str(found) for note in found.notes)


@pytest.mark.parametrize(("types", "is_noted"), [(("a", "b"), True), ((), False), (None, False)])
def test_relation_types_that_lead_nowhere_are_noted(types: tuple[str, ...] | None, is_noted: bool) -> None:
    """One of them may be misspelt; an empty list was meant."""
    made = RetrievalPlan.from_dict(written_out()["plan"])
    asked = replace(made.constraints, relation_types=types)
    nothing = replace(made, constraints=asked, expanded_documents=(), truncated=())
    said = "no relationship of type a, b leads from the seeds to another document to be seen"
    assert (said in notes(replace(context(), _plan=nothing.to_dict()))) is is_noted
    cut = replace(nothing, truncated=("documents",))
    assert said not in notes(replace(context(), _plan=cut.to_dict()))


def test_notes() -> None:
    assert context().accounting.notes == (
        "1 document is no longer there, or not to be seen",
        "31 chunks over the limit of 3 for a document",
        "12 chunks over the limit of 4",
        "1 chunk without room in 40 tokens",
        "2 summaries or lists of section titles without room in 20 tokens",
        "made by revision 0004, executed by 0005",
    )
    accounting = context().accounting
    nothing = replace(
        accounting,
        left_out=replace(
            accounting.left_out, per_document=0, max_chunks=0, evidence_budget=0, conceptual_budget=0
        ),
        documents=replace(accounting.documents, missing=0),
        revision=replace(accounting.revision, plan="0005"),
    )
    assert nothing.notes == ()
    assert replace(nothing, edited=True).notes == ("the plan was edited after it had been made",)
    assert replace(nothing, documents=replace(nothing.documents, over_caps=2, missing=3)).notes == (
        "3 documents are no longer there, or not to be seen",
        "2 documents over the limits of a plan",
    )
    one = replace(accounting.budget, limit=1, conceptual_limit=1)
    left = replace(nothing.left_out, evidence_budget=1, conceptual_budget=2)
    assert replace(nothing, budget=one, left_out=left).notes == (
        "1 chunk without room in 1 token",
        "2 summaries or lists of section titles without room in 1 token",
    )
    assert replace(nothing, left_out=replace(nothing.left_out, conceptual_budget=1)).notes == (
        "1 summary or list of section titles without room in 20 tokens",
    )


def test_a_plan_that_does_not_fit_its_hash_is_noted() -> None:
    forged = RetrievedContext.from_dict(changed("plan.omitted", 7))
    assert any("changed after it was sealed" in note for note in forged.notes)
    assert not any("sealed" in note for note in context().notes)
