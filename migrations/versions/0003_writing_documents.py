"""Writing documents"""

from docgraph.migrate import install_frozen, undo_frozen

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    install_frozen(revision)


def downgrade() -> None:
    undo_frozen(revision)
