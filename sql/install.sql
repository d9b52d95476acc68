-- The whole of docgraph, in the order in which it is built. Into an empty database:
--
--     psql -v ON_ERROR_STOP=1 -f sql/install.sql "$DATABASE"
--
-- gives what `docgraph db upgrade` gives. Then configure_embedding_space and grant_access: see README.md here.
\set ON_ERROR_STOP on
\set QUIET on

BEGIN;

\ir prepare/00_search_path.sql
\ir prepare/10_server.sql
\ir prepare/20_extension.sql
\ir prepare/30_roles.sql
\ir prepare/40_schema.sql
\ir prepare/50_session.sql

\ir grants/default_privileges.sql
\ir grants/schema.sql

\ir functions/leaf/bound.sql
\ir functions/leaf/is_id.sql
\ir functions/leaf/canonical_list.sql
\ir functions/leaf/list_fits.sql
\ir functions/leaf/access_fingerprint.sql
\ir functions/leaf/may_see.sql
\ir functions/leaf/within_ceiling.sql
\ir functions/leaf/vector_norm.sql
\ir functions/leaf/words_digest.sql
\ir functions/leaf/may_write.sql
\ir functions/leaf/stored_bytes.sql
\ir functions/leaf/fits_list.sql
\ir functions/leaf/vector_text.sql
\ir functions/leaf/fits.sql
\ir functions/leaf/kind_in_words.sql
\ir functions/leaf/keys_in_words.sql
\ir functions/leaf/read_names.sql
\ir functions/leaf/read_lines.sql
\ir functions/leaf/without.sql
\ir functions/leaf/estimated_tokens.sql
\ir functions/leaf/given_vector_norm.sql
\ir functions/leaf/stored_vector.sql
\ir functions/leaf/is_storable.sql
\ir functions/leaf/same_vector.sql
\ir functions/leaf/choices_in_words.sql
\ir functions/leaf/printable.sql
\ir functions/leaf/plan_hash.sql
\ir functions/leaf/array_norm.sql
\ir functions/leaf/query_vector.sql
\ir functions/leaf/is_query.sql
\ir functions/leaf/distance.sql
\ir functions/leaf/index_distance.sql
\ir functions/leaf/reason_of_seed.sql
\ir functions/leaf/reason_of_link.sql
\ir functions/leaf/reasons_in_words.sql
\ir functions/leaf/score.sql
\ir functions/leaf/text_size.sql
\ir functions/leaf/repeated_start.sql
\ir functions/leaf/text_between.sql

\ir tables/embedding_space.sql
\ir tables/access_grants.sql
\ir tables/access_classes.sql
\ir tables/ingestion_requests.sql
\ir tables/document_nodes.sql
\ir tables/vector_chunks.sql
\ir tables/document_relationships.sql
\ir tables/document_names.sql
\ir tables/document_references.sql
\ir tables/write_turns.sql
\ir tables/next_embedding_space.sql
\ir tables/next_vectors.sql
\ir tables/lexical_terms.sql
\ir tables/lexical_index.sql
\ir tables/vectors.sql

\ir indexes/document_nodes.sql
\ir indexes/vector_chunks.sql
\ir indexes/document_relationships.sql
\ir indexes/document_names.sql
\ir indexes/document_references.sql
\ir indexes/lexical_index.sql

\ir functions/core/allowed_tenants.sql

\ir policies/access_classes.sql
\ir policies/ingestion_requests.sql
\ir policies/document_nodes.sql
\ir policies/vector_chunks.sql
\ir policies/document_relationships.sql
\ir policies/document_names.sql
\ir policies/document_references.sql
\ir policies/write_turns.sql
\ir policies/next_vectors.sql
\ir policies/lexical_terms.sql

