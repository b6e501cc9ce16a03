"""Recordings with their words, how many of the words were heard wrong, and the engines that hear and speak them."""

from __future__ import annotations

import json
import re
import wave
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from num2words import num2words

from firmware_bridge.speech.samples import HEARING_RATE, Samples, from_pcm16, resampled
from firmware_bridge.weights import Shelf, load_catalogue, weights_dir

SHELF = Shelf(load_catalogue(), weights_dir(Path(__file__).resolve().parents[1]))

_SHORT = {
    "i'm": "i am", "that's": "that is", "it's": "it is", "what's": "what is", "can't": "cannot", "don't": "do not",
    "isn't": "is not", "i'll": "i will", "you're": "you are", "we're": "we are", "mr": "mister", "dr": "doctor",
    "colour": "color", "colours": "colors", "favourite": "favorite", "meters": "metres", "okay": "ok",
}  # fmt: skip
_WORD = re.compile(r"[a-z']+")


@dataclass(frozen=True)
class Clip:
    kind: str  # real, synth, noisy
    file: str
    text: str
    samples: Samples  # 16 kHz


def read_wav(path: Path) -> Samples:
    """16 kHz samples of a 16-bit WAV file of one channel."""
    with wave.open(str(path)) as file:
        assert (file.getsampwidth(), file.getnchannels()) == (2, 1), path
        return resampled(from_pcm16(file.readframes(file.getnframes())), file.getframerate(), HEARING_RATE)


def clips(folder: Path) -> Iterator[Clip]:
    for line in (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        kind = row["file"].partition("/")[0]
        yield Clip(kind, row["file"], row["text"], read_wav(folder / row["file"]))


def words(text: str) -> list[str]:
    """Words as they sound: no case, no punctuation, numbers and short forms written out."""
    text = text.lower().replace("\u2019", "'").replace("-", " ")
    text = re.sub(r"\b(\d+)(?:st|nd|rd|th)\b", lambda match: num2words(int(match[1]), to="ordinal"), text)
    text = re.sub(r"\d+", lambda match: num2words(int(match[0]), to="year" if len(match[0]) == 4 else "cardinal"), text)
    plain = _WORD.findall(text.replace("-", " ").replace(",", " "))
    return " ".join(_SHORT.get(word, word) for word in plain).split()


def wrong_words(said: str, heard: str) -> tuple[int, int]:
    """Substituted, inserted and missing words, and how many were said. "Black list" is "blacklist"."""
    first, second = words(said), words(heard)
    first, second = _joined(first, second), _joined(second, first)
    row = np.arange(len(second) + 1)
    for place, word in enumerate(first, 1):
        before, row[0] = row.copy(), place
        for column, other in enumerate(second, 1):
            row[column] = min(before[column] + 1, row[column - 1] + 1, before[column - 1] + (word != other))
    return int(row[-1]), len(first)


def _joined(text: list[str], other: list[str]) -> list[str]:
    """Pairs of words that the other text writes as one, as one."""
    known, joined, place = set(other), [], 0
    while place < len(text):
        pair = "".join(text[place : place + 2])
        if place + 1 < len(text) and pair in known:
            joined.append(pair)
            place += 2
        else:
            joined.append(text[place])
            place += 1
    return joined


def found(name: str) -> tuple[str, Path]:
    """An engine of the catalogue and its main file. Raises WeightsMissing."""
    model = SHELF.catalogue.model(name)
    return model.engine, SHELF.verify(model)
