"""What retrieval is to take, as ratios, how low SQL by hand gets, and what keeps it from a target."""

from __future__ import annotations

from bench.speed.tables import Ratio

OURS = "retrieve, approximate"
ANY = "ANY by hand"
_IN_THREE = "three queries by hand, approximate"
_PLANNED = "a plan by hand"

_IN_MANY = (
    "What is left is access, limits, reasons, texts and their account, in some forty functions: `--only "
    "account` shows what each takes. Tried, and no faster: prepared statements; one window in place of "
    "one for each document; JSON written as text and read once. Tried, and kept: one look at a plan in "
    "place of seven; a shorter way where no seed has more links than its limit."
)
_IN_PLAN = (
    "A plan by hand believes what it is given, and has no reserve, no reasons and no account. An "
    "execution looks at the plan first: its shape, its hash, its limits, and each document once more; "
    "`--only account` shows what each takes. Tried, and kept: one look at a plan in place of seven; "
    "vectors as text."
)
_IN_SCAN = (
    "Every summary is compared, by hand too; what follows is the same as where seeds are found by "
    "approximation."
)
AT_ONCE = (
    "What a retrieval takes is the server's time, and clients and server share two cores here. What was "
    "tried for one client counts for several."
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
