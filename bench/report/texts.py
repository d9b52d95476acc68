"""What the pages say beside their figures."""

from __future__ import annotations

TITLE = """# Benchmarks

What was measured of docgraph: how much it finds, how fast it is, how it grows, and what must never happen.
First the most important figures; the tables behind them have pages of their own. `python -m bench report`
makes these pages from the files in `bench/results`.
"""

COMMANDS = {
    "quality": "What is found: flat search beside planned retrieval",
    "speed": "How long things take, beside the bare database and peers",
    "scale": "How times grow with what is stored",
    "safety": "What must never happen, tried very often",
}
"""Each has a page of tables, with this title."""

TARGETS = """They were set before anything was measured. A ÷ B is A divided by B. Units: times, how many
times B is in A; share, where 1 is all; ms, s, MB. What stands in «…» is a row of a table of the same name.
"""

MISSED = """Below each table stands what is known of the reason. The same, SQL by hand: the same figure, with
SQL written by hand for this one question in docgraph's place, where that was measured. It shows how near one
gets.
"""

HOW = """- Calls that are compared run by turns, in an order drawn anew for each round, on the same vectors
  and texts. Calls over 5 ms run in rounds of their own, because they would evict the others' cached pages.
- docgraph asks as an ordinary login behind row security, and documents that this login may not see are stored
  beside its own. SQL by hand asks as a superuser, without access rules.
- LangChain, LanceDB, Chroma and the other peers hold only what that login may see, so that they need no
  filter for it. In the tables «What can be seen is …» they hold everything, and their own filters are
  measured. Each is set up as its documentation says; in a checkout `pip install '.[bench,test]'` installs
  them.
- p50, p95, p99 ms: the milliseconds that 50, 95 and 99 of 100 calls did not exceed; p50 is the median. calls:
  how many counted; what is very slow is called less often.
- The figures are of one machine. Another gives other times; ratios change less.
- A command ends with exit code 0 also where targets were missed, unless it is given `--check`. `safety`
  always ends with 1 then.
"""

SETS = """The committed figures of quality are of samples of HotpotQA, 2WikiMultihopQA and MuSiQue, and of a
set of security advisories. None of them is part of this repository. `python -m bench questions` makes sets
from the files that the authors publish. These are **other samples of the same questions**: expect figures
near the committed ones, and not the same.

| set | file | from | licence |
| --- | --- | --- | --- |
| `hotpotqa` | `hotpot_dev_distractor_v1.json` | <https://hotpotqa.github.io> | CC BY-SA 4.0 |
| `2wikimultihop` | `dev.json` | <https://github.com/Alab-NII/2wikimultihop> | Apache 2.0 |
| `musique` | `musique_ans_v1.0_dev.jsonl` | <https://github.com/StonyBrookNLP/musique> | CC BY 4.0 |

```sh
pip install '.[bench,minilm]'
python -m bench questions hotpotqa hotpot_dev_distractor_v1.json sets
python -m bench questions 2wikimultihop dev.json sets
python -m bench questions musique musique_ans_v1.0_dev.jsonl sets
python -m bench quality sets --model minilm
```

`dev.json` is in `data_ids_april7.zip`, the file of MuSiQue in `musique_v1.0.zip`. `sets` is a folder; that
of the committed run was called `questions`. A set that is not in it is left out, and the result says so.

The fourth set, `ghsa-authority`, is made by no command: bring it along as `sets/ghsa-authority.json.gz`, or
do without it. Its documents are advisories and the releases that settle them, its relationships lead from
each advisory to its release, and its questions are about advisories and answered by releases. The id of a
question is that of the advisory it is about. Every set is JSON of this form, compressed by gzip:

```json
{
  "documents": [
    {"id": "a1", "title": "Path traversal", "text": "Before 2.1 a path ...", "doc_type": "advisory"},
    {"id": "r1", "title": "Release 2.1", "text": "Paths are checked ...", "doc_type": "release"}
  ],
  "relationships": [{"from": "a1", "to": "r1", "type": "settled_by"}],
  "questions": [{"id": "a1", "question": "What settles the path traversal?", "gold": ["r1"]}]
}
```

`gold` names the documents that answer. `doc_type` may be left out. The other three sets have no
relationships: where a document mentions the title of another, docgraph's linker makes one.
"""

LOAD = """load: how many processes ran, or waited for a core or a disk, on average over 1, 5 and 15 minutes.
Where it is above the number of cores, they waited for each other. Clients and server of the measurement
count too.
"""

SAFETY = """The parts are those of `--only`. These are the tests of `python -m pytest`, with higher counts,
and mistakes those of `python -m pytest -m long`. «each test tries» says how many; «as in the test command»:
as many as these. Random worlds are tried with both layers and with the predicate alone, but for what is no
question of access: that a context is flat search where nothing is related, that a smaller limit gives the
first of the same chunks, and that Python writes the database's bytes. A mistake put into the SQL that no test
notices counts as failed.
"""
