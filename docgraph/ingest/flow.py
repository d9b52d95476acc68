"""How the long jobs are written once for both clients.

A flow is a generator. It yields what must be done for it, a request for the database or work for this
process, and is sent the result, or thrown the error. The blocking client does each step at once; the async
one awaits it, work in a thread. Neither decides anything.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from docgraph.calling import Request

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Work:
    """Something that may take time, or that user code does. What it returns may be awaitable."""

    do: Callable[[], Any]


Step: TypeAlias = Request[Any] | Work
Flow: TypeAlias = Generator[Step, Any, T]


def drive(flow: Flow[T], run: Callable[[Request[Any]], Any]) -> T:
    """Takes a flow to its end."""
    try:
        step = next(flow)
        while True:
            try:
                result = run(step) if isinstance(step, Request) else _finished(step.do())
            except Exception as error:  # the flow decides
                step = flow.throw(error)
            else:
                step = flow.send(result)
    except StopIteration as end:
        found: T = end.value
        return found
    finally:
        flow.close()


async def drive_async(flow: Flow[T], run: Callable[[Request[Any]], Awaitable[Any]]) -> T:
    """As `drive`."""
    try:
        step = next(flow)
        while True:
            try:
                if isinstance(step, Request):
                    result = await run(step)
                else:
                    result = await asyncio.to_thread(step.do)
                    if inspect.isawaitable(result):
                        result = await result
            except StopIteration as error:
                raise RuntimeError("a step of a flow raised StopIteration") from error
            except Exception as error:  # the flow decides
                step = flow.throw(error)
            else:
                step = flow.send(result)
    except StopIteration as end:
        found: T = end.value
        return found
    finally:
        flow.close()


def _finished(result: Any) -> Any:
    return asyncio.run(_awaited(result)) if inspect.isawaitable(result) else result


async def _awaited(result: Awaitable[T]) -> T:
    return await result
