-- lock_space: nobody else changes the embedding space until this transaction ends; readers are not kept waiting.
--
-- Whatever stores vectors locks the tables they are in before it looks at the space (core function take_turn).
-- Writes:     nothing; locks embedding_space
-- Guarantees: what the caller looks at afterwards is of now
-- Errors:     25001 in a transaction whose snapshot is older than the call
-- Example:    SELECT docgraph.lock_space();
CREATE OR REPLACE FUNCTION docgraph.lock_space() RETURNS void
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    -- In a stricter level the checks that follow would look at an old snapshot, and miss what was stored since.
    IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
        RAISE EXCEPTION 'the embedding space can only be changed in a READ COMMITTED transaction'
            USING ERRCODE = '25001', HINT = 'Make the call in a transaction of its own.';
    END IF;
    LOCK TABLE docgraph.embedding_space IN SHARE ROW EXCLUSIVE MODE;
END
$$;

COMMENT ON FUNCTION docgraph.lock_space() IS 'Core. Nobody else changes the embedding space until the transaction ends.';
REVOKE ALL ON FUNCTION docgraph.lock_space() FROM PUBLIC;
