"""Every function is hardened in the same way, as its folder says."""

from __future__ import annotations

import re

import pytest

from docgraph.resources import SQL
from tests.catalogue.reading import FUNCTION_FILES, Connection, FunctionFile, column, file_id
from tests.sql.asking import refused

OURS = "pronamespace = 'docgraph'::regnamespace"


_NO_PARALLEL = "max_parallel_workers_per_gather=0"
_NO_JIT = "jit=off"
_CUSTOM = "plan_cache_mode=force_custom_plan"
_GENERIC = "plan_cache_mode=force_generic_plan"
_ONE_INDEX = {
    _GENERIC,
    "enable_seqscan=off",
    "enable_bitmapscan=off",
    "enable_sort=off",
    _NO_JIT,
}
_NESTED = {"enable_seqscan=off", "enable_hashjoin=off", "enable_mergejoin=off", _NO_JIT}
_ONE_WORKER = _ONE_INDEX | {_NO_PARALLEL}
SETTINGS = {
    # They take ACCESS EXCLUSIVE.
    "configure_embedding_space": {"lock_timeout=5s"},
    "begin_reembedding": {"lock_timeout=5s"},
    "switch_embedding_space": {"lock_timeout=5s"},
    # How the planner reads: the same rows, but in the time and memory that were measured.
    "visible_among": _ONE_INDEX,
    "dominant_scope": _ONE_INDEX,
    "choose_method": _ONE_WORKER,
    "all_links": _ONE_INDEX,
    "links_among": _ONE_INDEX,
    "first_links": _ONE_INDEX | {"enable_mergejoin=off"},
    "expand_once": {_GENERIC, _NO_JIT},
    **{name: _ONE_INDEX | {"enable_mergejoin=off"} for name in ("links_from", "links_to", "order_nodes")},
    "follow_links": {_GENERIC, _NO_JIT},
    **{
        name: {_GENERIC, _NO_JIT, "enable_nestloop=off", "enable_mergejoin=off"}
        for name in ("leads_on", "expand_tree")
    },
    **dict.fromkeys(("measure_texts", "read_text"), _ONE_WORKER),
    "sensitivity_of": _ONE_INDEX,
    "check_text_search": {"quote_all_identifiers=off"},
    "learn_sizes": {"client_min_messages=error"},
    "nearest_chunks": _ONE_WORKER,
    "assemble": _ONE_WORKER | {"extra_float_digits=1"},
    "execute_plan": _ONE_WORKER,
    "planned_documents": {_GENERIC, _NO_JIT},
    **{name: {_GENERIC} for name in ("check_entries", "check_reasons", "check_plan", "have_shapes")},
    # Nested loops over words that come in lists would take for ever; over rows of one word they are the way.
    **{
        name: {"enable_seqscan=off", "enable_nestloop=off", _NO_JIT} for name in ("read_words", "move_counts")
    },
    "await_tables": {
        "enable_seqscan=off",
        "enable_indexscan=on",
        "enable_bitmapscan=off",
        _NO_PARALLEL,
        _NO_JIT,
    },
    "index_words": {"enable_nestloop=off", _NO_JIT, "extra_float_digits=1"},
    "weights_text": {"extra_float_digits=1"},
    "number_words": _ONE_INDEX - {_GENERIC},
    "add_counts": _NESTED | {"enable_bitmapscan=off"},
    "weigh_words": _ONE_WORKER,
    "score_entries": {
        _GENERIC,
        "enable_seqscan=off",
        "enable_indexscan=on",
        "enable_bitmapscan=on",
        _NO_JIT,
        _NO_PARALLEL,
        "gin_fuzzy_search_limit=0",
    },
    **dict.fromkeys(("exact_scores", "score_documents", "words_of_chunks"), _ONE_WORKER),
    "candidate_texts": _ONE_INDEX,
    "title_hits": _ONE_WORKER,
    "rebuild_lexical": {"lock_timeout=5s"},
    "nearest_exactly": {_CUSTOM, _NO_PARALLEL, _NO_JIT},
    "nearest_approximately": _ONE_WORKER
    | {
        "hnsw.iterative_scan=relaxed_order",
        "hnsw.ef_search=40",
        "hnsw.max_scan_tuples=20000",
    },
}
"""What functions set beside their search path."""

DIMENSIONS = {
    **dict.fromkeys(("check_query", "check_vector", "check_evidence"), 2),
    **dict.fromkeys(("execute_plan", "assemble_context"), 384),
    **dict.fromkeys(("retrieve_by_plan", "retrieve", "retrieve_many", "run_pipeline"), 384),
}
"""Of the vectors in examples that the embedding space must fit."""


def test_nothing_is_executable_by_public(catalogue: Connection) -> None:
    query = f"""
        SELECT p.oid::regprocedure::text FROM pg_proc p
        CROSS JOIN LATERAL aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS a
        WHERE {OURS} AND a.grantee = 0
    """
    assert column(catalogue, query) == []


