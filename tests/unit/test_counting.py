"""Counting tokens in another thread, and its end."""

from __future__ import annotations

import asyncio
import threading

import pytest

from firmware_bridge.web.counting import tokens_of


async def test_it_counts_all_of_them() -> None:
    assert await tokens_of(["one", "two words"], lambda text: len(text.split())) == 3
    assert await tokens_of([], len) == 0


async def test_the_event_loop_goes_on_meanwhile_and_who_leaves_waits_for_the_end() -> None:
    begun, may_end, ended = threading.Event(), threading.Event(), threading.Event()

    def count(text: str) -> int:
        begun.set()
        may_end.wait()
        ended.set()
        return 1

    counting = asyncio.create_task(tokens_of(["text"], count))
    while not begun.is_set():
        await asyncio.sleep(0.001)
    counting.cancel()
    await asyncio.sleep(0)
    assert not counting.done()
    may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await counting
    assert ended.is_set()
