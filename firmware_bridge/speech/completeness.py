"""How likely it is that an English sentence ends after these words, in whatever words it is said.

A logistic regression over the last three words, the first two, and how many there are, in hashed places. Its weights
are fitted by scripts/fit_completeness.py to sentences and to their beginnings; nothing here names a word.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FITTED = Path(__file__).with_name("completeness.npz")
PLACES = 1 << 15  # of weights: two signals seldom share one
_MOST_COUNTED = 12  # words; longer sentences end no sooner

Numbers = NDArray[np.float64]


def completeness(words: Sequence[str]) -> float:
    """From 0 to 1, for the words of one sentence, in small letters. Of beginnings that anybody might stop at a
    twentieth has more than 0.6, of whole sentences a half (both of lives that the weights had not seen).
    """
    weights, bias = _fitted()
    return 1 / (1 + math.exp(-float(weights[places(words)].sum() + bias))) if words else 0.0


def places(words: Sequence[str]) -> list[int]:
    """Where the weights of a sentence's signals are."""
    return [zlib.crc32(signal.encode()) % PLACES for signal in _signals(words)]


def _signals(words: Sequence[str]) -> Iterator[str]:
    count = len(words)
    third, second, last = ["^", "^", *words][-3:]
    first = words[0]
    yield f"last {last}"
    yield f"ending {last[-3:]}"
    yield f"second {second}"
    yield f"two {second} {last}"
    yield f"before {third} {second}"
    yield f"first {first}"
    yield f"begins {' '.join(words[:2])}"
    yield f"first and last {first} {last}"
    yield f"first of {first} {min(count, _MOST_COUNTED // 2)}"
    yield f"count {min(count, _MOST_COUNTED)}"


@cache
def _fitted() -> tuple[Numbers, float]:
    with np.load(FITTED) as file:
        return file["weights"].astype(np.float64) * float(file["step"]), float(file["bias"])
