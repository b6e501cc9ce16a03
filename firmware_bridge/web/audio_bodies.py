"""Recordings as requests carry them: a file, raw samples or a form; whole, or in chunks while they are made."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field

import aiohttp
from aiohttp import BodyPartReader, MultipartReader, hdrs, web
from aiohttp.http_exceptions import HttpProcessingError

from firmware_bridge.contracts import AudioFormat, AudioKind, Recording
from firmware_bridge.errors import BadRequest, BodyCutShort, BodyTooSlow, UnknownAudio
from firmware_bridge.web.bodies import PATIENCE
from firmware_bridge.web.queries import AudioQuery, read_query

_PIECE_BYTES = 8_192
_LEAST_BYTES = 2_048  # in the time for one part: speech takes more, however it is packed
_LONGEST_FIELD = 1_000
_MOST_FIELDS = 16
_BROKEN = (
    *(web.RequestPayloadError, ConnectionError, aiohttp.ClientPayloadError),
    *(ValueError, AssertionError, HttpProcessingError),  # of a form's parts
)
_RATE_HEADER = "X-Sample-Rate"
_FILE_FIELDS = ("file", "audio")
_KINDS = {
    "audio/wav": AudioKind.WAV,
    "audio/x-wav": AudioKind.WAV,
    "audio/wave": AudioKind.WAV,
    "audio/vnd.wave": AudioKind.WAV,
    "audio/ogg": AudioKind.OGG,
    "application/ogg": AudioKind.OGG,
    "audio/opus": AudioKind.OGG,
    "audio/pcm": AudioKind.PCM16,
    "audio/l16": AudioKind.PCM16,
    "audio/raw": AudioKind.PCM16,
    "audio/x-raw": AudioKind.PCM16,
    "application/octet-stream": AudioKind.PCM16,
}
_SEND = "send audio/wav, audio/ogg, audio/pcm;rate=16000, or a form with the field `file`"


@dataclass(frozen=True, slots=True)
class AudioBody:
    """A recording, and the form's fields that came before it."""

    recording: Recording
    fields: Mapping[str, str] = field(default_factory=dict)


async def read_audio(request: web.Request) -> AudioBody:
    """The body is not read yet but for a form's first fields. Raises UnknownAudio and BadRequest."""
    if request.content_type == "multipart/form-data":
        return await _read_form(request)
    given = _format(request.headers.get(hdrs.CONTENT_TYPE, ""), request)
    live = given.kind is AudioKind.PCM16 and "chunked" in request.headers.get(hdrs.TRANSFER_ENCODING, "").lower()
    asked = read_query(AudioQuery, request)
    live = live and asked.live is not False
    pieces = _pieces(request.content.readany, request.app[PATIENCE])
    return AudioBody(Recording(pieces, given, live, live and asked.goes_on is True))


def _format(content_type: str, request: web.Request) -> AudioFormat:
    """How audio is written, by its type, else by what the request says about raw samples."""
    name, _, rest = content_type.partition(";")
    name = name.strip().lower() or "application/octet-stream"
    told = {key.strip().lower(): value.strip() for key, _, value in (one.partition("=") for one in rest.split(";"))}
    kind = _KINDS.get(name)
    if kind is None and not name.startswith(("audio/", "video/")):
        raise UnknownAudio(f"{name} is no audio", _SEND)
    asked = read_query(AudioQuery, request)
    rate = str(asked.rate or request.headers.get(_RATE_HEADER) or told.get("rate") or 16_000)
    channels = str(asked.channels or told.get("channels") or 1)
    if not rate.isdecimal() or not channels.isdecimal():
        raise BadRequest(f"rate {rate!r}, channels {channels!r}", "give whole numbers, such as rate=16000")
    return AudioFormat(kind or AudioKind.FILE, int(rate[:9]), int(channels[:9]))


async def _read_form(request: web.Request) -> AudioBody:
    """Fields that come after the file are not read."""
    try:
        async with asyncio.timeout(request.app[PATIENCE]):
            part, fields = await _file_part(await request.multipart())
    except TimeoutError:
        raise BodyTooSlow("the body did not arrive in time", "send it at once") from None
    except (web.RequestPayloadError, ConnectionError) as error:
        raise BodyCutShort("the body ended early", "check Content-Length") from error
    except (ValueError, AssertionError, HttpProcessingError) as error:
        raise BadRequest(f"the form cannot be read: {error}", _SEND) from error
    kind = part.headers.get(hdrs.CONTENT_TYPE, "audio/*")
    pieces = _pieces(lambda: part.read_chunk(_PIECE_BYTES), request.app[PATIENCE])
    return AudioBody(Recording(pieces, _form_format(kind, request)), fields)


async def _file_part(form: MultipartReader) -> tuple[BodyPartReader, dict[str, str]]:
    """The part that is the file, not read yet, and the fields before it."""
    fields: dict[str, str] = {}
    for _ in range(_MOST_FIELDS):
        part = await form.next()
        if part is None:
            raise BadRequest("the form has no field `file`", _SEND)
        if isinstance(part, MultipartReader):
            raise BadRequest("a form inside the form", _SEND)
        if part.name in _FILE_FIELDS or part.filename:
            return part, fields
        fields[part.name or ""] = (await part.read_chunk(_LONGEST_FIELD)).decode("utf-8", "replace")
        await part.release()
    raise BadRequest("the form has too many fields", _SEND)


def _form_format(content_type: str, request: web.Request) -> AudioFormat:
    """Browsers and libraries often call any file application/octet-stream: its own first bytes tell better."""
    if content_type.startswith("application/octet-stream") and "rate" not in request.query:
        content_type = "audio/*"
    return _format(content_type, request)


async def _pieces(read: Callable[[], Awaitable[bytes]], patience: float) -> AsyncIterator[bytes]:
    """Until `read` gives nothing. A recording that only drips is no recording."""
    loop = asyncio.get_running_loop()
    try:
        while True:
            came, left = 0, patience
            while came < _LEAST_BYTES:
                began = loop.time()
                async with asyncio.timeout(left):
                    piece = await read()
                left -= loop.time() - began
                if not piece:
                    return
                came += len(piece)
                yield piece
    except TimeoutError:
        raise BodyTooSlow("the recording stopped arriving", "send it at once, or as it is recorded") from None
    except _BROKEN as error:
        raise BodyCutShort("the recording ended early", "check Content-Length; send it again") from error
