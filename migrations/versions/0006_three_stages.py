"""Three stages"""

from docgraph.migrate import install_frozen, undo_frozen

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    install_frozen(revision)


def downgrade() -> None:
    undo_frozen(revision)
