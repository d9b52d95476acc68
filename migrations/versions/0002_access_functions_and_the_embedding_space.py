"""Access functions and the embedding space"""

from docgraph.migrate import install_frozen, undo_frozen

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    install_frozen(revision)


def downgrade() -> None:
    undo_frozen(revision)
