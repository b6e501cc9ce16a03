"""Whisper through CTranslate2, with a window that fits the speech instead of 30 s. What is unclear is heard twice."""

from __future__ import annotations

import json
import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from firmware_bridge.speech.protocols import Transcript
from firmware_bridge.speech.repetition import said_once
from firmware_bridge.speech.samples import HEARING_RATE, Samples

if TYPE_CHECKING:
    import ctranslate2
    import tokenizers
    from faster_whisper.tokenizer import Tokenizer

# Seconds of sound that the encoder gets; its cost goes with them. Speech must fit in with some silence after it, or it
# runs on. 30 s are what it was trained on: unclear speech is heard a second time with them.
_WINDOWS, _WIDE_WINDOW = (8, 11, 15), 30
_SILENCE = 1.0
_SMALL_BYTES = 100_000_000  # a smaller model (tiny) loses accuracy in a window of less than 15 s
_UNSURE = -0.6  # mean log probability below which speech counts as unclear
_LONGEST_PROMPT = 200  # tokens of hints; more than this is no hint, and costs time
_LONGEST_ANSWER = 224  # tokens
_BEAM = 5  # readings that are followed, and told
_FRAMES_A_SECOND = 100
_FRAME = 400  # samples that one is worked out of
_SMALLEST_CONFIDENCE = -10.0
_LEAST_LIKELY = 1e-9


class WhisperTranscriber:
    """`folder` holds model.bin, config.json, tokenizer.json and vocabulary.txt of a CTranslate2 conversion."""

    def __init__(self, folder: Path, *, language: str = "en", threads: int = 1) -> None:
        import ctranslate2
        from faster_whisper.feature_extractor import FeatureExtractor
        from faster_whisper.tokenizer import Tokenizer

        self._storage = ctranslate2.StorageView
        self._model = ctranslate2.models.Whisper(
            str(folder), device="cpu", compute_type="int8", intra_threads=threads, inter_threads=1
        )
        tokenizer = Tokenizer(_words_of(folder / "tokenizer.json"), self._model.is_multilingual, "transcribe", language)
        self._decoder = _Decoder(self._model, tokenizer)
        self._features = FeatureExtractor()
        small = (folder / "model.bin").stat().st_size < _SMALL_BYTES
        self._windows = _WINDOWS[-1:] if small else _WINDOWS

    @property
    def longest_seconds(self) -> float:
        return _WINDOWS[-1] - 0.5

    def transcribe(self, samples: Samples, hints: Sequence[str]) -> Generator[None, None, Transcript]:
        """Hints are left to `weigh`: given beforehand they make names of other words, and cost as much as the words."""
        heard = yield from self._hear(samples, self._window(len(samples) / HEARING_RATE))
        if heard.confidence >= _UNSURE:
            return heard
        yield
        again = yield from self._hear(samples, _WIDE_WINDOW)
        return max(heard, again, key=lambda one: one.confidence)

    def _window(self, seconds: float) -> int:
        return next((window for window in self._windows if seconds + _SILENCE <= window), _WINDOWS[-1])

    def _hear(self, samples: Samples, window: int) -> Generator[None, None, Transcript]:
        state = self._model.encode(self._storage.from_array(self._mel(samples, window)))
        yield
        after = _Hindsight(self._decoder, state, window)
        best, *others = self._decoder.read(state, [])
        # CTranslate2 gives the mean over the tokens without the end marker, faster-whisper counts that one as well.
        confidence = best.likelihood / (best.tokens + 1) if best.tokens else _SMALLEST_CONFIDENCE
        text = said_once(best.text, len(samples) / HEARING_RATE)
        behind = tuple(best.likelihood - one.likelihood for one in others)
        return Transcript(text, confidence, tuple(one.text for one in others), behind, after)

    def _mel(self, samples: Samples, window: int) -> NDArray[np.float32]:
        """Log-mel features (1, 80, 100 * window) of the samples. The silence after them is not worked out: it has the
        least value, as every frame without sound.
        """
        sound = np.append(samples[: window * HEARING_RATE], np.zeros(_FRAME, np.float32))
        found = self._features(sound)[:, : window * _FRAMES_A_SECOND]
        mel = np.full((1, len(found), window * _FRAMES_A_SECOND), found.min(), np.float32)
        mel[0, :, : found.shape[1]] = found
        return mel


