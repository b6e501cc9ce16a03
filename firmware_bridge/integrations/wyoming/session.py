"""One Wyoming client: its events in order, each answered before the next is read.

| event | answer |
|---|---|
| describe, ping | info, pong; at any time |
| transcribe?, audio-start, audio-chunk*, audio-stop | transcript |
| synthesize | audio-start, audio-chunk*, audio-stop |
| synthesize-start, synthesize-chunk*, synthesize-stop | the same, from the first clause on, then synthesize-stopped |
| transcript | handled or not-handled: a turn with memory |

Unknown events are passed over. What fails is told as `error`, and the connection ends: Home Assistant passes over
`error`, and would else wait for ever. A turn that fails is told as `not-handled`.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator
from contextlib import aclosing, suppress
from typing import Any, Protocol

from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.error import Error
from wyoming.event import Event
from wyoming.handle import Handled, NotHandled
from wyoming.info import Describe
from wyoming.ping import Ping, Pong
from wyoming.tts import Synthesize, SynthesizeChunk, SynthesizeStart, SynthesizeStop, SynthesizeStopped

from edge_memory.errors import EdgeMemoryError
from firmware_bridge.contracts import (
    AudioFormat,
    AudioKind,
    Heard,
    Hearing,
    ModelState,
    Recording,
    Said,
    Sound,
    TurnEvent,
    id_for,
)
from firmware_bridge.errors import BadAudio, BadRequest, BodyCutShort, BridgeError, TextTooLong
from firmware_bridge.integrations.wyoming.framing import member
from firmware_bridge.integrations.wyoming.line import EventLine
from firmware_bridge.integrations.wyoming.offer import offer

_log = logging.getLogger(__name__)
_OWN_SESSION = "wyoming"
_SILENT_RATE = 16_000  # of a text in which nothing can be said
_CHUNK_BYTES = 8_192
_MOST_HINTS = 256
_WRITING = 4.0  # times the patience: whoever sends a text in chunks waits for a model that writes it


class SpeakingCompanion(Protocol):
    """What a client needs of the companion's voice."""

    def shown(self) -> list[ModelState]: ...

    async def transcribe(self, recording: Recording, hints: tuple[str, ...] = ()) -> Hearing: ...

    def speak(self, written: AsyncIterable[str], rate: int | None = None) -> AsyncGenerator[Sound]: ...


class Companion(Protocol):
    """What a client needs of the running companion."""

    def talk(self, heard: Heard) -> AsyncIterator[TurnEvent]: ...

    @property
    def voice(self) -> SpeakingCompanion: ...


