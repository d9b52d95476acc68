"""What retrieval is to take, as ratios, and which SQL by hand shows how low they get."""

from __future__ import annotations

from bench.speed.tables import Ratio

OURS = "retrieve, approximate"
ANY = "ANY by hand"
_IN_THREE = "three queries by hand, approximate"
_PLANNED = "a plan by hand"

RATIOS = [
    Ratio(OURS, "LangChain, psycopg", "<=", 0.55, [_IN_THREE]),
    Ratio(OURS, "bare HNSW", "<=", 3.5, [_IN_THREE]),
    Ratio("retrieve, exact", "LangChain, psycopg", "<=", 1.5, ["three queries by hand, exact"]),
    Ratio("execute_plan", ANY, "<=", 1.5, [_PLANNED]),
    Ratio("execute_plan", "LangChain with $in, psycopg", "<=", 0.25, [ANY, _PLANNED]),
    Ratio("execute_plan", "LanceDB, prefilter", "<=", 0.2, [ANY, _PLANNED]),
    Ratio("execute_plan", "Chroma with $in", "<=", 0.01, [ANY, _PLANNED]),
]
