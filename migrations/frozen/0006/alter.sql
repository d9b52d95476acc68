-- All at once, in the order in which those who write take them: a writer is waited for, or waits, and nobody is in the way
-- of the other.
LOCK TABLE docgraph.document_nodes, docgraph.vector_chunks, docgraph.lexical_index, docgraph.lexical_terms
    IN ACCESS EXCLUSIVE MODE;
-- Made again in this transaction with more parameters, which have defaults: who calls by name does not notice.
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.retrieve_many;
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.retrieve;
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.retrieve_by_plan;
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.assemble_context;
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.execute_plan;
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.plan_retrieval;
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.search_nodes;
-- Only the functions of docgraph call it.
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.assemble;
-- Only the functions of docgraph call it.
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.choose_chunks;
-- Only the functions of docgraph call it.
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.check_evidence;
-- Only the functions of docgraph call it.
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.make_plan;
-- Only the functions of docgraph call it.
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.plan_origin;
-- Nothing has written to this table before.
ALTER TABLE docgraph.lexical_index
    ADD COLUMN title text COLLATE "C",
    ALTER COLUMN lexemes SET STATISTICS 0,
    ALTER COLUMN weights SET STORAGE MAIN,
    ALTER COLUMN weights SET STATISTICS 0;
COMMENT ON COLUMN docgraph.lexical_index.title IS
    'Words of the title, for documents whose title stands in a question; NULL for chunks and for long titles.';
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX lexical_index_class_idx ON docgraph.lexical_index (tenant_id, access_class, ordinal);
COMMENT ON INDEX docgraph.lexical_index_class_idx IS 'Entries by access class.';
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX lexical_index_title_idx ON docgraph.lexical_index (tenant_id, title) WHERE title IS NOT NULL;
COMMENT ON INDEX docgraph.lexical_index_title_idx IS 'Documents by the words of their title.';
