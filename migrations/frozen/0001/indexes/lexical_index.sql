-- Candidates of a lexical query.
CREATE INDEX lexical_index_lexemes_idx ON docgraph.lexical_index USING gin (lexemes);
COMMENT ON INDEX docgraph.lexical_index_lexemes_idx IS 'Chunks and documents by lexeme.';
