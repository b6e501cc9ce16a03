"""The text messages of XiaoZhi's protocol: JSON in, frozen values out, and the other way round. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from firmware_bridge.contracts import Expression
from firmware_bridge.device.xiaozhi.framing import check_version
from firmware_bridge.errors import BadMessage

DOWN_RATE = 24_000  # samples a second of what the device plays
FRAME_MS = 60
_LONGEST_TEXT = 4_000  # characters of a typed text
_EMOTIONS = {  # names that every firmware has a face for
    Expression.NEUTRAL: "neutral",
    Expression.HAPPY: "happy",
    Expression.THINKING: "thinking",
    Expression.SAD: "sad",
    Expression.ALERT: "shocked",
}
_FACES = {"neutral": "😶", "happy": "🙂", "thinking": "🤔", "sad": "😔", "shocked": "😱"}


class Mode(StrEnum):
    """Who finds the end of an utterance."""

    AUTO = "auto"  # the companion; the microphone is off while the device speaks
    MANUAL = "manual"  # whoever holds the button
    REALTIME = "realtime"  # the companion; the microphone is always on, the device takes its own voice out


@dataclass(frozen=True, slots=True)
class Hello:
    version: int  # of binary frames
    has_mcp: bool


@dataclass(frozen=True, slots=True)
class ListenStart:
    mode: Mode


@dataclass(frozen=True, slots=True)
class ListenStop:
    pass


@dataclass(frozen=True, slots=True)
class Detected:
    """A wake word, or a text that somebody typed: only what follows tells which."""

    text: str


@dataclass(frozen=True, slots=True)
class Abort:
    pass


@dataclass(frozen=True, slots=True)
class Goodbye:
    pass


@dataclass(frozen=True, slots=True)
class Mcp:
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Unknown:
    kind: str


FromDevice = Hello | ListenStart | ListenStop | Detected | Abort | Goodbye | Mcp | Unknown


def parse(text: str | bytes) -> FromDevice:
    """Raises BadMessage, and ProtocolUnknown for a hello of another version. What nobody knows is Unknown."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadMessage("a message that is not JSON", "text frames hold one JSON object each") from error
    if not isinstance(told, dict):
        raise BadMessage("a message that is no JSON object", 'send one such as {"type": "hello"}')
    kind = told.get("type")
    match kind:
        case "hello":
            return _hello(told)
        case "listen":
            return _listen(told)
        case "abort":
            return Abort()
        case "goodbye":
            return Goodbye()
        case "mcp" if isinstance(told.get("payload"), dict):
            return Mcp(told["payload"])
    return Unknown(str(kind)[:40])


def hello(session_id: str) -> str:
    audio = {"format": "opus", "sample_rate": DOWN_RATE, "channels": 1, "frame_duration": FRAME_MS}
    return _wire("hello", session_id, transport="websocket", audio_params=audio)


def stt(session_id: str, text: str) -> str:
    return _wire("stt", session_id, text=text)


def tts(session_id: str, state: str, text: str = "") -> str:
    """`state`: start, sentence_start, sentence_end or stop."""
    return _wire("tts", session_id, state=state, **({"text": text} if text else {}))


def emotion(session_id: str, expression: Expression) -> str:
    name = _EMOTIONS[expression]
    return _wire("llm", session_id, text=_FACES[name], emotion=name)


def alert(session_id: str, status: str, message: str, expression: Expression = Expression.SAD) -> str:
    return _wire("alert", session_id, status=status, message=message, emotion=_EMOTIONS[expression])


def mcp(session_id: str, payload: Mapping[str, Any]) -> str:
    return _wire("mcp", session_id, payload=dict(payload))


def _hello(told: Mapping[str, Any]) -> Hello:
    audio, features = told.get("audio_params") or {}, told.get("features") or {}
    if not isinstance(audio, dict) or not isinstance(features, dict):
        raise BadMessage("a hello whose parts are no objects", "see docs/websocket.md of the firmware")
    if audio.get("format", "opus") != "opus" or audio.get("channels", 1) != 1:
        raise BadMessage("only Opus with one channel is taken", "set audio_params to opus and 1")
    version = told.get("version", 1)
    if not isinstance(version, int):
        raise BadMessage("a hello whose version is no number", "send 1, 2 or 3")
    return Hello(check_version(version), features.get("mcp") is True)


def _listen(told: Mapping[str, Any]) -> FromDevice:
    state, mode, text = told.get("state"), told.get("mode", Mode.AUTO), told.get("text", "")
    if state == "start":
        if mode not in list(Mode):
            raise BadMessage(f"listen mode {str(mode)[:40]!r}", f"known are {', '.join(Mode)}")
        return ListenStart(Mode(mode))
    if state == "stop":
        return ListenStop()
    if state == "detect" and isinstance(text, str) and len(text) <= _LONGEST_TEXT:
        return Detected(text.strip())
    raise BadMessage(f"listen state {str(state)[:40]!r}", "known are start, stop, and detect with a text")


def _wire(kind: str, session_id: str, **fields: Any) -> str:
    return json.dumps({"type": kind, "session_id": session_id, **fields}, ensure_ascii=False)
