"""Texts to vectors: the offline default, HTTP endpoints, sentence-transformers, or any function."""

from docgraph.ingest.embedding.errors import EmbedderUnavailable
from docgraph.ingest.embedding.function import CallableEmbedder
from docgraph.ingest.embedding.minilm import MiniLMEmbedder
from docgraph.ingest.embedding.openai import OpenAIEmbedder
from docgraph.ingest.embedding.resolve import Model, describe_models, resolve_embedder, why_unresolved
from docgraph.ingest.embedding.sentence_transformer import SentenceTransformerEmbedder
from docgraph.ingest.embedding.tokens import estimate_tokens
from docgraph.ingest.embedding.vectors import check_vectors
from docgraph.ingest.embedding.wordllama import WordLlamaEmbedder

__all__ = [
    "CallableEmbedder",
    "EmbedderUnavailable",
    "MiniLMEmbedder",
    "Model",
    "OpenAIEmbedder",
    "SentenceTransformerEmbedder",
    "WordLlamaEmbedder",
    "check_vectors",
    "describe_models",
    "estimate_tokens",
    "resolve_embedder",
    "why_unresolved",
]
