"""Any model of sentence-transformers, on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docgraph.errors import InvalidArgument
from docgraph.ingest.embedding.packages import required
from docgraph.ingest.embedding.tokens import estimate_tokens
from docgraph.ingest.embedding.vectors import check_vectors

EXTRA = "sentence-transformers"


class SentenceTransformerEmbedder:
    """A model by its name on the Hugging Face Hub, which downloads it once, or by its folder.

    Documents and queries get the prompts that the model has for them, from release 5 of the library on. Long
    texts are cut where the model cuts them. The last bits may depend on the batch; rounding hides most.
    """

    def __init__(
        self, model: str, dimensions: int | None = None, *, name: str | None = None, batch_size: int = 32
    ) -> None:
        self.name = name or f"sentence-transformers:{model}"
        library = required("sentence_transformers", EXTRA, f"The model {self.name}")
        try:
            self._model = library.SentenceTransformer(model)
        except (OSError, ValueError) as error:
            raise InvalidArgument(
                f"The model {self.name} cannot be loaded: {error}",
                hint="Give a name on the Hugging Face Hub, or a folder with the model in it.",
            ) from error
        self.dimensions = self._own_dimensions() or dimensions or 0
        if not self.dimensions:
            raise InvalidArgument(f"The model {self.name} does not say its dimensions.", hint="Give them.")
        if dimensions not in {None, self.dimensions}:
            raise InvalidArgument(
                f"The model {self.name} has {self.dimensions} dimensions, not {dimensions}."
            )
        self._batch_size = batch_size

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        return self._embed("encode_document", texts)

    def embed_query(self, text: str) -> list[float]:
        return self._embed("encode_query", [text])[0]

    def count_tokens(self, text: str) -> int:
        tokenizer: Any = getattr(self._model, "tokenizer", None)
        return len(tokenizer.tokenize(text)) if hasattr(tokenizer, "tokenize") else estimate_tokens(text)

    def _embed(self, method: str, texts: Sequence[str]) -> list[list[float]]:
        encode = getattr(self._model, method, self._model.encode)
        found = encode(list(texts), batch_size=self._batch_size, show_progress_bar=False)
        return check_vectors(self, found, len(texts))

    def _own_dimensions(self) -> int | None:
        # Renamed in release 5.
        ask = getattr(self._model, "get_embedding_dimension", None)
        found: int | None = (ask or self._model.get_sentence_embedding_dimension)()
        return found