def test_every_definer_and_every_plpgsql_function_has_the_pinned_path_and_nothing_unknown(
    catalogue: Connection,
) -> None:
    rows = catalogue.execute(
        f"""
        SELECT p.proname, obj_description(p.oid, 'pg_proc') LIKE 'API%', p.proconfig
        FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
        WHERE {OURS} AND (p.prosecdef OR l.lanname = 'plpgsql')
        """.encode()
    ).fetchall()
    for name, is_api, config in rows:
        # No plan of an inner query in the messages of whoever calls an API function.
        pinned = ["search_path=pg_catalog, pg_temp", *(["client_min_messages=warning"] if is_api else [])]
        assert config[: len(pinned)] == pinned, name
        assert sorted(config[len(pinned) :]) == sorted(SETTINGS.get(name, ())), name
    assert {name for name, *_ in rows} >= SETTINGS.keys()


def test_every_function_is_owned_by_the_owner(catalogue: Connection) -> None:
    assert column(catalogue, f"SELECT DISTINCT proowner::regrole::text FROM pg_proc WHERE {OURS}") == [
        "docgraph_owner"
    ]


def test_there_are_no_overloads(catalogue: Connection) -> None:
    query = f"SELECT proname FROM pg_proc WHERE {OURS} GROUP BY proname HAVING count(*) > 1"
    assert column(catalogue, query) == []


def test_functions_only(catalogue: Connection) -> None:
    """No procedure, aggregate, trigger or set-returning function of a table's row type."""
    query = f"""
        SELECT proname FROM pg_proc p JOIN pg_type t ON t.oid = p.prorettype
        WHERE {OURS} AND (prokind <> 'f' OR t.typname = 'trigger' OR t.typtype = 'c' OR provariadic <> 0)
    """
    assert column(catalogue, query) == []


def test_whose_and_how_much_has_no_default(catalogue: Connection) -> None:
    """Tenant, claim and ceiling must be said: a default would widen or narrow in silence."""
    query = f"""
        SELECT proname FROM pg_proc
        WHERE {OURS} AND proargnames[pronargs - pronargdefaults + 1:pronargs]
            && ARRAY['tenant', 'access', 'login', 'repositories', 'snapshots', 'tags', 'labels', 'clearance']
    """
    assert column(catalogue, query) == []


def test_defaults_call_nothing_of_ours(catalogue: Connection) -> None:
    """They are evaluated with the rights of the caller, who may not call what is not in the API."""
    query = f"SELECT proname FROM pg_proc WHERE {OURS} AND pg_get_expr(proargdefaults, 0) ~ 'docgraph'"
    assert column(catalogue, query) == []


def test_parameters_have_names_without_prefixes(catalogue: Connection) -> None:
    query = (
        f"SELECT concat_ws(' ', proname, array_to_string(proargnames, ' ', '?')) FROM pg_proc WHERE {OURS}"
    )
    for line in column(catalogue, query):
        function, *names = line.split()
        for name in names:
            assert re.fullmatch(r"[a-z][a-z0-9_]*", name), function
            assert not re.match(r"(p|v|i|in|out|arg|param)_", name), function
    unnamed = f"SELECT proname FROM pg_proc WHERE {OURS} AND pronargs > 0 AND proargnames IS NULL"
    assert column(catalogue, unnamed) == []


def test_leaves_inline(catalogue: Connection) -> None:
    """A standard body, whose names are bound when it is created; no SET, not STRICT: both stop inlining."""
    leaves = [file.name for file in FUNCTION_FILES if file.layer == "leaf"]
    query = f"""
        SELECT proname FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
        WHERE {OURS} AND proname = ANY (%s)
            AND l.lanname = 'sql' AND prosqlbody IS NOT NULL AND proconfig IS NULL AND NOT proisstrict
            AND NOT prosecdef AND provolatile = 'i' AND proparallel = 's' AND NOT proretset
        ORDER BY 1
    """
    assert column(catalogue, query, leaves) == sorted(leaves)


