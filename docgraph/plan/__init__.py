"""Plans as values, no driver needed: read, compared, shown, stored. The database computes them."""

from docgraph.plan.parts import Constraints, Expanded, MadeBy, Scope, Seed, VectorSpace, Via
from docgraph.plan.retrieval_plan import PlannedDocument, Reason, RetrievalPlan

__all__ = [
    "Constraints",
    "Expanded",
    "MadeBy",
    "PlannedDocument",
    "Reason",
    "RetrievalPlan",
    "Scope",
    "Seed",
    "VectorSpace",
    "Via",
]
