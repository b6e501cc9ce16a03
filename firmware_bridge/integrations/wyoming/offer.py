"""What a Wyoming client is told that there is: only what works here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wyoming.info import AsrModel, AsrProgram, Attribution, HandleModel, HandleProgram, Info, TtsProgram, TtsVoice

from firmware_bridge import __version__
from firmware_bridge.contracts import ModelState

_WHO = Attribution(name="Lo-Bug", url="")
_EARS, _MOUTH = ("hearing", "listening"), ("speaking",)  # the engines of each, by role


def offer(persona: str, language: str, engines: Iterable[ModelState]) -> Info:
    """Hearing and speaking where their engines are here, talking always: turns wait for a model that still loads."""
    here = {engine.role: engine.name for engine in engines if engine.state == "ready"}
    told: dict[str, Any] = {"attribution": _WHO, "installed": True, "version": __version__}
    info = Info(
        handle=[
            HandleProgram(
                name=persona,
                description="a companion with a memory",
                models=[HandleModel(name=persona, description="", languages=[language], **told)],
                **told,
            )
        ]
    )
    if all(role in here for role in _EARS):
        model = AsrModel(name=here["hearing"], description=here["hearing"], languages=[language], **told)
        info.asr = [AsrProgram(name=persona, description="speech to text", models=[model], **told)]
    if all(role in here for role in _MOUTH):
        voice = TtsVoice(name=here["speaking"], description=here["speaking"], languages=[language], **told)
        info.tts = [
            TtsProgram(
                name=persona,
                description="text to speech",
                voices=[voice],
                supports_synthesize_streaming=True,
                **told,
            )
        ]
    return info
