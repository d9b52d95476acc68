"""HTML to Markdown: what is read, not what surrounds it."""

from __future__ import annotations

import warnings
from typing import Any

from docgraph.ingest.markup.lines import tidy_title

_DROPPED = ["script", "style", "nav", "template", "noscript", "head", "iframe", "svg"]
_DEEPEST = 200
"""Elements in elements. Conversion takes a few Python calls for each."""


def to_markdown(html: str) -> tuple[str, str]:
    """The text as Markdown, and the title that the page has for itself. Links stay as they are written."""
    from bs4 import BeautifulSoup, MarkupResemblesLocatorWarning, Tag  # noqa: PLC0415 - slow to import
    from markdownify import MarkdownConverter  # noqa: PLC0415 - likewise

    with warnings.catch_warnings():
        # A text of one line looks like the name of a file to it; XHTML like XML.
        warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
        warnings.filterwarnings("ignore", category=UserWarning, module="bs4")
        soup = BeautifulSoup(html, "lxml")  # the language's own parser hangs on tags without an end
    _refuse_depth(soup, Tag)
    title = soup.title.get_text() if soup.title else ""
    for tag in soup.find_all(_DROPPED):
        tag.extract()
    converter = MarkdownConverter(
        heading_style="ATX",
        bullets="-",
        autolinks=False,
        escape_underscores=False,
        escape_asterisks=False,
        code_language_callback=_language,
    )
    return converter.convert_soup(soup), tidy_title(title)


def _refuse_depth(soup: Any, tag_type: type) -> None:
    waiting = [(soup, 0)]
    while waiting:
        element, depth = waiting.pop()
        if depth > _DEEPEST:
            raise ValueError(f"elements are nested more than {_DEEPEST} deep")
        waiting += [(child, depth + 1) for child in element.contents if isinstance(child, tag_type)]


def _language(pre: Any) -> str:
    """ "py" for <pre><code class="language-py">."""
    code = pre.find("code") or pre
    classes = code.get("class") or []
    return next((name.removeprefix("language-") for name in classes if name.startswith("language-")), "")
