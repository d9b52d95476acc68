"""docgraph inside other frameworks: a module for each, which needs the extra of its name."""

from __future__ import annotations

from docgraph.errors import DocgraphError


class ExtraMissing(DocgraphError, ImportError):
    """What a module here is made for is not installed, or is another release than it is made for."""

    def __init__(self, extra: str, package: str, why: ImportError) -> None:
        super().__init__(
            f"docgraph.integrations.{extra} needs the package {package}: {why}",
            hint=f"Run: pip install 'docgraph[{extra}]'",
        )
