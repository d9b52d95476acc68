"""How much is measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Size:
    """Of documents, of questions, and of patience."""

    planned_documents: int
    chunks: tuple[int, ...]
    """Ten in a document. Of several, retrieval is to grow by less than they do."""
    worded_chunks: int
    nodes: int
    edges: int
    hub: int
    put_documents: int
    files: int
    rounds: int
    clients: tuple[int, ...]
    seconds: float
    """That clients work in each round."""
    patience: float
    """Seconds after which a slow one sits out the other rounds."""
    peers: bool = True
    dimensions: int = 384


SIZES = {
    "speed-small": Size(
        planned_documents=5_000,
        chunks=(10_000,),
        worded_chunks=10_000,
        nodes=10_000,
        edges=100_000,
        hub=10_000,
        put_documents=500,
        files=200,
        rounds=50,
        clients=(8,),
        seconds=2,
        patience=10,
    ),
    "speed-full": Size(
        planned_documents=100_000,
        chunks=(100_000,),
        worded_chunks=100_000,
        nodes=100_000,
        edges=1_000_000,
        hub=1_000_000,
        put_documents=2_000,
        files=1_000,
        rounds=200,
        clients=(1, 8, 32),
        seconds=10,
        patience=60,
    ),
    "scale-small": Size(
        planned_documents=0,
        chunks=(10_000, 100_000),
        worded_chunks=0,
        nodes=100_000,
        edges=1_000_000,
        hub=0,
        put_documents=0,
        files=0,
        rounds=50,
        clients=(),
        seconds=2,
        patience=10,
        peers=False,
    ),
    "scale-full": Size(
        planned_documents=0,
        chunks=(100_000, 1_000_000),
        worded_chunks=0,
        nodes=1_000_000,
        edges=10_000_000,
        hub=0,
        put_documents=0,
        files=0,
        rounds=200,
        clients=(),
        seconds=10,
        patience=60,
        peers=False,
    ),
}
