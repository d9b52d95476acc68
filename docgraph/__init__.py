"""Relationship-aware, deterministic, access-controlled retrieval, decided in PostgreSQL."""

__version__ = "0.1.0"
