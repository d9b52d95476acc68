"""Bridges by words"""

from docgraph.migrate import install_frozen, undo_frozen

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    install_frozen(revision)


def downgrade() -> None:
    undo_frozen(revision)
