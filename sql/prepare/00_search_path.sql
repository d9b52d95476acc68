-- From here on every name and operator is PostgreSQL's own unless its schema is named: whatever somebody has put
-- into public, or into a schema called like the installer, is not found. Everything in prepare/ is idempotent and
-- opens the transaction of every upgrade.
SET LOCAL search_path = pg_catalog;
