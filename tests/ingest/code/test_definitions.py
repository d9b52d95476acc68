"""One node for each module, class and function: its id, its name, its own text."""

from __future__ import annotations

import pytest

from docgraph.ingest.code.steps import NodeParser, NodeSplitter
from docgraph.ingest.splitting import TextSplitter
from docgraph.ingest.types import Parsed, Piece
from tests.ingest.code.trees import Graph, module, read

SOURCE = '''\
"""Shapes.

More about them.
"""

import math
from typing import overload

UNIT = 1.0


# The first of them.
@register
class Shape(Base, metaclass=Meta):
    """What has an area."""

    sides: int = 0

    class Corner:
        angle = 90

    def area(
        self,
        scale: float = 1.0,  # not: in percent
        *,
        unit: "dict[str, int]" = {},
    ) -> float:
        """How large
        it is.

        Always."""
        def square(x):
            return x * x

        return square(scale)

    @property
    def name(self): return "a"

    @name.setter
    def name(self, value): self._name = value


if math.pi > 3:
    def turn(): return 1
else:
    def turn(): return 2


async def main(): pass


RATIO = 2
'''
ALL = [
    "m.py",
    "m.py::Shape",
    "m.py::Shape.Corner",
    "m.py::Shape.area",
    "m.py::Shape.area.square",
    "m.py::Shape.name",
    "m.py::Shape.name#2",
    "m.py::turn",
    "m.py::turn#2",
    "m.py::main",
]


@pytest.fixture
def shapes() -> Graph:
    return module(SOURCE)


def test_ids_and_types(shapes: Graph) -> None:
    assert list(shapes.nodes) == ALL
    types = {node.id: (node.doc_type, node.metadata["kind"]) for node in shapes.nodes.values()}
    assert types["m.py"] == ("module", "module")
    assert types["m.py::Shape.Corner"] == ("class", "class")
    assert types["m.py::Shape.area"] == ("function", "method")
    assert types["m.py::Shape.area.square"] == types["m.py::main"] == ("function", "function")


def test_titles_are_dotted_names_without_numbers(shapes: Graph) -> None:
    assert shapes.nodes["m.py::Shape.area.square"].title == "m.Shape.area.square"
    assert shapes.nodes["m.py::Shape.name#2"].title == "m.Shape.name"
    assert list(shapes.nodes["m.py::turn#2"].names) == ["m.turn"]


def test_contains(shapes: Graph) -> None:
    assert shapes.edges("contains") == {
        *(("m.py", "contains", f"m.py::{name}") for name in ("Shape", "turn", "turn#2", "main")),
        *(
            ("m.py::Shape", "contains", f"m.py::Shape.{name}")
            for name in ("Corner", "area", "name", "name#2")
        ),
        ("m.py::Shape.area", "contains", "m.py::Shape.area.square"),
    }


def test_lines(shapes: Graph) -> None:
    lines = SOURCE.split("\n")
    first, last = (
        lines.index("@register") + 1,
        lines.index("    def name(self, value): self._name = value") + 1,
    )
    assert shapes.nodes["m.py::Shape"].metadata["lines"] == [first, last]
    assert shapes.nodes["m.py"].metadata["lines"] == [1, SOURCE.count("\n")]


def test_a_module_has_its_docstring_and_its_statements(shapes: Graph) -> None:
    assert shapes.nodes["m.py"].text == (
        '"""Shapes.\n\nMore about them.\n"""\n\nimport math\nfrom typing import overload\n\nUNIT = 1.0\n\n\n'
        "# The first of them.\n"
        "if math.pi > 3:\n    def turn(): ...\nelse:\n    def turn(): ...\n"
        "RATIO = 2"
    )


def test_a_class_has_a_line_for_each_definition_in_it(shapes: Graph) -> None:
    assert shapes.nodes["m.py::Shape"].text == (
        '@register\nclass Shape(Base, metaclass=Meta):\n    """What has an area."""\n\n    sides: int = 0\n'
        "    class Corner: ...\n"
        '    def area(self, scale: float = 1.0, *, unit: "dict[str, int]" = {}) -> float: ...\n'
        "    def name(self): ...\n    def name(self, value): ..."
    )


def test_a_function_has_its_source(shapes: Graph) -> None:
    text = shapes.nodes["m.py::Shape.area"].text
    assert text.startswith("    def area(\n        self,\n")
    assert text.endswith("        def square(x): ...\n        return square(scale)")
    assert shapes.nodes["m.py::Shape.area.square"].text == (
        "        def square(x):\n            return x * x"
    )
    assert shapes.nodes["m.py::Shape.name#2"].text.startswith("    @name.setter\n")
    assert shapes.nodes["m.py::main"].text == "async def main(): pass"


def test_summaries(shapes: Graph) -> None:
    summaries = {node.id: node.summary for node in shapes.nodes.values()}
    assert summaries["m.py"] == "Shapes."
    assert summaries["m.py::Shape.area"] == "How large it is."
    assert summaries["m.py::Shape.Corner"] == "class Corner"
    assert summaries["m.py::Shape.name#2"] == "def name(self, value)"
    assert summaries["m.py::main"] == "async def main()"
    assert module("def f(): pass\nclass A: pass\ndef f(): pass\n").nodes["m.py"].summary == "module m: f, A"
    assert read({"p/__init__.py": ""}).nodes["p/__init__.py"].summary == "package p"


def test_a_docstring_of_any_characters_is_storable() -> None:
    summary = module('"""A\\0B \\ud800C\n\nMore."""\n').nodes["m.py"].summary
    assert summary == "AB C"


