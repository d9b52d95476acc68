-- Candidates of a lexical query.
CREATE INDEX lexical_index_lexemes_idx ON docgraph.lexical_index USING gin (lexemes);
COMMENT ON INDEX docgraph.lexical_index_lexemes_idx IS 'Chunks and documents by lexeme.';

-- Entries of the classes that a caller may see, when those are few.
CREATE INDEX lexical_index_class_idx ON docgraph.lexical_index (tenant_id, access_class, ordinal);
COMMENT ON INDEX docgraph.lexical_index_class_idx IS 'Entries by access class.';

-- Documents whose title stands in a question.
CREATE INDEX lexical_index_title_idx ON docgraph.lexical_index (tenant_id, title) WHERE title IS NOT NULL;
COMMENT ON INDEX docgraph.lexical_index_title_idx IS 'Documents by the words of their title.';
