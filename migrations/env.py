"""Alembic's entry: prepares the session as `sql/prepare/` says, then runs the revisions as docgraph_owner."""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection

from docgraph.engine import migration_engine
from docgraph.migrate import SCHEMA, VERSION_TABLE, execute_on, execute_text
from docgraph.sqlfiles import finish, preparation

# Two upgrades of one database wait for each other here. The number is arbitrary, and ours.
LOCK = "SELECT pg_catalog.pg_advisory_lock(1685021559)"
UNLOCK = "SELECT pg_catalog.pg_advisory_unlock(1685021559)"


def online(connection: Connection) -> None:
    connection.exec_driver_sql(LOCK)
    connection.commit()
    try:
        for text in preparation():
            execute_on(connection, text)
        connection.commit()
        context.configure(
            connection=connection,
            transaction_per_migration=True,
            version_table=VERSION_TABLE,
            version_table_schema=SCHEMA,
        )
        with context.begin_transaction():
            context.run_migrations()
    finally:
        connection.rollback()
        execute_on(connection, finish())
        connection.exec_driver_sql(UNLOCK)
        connection.commit()


def offline() -> None:
    context.configure(
        dialect_name="postgresql",
        version_table=VERSION_TABLE,
        version_table_schema=SCHEMA,
    )
    # One transaction around all of it: if a part fails and the client goes on, nothing is installed.
    with context.begin_transaction():
        for text in preparation():
            execute_text(text)
        context.run_migrations()
    execute_text(finish())


if context.is_offline_mode():
    offline()
elif (given := context.config.attributes.get("connection")) is not None:
    online(given)
else:
    # Called as plain `alembic`: the database is found as everywhere else.
    with migration_engine(None) as (engine, _), engine.connect() as connection:
        online(connection)
