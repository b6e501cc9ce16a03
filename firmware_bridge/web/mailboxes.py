"""Notices kept for devices that poll, between one poll and the next; reminders until they are known to have arrived."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from firmware_bridge.contracts import Notice, ReminderDue

_KEPT_SECONDS = 30.0
_PROMPT_SECONDS = 5.0  # who asks again so soon after an answer has not restarted meanwhile
_MOST_AGAIN, _MOST_AGAIN_UNASKED = 4, 1  # two devices of one name must not make a reminder ring for ever
_MOST_BOXES = 256
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


@dataclass(eq=False)
class Poll:
    """One poll and its answer. The device names `receipt` in its next one, if it can, to say that this one arrived."""

    receipt: str = field(default_factory=lambda: secrets.token_hex(4))
    notices: list[Notice] = field(default_factory=list)
    over: asyncio.Event = field(default_factory=asyncio.Event)  # a newer poll came, or the companion closes
    answered_at: float | None = None


@dataclass
class _Mailbox:
    ear: Ear[Notice]
    stack: ExitStack
    end: asyncio.TimerHandle | None = None
    readers: int = 0
    polls: list[Poll] = field(default_factory=list)  # whose answers are not known to have arrived
    given_back: Counter[int] = field(default_factory=Counter)  # how often, by reminder


class Mailboxes:
    """One for each device that polls; it goes when the device has not come back for a while.

    Reminders of an answer that did not arrive are given back. It arrived if the next poll has its receipt; of a device
    that gives none, if the next poll comes at once. With a later one they are told again, once: it may have restarted.
    """

    def __init__(
        self,
        board: Board,
        closing: asyncio.Event,
        kept_seconds: float = _KEPT_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._board = board
        self._closing = closing
        self._kept_seconds = kept_seconds
        self._clock = clock
        self._boxes: dict[str, _Mailbox] = {}

    async def collect(self, device_id: str, wait: float, receipt: str | None = None) -> Poll:
        """What has come, in order; waits for the first up to `wait` seconds. `receipt` is that of the answer which
        arrived last, "" for none yet; None of a device that knows no receipts.
        """
        box = self._boxes.get(device_id) or self._open(device_id)
        self._settle(box, receipt)
        poll = Poll()
        if self._closing.is_set():
            poll.over.set()
        box.polls.append(poll)
        box.readers += 1
        if box.end is not None:
            box.end.cancel()
        try:
            await self._fill(box, poll, wait)
        except BaseException:
            self.lost(device_id, poll)
            raise
        finally:
            poll.answered_at = self._clock()
            box.readers -= 1
            if not box.readers and self._boxes.get(device_id) is box:
                box.end = asyncio.get_running_loop().call_later(self._kept_seconds, self._close, device_id)
        return poll

    async def _fill(self, box: _Mailbox, poll: Poll, wait: float) -> None:
        """A poll whose device asks anew meanwhile takes nothing more, and waits to its end: were it answered at once,
        two clients of one name would make each other ask without a pause.
        """
        until = self._clock() + wait
        while len(poll.notices) < _MOST_AT_ONCE:
            notice = await next_arrival(box.ear, poll.over, 0.0 if poll.notices else wait)
            if notice is None:
                break
            poll.notices.append(notice)
        if poll.over.is_set() and not poll.notices:
            with suppress(TimeoutError):
                async with asyncio.timeout(until - self._clock()):
                    await self._closing.wait()

    def _settle(self, box: _Mailbox, receipt: str | None) -> None:
        """A new poll has come: which of the earlier answers arrived?"""
        earlier, box.polls = box.polls, []
        for poll in earlier:
            if poll.answered_at is None:
                poll.over.set()
                box.polls.append(poll)
            elif not self._arrived(poll, receipt):
                most = _MOST_AGAIN_UNASKED if receipt is None else _MOST_AGAIN
                reminders = [one for one in poll.notices if isinstance(one, ReminderDue)]
                self._board.give_back(one for one in reminders if box.given_back[one.reminder_id] < most)
                box.given_back.update(one.reminder_id for one in reminders)

    def _arrived(self, poll: Poll, receipt: str | None) -> bool:
        if receipt is not None:
            return poll.receipt == receipt
        at = poll.answered_at
        return at is not None and not poll.over.is_set() and self._clock() - at < _PROMPT_SECONDS

    def lost(self, device_id: str, poll: Poll) -> None:
        """Its answer could not be sent."""
        self._board.give_back(poll.notices)
        box = self._boxes.get(device_id)
        if box is not None and poll in box.polls:
            box.polls.remove(poll)

    def drop(self, device_id: str) -> None:
        """The device's, which gives back what it has and what is not known to have arrived."""
        if device_id in self._boxes:
            self._close(device_id)

    def close(self) -> None:
        for device_id in list(self._boxes):
            self._close(device_id)

    def _open(self, device_id: str) -> _Mailbox:
        """In the place of the oldest that nobody reads, where there are many."""
        unread = [name for name, box in self._boxes.items() if not box.readers]
        if len(self._boxes) >= _MOST_BOXES and unread:
            self._close(unread[0])
        stack = ExitStack()
        box = _Mailbox(stack.enter_context(self._board.listen(device_id)), stack)
        self._boxes[device_id] = box
        return box

    def _close(self, device_id: str) -> None:
        box = self._boxes.pop(device_id)
        if box.end is not None:
            box.end.cancel()
        box.stack.close()
        for poll in box.polls:
            poll.over.set()
            self._board.give_back(poll.notices)


async def next_arrival(ear: Ear[T_co], closing: asyncio.Event, seconds: float | None = None) -> T_co | None:
    """The next; None when the companion closes, or none came in time."""
    coming, closed = asyncio.create_task(ear.next()), asyncio.create_task(closing.wait())
    try:
        await asyncio.wait({coming, closed}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        return coming.result() if coming.done() else None
    finally:
        coming.cancel()
        closed.cancel()
