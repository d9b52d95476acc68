"""Which embedder is meant: the one given, or the one that the name of a model calls for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from docgraph import defaults
from docgraph.errors import DocgraphError, InvalidArgument, UnknownModel
from docgraph.ingest.embedding import minilm, wordllama
from docgraph.ingest.embedding.function import CallableEmbedder, Vectors
from docgraph.ingest.embedding.openai import OLLAMA, OPENAI, OpenAIEmbedder
from docgraph.ingest.embedding.sentence_transformer import SentenceTransformerEmbedder
from docgraph.ingest.types import Embedder


@dataclass(frozen=True, slots=True)
class Model:
    """A model, or a family of them, that a name is enough for."""

    name: str
    dimensions: int | None
    """None: to be given."""
    description: str


_MODELS = (
    Model(
        defaults.MODEL,
        defaults.DIMENSIONS,
        "the default: offline, thousands of chunks a second; extra wordllama",
    ),
    Model(minilm.NAME, minilm.DIMENSIONS, "offline, finds more, many times slower; extra minilm"),
    Model("openai:MODEL", None, "an endpoint that speaks as OpenAI's does, at base_url; extra http"),
    Model("ollama:MODEL", None, f"Ollama, at {OLLAMA} if nothing else is said; extra http"),
    Model(
        "sentence-transformers:MODEL",
        None,
        "a model of the Hugging Face Hub, or a folder, also as st:MODEL; extra sentence-transformers",
    ),
)
_FROM_THE_HUB = frozenset({"sentence-transformers", "st"})

HAND_IT_OVER = "For any other, hand over an embedder or a function as `embedder`."
WAY_BACK = (
    "As long as nothing is stored, the database can be given another model: "
    f"docgraph init --embedding-model {defaults.MODEL} --dimensions {defaults.DIMENSIONS}; "
    "later docgraph reembed, with the same options, makes new vectors."
)


def describe_models() -> tuple[Model, ...]:
    """What `resolve_embedder` knows by name."""
    return _MODELS


def resolve_embedder(
    given: Embedder | Callable[[list[str]], Vectors] | None,
    *,
    model: str | None,
    dimensions: int | None,
    base_url: str | None = None,
) -> Embedder:
    """An embedder for the recorded `model` and `dimensions`; either None if nothing is recorded.

    An embedder that is given must be of that model: vectors of two models cannot be compared. A function that
    is given is taken for that model. Otherwise the name of the model says it; no name is the offline default.
    """
    if base_url is not None and (given is not None or _family(model or "") not in {"openai", "ollama"}):
        raise InvalidArgument(
            "base_url is for models behind an HTTP endpoint only.",
            hint="Name the model openai:MODEL or ollama:MODEL, or leave base_url out.",
        )
    found = _from(given, model, dimensions) if given is not None else _named(model, dimensions, base_url)
    if model is not None and found.name != model:
        raise InvalidArgument(
            f"The embedder is of the model {found.name}, not of {model}.",
            hint="Vectors of two models cannot be compared. Give an embedder of the model that is recorded.",
        )
    if dimensions is not None:
        _refuse_others(found.name, found.dimensions, dimensions)
    return found


def why_unresolved(model: str, dimensions: int) -> str | None:
    """Why there is no embedder for the model on this machine, and what to do; None if there is one, or who
    knows.

    Models of the Hub are not looked at: they would be downloaded.
    """
    if _family(model) in _FROM_THE_HUB:
        return None
    try:
        resolve_embedder(None, model=model, dimensions=dimensions)
    except UnknownModel as error:
        return error.message  # its hint has all the models there are
    except DocgraphError as error:
        return f"{error.message} {error.hint or ''}".strip()
    return None


def refuse_wrong_dimensions(model: str, dimensions: int) -> None:
    """Of a model whose dimensions are known, whether it is installed or not."""
    for known in _MODELS:
        if known.name == model and known.dimensions is not None:
            _refuse_others(model, known.dimensions, dimensions)


def _refuse_others(model: str, has: int, dimensions: int) -> None:
    if has != dimensions:
        raise InvalidArgument(
            f"The model {model} has {has} dimensions, not {dimensions}.",
            hint="Give the dimensions that the model has, or another model.",
        )


def _from(given: object, model: str | None, dimensions: int | None) -> Embedder:
    # A class of embedders has all that an embedder has, and is also a function.
    if not isinstance(given, type):
        if isinstance(given, Embedder):
            return given
        if callable(given):
            if model is None or dimensions is None:
                raise InvalidArgument(
                    "A function does not say of which model it is.",
                    hint="Give model and dimensions too, or a CallableEmbedder.",
                )
            return CallableEmbedder(given, model, dimensions)
    raise InvalidArgument(
        f"A {given.__name__ if isinstance(given, type) else type(given).__name__} is no embedder.",
        hint="Give an object with name, dimensions, embed_documents, embed_query and count_tokens, "
        "or a function from a list of texts to a list of vectors.",
    )


def _named(model: str | None, dimensions: int | None, base_url: str | None) -> Embedder:
    model = defaults.MODEL if model is None else model
    if model == defaults.MODEL:
        return wordllama.WordLlamaEmbedder()
    if model == minilm.NAME:
        return minilm.MiniLMEmbedder()
    family, name = _family(model), model.partition(":")[2]
    if family in _FROM_THE_HUB and name:
        return SentenceTransformerEmbedder(name, dimensions, name=model)
    if family in {"openai", "ollama"} and name:
        if dimensions is None:
            raise InvalidArgument(
                f"How many dimensions has the model {model}?",
                hint="Give dimensions: an endpoint does not say.",
            )
        if family == "ollama":
            # Without the key in OPENAI_API_KEY, which is none of its business.
            return OpenAIEmbedder(name, dimensions, base_url or OLLAMA, name=model, api_key="")
        # The only family of OpenAI's models that can be shortened, and has to be told.
        shortened = name.startswith("text-embedding-3-")
        return OpenAIEmbedder(name, dimensions, base_url or OPENAI, name=model, send_dimensions=shortened)
    known = "\n".join(f"  {known.name}: {known.description}" for known in _MODELS)
    raise UnknownModel(
        f"There is no embedding model {model!r} here.",
        hint=f"Known by name are\n{known}\n{HAND_IT_OVER}\n{WAY_BACK}",
    )


def _family(model: str) -> str:
    return model.partition(":")[0] if ":" in model else ""
