"""${message}"""

from docgraph.migrate import install_frozen, undo_frozen

revision = "${up_revision}"
down_revision = "${down_revision}"


def upgrade() -> None:
    install_frozen(revision)


def downgrade() -> None:
    undo_frozen(revision)
