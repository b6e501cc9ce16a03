"""Moonshine, a recogniser whose cost goes with the length of the speech, on ONNX Runtime. It takes no hints."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firmware_bridge.speech.native import open_session
from firmware_bridge.speech.protocols import Transcript
from firmware_bridge.speech.samples import HEARING_RATE, Samples

_BEGIN, _END = 1, 2  # tokens
_TOKENS_A_SECOND = 6.5  # more than anybody says; what is longer has begun to loop
_LEAST_SAMPLES = 1_600  # shorter sound gives the encoder nothing to work on
_LONG_LENGTH = 128  # lengths from here on take two bytes
_CACHE = "past_key_values"


class MoonshineTranscriber:
    """`folder` holds encoder_model.ort, decoder_model_merged.ort and tokenizer.bin."""

    def __init__(self, folder: Path, threads: int = 1) -> None:
        self._encoder = open_session(folder / "encoder_model.ort", threads)
        self._decoder = open_session(folder / "decoder_model_merged.ort", threads)
        self._tokens = _read_tokens((folder / "tokenizer.bin").read_bytes())
        self._caches = [given for given in self._decoder.get_inputs() if given.name.startswith(_CACHE)]

    @property
    def longest_seconds(self) -> float:
        return 20.0

    def transcribe(self, samples: Samples, hints: Sequence[str]) -> Generator[None, None, Transcript]:
        if len(samples) < _LEAST_SAMPLES:
            samples = np.pad(samples, (0, _LEAST_SAMPLES - len(samples)))
        sound = samples[None, :]
        mask = np.ones(sound.shape, np.int64)
        (state,) = self._encoder.run(None, {"input_values": sound, "attention_mask": mask})
        yield
        tokens, likelihoods = self._decode(state, mask, most=int(len(samples) / HEARING_RATE * _TOKENS_A_SECOND) + 4)
        return Transcript(self._text(tokens), float(np.mean(likelihoods)))

    def _decode(self, state: NDArray[np.float32], mask: NDArray[np.int64], most: int) -> tuple[list[int], list[float]]:
        """Greedy: the likeliest tokens, with the log probability of each and of the end."""
        cache = {given.name: np.zeros((1, given.shape[1], 0, given.shape[3]), np.float32) for given in self._caches}
        tokens, likelihoods = [_BEGIN], []
        while len(tokens) <= most:
            first = len(tokens) == 1
            logits, *present = self._decoder.run(None, self._step(tokens[-1], state, mask, cache, first))
            for given, now in zip(self._caches, present, strict=True):
                if first or ".decoder." in given.name:
                    cache[given.name] = now
            scores = logits[0, -1]
            best = int(scores.argmax())
            likelihoods.append(float(scores[best] - np.logaddexp.reduce(scores)))
            if best == _END:
                break
            tokens.append(best)
        return tokens[1:], likelihoods

    def _step(
        self,
        token: int,
        state: NDArray[np.float32],
        mask: NDArray[np.int64],
        cache: dict[str, NDArray[np.float32]],
        first: bool,
    ) -> dict[str, Any]:
        return {
            "input_ids": np.array([[token]], np.int64),
            "encoder_hidden_states": state,
            "encoder_attention_mask": mask,  # of the sound, not of the state
            "use_cache_branch": np.array([not first]),
            **cache,
        }

    def _text(self, tokens: Sequence[int]) -> str:
        joined = b"".join(self._tokens[token] for token in tokens if token > _END)
        return joined.decode("utf-8", errors="replace").replace("\u2581", " ").strip()


def _read_tokens(data: bytes) -> list[bytes]:
    """Each token is written as its length and its bytes; a length from 128 on takes two bytes, the low one first."""
    tokens, place = [], 0
    while place < len(data):
        length = data[place]
        place += 1
        if length >= _LONG_LENGTH:
            length += (data[place] - 1) * _LONG_LENGTH
            place += 1
        tokens.append(data[place : place + length])
        place += length
    return tokens
