"""Sounds that wait to be fetched by the device that they are for: few, small, and only in memory."""

from __future__ import annotations

import io
import secrets
import wave
from collections import OrderedDict

from firmware_bridge.contracts import PlayAudio

_MOST_BYTES = 16 * 1024 * 1024  # about eight minutes
_SAMPLE_BYTES = 2


class Sounds:
    """The oldest make room for new ones."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, tuple[str, bytes]] = OrderedDict()
        self._size = 0

    def keep(self, device_id: str, sound: PlayAudio) -> str:
        """The name under which it can be fetched; nobody can guess it."""
        name, wav = secrets.token_urlsafe(12), _wav(sound)
        self._waiting[name] = (device_id, wav)
        self._size += len(wav)
        while self._size > _MOST_BYTES and len(self._waiting) > 1:
            _, (_, oldest) = self._waiting.popitem(last=False)
            self._size -= len(oldest)
        return name

    def get(self, device_id: str | None, name: str) -> bytes | None:
        """A WAV file. None when there is none of this name for this device; the device None may have any."""
        owner, wav = self._waiting.get(name, ("", b""))
        return wav if wav and device_id in (None, owner) else None


def _wav(sound: PlayAudio) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(_SAMPLE_BYTES)
        writer.setframerate(sound.rate)
        writer.writeframes(sound.pcm)
    return file.getvalue()
