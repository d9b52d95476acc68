-- Candidates of a lexical query: one for each kind of entry, so that a search among documents does not read the chunks.
CREATE INDEX lexical_index_chunk_words_idx ON docgraph.lexical_index USING gin (lexemes) WHERE ordinal >= 0;
COMMENT ON INDEX docgraph.lexical_index_chunk_words_idx IS 'Chunks by lexeme.';
CREATE INDEX lexical_index_document_words_idx ON docgraph.lexical_index USING gin (lexemes) WHERE ordinal < 0;
COMMENT ON INDEX docgraph.lexical_index_document_words_idx IS 'Titles and summaries of documents by lexeme.';

-- Entries of the classes that a caller may see, when those are few.
CREATE INDEX lexical_index_class_idx ON docgraph.lexical_index (tenant_id, access_class, ordinal);
COMMENT ON INDEX docgraph.lexical_index_class_idx IS 'Entries by access class.';

-- Documents whose title stands in a question.
CREATE INDEX lexical_index_title_idx ON docgraph.lexical_index (tenant_id, title) WHERE title IS NOT NULL;
COMMENT ON INDEX docgraph.lexical_index_title_idx IS 'Documents by the words of their title.';
