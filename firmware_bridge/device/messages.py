"""Control messages of the serial link: JSON objects on the wire, frozen values on this side of it.

device to companion: say, listen, heard, sense, cancel
companion to device: understood, begun, piece, done, failed, sound, sound_end, and the notices
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from edge_memory.errors import EdgeMemoryError
from edge_memory.store.sensors import Reading
from firmware_bridge.contracts import (
    GrantKey,
    Hearing,
    Notice,
    PlayAudio,
    ReminderDue,
    ReplySentence,
    ReplyText,
    SetVolume,
    ShowFace,
    TellTime,
    TurnBegun,
    TurnEvent,
    check_id,
)
from firmware_bridge.errors import BadMessage, BridgeError

_RATES = (8_000, 48_000)


@dataclass(frozen=True, slots=True)
class Hello:
    """Who is at the other end."""

    device_id: str
    board: str = ""
    firmware: str = ""
    paired: bool = True  # whether it has a token


@dataclass(frozen=True, slots=True)
class Say:
    turn_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Listen:
    """Sound of an utterance follows in audio frames: PCM16, mono, `rate` samples a second."""

    turn_id: str
    rate: int


@dataclass(frozen=True, slots=True)
class HeardAll:
    """The utterance is over; its sound had `size` bytes."""

    turn_id: str
    size: int


@dataclass(frozen=True, slots=True)
class Sense:
    readings: Mapping[str, Reading]


@dataclass(frozen=True, slots=True)
class Cancel:
    """Nobody wants to hear the rest of this reply."""

    turn_id: str


FromDevice = Say | Listen | HeardAll | Sense | Cancel


def parse_hello(payload: bytes) -> Hello:
    """Raises BadMessage or BadId."""
    told = _object(payload)
    board, firmware = (str(told.get(name, ""))[:40] for name in ("board", "firmware"))
    paired = told.get("paired") is not False
    return Hello(check_id("device_id", _text(told, "device_id")), board, firmware, paired)


def parse_message(payload: bytes) -> FromDevice:
    """Raises BadMessage or BadId."""
    told = _object(payload)
    kind = told.get("type")
    parser = _PARSERS.get(kind) if isinstance(kind, str) else None
    if parser is None:
        raise BadMessage(f"a message of the unknown type {str(kind)[:40]!r}", f"known are {', '.join(_PARSERS)}")
    return parser(told)


def event_message(turn_id: str, event: TurnEvent | Hearing) -> bytes:
    if isinstance(event, Hearing):
        return _wire("understood", turn_id=turn_id, text=event.text, action=event.action.value)
    if isinstance(event, TurnBegun):
        return _wire("begun", turn_id=turn_id, session_id=event.session_id)
    if isinstance(event, ReplyText):
        return _wire("piece", turn_id=turn_id, text=event.text)
    return _wire("done", turn_id=turn_id, action=event.action.value, text=event.text)


def failure_message(turn_id: str, error: Exception) -> bytes:
    return _wire("failed", turn_id=turn_id, **error_body(error))


def sound_message(rate: int, turn_id: str | None) -> bytes:
    """Audio frames follow, after this one was acknowledged."""
    return _wire("sound", rate=rate, turn_id=turn_id)


def sound_end_message(offset: int) -> bytes:
    """No more sound for now; all of the link's audio up to `offset` was sent."""
    return _wire("sound_end", offset=offset)


def welcome_payload(time: TellTime) -> bytes:
    return json.dumps(asdict(time)).encode()


def notice_message(notice: Notice) -> bytes:
    """Not for PlayAudio, which travels in frames of its own."""
    match notice:
        case ReplySentence():
            return _wire("sentence", **asdict(notice))
        case ShowFace(expression):
            return _wire("face", expression=expression.value)
        case SetVolume():
            return _wire("volume", **asdict(notice))
        case ReminderDue():
            return _wire("reminder", **asdict(notice))
        case TellTime():
            return _wire("time", **asdict(notice))
        case GrantKey():
            return _wire("key", **asdict(notice))
        case PlayAudio():
            raise ValueError("sound is no control message")


def error_body(error: Exception) -> dict[str, dict[str, str | bool]]:
    """`retry` says that the same will be possible later."""
    if isinstance(error, (BridgeError, EdgeMemoryError)):
        retry = isinstance(error, BridgeError) and error.status in (429, 503)
        return {"error": {"code": error.code, "message": error.message, "hint": error.hint, "retry": retry}}
    return {"error": {"code": "internal_error", "message": "something went wrong inside", "hint": "", "retry": False}}


def refusal_payload(error: Exception) -> bytes:
    return json.dumps(error_body(error)).encode()


def _say(told: dict[str, Any]) -> Say:
    return Say(_turn_id(told), _text(told, "text"))


def _listen(told: dict[str, Any]) -> Listen:
    rate = _whole(told, "rate")
    if not _RATES[0] <= rate <= _RATES[1]:
        raise BadMessage(f"sound of {rate} samples a second", f"send {_RATES[0]} to {_RATES[1]}, best 16000")
    return Listen(_turn_id(told), rate)


def _heard(told: dict[str, Any]) -> HeardAll:
    return HeardAll(_turn_id(told), _whole(told, "bytes"))


def _sense(told: dict[str, Any]) -> Sense:
    readings = told.get("readings")
    if not isinstance(readings, dict):
        raise BadMessage("readings are missing", 'send {"type": "sense", "readings": {"temperature": 21.5}}')
    return Sense(readings)


def _cancel(told: dict[str, Any]) -> Cancel:
    return Cancel(_turn_id(told))


_PARSERS: dict[str, Callable[[dict[str, Any]], FromDevice]] = {
    "say": _say,
    "listen": _listen,
    "heard": _heard,
    "sense": _sense,
    "cancel": _cancel,
}


def _wire(kind: str, **members: object) -> bytes:
    return json.dumps({"type": kind, **members}, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _object(payload: bytes) -> dict[str, Any]:
    try:
        told = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise BadMessage("a control frame is not JSON", "send one object a message") from error
    if not isinstance(told, dict):
        raise BadMessage("a control frame is not an object", "send one object a message")
    return told


def _text(told: dict[str, Any], name: str) -> str:
    value = told.get(name)
    if not isinstance(value, str):
        raise BadMessage(f"{name} is not a text", "see the serial link in REFERENCE.md")
    return value


def _whole(told: dict[str, Any], name: str) -> int:
    value = told.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise BadMessage(f"{name} is not a whole number", "see the serial link in REFERENCE.md")
    return value


def _turn_id(told: dict[str, Any]) -> str:
    return check_id("turn_id", _text(told, "turn_id"))
