"""Whether something is done in the event loop's thread, where everybody else would wait for it."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")


async def beside_the_loop(work: Awaitable[T], *functions: Callable[..., Any]) -> T:
    """What `work` comes to; none of these functions may be called in this thread meanwhile."""
    codes, here = {function.__code__ for function in functions}, list[str]()

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code in codes:
            here.append(frame.f_code.co_name)

    sys.setprofile(watch)  # of this thread alone, which is the loop's
    try:
        result = await work
    finally:
        sys.setprofile(None)
    assert here == []
    return result
