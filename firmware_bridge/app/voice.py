"""The companion's hearing and speaking, for whoever brings sound: HTTP, a cable, another protocol."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterable
from contextlib import aclosing, suppress
from dataclasses import replace
from types import TracebackType
from typing import Protocol, Self

from edge_memory.errors import EdgeMemoryError
from edge_memory.memory import OWNER, Memory
from edge_memory.records import Language
from firmware_bridge.app.cues import Cues
from firmware_bridge.app.exchange import Exchange, Partners
from firmware_bridge.app.foresight import Foresight, GoOn, Hear
from firmware_bridge.app.going_on import GoingOn
from firmware_bridge.app.going_on import Talker as TakingBack
from firmware_bridge.app.known_names import KnownNames
from firmware_bridge.app.last_exchanges import LastExchanges
from firmware_bridge.app.listener import Caught, Listener, patience
from firmware_bridge.app.pace import Pace
from firmware_bridge.contracts import (
    Action,
    Heard,
    Hearing,
    ModelState,
    Recording,
    Sound,
    TakenBack,
    TurnEvent,
    VoiceEvent,
    Watch,
    check_id,
)
from firmware_bridge.errors import BridgeError
from firmware_bridge.lane import ComputeLane, Priority
from firmware_bridge.phrases import PHRASES
from firmware_bridge.settings import PersonaSettings, SpeechSettings
from firmware_bridge.speech import Catch, Ears, Mouth, Transcript, judge
from firmware_bridge.speech.encoding import encode

_log = logging.getLogger(__name__)
_LEAVING_SECONDS = 5.0
_UNWATCHED = Watch()


class Engines(Protocol):
    """Ears and mouth, made on first use."""

    @property
    def enabled(self) -> bool: ...

    def shown(self) -> list[ModelState]: ...

    async def ears(self) -> Ears:
        """Raises SpeechMissing or SpeechUnusable."""

    async def mouth(self) -> Mouth:
        """As `ears`."""


class Talker(TakingBack, Protocol):
    """Where turns are answered."""

    def talk(self, heard: Heard) -> AsyncGenerator[TurnEvent]: ...

    async def foresee(self, heard: Heard) -> str:
        """How the reply would begin, worked out in idle time; empty where that cannot be told."""


class Voice:
    """An async context manager; leaving it gives running exchanges some seconds."""

    def __init__(
        self,
        settings: SpeechSettings,
        persona: PersonaSettings,
        engines: Engines,
        lane: ComputeLane,
        memory: Memory,
        talker: Talker,
    ) -> None:
        self._settings = settings
        self._engines = engines
        self._lane = lane
        self._memory = memory
        self._talker = talker
        self._wake_phrase = settings.wake_phrase.replace("{name}", persona.name)
        self._known_names = KnownNames(memory, persona.name)
        self._last_exchanges = LastExchanges(settings.follow_up_seconds)
        self._pace, self._hearing_pace = Pace(), Pace()
        self._tasks = asyncio.TaskGroup()
        words = PHRASES[Language(persona.language)].thinking
        self._cues = Cues(words, settings.cue_after_seconds, self._pace, self._tasks)

    async def __aenter__(self) -> Self:
        await self._tasks.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_LEAVING_SECONDS):
                await self._tasks.__aexit__(kind, error, trace)

    @property
    def enabled(self) -> bool:
        return self._engines.enabled

    def shown(self) -> list[ModelState]:
        return self._engines.shown()

    async def converse(
        self, heard: Heard, recording: Recording, rate: int | None = None, watch: Watch = _UNWATCHED
    ) -> AsyncGenerator[VoiceEvent]:
        """The events of an exchange: Hearing, TurnBegun, ReplyText and ReplySound as they come, Said.

        `heard` has no text yet; `rate` is that of the reply's sound, None the voice's own. Raises BadAudio and its kin,
        SpeechMissing and SpeechUnusable, and what a turn raises. Closing the iterator once the utterance is whole does
        not end the turn, only the making of its sound; if `heard` is to be cut then, the reply ends there.
        """
        check_id("session_id", heard.session_id)
        caught = await self._first_caught(heard, recording, rate, watch)
        while caught.may_go_on:
            heard = replace(heard, turn_id=heard.turn_id or uuid.uuid4().hex)  # by which it can be taken back
            going_on = GoingOn(caught.listener, self._memory, self._talker, heard, watch.hush)
            async with aclosing(self._exchanged(heard, caught, rate, watch, going_on)) as events:
                async for event in events:
                    yield event
            if not going_on.is_true:
                return
            yield TakenBack()
            heard = heard if going_on.is_taken_back else replace(heard, turn_id=None)
            caught = await caught.listener.catch()
        async with aclosing(self._exchanged(heard, caught, rate, watch)) as events:
            async for event in events:
                yield event

    async def _first_caught(self, heard: Heard, recording: Recording, rate: int | None, watch: Watch) -> Caught:
        listening = asyncio.create_task(self._listened(heard, recording, rate, watch), name="listening")
        try:
            return await asyncio.shield(listening)
        except asyncio.CancelledError:
            if recording.live or heard.cut_when_left:
                listening.cancel()
            else:
                self._tasks.create_task(self._keep(heard, listening), name=f"words left in {heard.session_id}")
            raise

    async def _listened(self, heard: Heard, recording: Recording, rate: int | None, watch: Watch) -> Caught:
        ears = await self._engines.ears()

        async def hear(catch: Catch) -> Transcript:
            return await self._heard(ears, catch, await self._known_names.names(heard.session_id, heard.user_id))

        async def go_on(catch: Catch, transcript: Transcript) -> bool:
            return await self._prepare(heard, catch, transcript, rate)

        return await self._listener(ears, recording, hear, go_on, watch).catch()

    def _listener(
        self, ears: Ears, recording: Recording, hear: Hear, go_on: GoOn, watch: Watch = _UNWATCHED
    ) -> Listener:
        def silence(transcript: Transcript, is_answered: bool) -> float | None:
            return patience(self._settings, transcript, is_answered=is_answered)

        foresight = Foresight(hear, go_on, silence, enabled=self._may_foresee)
        return Listener(ears, recording, foresight, self._settings, self._lane, watch)

    async def _keep(self, heard: Heard, listening: asyncio.Task[Caught]) -> None:
        """Who sent a recording left before it was heard: if all of it came its turn is kept, without a sound."""
        try:
            async with aclosing(self._exchanged(heard, await listening, None)) as events:
                await anext(events, None)
        except (BridgeError, EdgeMemoryError) as error:
            _log.info("words that were left are lost: %s", error.message)
        except Exception:  # noqa: BLE001 - one recording's trouble must not end the exchanges of others
            _log.exception("words that were left are lost")

    async def answer(self, heard: Heard, rate: int | None = None) -> AsyncGenerator[VoiceEvent]:
        """As `converse`, for words that were typed: there is no Hearing."""
        check_id("session_id", heard.session_id)
        async with aclosing(self._exchanged(heard, None, rate)) as events:
            async for event in events:
                yield event

    async def _exchanged(
        self,
        heard: Heard,
        caught: Caught | None,
        rate: int | None,
        watch: Watch = _UNWATCHED,
        going_on: GoingOn | None = None,
    ) -> AsyncGenerator[VoiceEvent]:
        ended_at = time.perf_counter() if caught is None else caught.ended_at
        mouth = await self._engines.mouth()
        partners = Partners(
            mouth, self._talker.talk, self._last_exchanges, self._pace, self._wake_phrase, self._lane.reserved
        )
        cue = await self._cues.cue(rate or mouth.rate)
        catch, foresight = (None, None) if caught is None else (caught.catch, caught.foresight)
        exchange = Exchange(heard, catch, foresight, partners, cue, ended_at)
        exchange.rate, exchange.admit, exchange.may_go_on = rate, watch.admit, going_on is not None
        waiting = None if going_on is None else asyncio.create_task(going_on.run(exchange), name="whether that was all")
        exchange.begin(self._tasks)
        try:
            async for event in exchange.events():
                yield event
            if waiting is not None:
                await waiting
        finally:
            if waiting is not None:
                waiting.cancel()
            exchange.leave()
            self._cues.make(mouth, rate or mouth.rate)

    async def transcribe(self, recording: Recording, hints: tuple[str, ...] = ()) -> Hearing:
        """The words of a recording, without a turn. Memory's names of the owner help, beside `hints`."""
        ears = await self._engines.ears()

        async def hear(catch: Catch) -> Transcript:
            return await self._heard(ears, catch, [*hints, *await self._known_names.names("", OWNER)])

        began = time.perf_counter()
        caught = await self._listener(ears, recording, hear, _nothing_more).catch()
        catch, endpoint_ms = caught.catch, (time.perf_counter() - began) * 1e3
        transcript = await caught.foresight.transcript(catch)
        timings = {"endpoint_ms": endpoint_ms, "transcribe_ms": (time.perf_counter() - began) * 1e3 - endpoint_ms}
        action = Action.RESPOND if transcript.text else Action.IGNORE
        reason = "" if catch.utterance.is_speech else catch.utterance.ending.value
        return Hearing(transcript.text, action, reason, transcript.confidence, catch.seconds, timings)

    async def read_aloud(self, text: str, rate: int | None = None) -> AsyncGenerator[Sound]:
        """A text as sound, clause by clause. Raises SpeechMissing, SpeechUnusable."""
        mouth = await self._engines.mouth()
        async for sound in mouth.read(text, rate):
            yield sound

    async def speak(self, written: AsyncIterable[str], rate: int | None = None) -> AsyncGenerator[Sound]:
        """As `read_aloud`, of a text while it is being written."""
        mouth = await self._engines.mouth()
        async for sound in mouth.follow(written, rate):
            yield sound

    async def encode(self, sound: Sound, form: str) -> bytes:
        """The bytes of an audio file. Raises UnknownAudio for a form that is not known."""
        return await self._lane.run(Priority.SPEECH, lambda: encode(sound, form))

    @property
    def _may_foresee(self) -> bool:
        """Not where a guess that was wrong would hold up the next one."""
        return self._settings.foresight and self._hearing_pace.expected < self._settings.trailing_seconds

    async def _heard(self, ears: Ears, catch: Catch, names: list[str]) -> Transcript:
        began = time.perf_counter()
        transcript = await ears.transcribe(catch, names)
        self._hearing_pace.measured(time.perf_counter() - began)
        return transcript

    async def _prepare(self, heard: Heard, catch: Catch, transcript: Transcript, rate: int | None) -> bool:
        """The beginning of the reply and its sound, should these words be all that is said; whether it is there."""
        situation = self._last_exchanges.situation(heard.device_id or heard.session_id)
        judgement = judge(catch.utterance, transcript, situation, self._wake_phrase)
        if judgement.action is not Action.RESPOND:
            return False
        try:
            mouth = await self._engines.mouth()
            beginning = await self._talker.foresee(replace(heard, text=judgement.text))
            return await mouth.prepare(beginning, rate)
        except BridgeError:
            return False


async def _nothing_more(catch: Catch, transcript: Transcript) -> bool:
    """For words without a reply."""
    return False
