"""espeak-ng as a program: small, fast, plainly a machine. The fallback where a neural voice is too much."""

from __future__ import annotations

import io
import shutil
import subprocess
import wave
from collections.abc import Iterator

import numpy as np

from firmware_bridge.errors import SpeechMissing, SpeechUnusable
from firmware_bridge.speech.samples import Samples, from_pcm16

_PROGRAM = "espeak-ng"
_RATE = 22_050
_LONGEST_SECONDS = 20.0
_CLEAR_WORDS_A_MINUTE = "140"  # instead of 175: of 53 German words our own recogniser then mistook 23 instead of 29


class EspeakSynthesiser:
    """Raises SpeechMissing when the program is not installed."""

    def __init__(self, language: str = "en") -> None:
        program = shutil.which(_PROGRAM)
        if program is None:
            raise SpeechMissing("espeak-ng is not installed", "apt-get install espeak-ng, or choose another voice")
        voice = ["en-us"] if language == "en" else [language, "-s", _CLEAR_WORDS_A_MINUTE]
        self._command = [program, "--stdout", "-v", *voice]

    @property
    def rate(self) -> int:
        return _RATE

    def synthesise(self, text: str, *, soon: bool = False) -> Iterator[Samples]:
        yield self._spoken(text)

    def _spoken(self, text: str) -> Samples:
        """The text goes in by standard input: nothing in it is taken for an option."""
        try:
            done = subprocess.run(  # noqa: S603 - a fixed program, no shell
                self._command, input=text.encode(), capture_output=True, timeout=_LONGEST_SECONDS, check=True
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise SpeechUnusable(f"espeak-ng failed: {error}", "run espeak-ng by hand to see why") from error
        if not done.stdout:  # where there is nothing to say
            return np.zeros(0, np.float32)
        with wave.open(io.BytesIO(done.stdout)) as written:
            return from_pcm16(written.readframes(written.getnframes()))