@dataclass(frozen=True, slots=True)
class _Reading:
    text: str
    tokens: int
    likelihood: float  # the log of it


class _Decoder:
    """From an encoded sound to words."""

    def __init__(self, model: ctranslate2.models.Whisper, tokenizer: Tokenizer) -> None:
        import ctranslate2

        self._storage = ctranslate2.StorageView
        self._model = model
        self._tokenizer = tokenizer
        # Without timestamps nothing but words may come: neither markers nor bracketed sounds such as "[Music]".
        specials = ("transcribe", "translate", "sot", "sot_prev", "sot_lm", "no_speech")
        self._suppressed = sorted(
            {-1, *(getattr(tokenizer, name) for name in specials), *tokenizer.non_speech_tokens} - {None}
        )

    def read(self, state: Any, hints: Sequence[str]) -> list[_Reading]:
        """The likeliest words, best first."""
        prompt = self._prompt(hints)
        (found,) = self._model.generate(
            state,
            [prompt],
            beam_size=_BEAM,
            num_hypotheses=_BEAM,
            no_repeat_ngram_size=6,
            max_length=len(prompt) + _LONGEST_ANSWER,
            suppress_blank=True,
            suppress_tokens=self._suppressed,
            return_scores=True,
        )
        return [
            _Reading(str(self._tokenizer.decode(tokens)).strip(), len(tokens), float(score * len(tokens)))
            for score, tokens in zip(found.scores, found.sequences_ids, strict=True)
        ]

    def weigh(self, state: Any, window: int, texts: Sequence[str], hints: Sequence[str]) -> Sequence[float]:
        """One pass for all texts, about 12 ms for each."""
        start = self._prompt(hints)[:-1]  # it adds that there are no timestamps
        tokens = [self._tokenizer.encode(f" {text}") for text in texts]
        states = self._storage.from_array(np.repeat(np.array(state), len(texts), axis=0))
        found = self._model.align(states, start, tokens, [window * _FRAMES_A_SECOND // 2] * len(texts))
        return [sum(math.log(max(likely, _LEAST_LIKELY)) for likely in one.text_token_probs) for one in found]

    def _prompt(self, hints: Sequence[str]) -> list[int]:
        tokenizer = self._tokenizer
        prompt: list[int] = []
        if hints:
            prompt = [tokenizer.sot_prev, *tokenizer.encode(f" {', '.join(hints)}")[:_LONGEST_PROMPT]]
        return [*prompt, *tokenizer.sot_sequence, tokenizer.no_timestamps]


@dataclass(frozen=True, slots=True)
class _Hindsight:
    decoder: _Decoder
    state: Any
    window: int  # seconds

    def weigh(self, texts: Sequence[str], hints: Sequence[str]) -> Sequence[float]:
        return self.decoder.weigh(self.state, self.window, texts, hints)

    def readings(self, hints: Sequence[str]) -> Sequence[str]:
        return [one.text for one in self.decoder.read(self.state, hints)]


def _words_of(file: Path) -> tokenizers.Tokenizer:
    """Some conversions lost the first of the rules that join letters, without which " t" begins no token."""
    import tokenizers

    words = tokenizers.Tokenizer.from_file(str(file))
    if len(words.encode(" t", add_special_tokens=False).ids) == 1:
        return words
    written = json.loads(file.read_text(encoding="utf-8"))
    written["model"]["merges"].insert(0, "\u0120 t")
    return tokenizers.Tokenizer.from_str(json.dumps(written))
