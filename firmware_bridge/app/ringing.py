"""Telling devices what is due: each reminder once, as soon as somebody is there to take it, and again if it was lost
with its device.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

from edge_memory.errors import StoreError, StoreFull
from edge_memory.memory import OWNER, Memory
from edge_memory.reminders import Reminder
from firmware_bridge.app.unending import unending
from firmware_bridge.contracts import Expression, PlayAudio, ReminderDue, ShowFace, Sound
from firmware_bridge.device import NoticeBoard
from firmware_bridge.errors import BridgeError
from firmware_bridge.phrases import PHRASES

_log = logging.getLogger(__name__)
_TICK_SECONDS = 0.5
_PAUSE_SECONDS = 10.0


class Ringing:
    """The device on which it was asked for comes first; when that is not there, any other device of the same user."""

    def __init__(
        self,
        memory: Memory,
        notices: NoticeBoard,
        read_aloud: Callable[[str], AsyncIterator[Sound]],
        is_quiet: Callable[[str], bool],
    ) -> None:
        self._memory = memory
        self._notices = notices
        self._read_aloud = read_aloud
        self._is_quiet = is_quiet
        self._told: dict[int, Reminder] = {}  # that are not on disk as told yet
        self._lost: list[ReminderDue] = []  # that are not on disk as waiting again yet

    async def run(self) -> None:
        """Until it is cancelled. What did not arrive by then is told after the next start."""
        try:
            await unending("the ringing of reminders", self._ring_and_rest, _PAUSE_SECONDS)
        finally:
            await self._take_back()

    async def _ring_and_rest(self) -> None:
        await self.ring()
        await asyncio.sleep(_TICK_SECONDS)

    async def ring(self) -> int:
        """Tells what is due. Returns how many were taken by a device."""
        told = 0
        with suppress(StoreFull):  # nothing is told twice, or not at all, for want of space
            await self._take_back()
        if not self._notices.heard_by():
            return told
        for reminder in await self._memory.reminders.due():
            device_id = None if reminder.id in self._told else await self._tell(reminder)
            if device_id is not None:
                self._told[reminder.id] = reminder
                with suppress(StoreFull):
                    await self._note_told()
                await self._speak(reminder, device_id)
                told += 1
        return told

    async def _note_told(self) -> None:
        for reminder in list(self._told.values()):
            del self._told[reminder.id]  # who is cancelled here cannot know: it may be on disk
            try:
                await self._memory.reminders.rung(reminder)
            except StoreError:
                self._told[reminder.id] = reminder
                raise

    async def _take_back(self) -> None:
        self._lost += self._notices.returned()
        while self._lost:
            lost = self._lost[0]
            if self._told.pop(lost.reminder_id, None) is None:
                await self._memory.reminders.not_rung(lost.reminder_id)
            del self._lost[0]
            _log.info("reminder %s did not arrive and is told again", lost.reminder_id)
        await self._note_told()

    async def _tell(self, reminder: Reminder) -> str | None:
        """The device that took it."""
        notice = ReminderDue(reminder.id, reminder.text, reminder.due_at)
        for device_id in await self._devices(reminder):
            if self._notices.post(notice, device_id):
                self._notices.post(ShowFace(Expression.ALERT), device_id)
                _log.info("reminder %s was told to %s", reminder.id, device_id)
                return device_id
        return None

    async def _speak(self, reminder: Reminder, device_id: str) -> None:
        """By voice, too, where there is one and the device does not lie face down."""
        if self._is_quiet(device_id):
            return
        try:
            async for sound in self._read_aloud(PHRASES[self._memory.language].reminder_due.format(text=reminder.text)):
                self._notices.post(PlayAudio(sound.pcm, sound.rate), device_id)
        except BridgeError as error:
            _log.info("reminder %s was shown only: %s", reminder.id, error.message)

    async def _devices(self, reminder: Reminder) -> list[str]:
        """That listen now and belong to the user, the one that was asked first. Unpaired ones are the owner's, those
        that were locked out nobody's.
        """
        owners = {device.device_id: device.user_id for device in await self._memory.devices.all()}
        listening = sorted(self._notices.heard_by() - await self._memory.devices.revoked())
        mine = [device for device in listening if owners.get(device, OWNER) == reminder.user_id]
        return sorted(mine, key=lambda device: device != reminder.device_id)
