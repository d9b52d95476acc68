"""${message}"""

from docgraph.migrate import install_frozen, undo_frozen

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    install_frozen(revision)


def downgrade() -> None:
    undo_frozen(revision)
