"""The tables and the wall around them"""

from docgraph.migrate import install_frozen, undo_frozen

revision = "0001"
down_revision = None


def upgrade() -> None:
    install_frozen(revision)


def downgrade() -> None:
    undo_frozen(revision)
