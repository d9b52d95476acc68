"""Which embedder a name, an object or a function stands for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from docgraph import defaults
from docgraph.errors import InvalidArgument
from docgraph.ingest.embedding import (
    CallableEmbedder,
    OpenAIEmbedder,
    SentenceTransformerEmbedder,
    WordLlamaEmbedder,
    describe_models,
    packages,
    resolve_embedder,
)


def ones(texts: list[str]) -> list[list[float]]:
    return [[1.0, 1.0] for _ in texts]


@pytest.mark.parametrize("model", [None, defaults.MODEL])
@pytest.mark.parametrize("dimensions", [None, defaults.DIMENSIONS])
def test_the_default(model: str | None, dimensions: int | None) -> None:
    found = resolve_embedder(None, model=model, dimensions=dimensions)
    assert isinstance(found, WordLlamaEmbedder)


def test_the_default_in_other_dimensions() -> None:
    with pytest.raises(InvalidArgument, match="has 256 dimensions, not 384"):
        resolve_embedder(None, model=defaults.MODEL, dimensions=384)


def test_an_embedder_stays_itself() -> None:
    given = CallableEmbedder(ones, "demo", 2)
    assert resolve_embedder(given, model="demo", dimensions=2) is given
    assert resolve_embedder(given, model=None, dimensions=None) is given


def test_an_embedder_of_another_model_is_refused() -> None:
    given = CallableEmbedder(ones, "demo", 2)
    with pytest.raises(InvalidArgument, match="of the model demo, not of other"):
        resolve_embedder(given, model="other", dimensions=2)
    with pytest.raises(InvalidArgument, match="demo has 2 dimensions, not 3"):
        resolve_embedder(given, model="demo", dimensions=3)


def test_a_function_is_taken_for_the_recorded_model() -> None:
    found = resolve_embedder(ones, model="demo", dimensions=2)
    assert isinstance(found, CallableEmbedder)
    assert (found.name, found.dimensions, found.embed_query("a")) == ("demo", 2, [1.0, 1.0])


@pytest.mark.parametrize(("model", "dimensions"), [(None, 2), ("demo", None)])
def test_a_function_alone_is_not_enough(model: str | None, dimensions: int | None) -> None:
    with pytest.raises(InvalidArgument, match="Give model and dimensions"):
        resolve_embedder(ones, model=model, dimensions=dimensions)


@pytest.mark.parametrize("given", ["demo", 5, [], WordLlamaEmbedder, SimpleNamespace(name="demo")])
def test_what_is_no_embedder(given: Any) -> None:
    with pytest.raises(InvalidArgument, match="is no embedder"):
        resolve_embedder(given, model="demo", dimensions=2)


@pytest.mark.parametrize(
    ("model", "base_url", "address", "body", "key"),
    [
        (
            "openai:text-embedding-3-small",
            None,
            "https://api.openai.com/v1/embeddings",
            {"model": "text-embedding-3-small", "dimensions": 512},
            "sk-x",
        ),
        (
            "openai:BAAI/bge",
            "http://vllm:8000/v1/",
            "http://vllm:8000/v1/embeddings",
            {"model": "BAAI/bge"},
            "sk-x",
        ),
        (
            "ollama:all-minilm:l6",
            None,
            "http://localhost:11434/v1/embeddings",
            {"model": "all-minilm:l6"},
            "",
        ),
        (
            "ollama:nomic",
            "http://gpu:11434/v1",
            "http://gpu:11434/v1/embeddings",
            {"model": "nomic"},
            "",
        ),
    ],
)
def test_endpoints(
    monkeypatch: pytest.MonkeyPatch,
    model: str,
    base_url: str | None,
    address: str,
    body: dict[str, Any],
    key: str,
) -> None:
    pytest.importorskip("httpx", reason="needs docgraph[http]")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    found = resolve_embedder(None, model=model, dimensions=512, base_url=base_url)
    assert isinstance(found, OpenAIEmbedder)
    assert (found.name, found.dimensions) == (model, 512)
    assert (str(found._endpoint._url), found._body, found._endpoint._key) == (address, body, key)


def test_an_endpoint_does_not_say_its_dimensions() -> None:
    with pytest.raises(InvalidArgument, match="How many dimensions has the model ollama:nomic"):
        resolve_embedder(None, model="ollama:nomic", dimensions=None)


@pytest.mark.parametrize("model", ["st:demo", "sentence-transformers:demo"])
def test_sentence_transformers(monkeypatch: pytest.MonkeyPatch, model: str) -> None:
    library: Any = ModuleType("sentence_transformers")
    library.SentenceTransformer = lambda name: SimpleNamespace(
        get_embedding_dimension=lambda: 4, name=name, encode=None
    )
    monkeypatch.setitem(sys.modules, "sentence_transformers", library)
    found = resolve_embedder(None, model=model, dimensions=4)
    assert isinstance(found, SentenceTransformerEmbedder)
    assert (found.name, found.dimensions, found._model.name) == (model, 4, "demo")


@pytest.mark.parametrize("model", ["demo", "", "openai:", "ollama:", "st:", "openai", "voyage:x", "minilm"])
def test_an_unknown_name_says_what_there_is(model: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        resolve_embedder(None, model=model, dimensions=2)
    assert repr(model) in str(caught.value)
    for known in describe_models():
        assert known.name in str(caught.value)
    assert "hand over an embedder" in str(caught.value)


@pytest.mark.parametrize(("given", "model"), [(None, defaults.MODEL), (None, None), (ones, "openai:x")])
def test_a_base_url_for_nothing(given: Any, model: str | None) -> None:
    with pytest.raises(InvalidArgument, match="base_url is for models behind"):
        resolve_embedder(given, model=model, dimensions=2, base_url="http://localhost/v1")


def test_the_models_with_weights_have_dimensions() -> None:
    found = {model.name: model.dimensions for model in describe_models()}
    assert found[defaults.MODEL] == defaults.DIMENSIONS
    assert found["minilm/all_minilm_l6_v2_int8"] == 384


@pytest.mark.parametrize(
    ("missing", "model", "extra"),
    [
        ("tokenizers", defaults.MODEL, "wordllama"),
        ("safetensors", defaults.MODEL, "wordllama"),
        ("onnxruntime", "minilm/all_minilm_l6_v2_int8", "minilm"),
        ("httpx", "ollama:nomic", "http"),
        ("sentence_transformers", "st:demo", "sentence-transformers"),
    ],
)
def test_a_missing_library_is_named_with_its_extra(missing: str, model: str, extra: str) -> None:
    program = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from docgraph.errors import InvalidArgument\n"
        "from docgraph.ingest.embedding import resolve_embedder\n"
        f"try: resolve_embedder(None, model={model!r}, dimensions=None if '/' in {model!r} else 3)\n"
        "except InvalidArgument as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert f"needs the package {missing}, which is not installed" in run.stdout
    assert f"pip install 'docgraph[{extra}]'" in run.stdout
    assert model in run.stdout


def test_a_missing_file_or_package_is_named() -> None:
    with pytest.raises(InvalidArgument, match=r"no such file.*\n.*docgraph\[demo\]"):
        packages.file_of("docgraph", "weights/none.bin", "demo", "The model demo")
    with pytest.raises(InvalidArgument, match=r"package no_such_package, which is not installed"):
        packages.file_of("no_such_package", "weights.bin", "demo", "The model demo")
    assert (
        packages.file_of("docgraph", "py.typed", "demo", "The model demo").parent
        == Path(packages.__file__).parents[2]
    )