@pytest.mark.parametrize("size", [90, 200, 1200])
def test_pieces_know_their_place_in_the_file(shapes: Graph, size: int) -> None:
    for node in shapes.nodes.values():
        pieces = NodeSplitter(TextSplitter(size)).split(NodeParser().parse(node.to_raw()))
        assert pieces, node.id
        for piece in pieces:
            assert piece.section_path == (node.title,)
            written = SOURCE[piece.start : piece.end]
            # One line stands for a definition that is left out; the rest is as it was written.
            own = [line.strip() for line in piece.text.split("\n") if not line.endswith(": ...")]
            assert all(line in written for line in own), (piece, written)
            assert ": ..." in piece.text or len(piece.text) <= len(written)


def test_a_part_of_a_line_that_stands_for_a_definition_is_where_the_definition_is(shapes: Graph) -> None:
    pieces = NodeSplitter(TextSplitter(40)).split(NodeParser().parse(shapes.nodes["m.py::Shape"].to_raw()))
    (cut,) = [piece for piece in pieces if piece.text.lstrip().startswith("def area(")]
    assert not cut.text.endswith("...")
    written = SOURCE[cut.start : cut.end]
    assert written.startswith("    def area(\n")
    assert written.endswith("return square(scale)\n")


@pytest.mark.parametrize(
    ("header", "signature"),
    [
        ("def f(a, *, b: int = {1: 2}[1]) -> set[int]: pass", "def f(a, *, b: int = {1: 2}[1]) -> set[int]"),
        ("def f(  # a: b\n    a,\n    # c: d\n    b='):',\n): pass", "def f(a, b='):')"),
        ("def f(a=f'{1:>3} {{', b=lambda: 1): pass", "def f(a=f'{1:>3} {{', b=lambda: 1)"),
        ('def f(a="""x\ny""", *b) \\\n    -> None: pass', 'def f(a="""x y""", *b) -> None'),
        ("class f(\n    A, B[int],\n    metaclass=M,\n): pass", "class f(A, B[int], metaclass=M)"),
        ("class f: x: int = 1", "class f"),
        ("\x0cdef f(): pass", "def f()"),
    ],
)
def test_signatures(header: str, signature: str) -> None:
    assert module(header + "\n").nodes["m.py::f"].summary == signature


def test_long_ones_are_cut_where_a_line_ends() -> None:
    lines = [f"    step_{number} = compute({number})" for number in range(300)]
    node = module("def f():\n" + "\n".join(lines) + "\n").nodes["m.py::f"]
    pieces = NodeSplitter().split(NodeParser().parse(node.to_raw()))
    assert len(pieces) > 5
    assert "".join(piece.text for piece in pieces) == node.text == "\n".join(["def f():", *lines])
    assert [piece.start for piece in pieces[1:]] == [piece.end for piece in pieces[:-1]]
    assert all(piece.text.endswith("\n") for piece in pieces[:-1])


class Fixed:
    """Cuts where it is told."""

    def __init__(self, *spans: tuple[int, int]) -> None:
        self.spans = spans

    def split(self, parsed: Parsed) -> list[Piece]:
        return [Piece(parsed.text[start:end], start, end) for start, end in self.spans]


@pytest.mark.parametrize(
    ("text", "spans", "expected"),
    [
        ("  ab\n\n  cd \n", [(2, 4), (8, 10)], ["  ab\n\n", "  cd \n"]),
        ("ab cd", [(0, 2), (3, 5)], ["ab", " cd"]),
        ("ab cd ef", [(0, 5), (3, 8)], ["ab cd", "cd ef"]),
        ("ab cd ef", [(0, 2), (6, 8)], ["ab", "ef"]),
        ("ab" + "\n" * 1001 + "cd", [(0, 2), (1003, 1005)], ["ab", "cd"]),
        ("  \n", [], []),
    ],
)
def test_pieces_have_the_blanks_around_them(
    text: str, spans: list[tuple[int, int]], expected: list[str]
) -> None:
    node = read({"a.sql": text.encode()}).nodes["a.sql"]
    pieces = NodeSplitter(Fixed(*spans)).split(NodeParser().parse(node.to_raw()))
    assert [piece.text for piece in pieces] == expected
    assert [node.text[piece.start : piece.end] for piece in pieces] == expected


def test_a_name_may_be_bound_twice_in_different_ways() -> None:
    found = module("try:\n    class A: pass\nexcept E:\n    def A(): pass\nclass A: pass\n")
    assert [node.doc_type for node in found.nodes.values()] == ["module", "class", "function", "class"]
    assert list(found.nodes)[1:] == ["m.py::A", "m.py::A#2", "m.py::A#3"]


def test_titles_of_modules() -> None:
    paths = ["pkg/__init__.py", "pkg/sub/mod.py", "src/own/__init__.py", "src/own/a.py", "tools/run.py"]
    titles = [node.title for node in read(dict.fromkeys(paths, "")).nodes.values()]
    assert titles == ["pkg", "pkg.sub.mod", "own", "own.a", "tools.run"]
    titles = [
        n.title for n in read(dict.fromkeys(["__init__.py", "a/b.py"], ""), ("up", "pkg")).nodes.values()
    ]
    assert titles == ["up.pkg", "up.pkg.a.b"]


def test_the_order_of_files_does_not_matter() -> None:
    files = {"a.py": "from b import f\nf()\n", "b.py": "def f(): pass\n", "c.sql": "CREATE TABLE x.y ();"}
    there = read(files)
    back = read(dict(reversed(files.items())))
    assert [node.to_raw() for node in there.nodes.values()] == [node.to_raw() for node in back.nodes.values()]
