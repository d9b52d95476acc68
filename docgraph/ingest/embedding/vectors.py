"""What an embedder gave, checked and made short enough to send."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from docgraph.errors import InvalidArgument
from docgraph.ingest.types import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIGITS = 6
"""Decimals kept of a vector whose largest element is below 1. Half precision, as stored, has not four."""


def check_vectors(embedder: Embedder, vectors: Sequence[Sequence[float]], count: int) -> list[list[float]]:
    """The vectors as short lists; an error that names the model if they are not what it promised.

    There must be `count` of them, each with the model's dimensions, all numbers finite, none of length zero.
    """
    import numpy as np  # noqa: PLC0415 - not loaded by those who only read

    model, dimensions = embedder.name, embedder.dimensions
    if (given := _length(vectors)) != count:
        found = "no list of vectors" if given is None else f"{given} vector{'' if given == 1 else 's'}"
        raise InvalidArgument(
            f"The model {model} gave {found} for {count} text{'' if count == 1 else 's'}.",
            hint="An embedder gives one vector for each text, in the order of the texts.",
        )
    if not count:
        return []
    for place, length in enumerate(map(_length, vectors), 1):
        if length != dimensions:
            found = "no list of numbers" if length is None else f"a vector with {length} dimensions"
            raise InvalidArgument(
                f"The model {model} is said to have {dimensions} dimensions, and gave {found} "
                f"for text {place} of {count}.",
                hint="Give the dimensions that the model has, or another model.",
            )
    try:
        array = np.asarray(vectors, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.shape != (count, dimensions):
        raise InvalidArgument(f"The model {model} gave vectors with something else than numbers in them.")
    with np.errstate(over="ignore", under="ignore"):
        single = array.astype(np.float32)
    for what, wrong in (
        ("a number that is not finite", np.flatnonzero(~np.isfinite(single).all(axis=1))),
        ("nothing but zeros", np.flatnonzero(~single.any(axis=1))),
    ):
        if len(wrong):
            raise InvalidArgument(
                f"The model {model} gave {what} for text {wrong[0] + 1} of {count}.",
                hint="Such a vector is near to nothing: look at the text, or take another model.",
            )
    return shorten(array)


def shorten(vectors: NDArray[np.float64]) -> list[list[float]]:
    """Lists of few decimals: 6 if the largest element of the vector is below 1, fewer if above, more if tiny.

    Half of the bytes to send, and nothing lost: half precision is coarser. Each vector for itself, so that it
    does not depend on its neighbours.
    """
    import numpy as np  # noqa: PLC0415 - as above

    # A power of ten read from text is exact, and a number divided by it is printed short.
    scales = [
        float(f"1e{DIGITS - math.ceil(math.log10(largest))}") for largest in np.abs(vectors).max(axis=1)
    ]
    scale = np.array(scales)[:, np.newaxis]
    short: list[list[float]] = (np.rint(vectors * scale) / scale + 0.0).tolist()  # + 0.0: no -0.0
    return short


def _length(given: Any) -> int | None:
    """Of a list or an array; None for anything else."""
    if isinstance(given, str | bytes | Mapping):
        return None
    try:
        return len(given)
    except TypeError:
        return None
