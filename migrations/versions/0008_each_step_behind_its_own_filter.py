"""Each step behind its own filter"""

from docgraph.migrate import install_frozen, undo_frozen

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    install_frozen(revision)


def downgrade() -> None:
    undo_frozen(revision)
