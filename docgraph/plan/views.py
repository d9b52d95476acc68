"""How a plan looks: a line, a tree in the terminal, a table in a notebook, a chart in Mermaid's language.

Ids are somebody else's texts. Each view has its own way to keep them from being anything but text.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from docgraph.plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.tree import Tree

    from docgraph.plan import RetrievalPlan


def headline(plan: RetrievalPlan) -> str:
    """The plan in a line."""
    return f"Plan {plain(plan.plan_hash[:12])}: {_count(plan)}{_remarks(plan)}"


def _count(plan: RetrievalPlan) -> str:
    seeds, expanded = len(plan.seed_documents), len(plan.expanded_documents)
    return f"{seeds} seed{'' if seeds == 1 else 's'}, {expanded} expanded"


def _remarks(plan: RetrievalPlan) -> str:
    """What one should know of how it came about."""
    found = [
        *(["approximate"] if plan.made_by.method == "approximate" else []),
        *(f"truncated by {plain(cap)}" for cap in plan.truncated),
        *([f"{plan.omitted} omitted"] if plan.omitted else []),
        *([f"{plan.dropped} dropped"] if plan.dropped else []),
        *(["edited"] if plan.edited else []),
        *([] if plan.hash_holds else ["changed after it was sealed"]),
    ]
    return f" ({', '.join(found)})" if found else ""


def tree(plan: RetrievalPlan) -> Tree:
    """Each seed, and below it what it leads to. What several lead to stands below each of them, seeds too."""
    from rich.text import Text  # noqa: PLC0415 - only for those who look
    from rich.tree import Tree  # noqa: PLC0415 - likewise

    found = Tree(Text(headline(plan), overflow="fold"), guide_style="dim")
    branches = {}
    for seed in plan.seed_documents:
        line = Text.assemble(
            (f"{seed.rank} ", "dim"),
            (plain(seed.document_id), "bold"),
            (f"  {plain(seed.origin)}", "dim"),
            overflow="fold",
        )
        branches[seed.document_id] = found.add(line)
    for document in plan.documents:
        for reason in document.reasons:
            if reason.relation_type is not None:
                line = Text.assemble(
                    (f"{plain(reason.relation_type)} ", "dim"), plain(document.document_id), overflow="fold"
                )
                branches[reason.seed.document_id].add(line)
    return found


def html(plan: RetrievalPlan) -> str:
    """A table: a document in each row."""
    rows = "".join(
        f"<tr><td>{document.position}</td><td><code><bdi>{_escaped(document.document_id)}</bdi></code></td>"
        f"<td>{document.role}</td>"
        f"<td>{'<br>'.join(f'<bdi>{_escaped(str(why))}</bdi>' for why in document.reasons)}</td></tr>"
        for document in plan.documents
    )
    return (
        # No formulas either: in an id they are none.
        f'<table class="tex2jax_ignore mathjax_ignore">'
        f"<caption>{_escaped(headline(plan))}</caption><thead><tr>"
        "<th>position</th><th>document</th><th>role</th><th>why</th>"
        f"</tr></thead><tbody>{rows}</tbody></table>"
    )


def _escaped(text: str) -> str:
    return escape(plain(text))


def mermaid(plan: RetrievalPlan) -> str:
    """A flow chart from left to right; nodes have numbers for names, and ids as labels."""
    return "\n".join(("flowchart LR", *(f"    {line}" for line in _chart(plan))))


def _chart(plan: RetrievalPlan) -> Iterator[str]:
    numbers = {document.document_id: document.position for document in plan.documents}
    for document in plan.documents:
        label = _label(document.document_id)
        # A round box is a seed.
        yield (
            f'd{document.position}("{label}")'
            if document.role == "seed"
            else f'd{document.position}["{label}"]'
        )
    for document in plan.documents:
        for reason in document.reasons:
            if reason.relation_type is not None:
                yield (
                    f'd{numbers[reason.seed.document_id]} -->|"{_label(reason.relation_type)}"| '
                    f"d{document.position}"
                )


_NOT_A_WORD = re.compile(r"(?<=[^\W_])[ ./_-](?=[^\W_])|([\W_])")
"""All but letters, digits, and what stands between two of them without a meaning in Mermaid or Markdown."""


def _label(text: str) -> str:
    """With Mermaid's codes for characters: it reads Markdown and HTML in labels."""
    return _NOT_A_WORD.sub(lambda found: f"#{ord(found[1])};" if found[1] else found[0], plain(text))
