"""Alembic's entry: prepares the transaction as `sql/prepare/` says, runs the revisions as docgraph_owner.

All of it is one transaction, and every setting is local to it: nothing is half done, nothing stays behind,
and it works through a pooler. No revision leaves the transaction: `autocommit_block()` would end it, and with
it the role and the search path that everything after it relies on.
"""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection

from docgraph.calls import IS_COUNTERFEIT, refuse_counterfeit
from docgraph.engine import migration_engine
from docgraph.migrate import (
    ONLY_OUR_OWN_NAMES,
    SCHEMA,
    VERSION_TABLE,
    execute_on,
    execute_text,
    in_read_committed,
)
from docgraph.sqlfiles import preparation

# Two upgrades of one database wait for each other here. The number is arbitrary, and ours.
LOCK = "SELECT pg_catalog.pg_advisory_xact_lock(1685021559)"


def online(connection: Connection) -> None:
    with connection.begin():
        connection.exec_driver_sql(ONLY_OUR_OWN_NAMES)
        refuse_counterfeit(connection.exec_driver_sql(IS_COUNTERFEIT).scalar_one())
        if moves():
            # Not for ever: any login may hold an advisory lock.
            connection.exec_driver_sql("SET LOCAL lock_timeout = '60s'")
            connection.exec_driver_sql(LOCK)
            for text in preparation():
                execute_on(connection, text)
        context.configure(connection=connection, version_table=VERSION_TABLE, version_table_schema=SCHEMA)
        with context.begin_transaction():
            context.run_migrations()


def offline() -> None:
    context.configure(dialect_name="postgresql", version_table=VERSION_TABLE, version_table_schema=SCHEMA)
    with context.begin_transaction():
        for text in preparation():
            execute_text(text)
        context.run_migrations()


def moves() -> bool:
    """Whether this is to change anything; `alembic current` and its like must not."""
    chosen = getattr(context.config.cmd_opts, "cmd", None)
    return chosen is None or chosen[0].__name__ in {"upgrade", "downgrade", "stamp"}


if context.is_offline_mode():
    offline()
elif (given := context.config.attributes.get("connection")) is not None:
    online(given)
else:
    # Called as plain `alembic`: the database is found as everywhere else.
    with migration_engine(None) as (engine, _), engine.connect() as connection:
        online(in_read_committed(connection))
