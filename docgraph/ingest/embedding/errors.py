"""What embedding has to say when it fails, beside what other steps say too."""

from __future__ import annotations

from docgraph.errors import DocgraphError, InvalidArgument


class EmbedderUnavailable(DocgraphError):
    """The embedding endpoint could not be reached, or went on refusing; the same call may succeed later."""


def no_unicode(model: str) -> InvalidArgument:
    """For a text that cannot be written in UTF-8, or is no text."""
    return InvalidArgument(
        f"The model {model} takes Unicode texts, and was given something else.",
        hint="A half of a surrogate pair, as in a text cut in UTF-16, is no character.",
    )
