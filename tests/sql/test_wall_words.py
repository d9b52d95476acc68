"""The functions that read for words, each by itself: one that forgets the tenant meets row security.

The lexical index has none: what is read there comes out only by way of a table that has it.
"""

from __future__ import annotations

import pytest

from tests.conftest import Installed
from tests.properties.operations import as_login
from tests.sql.asking import Connection
from tests.sql.layers import turn_off_row_security
from tests.sql.mistakes import forget_the_tenant
from tests.sql.writing import put

ASKED = {
    "weigh_words": "(docgraph.weigh_words('default', every, true, '{zanzibar}', '{1}')).known",
    "exact_scores": "(docgraph.exact_scores('default', every, '{theirs}', '{0}', ARRAY[word], '{1}', 9))"
    ".documents",
    "score_documents": "(docgraph.score_documents('default', every, '{theirs}',"
    " docgraph.sparse(word || ':1'), NULL, 9, 0, false)).documents",
    "title_hits": "docgraph.title_hits('default', every, 'Where is Zanzibar?', 9, '{}')",
    "words_of_chunks": "docgraph.words_of_chunks('default', every, '{theirs}', '{1}', '{0}', 'zanzibar')",
}
"""Each is asked for what only another tenant has; every is a list of classes, word the number of the word."""
FOUND = {"weigh_words": ["zanzibar"], "words_of_chunks": ["1"]}
NOTHING = {"words_of_chunks": ["0"]}
PROBE = """
CREATE SCHEMA probe AUTHORIZATION docgraph_owner;
GRANT USAGE ON SCHEMA probe TO PUBLIC;
CREATE FUNCTION probe.asked(every bigint[], word integer) RETURNS text[]
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$BEGIN RETURN {}; END$$;
ALTER FUNCTION probe.asked OWNER TO docgraph_owner;
"""


@pytest.mark.parametrize("function", ASKED)
def test_one_that_forgets_the_tenant_meets_row_security(
    shared: Installed, undone: Connection, function: str
) -> None:
    shared.grant(undone.info.user, "other")
    put(undone, {"id": "theirs", "title": "Zanzibar", "chunks": [{"text": "zanzibar"}]}, tenant="other")
    ((word,),) = undone.execute("SELECT term_number FROM docgraph.lexical_terms").fetchall()
    undone.execute(PROBE.format(ASKED[function]).encode())
    login = f"words_{function}"
    undone.execute(f"CREATE ROLE {login} LOGIN".encode())
    undone.execute("INSERT INTO docgraph.access_grants (tenant_id, login) VALUES ('default', %s)", (login,))
    forget_the_tenant(undone, function)

    def asked() -> object:
        query = "SELECT probe.asked(ARRAY(SELECT generate_series(1, 99)), %s)"
        with as_login(undone, login) as reader:
            ((found,),) = reader.execute(query, (word,)).fetchall()
        return found

    assert asked() == NOTHING.get(function, [])
    turn_off_row_security(undone)
    assert asked() == FOUND.get(function, ["theirs"])
