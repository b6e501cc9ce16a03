"""Piper, a neural voice on ONNX Runtime. The package piper-tts is GPL-3.0-or-later: it comes only with the extra."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from firmware_bridge.speech.native import open_session
from firmware_bridge.speech.samples import Samples


class PiperSynthesiser:
    """`path` is the .onnx file of a voice; its .onnx.json lies beside it."""

    def __init__(self, path: Path, threads: int = 1) -> None:
        from piper import PiperVoice
        from piper.config import PiperConfig

        config = PiperConfig.from_dict(json.loads(path.with_name(path.name + ".json").read_text(encoding="utf-8")))
        self._voice = PiperVoice(session=open_session(path, threads), config=config)

    @property
    def rate(self) -> int:
        return int(self._voice.config.sample_rate)

    def synthesise(self, text: str) -> Samples:
        pieces = [chunk.audio_float_array for chunk in self._voice.synthesize(text)]
        return np.concatenate(pieces) if pieces else np.zeros(0, np.float32)
