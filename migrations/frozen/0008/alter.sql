-- In the order in which functions of 0007 come to them; and nothing before that a transaction which has read, and so
-- holds some of these, could still want in order to write.
LOCK TABLE docgraph.access_classes, docgraph.lexical_index, docgraph.lexical_terms IN ACCESS EXCLUSIVE MODE;
-- It gives two columns more: whoever reads them by name sees no difference.
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.assemble_context;
-- Only the functions of docgraph call it.
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.sensitivity_of;
-- Only the functions of docgraph call it.
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.read_text;
-- Only the functions of docgraph call it.
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.measure_texts;
-- Only the functions of docgraph call it.
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.links_among;
-- Only the functions of docgraph call it.
-- squawk-ignore ban-drop-function
DROP FUNCTION docgraph.dominant_scope;
-- A search by words among documents reads no entries of chunks any more.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX docgraph.lexical_index_lexemes_idx;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX lexical_index_chunk_words_idx ON docgraph.lexical_index USING gin (lexemes) WHERE ordinal >= 0;
COMMENT ON INDEX docgraph.lexical_index_chunk_words_idx IS 'Chunks by lexeme.';
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX lexical_index_document_words_idx ON docgraph.lexical_index USING gin (lexemes) WHERE ordinal < 0;
COMMENT ON INDEX docgraph.lexical_index_document_words_idx IS 'Titles and summaries of documents by lexeme.';
-- Only functions of docgraph write here: number_words numbers them.
-- squawk-ignore ban-alter-identity
ALTER TABLE docgraph.lexical_terms ALTER COLUMN term_number DROP IDENTITY;
-- Only functions of docgraph write here: ensure_class numbers them.
-- squawk-ignore ban-alter-identity
ALTER TABLE docgraph.access_classes ALTER COLUMN access_class DROP IDENTITY;
