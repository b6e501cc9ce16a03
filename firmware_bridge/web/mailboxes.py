"""Notices kept for devices that poll, between one poll and the next."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from firmware_bridge.contracts import Notice

_KEPT_SECONDS = 30.0
_MOST_AT_ONCE = 16  # a reply must fit the memory of a microcontroller


T_co = TypeVar("T_co", covariant=True)


class Ear(Protocol[T_co]):
    async def next(self) -> T_co:
        """The oldest arrival, waiting for one. Safe to cancel."""


class Board(Protocol):
    def listen(self, device_id: str) -> AbstractContextManager[Ear[Notice]]: ...

    def heard_by(self) -> Collection[str]:
        """The devices that listen now."""

    def post(self, notice: Notice, device_id: str | None = None) -> int:
        """How many took it."""

    def give_back(self, notices: Iterable[Notice]) -> None:
        """Notices that a device left without."""


@dataclass
class _Mailbox:
    ear: Ear[Notice]
    stack: ExitStack
    end: asyncio.TimerHandle | None = None
    readers: int = 0
    given: list[Notice] = field(default_factory=list)  # by the newest poll; the next one shows that they arrived


class Mailboxes:
    """One for each device that polls; it goes when the device has not come back for a while."""

    def __init__(self, board: Board, closing: asyncio.Event, kept_seconds: float = _KEPT_SECONDS) -> None:
        self._board = board
        self._closing = closing
        self._kept_seconds = kept_seconds
        self._boxes: dict[str, _Mailbox] = {}

    async def collect(self, device_id: str, wait: float) -> list[Notice]:
        """What has come, in order; waits for the first up to `wait` seconds."""
        box = self._boxes.get(device_id) or self._open(device_id)
        box.readers += 1
        box.given = []
        if box.end is not None:
            box.end.cancel()
        try:
            return await self._collect(box, wait)
        except BaseException:
            self._board.give_back(box.given)
            raise
        finally:
            box.readers -= 1
            if not box.readers and device_id in self._boxes:
                box.end = asyncio.get_running_loop().call_later(self._kept_seconds, self._close, device_id)

    async def _collect(self, box: _Mailbox, wait: float) -> list[Notice]:
        found = box.given
        while len(found) < _MOST_AT_ONCE:
            notice = await next_arrival(box.ear, self._closing, 0.0 if found else wait)
            if notice is None:
                break
            found.append(notice)
        return found

    def drop(self, device_id: str) -> None:
        """The device's, which gives back what it has and what its newest poll took."""
        if device_id in self._boxes:
            self._close(device_id)

    def close(self) -> None:
        for device_id in list(self._boxes):
            self._close(device_id)

    def _open(self, device_id: str) -> _Mailbox:
        stack = ExitStack()
        box = _Mailbox(stack.enter_context(self._board.listen(device_id)), stack)
        self._boxes[device_id] = box
        return box

    def _close(self, device_id: str) -> None:
        box = self._boxes.pop(device_id)
        if box.end is not None:
            box.end.cancel()
        box.stack.close()
        self._board.give_back(box.given)


async def next_arrival(ear: Ear[T_co], closing: asyncio.Event, seconds: float | None = None) -> T_co | None:
    """The next; None when the companion closes, or none came in time."""
    coming, closed = asyncio.create_task(ear.next()), asyncio.create_task(closing.wait())
    try:
        await asyncio.wait({coming, closed}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        return coming.result() if coming.done() else None
    finally:
        coming.cancel()
        closed.cancel()
