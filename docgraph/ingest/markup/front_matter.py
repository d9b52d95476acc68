"""Front matter: YAML between lines of ---, TOML between lines of +++, at the very start of a text."""

from __future__ import annotations

import datetime
import math
import re
import tomllib
from collections.abc import Hashable, Mapping
from typing import Any

import yaml

LIMIT = 65_536
"""Characters. What configures a document is short; what is longer is an accident or an attack."""

_FENCES = {"---": r"(?:---|\.\.\.)", "+++": r"\+\+\+"}
_KEYS = {
    "---": re.compile(r"(?:#.*\n)*[\"']?[\w-]+[\"']?[ \t]*:(?:\s|$)"),
    "+++": re.compile(r"(?:#.*\n)*(?:\[[ \t]*\w|[\"']?[\w-]+[\"']?[ \t]*=)"),
}
"""What such a block begins with."""
_OPENING = re.compile(r"(---|\+\+\+)[ \t]*(?:\n|\Z)")
_NOTHING = re.compile(r"(?:[\s\ufeff\u200b-\u200d\u2060]++|<!--.*?-->)*+", re.DOTALL)
_FENCE = re.compile(r"(?:---|\+\+\+)[ \t]*\Z")
_ACCESS = re.compile(
    r"\s*(?:[\"']?access[\"']?[ \t]*(?::[ \t]*(?:[\[{#]|\Z)|=[ \t]*[\[{]|\.\w+[ \t]*=)|\[[ \t]*access\b)"
)
_PART = re.compile(r"\Z|\s|#|-(?: |\Z)|[\[\]{}]|[\"']?\w[^:=]*+[:=]")
"""A line of a block: blank, a comment, more of the line before it, an entry, `key: value`."""


def split_front_matter(text: str, *, strict: bool = True) -> tuple[dict[str, object], int]:
    """What it says, and where the text after it begins. ValueError if it cannot be read.

    Not `strict`: a line of --- that no `key:` follows is the author's, an overline in reST for one.
    """
    opening = _OPENING.match(text)
    restricts = _restricting_line(text, 0)
    if opening is None or not (strict or restricts or _begins(text, opening)):
        _refuse_unheard(restricts)
        return {}, 0
    closing = re.compile(rf"^{_FENCES[opening[1]]}[ \t]*(?:\n|\Z)", re.MULTILINE)
    found = closing.search(text, opening.end())
    if found is None:
        if restricts or _begins(text, opening):
            # It may say who may see the document: never to be passed over.
            raise ValueError(f"front matter: no line {opening[1]} ends it")
        return {}, 0  # a line across the page
    block = text[opening.end() : found.start()]
    if len(block) > LIMIT:
        raise ValueError(f"front matter: {len(block)} characters, more than the limit of {LIMIT}")
    _refuse_unheard(_restricting_line(text, found.end()) if block.strip() else restricts)
    try:
        said = _yaml(block) if opening[1] == "---" else _toml(block)
        return {key: _plain(value, key) for key, value in said.items()}, found.end()
    except RecursionError:
        raise ValueError("front matter: nested too deeply") from None


def _begins(text: str, opening: re.Match[str]) -> bool:
    return _KEYS[opening[1]].match(text, opening.end()) is not None


def _restricting_line(text: str, start: int) -> int:
    """The line, from 1, in which something like front matter says who may see the document, or 0.

    Blanks and comments may stand before it: whoever wrote it does not see that they keep it from being heard.
    """
    at = found.end() if (found := _NOTHING.match(text, start)) else start
    fenced = False
    for number, line in enumerate(text[at : at + LIMIT].split("\n"), text.count("\n", 0, at) + 1):
        if _FENCE.match(line):
            fenced = True
        elif fenced and _ACCESS.match(line):
            return number
        elif not (fenced and _PART.match(line)):
            break
    return 0


def _refuse_unheard(line: int) -> None:
    if line:
        raise ValueError(
            f"front matter: access in line {line} is not heard. There is one block, and it begins with the"
            " first character of the file: move it there"
        )


