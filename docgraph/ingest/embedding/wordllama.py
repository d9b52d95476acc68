"""The offline default: the mean of token vectors, from the files of the wordllama wheel.

Of the candidates whose weights come in a wheel it is the only one that embeds thousands of chunks a second on
two cores; MIT licence, 19 MB. The package is not imported: its own loader looks for the tokenizer in a folder
that the wheel does not have, and importing it sets up the logging of the whole process.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from docgraph import defaults
from docgraph.ingest.embedding.errors import no_unicode
from docgraph.ingest.embedding.packages import file_of, required
from docgraph.ingest.embedding.vectors import shorten

EXTRA = "wordllama"
_UNKNOWN = 0
"""The token "<unk>"."""
_AT_ONCE = 256


class WordLlamaEmbedder:
    """Static token vectors, averaged over all tokens of the text, of length 1.

    No text is too long, but the longer, the blurrier. A text without any token is the empty one: it gets the
    vector of the unknown token. Every other has tokens: what is not in the vocabulary is spelt in bytes.
    Each text is summed by itself, in the order of its tokens: neither batch nor threads change a bit.
    """

    name = defaults.MODEL
    dimensions = defaults.DIMENSIONS

    def __init__(self) -> None:
        self._tokenizer, self._weights = _load()

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        import numpy as np  # noqa: PLC0415 - only where vectors are made

        found = np.empty((len(texts), self.dimensions))
        for start in range(0, len(texts), _AT_ONCE):
            for place, ids in enumerate(self._tokens(texts[start : start + _AT_ONCE]), start):
                total = self._weights[ids or [_UNKNOWN]].sum(axis=0, dtype=np.float32)
                # hypot rather than BLAS: the same on every processor.
                found[place] = total / math.hypot(*total.tolist())
        return shorten(found) if len(texts) else []

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]

    def count_tokens(self, text: str) -> int:
        return self.count_tokens_many([text])[0]

    def count_tokens_many(self, texts: Sequence[str]) -> list[int]:
        """Faster than one by one: the tokenizer uses all cores."""
        return [len(ids) for ids in self._tokens(texts)]

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        try:
            found = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        except TypeError:
            raise no_unicode(self.name) from None
        return [encoding.ids for encoding in found]


@lru_cache(maxsize=1)
def _load() -> tuple[Any, Any]:
    """The tokenizer, and one row of float32 for each token."""
    wanted_by = f"The model {defaults.MODEL}"
    tokenizers = required("tokenizers", EXTRA, wanted_by)
    safetensors = required("safetensors.numpy", EXTRA, wanted_by)
    weights = file_of("wordllama", "weights/l2_supercat_256.safetensors", EXTRA, wanted_by)
    tokenizer = file_of("wordllama", "tokenizers/l2_supercat_tokenizer_config.json", EXTRA, wanted_by)
    loaded = tokenizers.Tokenizer.from_file(str(tokenizer))
    loaded.no_padding()
    loaded.no_truncation()
    return loaded, safetensors.load_file(weights)["embedding.weight"].astype("float32")
