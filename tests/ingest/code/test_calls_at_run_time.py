"""A module whose every call has a name: what is read from its text is what happens when it runs."""

from __future__ import annotations

import sys
from textwrap import dedent
from types import CodeType, FrameType
from typing import Any

from tests.ingest.code.trees import module

TEXT = dedent(
    """\
    def leaf(): return 1
    def twice(): return leaf() + leaf()
    other = twice

    def outer():
        def leaf(): return 2
        def inner():
            nonlocal_leaf = leaf
            return nonlocal_leaf()
        return inner() + (lambda: leaf())()

    def numbers():
        yield from (other() for _ in range(2))

    class Base:
        unit = leaf()
        def __init__(self): self.start()
        def start(self): return leaf()
        def area(self): return self.side() * 2
        def side(self): return 1
        @classmethod
        def make(cls): return cls.build()
        @classmethod
        def build(cls): return cls()
        @staticmethod
        def plain(): return Base.helper()
        def helper(): return other()

    class Left(Base):
        def area(self): return super().area()

    class Right(Base):
        def area(self):
            def later(): return super(Right, self).area() + self.side()
            return later()

    class Both(Left, Right):
        def all(self): return self.area() + self.make().area()
        class Inner:
            def go(self): return leaf()
        def nested(self): return self.Inner().go()

    def main():
        if outer():
            twice()
        list(numbers())
        Base().area()
        Left().start()
        Right.area(Right())
        Both().all()
        Both().nested()
        Base.plain()
        Base.make()
        return [leaf() for _ in range(2)] and {leaf(): twice()}

    main()
    """
)
ONLY_WHEN_RUN = {
    # What an instance is made by calls its class, by its text.
    ("main", "Base.__init__"),
    ("Base.build", "Base.__init__"),
    # What comes next after Left, the class of the instance says: a Both. By the text it is the base.
    ("Left.area", "Right.area"),
}
ONLY_BY_THE_TEXT = {("Left.area", "Base.area")}


def _name(code: CodeType) -> str:
    """As ids have it: what stands in a lambda or a comprehension is in the function around."""
    return ".".join(part for part in code.co_qualname.split(".") if not part.startswith("<"))


def _calls_when_run() -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        back = frame.f_back
        if event == "call" and back and {frame.f_code.co_filename, back.f_code.co_filename} == {"m.py"}:
            found.add((_name(back.f_code), _name(frame.f_code)))

    before = sys.getprofile()
    compiled = compile(TEXT, "m.py", "exec")
    sys.setprofile(note)
    try:
        exec(compiled, {"__name__": "m"})
    finally:
        sys.setprofile(before)
    return found


def test_calls_are_those_that_happen() -> None:
    found = module(TEXT)
    functions = {node.id.partition("::")[2] for node in found.nodes.values() if node.doc_type == "function"}
    read = {(of, to) for of, to in found.pairs("calls") if to in functions}
    run = {(of, to) for of, to in _calls_when_run() if to in functions and of != to}
    assert run - read == ONLY_WHEN_RUN
    assert read - run == ONLY_BY_THE_TEXT
    assert len(read & run) > 20
