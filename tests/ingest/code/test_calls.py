"""Who calls whom, as far as names tell."""

from __future__ import annotations

import pytest

from tests.ingest.code.trees import module, read

CASES = {
    "local before module": (
        """
        def f(): pass
        def g():
            def f(): pass
            f()
        """,
        {("g", "g.f")},
    ),
    "function around": (
        """
        def g():
            def f(): pass
            def h():
                return lambda x: [f() for _ in x]
        """,
        {("g.h", "g.f")},
    ),
    "a class is no scope for its methods": (
        """
        def f(): pass
        class A:
            def f(self): pass
            def g(self): f()
            x = f()
        """,
        {("A.g", "f"), ("A", "A.f")},
    ),
    "a parameter hides": ("def f(): pass\ndef g(f): f()\n", set()),
    "a parameter of a lambda hides": ("def f(): pass\ng = lambda f: f()\n", set()),
    "a variable of a comprehension hides": ("def f(): pass\nx = [f() for f in ()]\n", set()),
    "a local variable hides": ("def f(): pass\ndef g():\n    f = x\n    f()\n", set()),
    "not where it is global": (
        "def f(): pass\ndef g():\n    global f\n    f = f()\n",
        {("g", "f")},
    ),
    "a function that is made global": (
        """
        def setup():
            global made
            def made(): pass
        def g(): made()
        """,
        {("g", "setup.made")},
    ),
    "a name that is made global": (
        """
        made = None
        def f(): pass
        def setup():
            global made
            made = f
        def g(): made()
        """,
        {("g", "f")},
    ),
    "a function that is made in the function around": (
        """
        def g():
            made = None
            class A:
                made = len
                def setup(self):
                    nonlocal made
                    def made(): pass
            made()
        """,
        {("g", "g.A.setup.made")},
    ),
    "nonlocal before the name is bound": (
        """
        def g():
            def setup():
                nonlocal made
                def made(): pass
                made()
            made = None
        """,
        set(),
    ),
    "methods of self": (
        """
        class A:
            def f(self): self.g(); self.h(); self.x.y()
            def g(self): pass
        """,
        {("A.f", "A.g")},
    ),
    "self in a function inside": (
        """
        class A:
            def f(self):
                def inner(): self.g()
            def g(self): pass
        """,
        {("A.f.inner", "A.g")},
    ),
    "methods of cls, and its instances": (
        """
        class A:
            @classmethod
            def f(cls): cls.g(); cls().h()
            @staticmethod
            def g(self): self.h()
            def h(self): pass
        """,
        {("A.f", "A.g"), ("A.f", "A.h"), ("A.f", "A")},
    ),
    "methods of bases": (
        """
        class A:
            def f(self): pass
        class B(A):
            def g(self): self.f(); A.f(self)
        class C(B[int]):
            def f(self): super().f(); super(C, self).g()
        """,
        {("B.g", "A.f"), ("C.f", "A.f"), ("C.f", "B.g")},
    ),
    "the nearer base of a diamond": (
        """
        class A:
            def f(self): pass
        class B(A): pass
        class C(A):
            def f(self): pass
        class D(B, C):
            def g(self): self.f()
        """,
        {("D.g", "C.f")},
    ),
    "what a class has of its own is not looked for above": (
        """
        class A:
            def f(self): pass
        class B(A):
            f = make()
            def g(self): self.f()
        """,
        set(),
    ),
    "a new object": (
        """
        class A:
            def f(self): pass
        def g(): A().f()
        def h():
            a = A()
            a.f()
        """,
        {("g", "A"), ("g", "A.f"), ("h", "A")},
    ),
    "aliases": ("def f(): pass\ng = f\nh = g\nclass A:\n    k = h\n    x = k()\n", {("A", "f")}),
    "an alias of itself": ("f = f\nf()\na = b\nb = a\na()\n", set()),
    "bases of themselves": ("class A(A.B, B): pass\nclass B(A): pass\nA().x()\n", {("", "A")}),
    "decorators and defaults stand in the text of the function": (
        """
        def f(): pass
        def deco(*a): pass
        @deco
        @deco(1)
        def g(x=f(), *, y: deco(2) = 1): pass
        """,
        {("g", "deco"), ("g", "f")},
    ),
    "a module calls too": ("def f(): pass\nif f(): f()\n", {("", "f")}),
    "the last definition counts": (
        """
        @overload
        def f(x: int): ...
        @overload
        def f(x: str): ...
        def f(x): pass
        def g(): f(1)
        """,
        {("g", "f#3")},
    ),
    "a definition counts more than what cannot be told": (
        "def f(): pass\nf = cache(f)\ndef g(): f()\n",
        {("g", "f")},
    ),
    "recursion is no relationship": ("def f(): f()\n", set()),
    "calls in calls": ("def f(): pass\ndef g(): pass\nx = f(g(f))(g).h[g()]\n", {("", "f"), ("", "g")}),
    "handing over is no call": ("def f(): pass\nx = map(f, [])\n", set()),
    "match, with and except bind": (
        """
        def f(): pass
        def g(x):
            match x:
                case [f, *_]: f()
        def h():
            with x as f: f()
        def k():
            try: pass
            except E as f: f()
        """,
        set(),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_calls_in_one_module(name: str) -> None:
    text, expected = CASES[name]
    assert module(text).pairs("calls") == expected


TREE = {
    "pkg/__init__.py": "from .core import run\nfrom . import tools as kit\nfrom .star import *\n",
    "pkg/core.py": "def run(): pass\nclass Engine:\n    def start(self): pass\n",
    "pkg/tools.py": "from pkg.core import Engine as E\nclass Motor(E):\n    def go(self): self.start()\n",
    "pkg/star.py": "def shine(): pass\ndef _hidden(): pass\n",
    "pkg/sub/__init__.py": "",
    "pkg/sub/deep.py": "from ...pkg import core\nfrom .. import tools\nfrom ..core import run as r\n"
    "def f():\n    r(); tools.Motor(); core.run()\n",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    {
        "import pkg.core\npkg.core.run()": {"pkg/core.py::run"},
        "import pkg.core as c\nc.run(); c.Engine().start()": {
            "pkg/core.py::run",
            "pkg/core.py::Engine",
            "pkg/core.py::Engine.start",
        },
        "from pkg import run\nrun()": {"pkg/core.py::run"},
        "import pkg\npkg.kit.Motor.go(1)": {"pkg/tools.py::Motor.go"},
        "from pkg.tools import Motor\nMotor().start()": {"pkg/tools.py::Motor", "pkg/core.py::Engine.start"},
        "from pkg import shine, _hidden\nshine(); _hidden()": {"pkg/star.py::shine"},
        "from pkg.star import *\nshine(); _hidden()": {"pkg/star.py::shine"},
        "try:\n    from pkg.core import run\nexcept ImportError:\n    from os import run\nrun()": {
            "pkg/core.py::run"
        },
        "def f():\n    from pkg.core import run\n    run()\nrun()": {"pkg/core.py::run"},
        "import pkg.gone, pkgs\npkg.gone.f(); pkgs.f()": set(),
    }.items(),
)
def test_calls_of_other_modules(text: str, expected: set[str]) -> None:
    found = read({**TREE, "main.py": text})
    assert {to for of, _, to in found.edges("calls") if of.startswith("main.py")} == expected


def test_relative_imports() -> None:
    calls = {to for of, _, to in read(TREE).edges("calls") if of == "pkg/sub/deep.py::f"}
    # The tree does not hold what is above pkg.
    assert calls == {"pkg/core.py::run", "pkg/tools.py::Motor"}


def test_inherits() -> None:
    found = read(
        {
            **TREE,
            "main.py": "import pkg\nclass A(pkg.kit.Motor, Generic[T]): pass\nclass B(A[int], x()): pass\n",
        }
    )
    assert found.edges("inherits") == {
        ("pkg/tools.py::Motor", "inherits", "pkg/core.py::Engine"),
        ("main.py::A", "inherits", "pkg/tools.py::Motor"),
        ("main.py::B", "inherits", "main.py::A"),
    }


def test_what_cannot_be_told_is_counted() -> None:
    found = module(
        "def f(): pass\nf()\nf()\nlen('')\n''.join(x)\nimport os\nos.getcwd().x()\nf().y()\nz = 1\nz.w()\n"
    )
    (note,) = found.notes
    assert note.startswith(
        "Calls in Python: 3 lead to something in this tree, 4 to builtins and libraries, 2 to"
    )


def test_evidence_is_where_it_is_first_said() -> None:
    found = module("def f(): pass\ndef g():\n    x = 1 + f(\n        2,\n    )\n    f()\n")
    (link,) = [each for each in found.nodes["m.py::g"].links if each.relation_type == "calls"]
    assert link.evidence == "x = 1 + f( 2, )"
