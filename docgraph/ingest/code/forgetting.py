"""A file of code changes whole: what is not defined in it any more goes, when the file is read again."""

from __future__ import annotations

from collections.abc import Callable

from docgraph import calls
from docgraph.ingest.attributes import Attributes
from docgraph.ingest.code.reading import CodeReader
from docgraph.ingest.flow import Flow
from docgraph.ingest.links.names import BYTES
from docgraph.ingest.putting import Where

_TYPES = frozenset({"class", "function"})
_PAGE = 200


def forget(
    code: CodeReader, where: Where, attributes: Attributes, delete: Callable[[list[str]], Flow[None]]
) -> Flow[None]:
    """Names the stored definitions of all files that were read; `delete` keeps those that were found now."""
    for path, size in sorted(code.read_whole.items()):
        prefix = f"{attributes.scoped(path)}::"
        after: str | None = prefix if len(prefix.encode()) < BYTES else None
        # Nearly always as many as were found now: one more row is enough to know.
        page = min(size + 1, _PAGE)
        while after is not None:
            rows = yield calls.list_documents(where.tenant, where.access, after, page, None)
            own = [row for row in rows if row.document_id.startswith(prefix)]
            yield from delete([row.document_id for row in own if row.doc_type in _TYPES])
            after = own[-1].document_id if len(own) == page else None
