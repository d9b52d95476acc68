"""What retrieval is to take, as ratios, how low SQL by hand gets, and what keeps it from a target."""

from __future__ import annotations

from bench.speed.tables import Ratio

OURS = "retrieve, approximate"
ANY = "ANY by hand"
_IN_THREE = "three queries by hand, approximate"
_PLANNED = "a plan by hand"

_IN_MANY = (
    "What is left is access, limits, reasons, texts and their account, in some forty functions, of which none"
    " takes a quarter: `--only account` shows them. Tried, and no faster: prepared statements; one window in"
    " place of one for each document; JSON written as text and read once. Tried, and kept: one look at a plan"
    " in place of seven; a shorter way where no seed has more links than its limit."
)
_IN_PLAN = (
    "A plan by hand believes what it is given, and has no reserve, no reasons and no account. The rest is"
    " looking at the plan: its shape, its hash, its limits, and each document once more."
)
_IN_SCAN = (
    "Every summary is compared, and then all is done that is done where seeds are found by approximation."
)
AT_ONCE = (
    "Most of a retrieval is the server's work, most of LangChain's its client's; here they share two cores."
)

RATIOS = [
    Ratio(OURS, "LangChain, psycopg", "<=", 0.55, [_IN_THREE], _IN_MANY),
    Ratio(OURS, "bare HNSW", "<=", 3.5, [_IN_THREE], _IN_MANY),
    Ratio("retrieve, exact", "LangChain, psycopg", "<=", 1.5, ["three queries by hand, exact"], _IN_SCAN),
    Ratio("execute_plan", ANY, "<=", 1.5, [_PLANNED], _IN_PLAN),
    Ratio("execute_plan", "LangChain with $in, psycopg", "<=", 0.25, [ANY, _PLANNED], _IN_PLAN),
    Ratio("execute_plan", "LanceDB, prefilter", "<=", 0.2, [ANY, _PLANNED], _IN_PLAN),
    Ratio("execute_plan", "Chroma with $in", "<=", 0.01, [ANY, _PLANNED], _IN_PLAN),
]