def _yaml(block: str) -> dict[str, Any]:
    try:
        said = yaml.load(block, Loader=_Loader)  # noqa: S506 - a SafeLoader that takes still less
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        # Line 1 is the --- itself.
        where = f"front matter, line {mark.line + 2}" if mark else "front matter"
        raise ValueError(f"{where}: {error.problem or error.context or 'no YAML'}") from None
    except yaml.YAMLError as error:
        reason = str(getattr(error, "reason", error))
        raise ValueError(f"front matter: {reason}") from None
    if said is None:
        return {}
    if not isinstance(said, dict):
        raise ValueError("front matter, line 2: not of the form `key: value`")
    return {str(key): value for key, value in said.items()}


def _toml(block: str) -> dict[str, Any]:
    try:
        return tomllib.loads(block)
    except tomllib.TOMLDecodeError as error:
        said = re.sub(r"at line (\d+)", lambda found: f"at line {int(found[1]) + 1}", str(error))
        raise ValueError(f"front matter: {said}") from None


def _plain(value: object, key: str) -> object:
    """As JSON has it, so that it can be stored."""
    match value:
        case list():
            return [_plain(entry, key) for entry in value]
        case dict():
            return {str(_plain(name, key)): _plain(entry, key) for name, entry in value.items()}
        case datetime.date() | datetime.time():  # a datetime is a date
            return value.isoformat()
    if not _is_storable(value):
        raise ValueError(f"front matter: the value of {key!r} cannot be stored; write it as a text")
    return value


def _is_storable(value: object) -> bool:
    match value:
        case bool() | None:
            return True
        case int():
            return abs(value) < 2**63
        case float():
            return math.isfinite(value)
        case str():
            return re.search("[\0\ud800-\udfff]", value) is None
        case _:
            return False


class _Loader(yaml.SafeLoader):
    """YAML without aliases (a few lines of them unfold to gigabytes), and every key once."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()  # type: ignore[no-untyped-call]  # PyYAML's own
            raise yaml.composer.ComposerError(
                None, None, "aliases (*name) are not accepted", event.start_mark
            )
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:  # noqa: FBT001, FBT002 - as PyYAML calls it
        seen = set()
        for name, _ in node.value:
            key = self.construct_object(name, deep=True)
            if not isinstance(key, Hashable) or str(key) in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {name.value!r} is there twice", name.start_mark
                )
            seen.add(str(key))
        return super().construct_mapping(node, deep)


def _scalar(loader: _Loader, node: yaml.ScalarNode) -> object:
    """Dates and numbers that do not exist are refused with their line, not with a bare ValueError."""
    constructors: Mapping[str | None, Any] = yaml.SafeLoader.yaml_constructors
    try:
        return constructors[node.tag](loader, node)
    except (ValueError, AttributeError, KeyError, TypeError, OverflowError):
        kind = node.tag.rpartition(":")[2]
        problem = f"{node.value[:40]!r} cannot be read as {kind}; write it in quotes"
        raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark) from None


# As YAML 1.2 has it. By the older rules 0012 is ten, 12:30 is 750, and Norway (no) is false.
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith((":int", ":bool", ":float"))]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _tag, _pattern, _first in (
    ("bool", r"(?:true|True|TRUE|false|False|FALSE)\Z", "tTfF"),
    ("int", r"(?:[-+]?(?:0|[1-9][0-9]*))\Z", "-+0123456789"),
    (
        "float",
        r"[-+]?(?:(?:0|[1-9][0-9]*)?\.[0-9]+|(?:0|[1-9][0-9]*)\.)(?:[eE][-+]?[0-9]+)?\Z",
        "-+.0123456789",
    ),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), list(_first))
for _name in ("bool", "int", "float", "timestamp"):
    _Loader.add_constructor(f"tag:yaml.org,2002:{_name}", _scalar)
