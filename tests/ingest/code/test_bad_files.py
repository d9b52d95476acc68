"""Source files that cannot be read, or hardly: each is a line in the report, and the others are in."""

from __future__ import annotations

import pytest

from docgraph.ingest.code.reading import CodeReader
from docgraph.ingest.code.resolving import Tree
from docgraph.ingest.code.scopes import Binding, Scope
from docgraph.ingest.code.values import Value
from docgraph.ingest.types import Problem, Raw
from tests.ingest.code.trees import Files, read

GOOD = {"good.py": "import bad\ndef f(): pass\n"}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"x = 1\ndef f(:\n", r"line 2: no Python that can be parsed: invalid syntax"),
        (b"print 'two'\n", r"line 1: no Python that can be parsed: Missing parentheses"),
        (b"def f():\nx\n", r"line 2: no Python that can be parsed: expected an indented block"),
        (b"x = 1\0", "contains NUL characters"),
        (b"\xff\xfex", "mark of utf-16-le"),
        (b"x = '\xe9\xff'\n", "its encoding cannot be told"),
        (b"x = " + b"-" * 200_000 + b"1\n", "nested too deeply to be read"),
        (b"x = " + b"(" * 5_000 + b")" * 5_000, "nested too deeply|too many nested parentheses"),
    ],
)
def test_a_bad_file_is_named_and_the_others_are_in(data: bytes, reason: str) -> None:
    import re

    found = read({**GOOD, "bad.py": data})
    assert list(found.problems) == ["bad.py"]
    assert re.search(reason, found.problems["bad.py"])
    assert list(found.nodes) == ["good.py", "good.py::f"]
    assert found.edges("imports") == set()


@pytest.mark.parametrize(
    "data",
    [
        "# coding: latin-1\ndef f():\n    'Gr\u00fc\u00dfe'\n".encode("latin-1"),
        "\ufeffdef f():\n    'Gr\u00fc\u00dfe'\n".encode(),
        "def f():\n    'Gr\u00fc\u00dfe'\n".encode("utf-16"),
        "def f():\r\n    'Gru\u0308\u00dfe'\r\n".encode(),
        "\x0cdef f():\n    'Gr\u00fc\u00dfe'\x0c\n\x0c\nx = 1\n".encode(),
    ],
)
def test_files_of_other_encodings(data: bytes) -> None:
    found = read({"m.py": data})
    assert found.problems == {}
    assert found.nodes["m.py::f"].summary == "Gr\u00fc\u00dfe"
    assert found.nodes["m.py::f"].text.lstrip("\x0c").startswith("def f():\n    'Gr\u00fc\u00dfe'")


def test_names_are_compared_as_python_does() -> None:
    found = read({"m.py": "def \ufb01le(): pass\nfile()\n"})
    assert found.edges("calls") == {("m.py", "calls", "m.py::file")}


def test_long_sums_and_chains_are_no_problem() -> None:
    branches = "if a: pass\n" + "".join(f"elif x == {number}: f()\n" for number in range(300))
    chain = "f()" + ".g()" * 300
    found = read({"m.py": f"def f(): pass\nx = {' + '.join(['f()'] * 300)}\n{branches}{chain}\n"})
    assert found.problems == {}
    assert found.edges("calls") == {("m.py", "calls", "m.py::f")}


def test_names_for_names_for_names() -> None:
    aliases = "".join(f"a{number + 1} = a{number}\n" for number in range(5_000))
    classes = "".join(f"class C{number + 1}(C{number}): pass\n" for number in range(2_000))
    first = "def a0(): pass\nclass C0:\n    def f(self): pass\n"
    found = read({"m.py": f"{first}{aliases}{classes}a9()\na5000()\nC500.f()\n"})
    assert found.problems == {}
    assert found.edges("calls") == {("m.py", "calls", "m.py::a0"), ("m.py", "calls", "m.py::C0.f")}


@pytest.mark.parametrize("last", ["len", "unknown()"])
def test_names_for_two_names_each_do_not_multiply(monkeypatch: pytest.MonkeyPatch, last: str) -> None:
    steps = []
    binding = Tree._binding

    def counted(tree: Tree, scope: Scope, each: Binding) -> Value:
        steps.append(each)
        return binding(tree, scope, each)

    monkeypatch.setattr(Tree, "_binding", counted)
    names = "".join(
        f"a{n} = a{n + 1}\nb{n} = a{n + 1}\na{n} = b{n + 1}\nb{n} = b{n + 1}\n" for n in range(200)
    )
    found = read({"m.py": f"{names}a200 = b200 = {last}\n" + "a0()\n" * 50 + "b0()\nx = a0.y\nx()\n"})
    assert found.problems == {}
    assert len(steps) < 50_000


def test_names_for_two_names_each_are_told() -> None:
    names = "".join(f"a{n} = a{n + 1}\na{n} = a{n + 1}\n" for n in range(20))
    found = read({"m.py": f"def a20(): pass\n{names}a0()\n"})
    assert found.edges("calls") == {("m.py", "calls", "m.py::a20")}


def test_names_that_are_handed_on_and_on() -> None:
    handed = {f"m{n}.py": f"from m{n + 1} import f\n" for n in range(500)} | {"m500.py": "def f(): pass\n"}
    stars = {f"s{n}.py": f"from s{n + 1} import *\nfrom t{n + 1} import *\n" for n in range(40)}
    stars |= {f"t{n}.py": stars[f"s{n}.py"] for n in range(40)} | {
        "s40.py": "from s0 import *\ndef g(): pass\n"
    }
    calls = "from m0 import f\nfrom m480 import f as near\nfrom s0 import *\nf()\nnear()\ng()\nlen(h())\n"
    found = read({**handed, **stars, "main.py": calls})
    assert found.problems == {}
    assert found.edges("calls") == {("main.py", "calls", "m500.py::f"), ("main.py", "calls", "s40.py::g")}


def test_a_hierarchy_of_many_diamonds_ends() -> None:
    classes = "".join(f"class A{n + 1}(A{n}): pass\nclass B{n + 1}(A{n}, B{n}): pass\n" for n in range(30))
    found = read({"m.py": f"class A0: pass\nclass B0:\n    def f(self): pass\n{classes}B30().f()\n"})
    assert ("m.py", "calls", "m.py::B30") in found.edges("calls")


def test_an_id_that_is_too_long() -> None:
    found = read({"m.py": f"def {'f' * 600}(): pass\ndef g(): pass\n"})
    assert list(found.nodes) == ["m.py", "m.py::g"]
    (reason,) = found.problems.values()
    assert reason == "its id has 606 bytes, more than 512: give it a shorter name"


def test_other_files_are_left_out_and_said() -> None:
    reader = CodeReader(Files({"README.md": "# A\n", "a.py": ""}))
    (problem, raw) = reader.read()
    assert isinstance(problem, Problem)
    assert isinstance(raw, Raw)
    assert (problem.path, problem.failed) == ("README.md", False)
    assert "neither Python nor SQL" in problem.reason