class WyomingSession:
    """Born with a connection, run once, dropped. `longest` is the longest text to speak, in characters."""

    def __init__(self, line: EventLine, companion: Companion, persona: str, language: str, longest: int) -> None:
        self._line = line
        self._companion = companion
        self._persona = persona
        self._language = language
        self._longest = longest
        self._hints: tuple[str, ...] = ()

    async def run(self) -> None:
        """Until the client ends, or something cannot be gone on from."""
        try:
            while (event := await self._next()) is not None:
                await self._meet(event)
        except ConnectionError:
            _log.debug("a Wyoming client left in the middle")
        except Exception as error:  # noqa: BLE001 - the door: whatever it is, the client is told, and only this one
            with suppress(ConnectionError):
                code, message, hint = _told(error)
                await self._line.write(Error(f"{message} ({hint})" if hint else message, code))

    async def _next(self, times: float = 1.0) -> Event | None:
        """The next event but those that are answered at any time; waits so many times as long as for any."""
        while (event := await self._line.read(times)) is not None:
            if Describe.is_type(event.type):
                await self._line.write(offer(self._persona, self._language, self._companion.voice.shown()))
            elif Ping.is_type(event.type):
                text = event.data.get("text")
                await self._line.write(Pong(text if isinstance(text, str) else None))
            else:
                return event
        return None

    async def _meet(self, event: Event) -> None:
        if Transcribe.is_type(event.type):
            self._hints = _hints(event)
        elif AudioStart.is_type(event.type):
            await self._hear(event)
        elif Synthesize.is_type(event.type):
            await self._speak(_once(self._spoken_text(event)))
        elif SynthesizeStart.is_type(event.type):
            _check_plain(event)
            await self._speak(self._written())
            await self._line.write(SynthesizeStopped())
        elif Transcript.is_type(event.type):
            await self._talk(member(event, "text", str), event.data.get("context"))

    async def _hear(self, start: Event) -> None:
        if member(start, "width", int) != 2:
            raise BadAudio("only samples of 16 bits are heard", "send width 2")
        given = AudioFormat(AudioKind.PCM16, member(start, "rate", int), member(start, "channels", int))
        async with aclosing(self._recorded()) as pieces:
            hearing = await self._companion.voice.transcribe(Recording(pieces, given), self._hints)
        self._hints = ()
        await self._line.write(Transcript(hearing.text, language=self._language))

    async def _recorded(self) -> AsyncGenerator[bytes]:
        """The sound up to audio-stop, as it arrives."""
        while not AudioStop.is_type((event := await self._awaited("audio-stop")).type):
            if AudioChunk.is_type(event.type) and event.payload:
                yield event.payload

    async def _written(self) -> AsyncGenerator[str]:
        """The text up to synthesize-stop, as it arrives; `synthesize` between is the same for older servers."""
        length = 0
        while not SynthesizeStop.is_type((event := await self._awaited("synthesize-stop", _WRITING)).type):
            if SynthesizeChunk.is_type(event.type):
                text: str = member(event, "text", str)
                length += len(text)
                self._check_length(length)
                yield text

    async def _awaited(self, end: str, times: float = 1.0) -> Event:
        event = await self._next(times)
        if event is None:
            raise BodyCutShort(f"the connection ended before {end}", "send it again")
        return event

    async def _speak(self, written: AsyncGenerator[str]) -> None:
        begun = False
        async with aclosing(written), aclosing(self._companion.voice.speak(written)) as sounds:
            async for sound in sounds:
                if not begun:
                    await self._line.write(AudioStart(sound.rate, 2, 1))
                    begun = True
                for place in range(0, len(sound.pcm), _CHUNK_BYTES):
                    piece = sound.pcm[place : place + _CHUNK_BYTES]
                    await self._line.write(AudioChunk(sound.rate, 2, 1, piece))
        if not begun:
            await self._line.write(AudioStart(_SILENT_RATE, 2, 1))
        await self._line.write(AudioStop())

    async def _talk(self, text: str, context: object) -> None:
        context = context if isinstance(context, dict) else None
        heard = Heard(text, session_of(context))
        try:
            said = [event async for event in self._companion.talk(heard) if isinstance(event, Said)][-1]
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told, and the next turn may go well
            await self._line.write(NotHandled(_told(error)[1], context))
        else:
            await self._line.write(Handled(said.text, context))

    def _spoken_text(self, event: Event) -> str:
        _check_plain(event)
        text: str = member(event, "text", str)
        self._check_length(len(text))
        return text

    def _check_length(self, length: int) -> None:
        if length > self._longest:
            raise TextTooLong(f"more than {self._longest} characters to say", "send less at once")


def session_of(context: dict[str, Any] | None) -> str:
    """The conversation that a turn belongs to: one for each of Home Assistant's, one for who names none."""
    given = (context or {}).get("conversation_id")
    if not isinstance(given, str) or not given:
        return _OWN_SESSION
    return id_for(given, f"{_OWN_SESSION}:")


def _hints(event: Event) -> tuple[str, ...]:
    """What the client expects to be said, names first."""
    told: list[str] = []
    for name in ("transcript_names", "transcript_terms"):
        words = event.data.get(name)
        told += [word for word in words if isinstance(word, str)] if isinstance(words, list) else []
    return tuple(told[:_MOST_HINTS])


def _check_plain(event: Event) -> None:
    if event.data.get("text_format") not in (None, "text"):
        raise BadRequest("only plain text is spoken", "leave text_format out")


def _told(error: Exception) -> tuple[str, str, str]:
    """Code, message and hint; what is not ours is told to the log only."""
    if isinstance(error, BridgeError | EdgeMemoryError):
        return error.code, error.message, error.hint
    _log.error("internal error", exc_info=error)
    return "internal_error", "something went wrong inside", "the log says what"


async def _once(text: str) -> AsyncGenerator[str]:
    yield text
