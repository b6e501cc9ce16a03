"""The table that documents every route, with the models that validate what is sent to it.

A test holds it to the router, and `openapi.py` makes the document of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from aiohttp import web
from pydantic import BaseModel

from edge_memory.errors import DeviceKnown, EdgeMemoryError, PairingClosed, PairingTaken, RecordNotFound, WrongState
from firmware_bridge.contracts import Said
from firmware_bridge.errors import (
    AudioTooLong,
    BadAudio,
    BadId,
    BadRequest,
    BadText,
    BridgeError,
    ExtraMissing,
    ModelLoading,
    NoSuchModel,
    OtherDevice,
    OtherSession,
    PromptTooLong,
    SchemaUnusable,
    SoundNotFound,
    SpeechMissing,
    SpeechUnusable,
    TextTooLong,
    TurnBroken,
    TurnIdTaken,
    TurnNotFound,
    UnknownAudio,
    WeightsMissing,
)
from firmware_bridge.web import answers, queries
from firmware_bridge.web.bodies import ChatTextBody, ForgetBody, Readings, TurnBody
from firmware_bridge.web.openai_audio import SPEECH_TYPES, SpeechBody
from firmware_bridge.web.openai_bodies import ChatCompletionBody, EmbeddingsBody
from firmware_bridge.web.page import MEDIA_TYPES
from firmware_bridge.web.pairing import PairBody

EVENTS = "text/event-stream"
WAV, PCM, JSON, TEXT, HTML = "audio/wav", "audio/pcm", "application/json", "text/plain", "text/html"
_EVENT = {
    "type": "object",
    "required": ["data"],
    "properties": {"event": {"type": "string"}, "data": {"type": "string", "description": "JSON, mostly"}},
}
_FORM = {
    "type": "object",
    "required": ["file"],
    "properties": {
        "file": {"type": "string", "format": "binary", "description": "after the other fields"},
        **{name: {"type": "string"} for name in ("session_id", "device_id", "turn_id", "prompt", "response_format")},
    },
}
_AUDIO_IN = {**dict.fromkeys((WAV, "audio/ogg", PCM, "application/octet-stream"), bytes), "multipart/form-data": _FORM}


Failure = type[BridgeError] | type[EdgeMemoryError] | type[web.HTTPException]


@dataclass(frozen=True, slots=True)
class Operation:
    """What a route does and takes, and what it answers by status: a type is JSON, None is no body, a mapping has one
    for each media type (a mapping there is a JSON schema). `errors` beside those of every route (see `openapi.py`).
    """

    summary: str
    answers: Mapping[int, Any]
    path: type[BaseModel] | None = None
    query: type[BaseModel] | None = None
    body: Any = None
    needs_body: bool = True
    headers: Mapping[str, str] = field(default_factory=dict)
    errors: tuple[Failure, ...] = ()


_SPEAKING = (BadText, BadId, TextTooLong, TurnIdTaken, OtherDevice, OtherSession, ModelLoading)
_HEARING = (BadAudio, UnknownAudio, AudioTooLong, SpeechMissing, SpeechUnusable)
_XIAOZHI = {"Device-Id": "the device's hardware address", "Client-Id": "its secret, 16 to 128 visible characters"}
_WHERE_TO_TALK = Operation(
    "For stock XiaoZhi firmware: where to talk, and how the device becomes paired. For people a line of text.",
    {200: {JSON: dict[str, Any], TEXT: str}},
    headers=_XIAOZHI,
    errors=(BadId, BadRequest),
)
_ASKED_WHERE_TO_TALK = replace(_WHERE_TO_TALK, body={JSON: Any}, needs_body=False)

OPERATIONS: dict[tuple[str, str], Operation] = {
    ("POST", "/chat/text"): Operation(
        "A turn in text: what the user says, and the reply. With `stream` the events begin, delta, done, error.",
        {200: {JSON: Said, EVENTS: _EVENT}},
        body=ChatTextBody,
        errors=_SPEAKING,
    ),
    ("POST", "/turns"): Operation(
        "A turn in text, acknowledged as soon as it is under way.",
        {202: answers.TurnUnderWay},
        body=TurnBody,
        errors=_SPEAKING,
    ),
    ("GET", "/turns/{id}"): Operation(
        "How a turn ended, or what is written so far; its events with Accept: text/event-stream.",
        {200: {JSON: Said, EVENTS: _EVENT}, 202: answers.TurnSoFar},
        path=queries.TurnPath,
        query=queries.WaitQuery,
        errors=(BadId, TurnNotFound, TurnBroken),
    ),
    ("POST", "/chat/audio"): Operation(
        "A turn by voice. JSON, or the sound with Accept: audio/wav, streamed with audio/pcm; 204: nothing to answer.",
        {200: {JSON: answers.SpokenTurn, WAV: bytes, PCM: bytes}, 204: None},
        query=queries.ChatAudioQuery,
        body=_AUDIO_IN,
        errors=(*_HEARING, BadId, TurnIdTaken, OtherDevice, OtherSession, ModelLoading),
    ),
    ("GET", "/chat/audio/{turn_id}"): Operation(
        "The sound of a reply, for some minutes.",
        {200: {WAV: bytes}},
        path=queries.SoundPath,
        errors=(SoundNotFound, SpeechMissing, SpeechUnusable),
    ),
    ("POST", "/context/sensors"): Operation(
        "Readings of a device, which may be named in the query or as `device_id` among them.",
        {204: None},
        query=queries.DeviceQuery,
        body=Readings,
        errors=(BadId, OtherDevice),
    ),
    ("GET", "/context/sensors"): Operation(
        "What was sensed over time, by device and name; a device sees its own.",
        {200: answers.SeriesShown},
        query=queries.SeriesQuery,
        errors=(BadId, OtherDevice),
    ),
    ("GET", "/devices"): Operation(
        "The paired devices by name, with when each was last seen and whether it listens now.",
        {200: answers.DevicesShown},
    ),
    ("GET", "/device/events"): Operation(
        "What the companion tells a device: sentence, face, audio, volume, reminder, time. By long poll, or as events "
        "with Accept: text/event-stream.",
        {200: {JSON: answers.DeviceEvents, EVENTS: _EVENT}},
        query=queries.EventsQuery,
        errors=(BadId, OtherDevice),
    ),
    ("GET", "/device/sounds/{name}"): Operation(
        "The sound that an `audio` event names.", {200: {WAV: bytes}}, path=queries.NamePath, errors=(SoundNotFound,)
    ),
    ("POST", "/device/pair"): Operation(
        "Pairing: a code and a claim at first, `waiting` while the owner has not typed the code, then the token.",
        {200: answers.Paired, 202: answers.PairingAsked | answers.PairingWaits},
        body=PairBody,
        errors=(BadId, PairingClosed, PairingTaken, DeviceKnown),
    ),
    ("GET", "/xiaozhi/ota"): _WHERE_TO_TALK,
    ("GET", "/xiaozhi/ota/"): _WHERE_TO_TALK,
    ("POST", "/xiaozhi/ota"): _ASKED_WHERE_TO_TALK,
    ("POST", "/xiaozhi/ota/"): _ASKED_WHERE_TO_TALK,
    ("POST", "/xiaozhi/ota/activate"): Operation(
        "For stock XiaoZhi firmware: 200 once asking anew would bring something new, 202 until then.",
        {200: dict[str, Any], 202: dict[str, Any]},
        headers=_XIAOZHI,
        errors=(BadId, BadRequest),
    ),
    ("GET", "/xiaozhi/v1/"): Operation(
        "The WebSocket that XiaoZhi firmware talks over; ARCHITECTURE.md names the files that speak it.",
        {101: None},
        headers={"Device-Id": _XIAOZHI["Device-Id"]},
        errors=(BadId, OtherDevice, SpeechMissing, web.HTTPBadRequest),
    ),
    ("GET", "/reminders"): Operation(
        "Reminders and timers, newest first: waiting, missed, rung, cancelled.", {200: answers.RemindersTold}
    ),
    ("GET", "/health"): Operation(
        "How it is: models, memory, and what is not as it should be.", {200: answers.HealthBody}
    ),
    ("GET", "/metrics"): Operation("For Prometheus.", {200: {TEXT: str}}, errors=(ExtraMissing,)),
    ("GET", "/memory/records"): Operation(
        "What is remembered, newest first.", {200: answers.RecordsPage}, query=queries.RecordsQuery
    ),
    ("GET", "/memory/records/{id}"): Operation(
        "A record, what it replaced, and its history.",
        {200: answers.RecordTold},
        path=queries.RecordPath,
        errors=(RecordNotFound,),
    ),
    ("POST", "/memory/records/{id}/forget"): Operation(
        "Erases a record for good, with its turns and retellings. Without `ids` it only names what would go.",
        {200: answers.Forgotten},
        path=queries.RecordPath,
        body=ForgetBody,
        errors=(RecordNotFound, WrongState),
    ),
    ("GET", "/memory/export"): Operation(
        "All that is remembered, as the file that `lobug memory export` writes.", {200: dict[str, Any]}
    ),
    ("GET", "/memory/search"): Operation(
        "Records and turns found by words and by meaning, best first.", {200: answers.Found}, query=queries.SearchQuery
    ),
    ("GET", "/memory/turns"): Operation(
        "The newest turns, oldest first.", {200: answers.TurnsTold}, query=queries.TurnsQuery
    ),
    ("GET", "/memory/profile"): Operation("What is believed about the user.", {200: answers.ProfileTold}),
    ("GET", "/memory/profile/versions"): Operation(
        "The profile as it was stored, newest first.", {200: answers.ProfileVersions}
    ),
    ("GET", "/memory/base"): Operation("The base memory document.", {200: answers.BaseTold}),
    ("GET", "/memory/base/versions"): Operation(
        "The versions of the base memory document, newest first.", {200: answers.BaseVersions}
    ),
    ("GET", "/memory/stats"): Operation("Counts, and the seven metrics.", {200: answers.StatsBody}),
    ("GET", "/memory/review"): Operation("What waits for a decision, oldest first.", {200: answers.WaitingPage}),
    ("POST", "/memory/review/{id}/confirm"): Operation(
        "The owner has it believe what waits; what that replaces is kept as superseded.",
        {200: answers.Decided},
        path=queries.RecordPath,
        errors=(RecordNotFound, WrongState),
    ),
    ("POST", "/memory/review/{id}/reject"): Operation(
        "The owner turns down what waits.",
        {200: answers.Decided},
        path=queries.RecordPath,
        errors=(RecordNotFound, WrongState),
    ),
    ("POST", "/v1/chat/completions"): Operation(
        "OpenAI's: without a session no turn and nothing kept; with one (`user`, or the header), a turn as any other.",
        {200: {JSON: answers.Completion, EVENTS: _EVENT}},
        body=ChatCompletionBody,
        headers={"X-Lobug-Session": "the conversation that the newest message is a turn of"},
        errors=(*_SPEAKING, PromptTooLong, SchemaUnusable, WeightsMissing),
    ),
    ("POST", "/v1/embeddings"): Operation(
        "OpenAI's. The first 512 tokens of each text are read.",
        {200: answers.Embeddings},
        body=EmbeddingsBody,
        errors=(ModelLoading, WeightsMissing),
    ),
    ("POST", "/v1/audio/transcriptions"): Operation(
        "OpenAI's: what was said, as JSON or text by `response_format`; `prompt` may name what will be said.",
        {200: {JSON: answers.Transcription, TEXT: str}},
        query=queries.AudioQuery,
        body=_AUDIO_IN,
        errors=_HEARING,
    ),
    ("POST", "/v1/audio/speech"): Operation(
        "OpenAI's: a text spoken.",
        {200: dict.fromkeys(SPEECH_TYPES.values(), bytes)},
        body=SpeechBody,
        errors=(SpeechMissing, SpeechUnusable),
    ),
    ("GET", "/v1/models"): Operation("OpenAI's: the models.", {200: answers.ModelCards}),
    ("GET", "/v1/models/{name}"): Operation(
        "OpenAI's: one model.", {200: answers.ModelCard}, path=queries.NamePath, errors=(NoSuchModel,)
    ),
    ("GET", "/openapi.json"): Operation("This document.", {200: dict[str, Any]}),
    ("GET", "/docs"): Operation("This document, for people.", {200: {HTML: str}}),
    ("GET", "/"): Operation("The dashboard.", {200: {HTML: str}}),
    ("GET", "/static/{name}"): Operation(
        "A part of the dashboard.",
        {200: dict.fromkeys(MEDIA_TYPES, bytes)},
        path=queries.NamePath,
        errors=(web.HTTPNotFound,),
    ),
    ("GET", "/events"): Operation(
        "For the dashboard, as it happens: begun, said, failed, taken_back of each turn, and memory when it changed.",
        {200: {EVENTS: _EVENT}},
    ),
}
