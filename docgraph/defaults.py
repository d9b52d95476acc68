"""What `docgraph init` takes where nothing is said."""

from __future__ import annotations

MODEL = "wordllama/l2_supercat_256"
"""A small embedding model whose weights come in a wheel (MIT licence): it runs offline, on NumPy alone."""
DIMENSIONS = 256
METRIC = "cosine"
TEXT_SEARCH = "english"
AVERAGE_LENGTH = 100.0
"""Lexemes of an average chunk, for BM25."""