\ir functions/core/check_tenant.sql
\ir functions/core/check_login.sql
\ir functions/core/check_ceiling_list.sql
\ir functions/core/read_claim_list.sql
\ir functions/core/effective_access.sql
\ir functions/core/classes_within.sql
\ir functions/core/visible_classes.sql
\ir functions/core/check_space.sql
\ir functions/core/lock_space.sql
\ir functions/core/type_vectors.sql
\ir functions/core/index_vectors.sql
\ir functions/core/unlimited_tenants.sql
\ir functions/core/next_dimensions.sql
\ir functions/core/writable_classes.sql
\ir functions/core/refuse_outside.sql
\ir functions/core/writable_among.sql
\ir functions/core/check_id.sql
\ir functions/core/check_ids.sql
\ir functions/core/check_page.sql
\ir functions/core/check_entries.sql
\ir functions/core/check_documents.sql
\ir functions/core/check_ingestion.sql
\ir functions/core/check_relationships.sql
\ir functions/core/take_turn.sql
\ir functions/core/learn_sizes.sql
\ir functions/core/ensure_class.sql
\ir functions/core/is_from_elsewhere.sql
\ir functions/core/compare_documents.sql
\ir functions/core/missing_vector.sql
\ir functions/core/connect_documents.sql
\ir functions/core/waiting_references.sql
\ir functions/core/write_chunks.sql
\ir functions/core/write_references.sql
\ir functions/core/check_choice.sql
\ir functions/core/check_limit.sql
\ir functions/core/check_vector.sql
\ir functions/core/check_query.sql
\ir functions/core/check_search.sql
\ir functions/core/choose_method.sql
\ir functions/core/nearest_exactly.sql
\ir functions/core/nearest_approximately.sql
\ir functions/core/nearest.sql
\ir functions/core/nearest_documents.sql
\ir functions/core/dominant_scope.sql
\ir functions/core/visible_among.sql
\ir functions/core/all_links.sql
\ir functions/core/first_links.sql
\ir functions/core/expand_once.sql
\ir functions/core/plan_origin.sql
\ir functions/core/check_reasons.sql
\ir functions/core/check_plan.sql
\ir functions/core/check_sealed.sql
\ir functions/core/links_among.sql
\ir functions/core/make_plan.sql
\ir functions/core/check_executable.sql
\ir functions/core/check_share.sql
\ir functions/core/check_choosing.sql
\ir functions/core/check_evidence.sql
\ir functions/core/check_budget.sql
\ir functions/core/planned_documents.sql
\ir functions/core/planned_links.sql
\ir functions/core/order_by_similarity.sql
\ir functions/core/order_by_bridge.sql
\ir functions/core/choose_chunks.sql
\ir functions/core/fit_pieces.sql
\ir functions/core/assemble.sql
\ir functions/core/check_seeds.sql
\ir functions/core/check_expansion.sql
\ir functions/core/links_from.sql
\ir functions/core/links_to.sql
\ir functions/core/follow_links.sql
\ir functions/core/leads_on.sql
\ir functions/core/expand_tree.sql
\ir functions/core/check_nodes.sql
\ir functions/core/check_fetching.sql
\ir functions/core/order_nodes.sql
\ir functions/core/measure_texts.sql
\ir functions/core/read_text.sql
\ir functions/core/sensitivity_of.sql
\ir functions/core/node_texts.sql

\ir functions/api/api_version.sql
\ir functions/api/revision.sql
\ir functions/api/embedding_space.sql
\ir functions/api/configure_embedding_space.sql
\ir functions/api/whoami.sql
\ir functions/api/grant_access.sql
\ir functions/api/revoke_access.sql
\ir functions/api/list_access.sql
\ir functions/api/begin_ingestion.sql
\ir functions/api/finish_ingestion.sql
\ir functions/api/unchanged_documents.sql
\ir functions/api/put_documents.sql
\ir functions/api/delete_documents.sql
\ir functions/api/set_document_access.sql
\ir functions/api/put_relationships.sql
\ir functions/api/delete_relationships.sql
\ir functions/api/get_document.sql
\ir functions/api/list_documents.sql
\ir functions/api/list_relationships.sql
\ir functions/api/wal_position.sql
\ir functions/api/begin_reembedding.sql
\ir functions/api/texts_to_reembed.sql
\ir functions/api/put_new_vectors.sql
\ir functions/api/switch_embedding_space.sql
\ir functions/api/search_nodes.sql
\ir functions/api/plan_retrieval.sql
\ir functions/api/plan_documents.sql
\ir functions/api/explain_plan.sql
\ir functions/api/seal_plan.sql
\ir functions/api/verify_plan.sql
\ir functions/api/execute_plan.sql
\ir functions/api/assemble_context.sql
\ir functions/api/retrieve_by_plan.sql
\ir functions/api/retrieve.sql
\ir functions/api/retrieve_many.sql
\ir functions/api/expand_dependency_tree.sql
\ir functions/api/fetch_node_texts.sql
\ir functions/api/run_pipeline.sql

-- The revision that this is, for Alembic.
\ir tables/alembic_version.sql
INSERT INTO docgraph.alembic_version (version_num) VALUES ('0006');

COMMIT;
