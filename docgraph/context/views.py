"""How a context looks: a line, a tree in the terminal, a table in a notebook.

Its texts are somebody else's. Each view has its own way to keep them from being anything but text.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from docgraph.context.jsonb import text_of
from docgraph.plain import counted, plain

if TYPE_CHECKING:
    from rich.text import Text
    from rich.tree import Tree

    from docgraph.context import ContextChunk, ContextDocument, RetrievedContext
    from docgraph.plan import RetrievalPlan

EXCERPT = 80
"""Characters of a chunk that the tree shows."""


def headline(context: RetrievedContext) -> str:
    """The context in a line."""
    accounting = context.accounting
    budget = accounting.budget
    said = f" ({'; '.join(found)})" if (found := notes(context)) else ""
    return plain(
        f"Context of plan {context.plan.plan_hash[:12]}: {counted(accounting.chunks.shown, 'chunk')}, "
        f"{counted(len(context), 'document')}, {budget.used} of {budget.limit} {budget.unit}{said}"
    )


def notes(context: RetrievedContext) -> tuple[str, ...]:
    """Of the plan first. Ids that were given are counted and not named: hidden ones are as absent ones."""
    plan = context.plan
    found = []
    if not plan.hash_holds:
        found.append("the plan was changed after it was sealed: this is not what the database gave")
    if plan.omitted:
        is_or_are = "is" if plan.omitted == 1 else "are"
        found.append(f"{counted(plan.omitted, 'id')} given as seeds {is_or_are} not there, or not to be seen")
    if plan.dropped:
        found.append(f"{counted(plan.dropped, 'document')} found, and dropped by the scope of the plan")
    if plan.truncated:
        found.append(f"the plan was cut short by its limit of {' and '.join(plan.truncated)}")
    if not plan.documents:
        found.append(why_empty(plan))
    elif types := leading_nowhere(plan):
        named = ", ".join(types)
        found.append(f"no relationship of type {named} leads from the seeds to another document to be seen")
    return (*found, *context.accounting.notes)


def leading_nowhere(plan: RetrievalPlan) -> tuple[str, ...]:
    """The relation types that were asked for, if they brought nothing in: one may be misspelt."""
    asked = plan.constraints.relation_types or ()
    return () if plan.expanded_documents or plan.truncated else tuple(asked)


def why_empty(plan: RetrievalPlan) -> str:
    """Of a plan without documents."""
    if limit := zero_limit(plan):
        return f"the plan is empty: {limit} is 0"
    return "the plan is empty: no document to begin with was found"


def zero_limit(plan: RetrievalPlan) -> str | None:
    """The limit that keeps it empty."""
    limits = {"max_documents": plan.constraints.max_documents}
    if plan.made_by.mode != "ids":
        limits["seed_limit"] = plan.constraints.seed_limit
    return next((name for name, limit in limits.items() if limit == 0), None)


def tree(context: RetrievedContext) -> Tree:
    """Each document with the reason why it is in, and below it how its chunks begin."""
    from rich.text import Text  # noqa: PLC0415 - only for those who look
    from rich.tree import Tree  # noqa: PLC0415 - likewise

    found = Tree(Text(headline(context), overflow="fold"), guide_style="dim")
    for number, document in enumerate(context.documents, 1):
        branch = found.add(
            Text.assemble(
                (f"[{number}] ", "dim"),
                (plain(document.document_id), "bold"),
                (f"  {plain(document.why)}", "dim"),
                overflow="fold",
            )
        )
        for chunk in document.chunks:
            branch.add(_line(chunk))
    return found


def _line(chunk: ContextChunk) -> Text:
    from rich.text import Text  # noqa: PLC0415 - as above

    words = " ".join(chunk.text[: 4 * EXCERPT].split())
    cut = f"{words[:EXCERPT]}..." if len(words) > EXCERPT else words
    return Text.assemble((f"{text_of(chunk.score)}  ", "dim"), plain(cut), overflow="fold")


def html(context: RetrievedContext) -> str:
    """A table: a document in each row, with all its texts."""
    rows = "".join(
        f"<tr><td>{number}</td><td>{_name(document)}</td><td><bdi>{_escaped(document.why)}</bdi></td>"
        f"<td>{''.join(_texts(document))}</td></tr>"
        for number, document in enumerate(context.documents, 1)
    )
    return (
        # No formulas either: in these texts they are none.
        f'<table class="tex2jax_ignore mathjax_ignore">'
        f"<caption>{_escaped(headline(context))}</caption><thead><tr>"
        "<th>source</th><th>document</th><th>why</th><th>text</th>"
        f"</tr></thead><tbody>{rows}</tbody></table>"
    )


def _name(document: ContextDocument) -> str:
    code = f"<code><bdi>{_escaped(document.document_id)}</bdi></code>"
    return f"<bdi>{_escaped(document.title)}</bdi><br>{code}" if document.title else code


def _texts(document: ContextDocument) -> Iterator[str]:
    if document.summary is not None:
        yield f"<p><em><bdi>{_escaped(' '.join(document.summary.split()))}</bdi></em></p>"
    if document.section_titles is not None:
        yield f"<p><em><bdi>{_escaped('; '.join(document.section_titles))}</bdi></em></p>"
    for chunk in document.chunks:
        about = ", ".join((text_of(chunk.score), " > ".join(chunk.section_path))).removesuffix(", ")
        yield f"<p><small><bdi>{_escaped(about)}</bdi></small></p>"
        yield f"<pre><bdi>{_escaped(chunk.text, keep=_LAYOUT)}</bdi></pre>"


_LAYOUT = "\n\t"


def _escaped(text: str, keep: str = "") -> str:
    return escape(plain(text, keep))
