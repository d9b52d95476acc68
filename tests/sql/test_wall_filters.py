"""Each step holds by itself: with the filters of all the others taken away nothing hidden comes out.

Row security is off. That everything comes out where the last one is taken away, too, shows that these are all
the filters there are, and that each of these tests can fail.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import Installed
from tests.properties.operations import as_login
from tests.servers import Server
from tests.sql.asking import Connection
from tests.sql.layers import turn_off_row_security
from tests.sql.mistakes import Mistake, mistaken
from tests.sql.staged_wall import HIDDEN, STAGES, secret, walled_database

LOGIN = "stages_filters"


def missing(path: str, alias: str, before: str = "") -> Mistake:
    """The filter of one table taken out of a function: the one that stands before this text."""
    return Mistake(path, f"{alias}.access_class = ANY (visible){before}", f"true{before}")


_SCANNED = " AND (i.ordinal >= 0) = chunks\n                    AND docgraph."
_TEXT_OF_PLAN = missing("api/execute_plan.sql", "e")
_DOCUMENTS_OF_CONTEXT = missing("core/assemble.sql", "n")
_TEXTS_OF_CONTEXT = missing("core/assemble.sql", "e")
_SCORED = missing("core/exact_scores.sql", "n")
_FOUND = missing("core/score_entries.sql", "i", _SCANNED)
_CHUNKS = missing("core/nearest_chunks.sql", "c")
_WORDS = missing("core/score_documents.sql", "n")

FILTERS_OF: dict[str, tuple[str, tuple[Mistake, ...]]] = {
    "search semantic in summaries": ("", (missing("core/nearest_exactly.sql", "d"),)),
    "search semantic in chunks": ("", (missing("core/nearest_exactly.sql", "v"),)),
    "search bm25 in summaries": ("", (_FOUND, _SCORED)),
    "search bm25 in chunks": ("", (_FOUND, _SCORED)),
    "search by titles": ("", (missing("core/title_hits.sql", "l"),)),
    "texts of summaries": ("summary of ", (missing("api/candidate_texts.sql", "n"),)),
    "texts of chunks": ("text of ", (missing("api/candidate_texts.sql", "c"),)),
    "fetch": (
        "text of ",
        (
            missing("core/order_nodes.sql", "d"),
            missing("core/measure_texts.sql", "d"),
            missing("core/read_text.sql", "e"),
        ),
    ),
    "execute semantic, similarity": ("text of ", (_CHUNKS, _TEXT_OF_PLAN)),
    "execute bm25, similarity": ("text of ", (_WORDS, _SCORED, _TEXT_OF_PLAN)),
    "assemble semantic": ("text of ", (_CHUNKS, _DOCUMENTS_OF_CONTEXT, _TEXTS_OF_CONTEXT)),
    "assemble bm25": ("text of ", (_WORDS, _SCORED, _DOCUMENTS_OF_CONTEXT, _TEXTS_OF_CONTEXT)),
}
"""For each stage what of a document would come out, and the filters that it passes."""


@pytest.fixture(scope="module")
def unguarded(server: Server, worker: str, template: str) -> Iterator[Installed]:
    with walled_database(server, worker, template, LOGIN) as database:
        with database.connect() as superuser:
            turn_off_row_security(superuser)
        yield database


@pytest.fixture
def superuser(unguarded: Installed) -> Iterator[Connection]:
    with unguarded.connect() as found:
        yield found


def leaked(superuser: Connection, stage: str, *without: Mistake) -> set[str]:
    """The filters by which something should have been hidden."""
    part, _ = FILTERS_OF[stage]
    with mistaken(superuser, *without), as_login(superuser, LOGIN) as reader:
        found = STAGES[stage].ask(reader)
    assert "begin" in found
    return {kind for kind in HIDDEN if part + secret(kind) in found}


@pytest.mark.parametrize(
    ("stage", "only"),
    [(stage, only) for stage, (_, filters) in FILTERS_OF.items() for only in filters if len(filters) > 1],
    ids=lambda value: value.path if isinstance(value, Mistake) else value,
)
def test_one_filter_is_enough(superuser: Connection, stage: str, only: Mistake) -> None:
    _, filters = FILTERS_OF[stage]
    assert leaked(superuser, stage, *(each for each in filters if each != only)) == set()


@pytest.mark.parametrize("stage", FILTERS_OF)
def test_without_any_of_them_everything_comes_out(superuser: Connection, stage: str) -> None:
    _, filters = FILTERS_OF[stage]
    assert leaked(superuser, stage, *filters) == {*HIDDEN}