@pytest.mark.parametrize("file", FUNCTION_FILES, ids=file_id)
class TestFile:
    """One file, one function: header, comment and grants agree."""

    def row(self, catalogue: Connection, file: FunctionFile, expression: str) -> str:
        (found,) = column(
            catalogue, f"SELECT {expression} FROM pg_proc WHERE {OURS} AND proname = %s", file.name
        )
        return str(found)

    def test_it_creates_the_function_of_its_name(self, file: FunctionFile) -> None:
        assert re.findall(r"^CREATE OR REPLACE FUNCTION docgraph\.(\w+)\(", file.text, re.MULTILINE) == [
            file.name
        ]

    def test_its_header_says_everything(self, file: FunctionFile) -> None:
        assert file.header.startswith(f"{file.name}: ")
        assert re.search(r"^(Reads|Writes):\s+\S", file.header, re.MULTILINE)
        assert re.search(r"^Errors:\s+\S", file.header, re.MULTILINE)
        assert f"docgraph.{file.name}(" in file.example

    def test_its_header_names_every_sqlstate_it_raises(self, file: FunctionFile) -> None:
        errors = re.search(r"^Errors:\s+(.*?)(?=^\w+:|\Z)", file.header, re.MULTILINE | re.DOTALL)
        assert errors
        for state in re.findall(r"ERRCODE = '(\w+)'", file.text):
            assert state in errors[1]

    def test_its_example_runs(self, catalogue: Connection, file: FunctionFile) -> None:
        """With the run, the document and the embedding space that examples speak of."""
        stages = ["begin_ingestion", "put_documents", "begin_reembedding"]
        if file.name == "index_vectors":
            stages.append("type_vectors")
        with catalogue.transaction(force_rollback=True):
            if file.name in DIMENSIONS:
                space = "SELECT docgraph.configure_embedding_space('my-model', %s, 'cosine', 'english', 100)"
                catalogue.execute(space.encode(), (DIMENSIONS[file.name],))
            for name in stages:
                (stage,) = (other.example for other in FUNCTION_FILES if other.name == name)
                catalogue.execute(stage.encode())
            if "always raises" in file.header:
                error = refused(catalogue, file.example)
                assert f"Errors:     {error.diag.sqlstate}" in file.header
            else:
                catalogue.execute(file.example.encode())

    def test_its_comment_says_where_it_lies(self, catalogue: Connection, file: FunctionFile) -> None:
        comment = self.row(catalogue, file, "obj_description(oid, 'pg_proc')")
        role = {"reader": "docgraph_reader", "writer": "docgraph_writer", "admin": "docgraph_admin"}
        grantees = self.row(
            catalogue,
            file,
            "(SELECT string_agg(a.grantee::regrole::text, ' ' ORDER BY 1) FROM aclexplode(proacl) AS a"
            " WHERE a.grantee <> proowner)",
        )
        if file.layer == "api":
            found = re.match(r"API, (\w+)\. ", comment)
            assert found
            assert grantees == role[found[1]]
        else:
            assert comment.startswith(f"{file.layer.capitalize()}. ")
            assert grantees == "None"

    def test_its_comment_shows_a_call(self, catalogue: Connection, file: FunctionFile) -> None:
        """So that \\df+ teaches."""
        if file.layer == "api":
            comment = self.row(catalogue, file, "obj_description(oid, 'pg_proc')")
            assert re.search(rf"SELECT .*docgraph\.{file.name}\(.*\);$", comment)

    def test_it_takes_the_tenant_first(self, catalogue: Connection, file: FunctionFile) -> None:
        names = self.row(
            catalogue, file, "coalesce(array_to_string(proargnames[:pronargs], ' '), '')"
        ).split()
        if file.layer == "api" and "tenant" in names:
            assert names[0] == "tenant"

    def test_its_language_is_that_of_its_layer(self, catalogue: Connection, file: FunctionFile) -> None:
        language = self.row(catalogue, file, "(SELECT lanname FROM pg_language WHERE oid = prolang)")
        constant = file.name == "api_version"  # reads nothing
        assert language == ("sql" if file.layer == "leaf" or constant else "plpgsql")
        if file.layer == "api" and not constant:
            assert self.row(catalogue, file, "prosecdef") == "True"
            assert self.row(catalogue, file, "proparallel") == "u"


def test_only_what_reads_the_ceilings_for_a_policy_is_a_definer_below_the_api(catalogue: Connection) -> None:
    """Whatever else core functions do, they do with the rights that their caller has already."""
    api = [file.name for file in FUNCTION_FILES if file.layer == "api"]
    query = f"SELECT proname FROM pg_proc WHERE {OURS} AND prosecdef AND proname <> ALL (%s)"
    assert column(catalogue, query, api) == ["allowed_tenants"]


def test_every_function_has_a_file_and_every_file_is_installed(catalogue: Connection) -> None:
    names = column(catalogue, f"SELECT proname FROM pg_proc WHERE {OURS} ORDER BY 1")
    assert names == sorted(file.name for file in FUNCTION_FILES)
    on_disk = sorted(path.relative_to(SQL).as_posix() for path in (SQL / "functions").rglob("*.sql"))
    assert on_disk == sorted(file.path for file in FUNCTION_FILES)


def test_reading_functions_are_not_volatile(catalogue: Connection) -> None:
    """A volatile one would see two states of the database between its own statements."""
    writing = {file.name for file in FUNCTION_FILES if re.search("^Writes:", file.header, re.MULTILINE)}
    volatile = column(catalogue, f"SELECT proname FROM pg_proc WHERE {OURS} AND provolatile = 'v'")
    assert set(volatile) == writing | {"wal_position"}  # which tells of what moves on by itself
