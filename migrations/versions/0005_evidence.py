"""Evidence"""

from docgraph.migrate import install_frozen, undo_frozen

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    install_frozen(revision)


def downgrade() -> None:
    undo_frozen(revision)
