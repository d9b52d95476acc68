-- Callers reach the functions, never the tables: no role but the owner has any right on a table, and each
-- function says in its own file who may execute it.
COMMENT ON SCHEMA docgraph IS 'docgraph: relationship-aware, deterministic, access-controlled retrieval.';
GRANT USAGE ON SCHEMA docgraph TO docgraph_reader;
