-- wal_position: how far the write-ahead log has come; on a standby, how far it has been replayed.
--
-- Asked after the commit of a write, it is the position that a standby must have reached to show that write. A writing
-- function cannot give it itself: its commit comes after it.
-- Reads:      nothing
-- Guarantees: on the primary, at or after the end of every transaction that has committed and was waited for until it was on
--             disk; for a caller that has synchronous_commit off, of every one. Where nothing more is written a standby gets
--             what is on disk at once, and the rest when somebody writes
-- Errors:     none
-- Example:    SELECT docgraph.wal_position();
CREATE OR REPLACE FUNCTION docgraph.wal_position() RETURNS text
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET client_min_messages = warning
AS $$
BEGIN
    RETURN CASE
        WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
        WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn()
        ELSE pg_current_wal_flush_lsn()
    END::text;
END
$$;

COMMENT ON FUNCTION docgraph.wal_position() IS
    'API, reader. How far the write-ahead log has come, or on a standby has been replayed. '
    'SELECT docgraph.wal_position();';
REVOKE ALL ON FUNCTION docgraph.wal_position() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION docgraph.wal_position() TO docgraph_reader;
