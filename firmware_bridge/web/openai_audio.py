"""`POST /v1/audio/transcriptions` and `/v1/audio/speech`, in OpenAI's form.

Source: https://platform.openai.com/docs/api-reference/audio
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Literal

from aiohttp import web
from pydantic import Field

from firmware_bridge.contracts import Sound
from firmware_bridge.errors import BadRequest
from firmware_bridge.web.audio_bodies import read_audio
from firmware_bridge.web.bodies import parse, read_json
from firmware_bridge.web.openai_bodies import Body
from firmware_bridge.web.voice import SpokenCompanion

SPEECH_TYPES = {
    "mp3": "audio/mpeg",
    "opus": "audio/ogg",
    "flac": "audio/flac",
    "aac": "audio/aac",
    "wav": "audio/wav",
    "pcm": "audio/pcm",
}
_PCM_RATE = 24_000  # what OpenAI's raw samples have
_LONGEST_INPUT = 4_096
_FORMATS = ("json", "text", "verbose_json")


class SpeechBody(Body):
    """`POST /v1/audio/speech`. There is one voice: `model` and `voice` are taken and not looked at."""

    input: str = Field(min_length=1, max_length=_LONGEST_INPUT)
    model: str = ""
    voice: str | dict[str, str] = ""
    response_format: Literal["mp3", "opus", "flac", "aac", "wav", "pcm"] = "mp3"
    speed: float = Field(1.0, ge=1.0, le=1.0, description="the voice has one speed")


class AudioRoutes:
    def __init__(self, voice: SpokenCompanion) -> None:
        self._voice = voice

    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/v1/audio/transcriptions", self.transcriptions),
            web.post("/v1/audio/speech", self.speech),
        ]

    async def transcriptions(self, request: web.Request) -> web.Response:
        """`prompt` may name what will be said, parted by commas. Fields after the file are not read."""
        body = await read_audio(request)
        form = body.fields.get("response_format", "json")
        if form not in _FORMATS:
            raise BadRequest(f"response_format {form[:40]!r}", f"known are {', '.join(_FORMATS)}")
        hints = tuple(part for part in re.split(r"\s*[,;\n]\s*", body.fields.get("prompt", "")) if part)
        hearing = await self._voice.transcribe(body.recording, hints)
        if form == "text":
            return web.Response(text=hearing.text + "\n")
        answer: dict[str, object] = {"text": hearing.text}
        if form == "verbose_json":
            answer |= {"task": "transcribe", "duration": hearing.seconds, "segments": []}
        return web.json_response(answer)

    async def speech(self, request: web.Request) -> web.StreamResponse:
        body = parse(SpeechBody, await read_json(request))
        kind = SPEECH_TYPES[body.response_format]
        if body.response_format == "pcm":
            return await _stream(request, self._voice.read_aloud(body.input, _PCM_RATE))
        sounds = [sound async for sound in self._voice.read_aloud(body.input)]
        if not sounds:
            raise BadRequest("nothing in the input can be said", "give words")
        whole = Sound(b"".join(sound.pcm for sound in sounds), sounds[0].rate)
        return web.Response(body=await self._voice.encode(whole, body.response_format), content_type=kind)


async def _stream(request: web.Request, sounds: AsyncGenerator[Sound]) -> web.StreamResponse:
    """Raw samples from the first clause on."""
    async with aclosing(sounds):
        first = await anext(sounds, None)
        if first is None:
            raise BadRequest("nothing in the input can be said", "give words")
        response = web.StreamResponse(headers={"Content-Type": SPEECH_TYPES["pcm"]})
        await response.prepare(request)
        with suppress(ConnectionError):  # nobody listens any more
            await response.write(first.pcm)
            async for sound in sounds:
                await response.write(sound.pcm)
            await response.write_eof()
    return response
