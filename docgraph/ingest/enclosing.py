"""Whether files are stored already under the ids that a folder above gives them."""

from __future__ import annotations

from pathlib import Path

from docgraph import calls
from docgraph.ingest.attributes import Attributes
from docgraph.ingest.flow import Flow
from docgraph.ingest.links.names import fits
from docgraph.ingest.putting import Where
from docgraph.ingest.reading import FolderReader


def stored_from_above(reader: object, where: Where, attributes: Attributes) -> Flow[list[str]]:
    """A note, if they are. It is looked at one document for each folder above, and only by id."""
    if not isinstance(reader, FolderReader):
        return []
    root = Path(reader.root)
    for above in root.parents:
        prefix = attributes.scoped(f"{root.relative_to(above).as_posix()}/")
        rows = (
            (yield calls.list_documents(where.tenant, where.access, prefix, 1, None)) if fits(prefix) else []
        )
        for row in rows:
            if row.document_id.startswith(prefix) and Path(row.source).is_relative_to(root):
                said = f'Files of {root} are stored under other ids already: "{row.document_id}" for one.'
                hint = f"give the root {above} (--root), and delete what this run has added."
                return [f"{said} If each is to be one document, {hint}"]
    return []
