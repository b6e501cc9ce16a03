"""The sounds of replies, kept for some minutes to be fetched; they may be fetched while they are still being made."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from contextlib import aclosing
from typing import Any

from firmware_bridge.contracts import Cue, Hearing, Notice, PlayAudio, ReplySound, Said, Sound, VoiceEvent
from firmware_bridge.errors import SoundNotFound

_log = logging.getLogger(__name__)
_MOST_SOUNDS, _MOST_BYTES = 64, 16 << 20


class ReplyRecord:
    """One exchange as it unfolds. Use `drain` once, as a task; the rest may be waited for by anybody."""

    def __init__(self, owner: str | None, post: Callable[[Notice, str | None], int]) -> None:
        """`owner` is the device that it belongs to; `post` offers a cue to it while it waits."""
        self.owner = owner
        self._post = post
        self.hearing: Hearing | None = None
        self.said: Said | None = None
        self._sounds: list[Sound] = []
        self._error: Exception | None = None
        self._complete = False
        self._changed = asyncio.Event()

    @property
    def size(self) -> int:
        """Bytes of what is made of its sound."""
        return sum(len(sound.pcm) for sound in self._sounds)

    async def drain(self, events: AsyncGenerator[VoiceEvent]) -> None:
        try:
            async with aclosing(events):
                async for event in events:
                    self._note(event)
        except Exception as error:  # noqa: BLE001 - it is raised again where somebody waits
            self._error = error
        finally:
            self._complete = True
            self._changed.set()

    async def answered(self) -> tuple[Hearing, Said]:
        """Waits for the end of the turn; its sound may go on. Raises what the exchange failed with."""
        while self.said is None and not self._complete:
            await self._wait()
        if self.hearing is None or self.said is None:
            raise self._error or SoundNotFound("the exchange broke off", "send the recording again")
        return self.hearing, self.said

    async def sounds(self) -> AsyncIterator[Sound]:
        """All of them, in order, as they come."""
        given = 0
        while True:
            while given < len(self._sounds):
                given += 1
                yield self._sounds[given - 1]
            if self._complete:
                return
            await self._wait()

    @property
    def has_sound(self) -> bool:
        return bool(self._sounds)

    async def whole(self) -> Sound:
        """Waits for the last. Raises SoundNotFound when nothing was spoken."""
        sounds = [sound async for sound in self.sounds()]
        if not sounds:
            raise SoundNotFound("nothing was spoken in this turn", "its text is in the answer")
        return Sound(b"".join(sound.pcm for sound in sounds), sounds[0].rate)

    def _note(self, event: VoiceEvent) -> None:
        if isinstance(event, Hearing):
            self.hearing = event
        elif isinstance(event, Cue) and self.owner is not None:
            self._post(PlayAudio(event.sound.pcm, event.sound.rate), self.owner)
        elif isinstance(event, ReplySound):
            self._sounds.append(event.sound)
        elif isinstance(event, Said):
            self.said = event
        self._changed.set()

    async def _wait(self) -> None:
        self._changed.clear()
        await self._changed.wait()


class SoundShelf:
    """Records by turn. Leave it by `aclose`: what is still being made is given up."""

    def __init__(self, keep_seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._keep = keep_seconds
        self._clock = clock
        self._records: OrderedDict[str, tuple[float, ReplyRecord]] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work, name="sound of a reply")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def put(self, turn_id: str, record: ReplyRecord) -> None:
        self._records[turn_id] = (self._clock() + self._keep, record)
        self._forget_old()

    def find(self, turn_id: str, may_hear: Callable[[str | None], bool]) -> ReplyRecord:
        """Raises SoundNotFound when it is no longer, or never was, there; or its device's replies may not be heard."""
        self._forget_old()
        _, record = self._records.get(turn_id, (0.0, None))
        if record is None or not may_hear(record.owner):
            raise SoundNotFound("there is no sound of this turn", "sounds are kept for some minutes; say it again")
        return record

    async def aclose(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _forget_old(self) -> None:
        """What is over its time, and the oldest while there is too much; the newest stays, however long it is."""
        size = sum(record.size for _, record in self._records.values())
        while self._records:
            turn_id, (until, record) = next(iter(self._records.items()))
            is_much = len(self._records) > _MOST_SOUNDS or (size > _MOST_BYTES and len(self._records) > 1)
            if until > self._clock() and not is_much:
                return
            del self._records[turn_id]
            size -= record.size
