"""One spoken exchange, from the words in a sound to the last sound of the reply."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractContextManager, ExitStack, aclosing
from dataclasses import dataclass, replace

from firmware_bridge.app.foresight import Foresight
from firmware_bridge.app.last_exchanges import LastExchanges
from firmware_bridge.app.pace import Pace
from firmware_bridge.contracts import (
    Action,
    Cue,
    Heard,
    HeardOut,
    Hearing,
    ReplySound,
    ReplyText,
    Said,
    Sound,
    TurnBegun,
    TurnEvent,
    VoiceEvent,
)
from firmware_bridge.errors import BridgeError
from firmware_bridge.speech import Catch, Mouth, judge

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Partners:
    """Whom an exchange works with."""

    mouth: Mouth
    talk: Callable[[Heard], AsyncGenerator[TurnEvent]]
    last_exchanges: LastExchanges
    pace: Pace
    wake_phrase: str
    reserve: Callable[[], AbstractContextManager[None]]  # the lane, from what is done in idle time


class Exchange:
    """Born with what was caught, run once, dropped. `ended_at` is when the speaker stopped (perf_counter).

    Without a catch, and what was foreseen of it, the words of `heard` were typed, and are only spoken to.
    """

    def __init__(
        self,
        heard: Heard,
        catch: Catch | None,
        foresight: Foresight | None,
        partners: Partners,
        cue: Sound | None,
        ended_at: float,
    ) -> None:
        self._heard = heard
        self._device = heard.device_id or heard.session_id
        self._catch = catch
        self._foresight = foresight
        self._partners = partners
        self._cue = cue
        self._ended_at = ended_at
        self._endpoint_ms = self._elapsed_ms()
        self._events: asyncio.Queue[VoiceEvent | Exception | None] = asyncio.Queue()
        self._written: asyncio.Queue[str | None] = asyncio.Queue()
        self._sounding = asyncio.Event()  # the first sound is there, or none will come
        self._haste = ExitStack()  # until it is
        self._running: asyncio.Task[None] | None = None
        self._speaking: asyncio.Task[None] | None = None
        self._answering: asyncio.Task[None] | None = None
        self._has_begun = False  # the turn's words are on disk
        self._listened_to = True
        self._told_text = ""
        self._first_audio_ms = 0.0
        self._sound_seconds = 0.0
        self.may_go_on = False  # its speaker
        self.admit: Callable[[], None] = lambda: None  # raises where no turn may begin now
        self.rate: int | None = None  # samples a second of the reply; None takes the voice's own

    async def events(self) -> AsyncIterator[VoiceEvent]:
        """As they come; Said is the last but for sounds. Raises what the exchange failed with."""
        while (event := await self._events.get()) is not None:
            if isinstance(event, Exception):
                raise event
            yield event

    def begin(self, tasks: asyncio.TaskGroup) -> None:
        self._running = tasks.create_task(self.run(), name=f"voice in {self._heard.session_id}")

    async def break_off(self) -> None:
        """Ends its events and its sound at once. The turn goes on."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait({self._running})
        while not self._events.empty():
            self._events.get_nowait()
        self._events.put_nowait(None)

    def heard_out(self) -> None:
        """What was heard is all."""
        self._tell(HeardOut())

    def leave(self) -> None:
        """Nobody listens any more: no more sound is made; the turn goes on to its end unless it is to be cut."""
        self._listened_to = False
        if self._speaking is not None:
            self._speaking.cancel()
        if self._answering is not None and self._has_begun and self._heard.cut_when_left:
            self._answering.cancel()

    async def run(self) -> None:
        try:
            catch, foresight = self._catch, self._foresight
            with self._partners.reserve():
                heard = self._heard if catch is None or foresight is None else await self._hear(catch, foresight)
            async with self._partners.last_exchanges.lock(self._device):
                try:
                    await self._reply(heard)
                finally:
                    self._partners.last_exchanges.ended(self._device, self._sound_seconds)
        except* Exception as group:  # noqa: BLE001 - it is raised again where the exchange is listened to
            self._tell(_first(group))
        finally:
            if self._foresight is not None:
                self._foresight.rest()
            self._events.put_nowait(None)

    async def _hear(self, catch: Catch, foresight: Foresight) -> Heard:
        began = time.perf_counter()
        transcript = await foresight.transcript(catch)
        transcribe_ms = (time.perf_counter() - began) * 1e3
        situation = self._partners.last_exchanges.situation(self._device)
        judgement = judge(catch.utterance, transcript, situation, self._partners.wake_phrase)
        timings = {"endpoint_ms": round(self._endpoint_ms, 1), "transcribe_ms": round(transcribe_ms, 1)}
        _log.debug("heard %r (confidence %.2f)", transcript.text, transcript.confidence)
        if judgement.action is not Action.IGNORE:
            self.admit()
        text, reason = judgement.text, judgement.reason.value
        confidence, may_go_on = transcript.confidence, self.may_go_on
        self._tell(Hearing(text, judgement.action, reason, confidence, catch.seconds, timings, may_go_on))
        return replace(self._heard, text=text, action=judgement.action, timings=timings)

    async def _reply(self, heard: Heard) -> None:
        with self._haste:
            self._haste.enter_context(self._partners.reserve())
            async with asyncio.TaskGroup() as tasks:
                self._speaking = tasks.create_task(self._speak(), name="speaking")
                self._speaking.add_done_callback(lambda _: self._sounds())  # also if it is cut off before it begins
                if not self._listened_to:
                    self._speaking.cancel()
                self._answering = tasks.create_task(self._answer(heard), name="answering")

    async def _answer(self, heard: Heard) -> None:
        """Passes the turn on. Said waits for the first sound, so that it can tell when that was."""
        if heard.action is Action.RESPOND and self._cue is not None:
            self._tell(Cue(self._cue))
        try:
            async with aclosing(self._partners.talk(heard)) as events:
                async for event in events:
                    await self._pass_on(event)
                    if self._has_begun and heard.cut_when_left and not self._listened_to:
                        return
        finally:
            self._written.put_nowait(None)

    async def _pass_on(self, event: TurnEvent) -> None:
        if isinstance(event, Said):
            await self._tell_said(event)
            return
        if isinstance(event, TurnBegun):
            self._has_begun = True
        if isinstance(event, ReplyText):
            if self._foresight is not None:
                self._foresight.rest()
            self._told_text += event.text
            self._written.put_nowait(event.text)
            self._partners.last_exchanges.saying(self._device, self._told_text)
        self._tell(event)

    async def _tell_said(self, said: Said) -> None:
        if said.text and not self._told_text:
            self._written.put_nowait(said.text)  # a turn that is told from the log comes without ReplyText
        self._written.put_nowait(None)
        if said.action is not Action.IGNORE:
            self._partners.last_exchanges.saying(self._device, said.text, said.action)
        await self._sounding.wait()
        if self._first_audio_ms:
            said = replace(said, timings={**said.timings, "first_audio_ms": self._first_audio_ms})
            _log.info("voice of turn %s first_audio_ms=%g", said.turn_id, self._first_audio_ms)
        self._tell(said)

    async def _speak(self) -> None:
        """Speaks the reply while it is written. Without a voice the reply is still told as text."""
        began = time.perf_counter()
        try:
            async for sound in self._partners.mouth.follow(self._pieces(), self.rate):
                if not self._first_audio_ms:
                    self._first_audio_ms = round(self._elapsed_ms(), 1)
                    self._partners.pace.measured(time.perf_counter() - began)
                self._sound_seconds += sound.seconds
                self._tell(ReplySound(sound))
                self._sounds()
        except BridgeError as error:
            _log.warning("the reply could not be spoken: %s (%s)", error.message, error.hint)

    def _sounds(self) -> None:
        """The first sound is there, or none will come: nobody waits for it any more."""
        self._sounding.set()
        self._haste.close()

    async def _pieces(self) -> AsyncIterator[str]:
        while (text := await self._written.get()) is not None:
            yield text

    def _tell(self, event: VoiceEvent | Exception) -> None:
        self._events.put_nowait(event)

    def _elapsed_ms(self) -> float:
        return (time.perf_counter() - self._ended_at) * 1e3


def _first(group: BaseExceptionGroup[BaseException]) -> Exception:
    """The one error that a group stands for."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert isinstance(error, Exception)
    return error
