-- Titles with what stands in parentheses at their end set apart.
-- Every tenant's rows, also those that row security would hide from this login.
ALTER TABLE docgraph.document_nodes NO FORCE ROW LEVEL SECURITY;
UPDATE docgraph.lexical_index i
SET title = t.words
FROM docgraph.document_nodes d
CROSS JOIN LATERAL (SELECT docgraph.title_key(d.title) AS words) AS t
WHERE d.title ~ '\)\s*$' AND i.tenant_id = d.tenant_id AND i.document_id = d.document_id AND i.ordinal = -1
    AND i.title IS DISTINCT FROM t.words;
ALTER TABLE docgraph.document_nodes FORCE ROW LEVEL SECURITY;
