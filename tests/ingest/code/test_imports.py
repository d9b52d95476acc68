"""Which module reads which."""

from __future__ import annotations

import pytest

from tests.ingest.code.trees import read

TREE = dict.fromkeys(
    ["a/__init__.py", "a/b.py", "a/c/__init__.py", "a/c/d.py", "src/own/__init__.py", "src/own/x.py"], ""
) | {"tools/run.py": "", "tools/helper.py": "", "names/space/m.py": "", "a/pub.py": "VALUE = 1\n"}


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("main.py", "import a", {"a/__init__.py"}),
        ("main.py", "import a.b, a.c.d as d", {"a/b.py", "a/c/d.py"}),
        ("main.py", "from a import b, c, nothing", {"a/b.py", "a/c/__init__.py", "a/__init__.py"}),
        ("main.py", "from a.pub import VALUE, other", {"a/pub.py"}),
        ("main.py", "from a.pub import *", {"a/pub.py"}),
        ("main.py", "import own.x\nfrom own import x", {"src/own/x.py"}),
        ("main.py", "from names.space import m\nimport names.space", {"names/space/m.py"}),
        ("main.py", "import os, a.gone, gone.a, helper", set()),
        ("main.py", "from . import a\nfrom .a import b", {"a/__init__.py", "a/b.py"}),
        ("main.py", "from .. import a", set()),
        ("tools/new.py", "import helper, a.b", {"tools/helper.py", "a/b.py"}),
        ("a/new.py", "import b\nfrom . import b as x", {"a/b.py"}),
        ("a/new.py", "from .c import d\nfrom .b import y", {"a/c/d.py", "a/b.py"}),
        ("a/c/new.py", "from .. import b\nfrom ..b import z\nfrom . import new", {"a/b.py"}),
        ("a/c/__init__.py", "from . import d\nfrom .d import e\nfrom .. import b", {"a/c/d.py", "a/b.py"}),
        ("src/own/new.py", "from own import x\nimport a.b", {"src/own/x.py", "a/b.py"}),
        ("main.py", "def f():\n    if x:\n        import a.b", {"a/b.py"}),
    ],
)
def test_imports(path: str, text: str, expected: set[str]) -> None:
    found = read({**TREE, path: text})
    assert found.problems == {}
    assert {to for of, _, to in found.edges("imports") if of == path} == expected


def test_a_root_that_is_a_package_itself() -> None:
    files = {
        "__init__.py": "",
        "x.py": "",
        "sub/y.py": "import json, pkg.x\nfrom up.pkg import x\nfrom .. import x\n",
    }
    assert read({**files, "json.py": ""}, ("up", "pkg")).edges("imports") == {
        ("sub/y.py", "imports", "x.py"),
    }
    assert read({**files, "json.py": ""}, ("pkg",)).edges("imports") == {("sub/y.py", "imports", "x.py")}


def test_two_packages_of_one_name_cannot_be_told_apart() -> None:
    files = {
        "one/p/__init__.py": "",
        "two/p/__init__.py": "",
        "two/p/m.py": "import p\n",
        "main.py": "import p\n",
    }
    assert read(files).edges("imports") == {("two/p/m.py", "imports", "two/p/__init__.py")}


def test_a_stub_stands_behind_its_module() -> None:
    files = {"m.py": "def f(): pass\n", "m.pyi": "def f() -> None: ...\n", "main.py": "import m\nm.f()\n"}
    found = read(files)
    assert {"m.py::f", "m.pyi::f"} < set(found.nodes)
    assert found.edges("imports", "calls") == {
        ("main.py", "imports", "m.py"),
        ("main.py", "calls", "m.py::f"),
    }
