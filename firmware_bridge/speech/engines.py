"""Which class runs an engine of the catalogue. Loading blocks: do it in the compute lane."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from firmware_bridge.errors import ADD_EXTRAS, BridgeError, SpeechMissing, SpeechUnusable
from firmware_bridge.speech.protocols import Synthesiser, Transcriber, VoiceDetector

ESPEAK = "espeak-ng"
_LIBRARIES = {
    "whisper": ("faster_whisper", "ctranslate2"),
    "moonshine": ("onnxruntime",),
    "silero": ("onnxruntime",),
    "piper": ("piper", "onnxruntime"),
}


def require_libraries(engine: str) -> None:
    """Raises SpeechMissing, with what to do, when an engine's libraries are not installed. Imports nothing."""
    absent = [library for library in (*_LIBRARIES.get(engine, ()), "av", "soxr") if find_spec(library) is None]
    if absent:
        raise SpeechMissing(f"{engine} needs {', '.join(absent)}, not installed", ADD_EXTRAS)


def load_transcriber(engine: str, file: Path, language: str, threads: int) -> Transcriber:
    """`file` is the model's main file. Raises SpeechMissing or SpeechUnusable."""
    require_libraries(engine)
    try:
        if engine == "moonshine":
            from firmware_bridge.speech.moonshine import MoonshineTranscriber

            return MoonshineTranscriber(file.parent, threads)
        from firmware_bridge.speech.whisper import WhisperTranscriber

        return WhisperTranscriber(file.parent, language=language, threads=threads)
    except Exception as error:  # native loaders raise what they like
        raise _unusable(engine, error) from error


def load_detector(engine: str, file: Path) -> VoiceDetector:
    """Raises SpeechMissing or SpeechUnusable."""
    require_libraries(engine)
    try:
        from firmware_bridge.speech.silero import SileroDetector

        return SileroDetector(file)
    except Exception as error:
        raise _unusable(engine, error) from error


def load_synthesiser(
    engine: str, file: Path | None, language: str, threads: int = 1, cache: Path | None = None
) -> Synthesiser:
    """`file` is None for espeak-ng, which has no weights; what is made of it is kept in `cache`. Raises SpeechMissing
    or SpeechUnusable.
    """
    try:
        if file is None:
            from firmware_bridge.speech.espeak import EspeakSynthesiser

            return EspeakSynthesiser(language)
        require_libraries(engine)
        from firmware_bridge.speech.piper import PiperSynthesiser

        return PiperSynthesiser(file, threads, cache)
    except Exception as error:
        raise _unusable(engine, error) from error


def _unusable(engine: str, error: Exception) -> BridgeError:
    if isinstance(error, BridgeError):
        return error
    return SpeechUnusable(f"{engine} does not load: {type(error).__name__}: {error}", "run `lobug doctor`")
