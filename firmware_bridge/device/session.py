"""One link with one device, from its hello to the next one: messages, turns, sound and notices. Born, run, dropped."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial

from edge_memory.errors import EdgeMemoryError
from edge_memory.store.sensors import Reading
from firmware_bridge.contracts import (
    Cue,
    GrantKey,
    Heard,
    HeardOut,
    Notice,
    PlayAudio,
    ReplySound,
    Said,
    SetVolume,
    TakenBack,
    TellTime,
    TurnBegun,
    VoiceEvent,
)
from firmware_bridge.device import messages
from firmware_bridge.device.companion import Companion
from firmware_bridge.device.delivery import Incoming, Outgoing, Standing
from firmware_bridge.device.framing import Frame, Kind
from firmware_bridge.device.messages import Cancel, FromDevice, HeardAll, Hello, Listen, Say, Sense
from firmware_bridge.device.notices import Listener, NoticeBoard
from firmware_bridge.device.playlist import Playlist
from firmware_bridge.device.sound import SoundIn, SoundOut, portions
from firmware_bridge.errors import BadMessage, BridgeError, DeviceLockedOut, DeviceSilent

_log = logging.getLogger(__name__)
_SILENT_SECONDS = 6.0
_KEEP_ALIVE_SECONDS = 2.0  # a device that hears nothing for three of these begins a new link
_MOST_WAITING = 64
_LASTING = (SetVolume, GrantKey)


class DeviceSession:
    """`take` is given every frame of this link, `run` does the rest until it is cancelled.

    A control frame is acknowledged when what it asks for is on disk, and refused with the error otherwise. A device
    that is not welcome may link all the same: it may be paired on its cable.
    """

    def __init__(
        self,
        hello: Hello,
        link: int,
        send: Callable[[Frame], Awaitable[None]],
        companion: Companion,
        board: NoticeBoard,
        untold: Sequence[Notice] = (),
    ) -> None:
        """`untold` is what an earlier link of this device left."""
        self.hello = hello
        self.link = link
        self._send = send
        self._companion = companion
        self._board = board
        self._outgoing = Outgoing(link)
        self._incoming = Incoming()
        self._sound_in: SoundIn | None = None
        self._sound_out = SoundOut()
        self._playlist = Playlist()
        self._ear: Listener | None = None
        self._unsettled: dict[int, Notice] = {}
        self._untold = list(untold)
        self._has_key = hello.paired
        self._was_welcome = False
        self._wake = asyncio.Event()
        self._settled = asyncio.Event()
        self._tasks = asyncio.TaskGroup()

    async def run(self) -> None:
        """Raises DeviceSilent for a device that stops acknowledging, DeviceLockedOut for one that is revoked, also in
        the middle of a reply, CableLost and EdgeMemoryError.
        """
        try:
            async with self._tasks:
                self._tasks.create_task(self._pump(), name=f"frames to {self.hello.device_id}")
                self._tasks.create_task(self._notify(), name=f"notices to {self.hello.device_id}")
                self._tasks.create_task(self._play(), name=f"sound to {self.hello.device_id}")
        except ExceptionGroup as group:
            raise group.exceptions[0] from group
        finally:
            self._break_off()

    def untold(self) -> list[Notice]:
        """What the device must know even if it hears of it late, and did not acknowledge."""
        waiting = self._ear.rest() if self._ear is not None else []
        return [n for n in (*self._unsettled.values(), *self._untold, *waiting) if isinstance(n, _LASTING)]

    def unacknowledged(self) -> list[Notice]:
        """What is on its way to the device, or waits for its turn."""
        return [*self._unsettled.values(), *self._untold]

    async def welcome(self) -> None:
        at = time.time()
        offset = time.localtime(at).tm_gmtoff // 60
        await self._send(Frame(Kind.WELCOME, self.link, 0, messages.welcome_payload(TellTime(at, offset))))

    async def take(self, frame: Frame) -> None:
        """Raises CableLost."""
        if frame.kind in (Kind.ACK, Kind.REFUSAL):
            self._outgoing.settle(frame.seq, time.monotonic())
            self._unsettled.pop(frame.seq, None)
            self._wake.set()
            self._settled.set()
        elif frame.kind is Kind.CREDIT:
            self._sound_out.grant(frame.payload)
        elif frame.kind is Kind.AUDIO:
            if self._sound_in is not None:
                self._sound_in.add(frame.payload)
        elif frame.kind in (Kind.PART, Kind.CONTROL):
            await self._control(frame)

    # From the device

    async def _control(self, frame: Frame) -> None:
        standing = self._incoming.take(frame)
        if standing is Standing.SETTLED:
            await self._send(self._incoming.answer_again(frame))
        elif standing is Standing.NEW:
            try:
                whole = self._incoming.join(frame)
                if whole is None:
                    await self._acknowledge(frame.seq)
                else:
                    await self._handle(frame.seq, messages.parse_message(whole))
            except BridgeError as error:
                await self._refuse(frame.seq, error)

    async def _handle(self, seq: int, message: FromDevice) -> None:
        match message:
            case Say(turn_id, text):
                self._playlist.begin(turn_id)
                self._start(self._relay(seq, turn_id, self._companion.talk(self._heard(turn_id, text))))
            case Listen(turn_id, rate):
                self._break_off()
                listen = partial(self._companion.listen, self._heard(turn_id, ""), rate=rate)
                self._sound_in = SoundIn(turn_id, rate, listen)
                await self._acknowledge(seq)
            case HeardAll(turn_id, size):
                if self._sound_in is None or self._sound_in.turn_id != turn_id:
                    raise BadMessage("this utterance was not begun", "send listen, its sound, then heard")
                sound, self._sound_in = self._sound_in, None
                events = sound.finish(size)
                self._playlist.begin(turn_id)
                self._start(self._relay(seq, turn_id, events))
            case Sense(readings):
                self._start(self._sense(seq, dict(readings)))
            case Cancel(turn_id):
                self._playlist.hush(turn_id)
                await self._acknowledge(seq)

    def _break_off(self) -> None:
        if self._sound_in is not None:
            self._sound_in.break_off()

    def _heard(self, turn_id: str, text: str) -> Heard:
        device = self.hello.device_id
        return Heard(text, session_id=device, device_id=device, turn_id=turn_id)

    def _start(self, work: Awaitable[None]) -> None:
        async def run() -> None:
            await work

        self._tasks.create_task(run(), name=f"work for {self.hello.device_id}")

    async def _relay(self, seq: int, turn_id: str, events: AsyncIterator[VoiceEvent]) -> None:
        """Tells the device the events of a turn; it goes to its end even if the device leaves."""
        begun, is_heard = False, True
        try:
            async for event in events:
                await self._check_welcome()
                if isinstance(event, TurnBegun):
                    begun = True
                    await self._acknowledge(seq)
                if isinstance(event, Cue | ReplySound):
                    sound = PlayAudio(event.sound.pcm, event.sound.rate, turn_id)
                    is_heard = is_heard and not self._playlist.is_hushed(turn_id)
                    is_heard = is_heard and await self._playlist.put(sound, self._plays_nothing)
                elif isinstance(event, HeardOut | TakenBack):
                    pass  # a device tells itself when an utterance ends
                elif not self._playlist.is_hushed(turn_id) or isinstance(event, Said):
                    await self._push(messages.event_message(turn_id, event))
        except DeviceLockedOut:
            raise
        except Exception as error:  # noqa: BLE001 - the door: it becomes a message to the device
            _note(error)
            if begun:
                await self._push(messages.failure_message(turn_id, error))
            else:
                await self._refuse(seq, error)
        finally:
            self._playlist.end(turn_id)

    def _plays_nothing(self) -> bool:
        return self._sound_out.idle_for(time.monotonic()) > _SILENT_SECONDS

    async def _sense(self, seq: int, readings: dict[str, Reading]) -> None:
        try:
            await self._companion.sense(self.hello.device_id, readings)
        except Exception as error:  # noqa: BLE001 - the door: it becomes a message to the device
            _note(error)
            await self._refuse(seq, error)
        else:
            await self._acknowledge(seq)

    async def _acknowledge(self, seq: int) -> None:
        await self._answer(Frame(Kind.ACK, self.link, seq))

    async def _refuse(self, seq: int, error: Exception) -> None:
        await self._answer(Frame(Kind.REFUSAL, self.link, seq, messages.refusal_payload(error)))

    async def _answer(self, answer: Frame) -> None:
        self._incoming.settle(answer)
        await self._send(answer)

    # To the device

    async def _tell(self, notice: Notice) -> None:
        self._unsettled[await self._push(messages.notice_message(notice))] = notice

    async def _push(self, message: bytes) -> int:
        """Queues it; waits while the device is behind. Returns its sequence number."""
        while self._outgoing.waiting >= _MOST_WAITING:
            self._settled.clear()
            await self._settled.wait()
        seq = self._outgoing.push(message)
        self._wake.set()
        return seq

    async def _check_welcome(self) -> None:
        """Raises DeviceLockedOut, and EdgeMemoryError."""
        device_id = self.hello.device_id
        if await self._companion.is_welcome(device_id):
            self._was_welcome = True
        elif self._was_welcome:
            raise DeviceLockedOut(
                f"device {device_id} was revoked", f"pair it anew: lobug devices pair --cable {device_id}"
            )

    async def _pump(self) -> None:
        alive_at = time.monotonic()
        while True:
            now = time.monotonic()
            for frame in self._outgoing.due(now):
                await self._send(frame)
            if self._outgoing.stalled_for(now) > _SILENT_SECONDS:
                raise DeviceSilent(f"device {self.hello.device_id} acknowledges nothing", "reset it, or replug it")
            if now - alive_at >= _KEEP_ALIVE_SECONDS:
                await self._check_welcome()
                await self.welcome()
                await self._pair()
                alive_at = now
            due = min(alive_at + _KEEP_ALIVE_SECONDS, self._outgoing.next_due() or now + _KEEP_ALIVE_SECONDS)
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, due - now)):
                    await self._wake.wait()
            self._wake.clear()

    async def _pair(self) -> None:
        """A device on a cable is given its key as soon as the owner pairs; on the network it may use it then."""
        token = await self._companion.key_for(self.hello.device_id, has_key=self._has_key)
        if token is not None:
            self._has_key = True
            await self._tell(GrantKey(token))

    async def _notify(self) -> None:
        with self._board.listen(self.hello.device_id) as ear:
            self._ear = ear
            while True:
                while self._untold:
                    await self._tell(self._untold[0])
                    del self._untold[0]
                notice = await ear.next()
                if isinstance(notice, PlayAudio):
                    self._playlist.put_now(notice)
                else:
                    self._untold.append(notice)  # until it is under way: the link may end while the device is behind

    async def _play(self) -> None:
        """Sound as fast as the device grants it; `sound` is acknowledged before its frames go out."""
        told: tuple[int, str | None] | None = None
        while True:
            sound = await self._playlist.next()
            await self._check_welcome()
            if not self._playlist.is_hushed(sound.turn_id):
                if told != (sound.rate, sound.turn_id):
                    told = (sound.rate, sound.turn_id)
                    await self._push(messages.sound_message(*told))
                    while self._outgoing.waiting:
                        self._settled.clear()
                        await self._settled.wait()
                await self._play_out(sound)
            self._playlist.played()
            if told is not None and self._playlist.is_empty:
                told = None
                await self._push(messages.sound_end_message(self._sound_out.offset))

    async def _play_out(self, sound: PlayAudio) -> None:
        for portion in portions(sound.pcm):
            await self._sound_out.room(len(portion))
            if self._playlist.is_hushed(sound.turn_id):
                break
            await self._send(Frame(Kind.AUDIO, self.link, 0, self._sound_out.payload(portion)))


def _note(error: Exception) -> None:
    if isinstance(error, (BridgeError, EdgeMemoryError)):
        _log.info("a device was refused: %s", error.message)
    else:
        _log.error("internal error", exc_info=error)
