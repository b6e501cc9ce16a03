"""The routes of the voice: a recording in; out comes sound, whole or streamed, or JSON with the address of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import asdict, replace
from typing import Any, Protocol
from urllib.parse import quote

from aiohttp import web

from firmware_bridge.contracts import Action, Cue, Heard, Hearing, Recording, ReplySound, Said, Sound, VoiceEvent
from firmware_bridge.errors import SpeechUnusable
from firmware_bridge.web.answers import SpokenTurn
from firmware_bridge.web.audio_bodies import read_audio
from firmware_bridge.web.doors import caller_of, check_still_welcome
from firmware_bridge.web.failures import describe
from firmware_bridge.web.mailboxes import Board
from firmware_bridge.web.queries import ReplyQuery, read_query
from firmware_bridge.web.spoken_replies import ReplyRecord, SoundShelf
from firmware_bridge.web.talk import said_json

_WAV, _PCM = "audio/wav", "audio/pcm"
_HEADER_TEXT = 300  # characters of a text that a header may carry


class SpokenCompanion(Protocol):
    """What these routes need of the companion's voice."""

    def converse(self, heard: Heard, recording: Recording, rate: int | None = None) -> AsyncGenerator[VoiceEvent]: ...

    async def transcribe(self, recording: Recording, hints: tuple[str, ...] = ()) -> Hearing: ...

    def read_aloud(self, text: str, rate: int | None = None) -> AsyncGenerator[Sound]: ...

    async def encode(self, sound: Sound, form: str) -> bytes: ...


class VoiceRoutes:
    def __init__(self, voice: SpokenCompanion, keep_seconds: float, board: Board) -> None:
        self._voice = voice
        self._board = board
        self._shelf = SoundShelf(keep_seconds)

    def routes(self) -> list[web.RouteDef]:
        return [web.post("/chat/audio", self.chat_audio), web.get("/chat/audio/{turn_id}", self.reply_sound)]

    async def aclose(self) -> None:
        await self._shelf.aclose()

    async def chat_audio(self, request: web.Request) -> web.StreamResponse:
        """By `Accept`: audio/wav, audio/pcm (streamed), else JSON with `audio_url`."""
        rate = read_query(ReplyQuery, request).reply_rate
        body = await read_audio(request)
        told = {**body.fields, **request.query}
        heard = caller_of(request).heard("", told.get("session_id"), told.get("device_id"), told.get("turn_id"))
        wanted = request.headers.get("Accept", "")
        recording = replace(body.recording, goes_on=body.recording.goes_on and _PCM in wanted)
        events = self._voice.converse(heard, recording, rate)
        if _PCM in wanted:
            return await _stream(request, events)
        record = ReplyRecord(heard.device_id, self._board.post)
        draining = self._shelf.start(record.drain(events))
        try:
            hearing, said = await record.answered()
            await check_still_welcome(request)
            if _WAV in wanted:
                return await self._as_wav(record, hearing, said)
        except asyncio.CancelledError:
            draining.cancel()  # the client has gone: nobody will hear the rest
            raise
        self._shelf.put(said.turn_id, record)
        return web.json_response(_as_json(hearing, said, record))

    async def reply_sound(self, request: web.Request) -> web.StreamResponse:
        """The sound of a turn, as long as it is kept."""
        record = self._shelf.find(request.match_info["turn_id"], caller_of(request).may_hear)
        return web.Response(body=await self._voice.encode(await record.whole(), "wav"), content_type=_WAV)

    async def _as_wav(self, record: ReplyRecord, hearing: Hearing, said: Said) -> web.Response:
        headers = _headers(hearing, said)
        if said.action is Action.IGNORE:
            return web.Response(status=204, headers=headers)
        if not record.has_sound:
            raise SpeechUnusable("the reply could not be spoken", "ask without Accept: audio/wav to get its text")
        sound = await record.whole()
        return web.Response(body=await self._voice.encode(sound, "wav"), content_type=_WAV, headers=headers)


async def _stream(request: web.Request, events: AsyncGenerator[VoiceEvent]) -> web.StreamResponse:
    """Raw samples from the first clause on; 204 when nothing is to be heard."""
    hearing: Hearing | None = None
    response: web.StreamResponse | None = None
    try:
        async with aclosing(events):
            async for event in events:
                if isinstance(event, Hearing):
                    hearing = event
                if isinstance(event, Cue | ReplySound):
                    await check_still_welcome(request)
                    response = response or await _begin(request, event.sound, hearing)
                    await response.write(event.sound.pcm)
        if response is None:
            return web.Response(status=204, headers=_headers(hearing, None))
        await response.write_eof()
    except Exception as error:
        if response is None and isinstance(error, ConnectionError):
            return web.Response(status=204)  # nobody is there to read it
        if response is None:
            raise
        if not isinstance(error, ConnectionError):
            describe(error)  # the status is sent already: what is wrong goes to the log, and the sound breaks off
        response.force_close()
    return response


async def _begin(request: web.Request, sound: Sound, hearing: Hearing | None) -> web.StreamResponse:
    response = web.StreamResponse(headers=_headers(hearing, None))
    response.headers["Content-Type"] = f"{_PCM};rate={sound.rate};channels=1"
    await response.prepare(request)
    return response


def _as_json(hearing: Hearing, said: Said, record: ReplyRecord) -> dict[str, Any]:
    audio_url = f"/chat/audio/{said.turn_id}" if record.has_sound else None
    return asdict(SpokenTurn(**said_json(said), heard=hearing.text, reason=hearing.reason, audio_url=audio_url))


def _headers(hearing: Hearing | None, said: Said | None) -> dict[str, str]:
    """What JSON would tell, for who asked for sound. Texts are percent-encoded UTF-8."""
    headers: dict[str, str] = {}
    if hearing is not None:
        headers |= {"X-Lobug-Action": hearing.action.value, "X-Lobug-Heard": quote(hearing.text[:_HEADER_TEXT])}
    if said is not None:
        headers |= {"X-Lobug-Action": said.action.value, "X-Lobug-Turn": said.turn_id}
        headers["X-Lobug-Text"] = quote(said.text[:_HEADER_TEXT])
        headers["Server-Timing"] = ", ".join(f"{name};dur={value:g}" for name, value in said.timings.items())
    return headers
