-- Back to 0001, from 0002: Access functions and the embedding space
DROP FUNCTION docgraph.list_access(text);
DROP FUNCTION docgraph.revoke_access(text, text);
DROP FUNCTION docgraph.grant_access(text, text, text[], text[], text[], text[], integer);
DROP FUNCTION docgraph.whoami(text, jsonb);
DROP FUNCTION docgraph.configure_embedding_space(text, integer, text, text, double precision);
DROP FUNCTION docgraph.embedding_space();
DROP FUNCTION docgraph.revision();
DROP FUNCTION docgraph.api_version();
DROP FUNCTION docgraph.visible_classes(text, jsonb);
DROP FUNCTION docgraph.effective_access(text, jsonb);
DROP FUNCTION docgraph.read_claim_list(jsonb, text);
DROP FUNCTION docgraph.check_ceiling_list(text, text[]);
DROP FUNCTION docgraph.check_login(text);
DROP FUNCTION docgraph.check_tenant(text);
DROP FUNCTION docgraph.within_ceiling(text[], text[]);
DROP FUNCTION docgraph.may_see( text, text, text[], text[], integer, text[], text[], text[], text[], integer );
