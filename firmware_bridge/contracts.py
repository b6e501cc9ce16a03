"""The frozen values that cross the walls between rooms, and the shape of ids."""

from __future__ import annotations

import hashlib
import re
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from firmware_bridge.errors import BadId

ANY_DEVICE = "default"  # whose readings they are when no device is named
ID_PATTERN = "^[A-Za-z0-9._:-]{1,64}$"


def check_id(name: str, value: str) -> str:
    """A session's or a device's id, as it was given. Raises BadId for one of the wrong shape."""
    if not re.fullmatch(ID_PATTERN, value):
        raise BadId(f"{name} has the wrong shape", "use 1 to 64 letters, digits and . _ : -")
    return value


def id_for(given: str, prefix: str = "") -> str:
    """The id of what others name as they like: the name itself where it can be an id, else one made from it."""
    plain = prefix + given
    if re.fullmatch(ID_PATTERN, plain):
        return plain
    return prefix + hashlib.sha256(given.encode("utf-8", "replace")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Sound:
    """Speech: 16-bit little-endian samples of one channel, `rate` of them a second. `text`: what it says, if known."""

    pcm: bytes
    rate: int
    text: str = ""

    @property
    def seconds(self) -> float:
        return len(self.pcm) / 2 / self.rate


class AudioKind(StrEnum):
    """How audio is written in the bytes that a client sends."""

    WAV = "wav"
    OGG = "ogg"
    PCM16 = "pcm16"  # raw, little-endian
    FILE = "file"  # some container; its first bytes tell which


@dataclass(frozen=True, slots=True)
class AudioFormat:
    """`rate` and `channels` are for raw samples; files say their own."""

    kind: AudioKind
    rate: int = 16_000
    channels: int = 1


class Action(StrEnum):
    """How a heard utterance ends."""

    RESPOND = "respond"
    IGNORE = "ignore"  # noise: logged, never extracted
    CLARIFY = "clarify"


@dataclass(frozen=True, slots=True)
class Heard:
    """An utterance as it reaches the turn, whichever way it came.

    `action` is what the ears decided: only RESPOND is given to the model. `timings` are those of the ears.
    `by_guest`: who speaks is not known to be the user. `cut_when_left`: nobody wants what is left of the reply once its
    events are no longer listened to.
    """

    text: str
    session_id: str
    device_id: str | None = None
    user_id: str = "owner"
    turn_id: str | None = None  # given by a device that may send the turn again; None makes a new one
    action: Action = Action.RESPOND
    timings: Mapping[str, float] = field(default_factory=dict)
    cut_when_left: bool = False
    by_guest: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """What one reply cost. `prompt_tokens_read` leaves out what the KV cache already held.

    `read_ms` is the time that reading those took, 0 where it is not known.
    """

    prompt_tokens: int
    prompt_tokens_read: int
    reply_tokens: int
    queue_ms: float
    stop_reason: str  # "end" (the model ended), "length", "stopped" (the caller ended it)
    read_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class ReplyPiece:
    """Some text of a reply, in order. The last piece of a reply, and only it, has `usage`."""

    text: str
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class TurnBegun:
    turn_id: str
    session_id: str


@dataclass(frozen=True, slots=True)
class ReplyText:
    """A part of the reply, as the model writes it."""

    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """How a turn ended. It is on disk by the time anyone sees this."""

    action: Action
    text: str
    turn_id: str
    session_id: str
    memories: tuple[int, ...] = ()
    timings: Mapping[str, float] = field(default_factory=dict)


TurnEvent = TurnBegun | ReplyText | Said


@dataclass(frozen=True, slots=True)
class Recording:
    """One utterance as a client sends it. `live`: it is still being recorded, and nobody has found its end yet.
    `goes_on`: what is said after that end comes, too, without the reply's own sound, while the reply is told.
    """

    pieces: AsyncIterator[bytes]
    format: AudioFormat
    live: bool = False
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class Watch:
    """What whoever brings sound is told, and asked, while it is heard.

    `speaking` is called for each piece of a live recording: whether somebody has begun to speak. `admit` is called
    before an utterance becomes a turn; what it raises ends the exchange. `hush` is called when somebody speaks on and
    what the reply said is to fall silent; TakenBack follows.
    """

    speaking: Callable[[bool], None] = lambda _: None
    admit: Callable[[], None] = lambda: None
    hush: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class Hearing:
    """What the ears made of a recording. `reason` says why it is not simply answered; empty when it is.

    `confidence` is the mean log probability of the recogniser's tokens, `seconds` the length of the recording.
    `may_go_on`: HeardOut or TakenBack follows.
    """

    text: str
    action: Action
    reason: str
    confidence: float
    seconds: float
    timings: Mapping[str, float]
    may_go_on: bool = False


@dataclass(frozen=True, slots=True)
class HeardOut:
    """Nobody spoke on: what was heard is all."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Somebody spoke on: the reply ends here and its turn counts for nothing. All that was said is heard anew."""


@dataclass(frozen=True, slots=True)
class Cue:
    """A short sound that says: I heard you, the answer takes a while."""

    sound: Sound


@dataclass(frozen=True, slots=True)
class ReplySound:
    """A part of the spoken reply, in order."""

    sound: Sound


VoiceEvent = Hearing | HeardOut | TakenBack | TurnBegun | Cue | ReplyText | ReplySound | Said


@dataclass(frozen=True, slots=True)
class ModelState:
    """One model as `/health` shows it. `state`: loading, ready, fallback, missing, failed."""

    role: str
    name: str
    state: str
    detail: str = ""


class Expression(StrEnum):
    """The faces that a device can show."""

    NEUTRAL = "neutral"
    HAPPY = "happy"
    THINKING = "thinking"
    SAD = "sad"
    ALERT = "alert"


@dataclass(frozen=True, slots=True)
class ReplySentence:
    """A sentence of a reply, to be shown; `index` counts from 0 within the turn."""

    turn_id: str
    index: int
    text: str


@dataclass(frozen=True, slots=True)
class PlayAudio:
    """Sound to play after what came before: PCM16 little-endian, mono, `rate` samples a second."""

    pcm: bytes
    rate: int
    turn_id: str | None = None  # the reply that it speaks


@dataclass(frozen=True, slots=True)
class ShowFace:
    expression: Expression


@dataclass(frozen=True, slots=True)
class SetVolume:
    percent: int  # 0 to 100


@dataclass(frozen=True, slots=True)
class ReminderDue:
    reminder_id: int
    text: str
    due_at: float  # seconds since 1970


@dataclass(frozen=True, slots=True)
class TellTime:
    at: float  # seconds since 1970
    utc_offset_minutes: int


@dataclass(frozen=True, slots=True)
class GrantKey:
    """The token that pairs a device; only ever sent over a cable."""

    token: str


Notice = ReplySentence | PlayAudio | ShowFace | SetVolume | ReminderDue | TellTime | GrantKey
