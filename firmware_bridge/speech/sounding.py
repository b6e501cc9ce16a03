"""Names as they sound, compared with heard words all at once: `unlikeness` of sounds.py for many of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from firmware_bridge.speech.sounds import phonemes, sound_instead, sound_lost

Likenesses = NDArray[np.float32]


class Sounding:
    """Names as they are written, each `forms[i]` of `names[i]`: a proper name also with its possessive. For the thread
    that computes (see `phonemes`).
    """

    def __init__(self, names: Sequence[str]) -> None:
        written = [(name, name) for name in names]
        written += [(name, f"{name}'s") for name in names if name[:1].isupper()]
        sounds = [phonemes(form) for _, form in written]
        self.names = [name for name, _ in written]
        self.forms = [form for _, form in written]
        self.lengths = np.array([len(sound) for sound in sounds], np.intp)
        self._alphabet = sorted(set("".join(sounds)))
        place = {sound: number for number, sound in enumerate(self._alphabet)}
        self._sounds = np.zeros((len(sounds), int(self.lengths.max(initial=0))), np.intp)
        for row, sound in zip(self._sounds, sounds, strict=True):
            row[: len(sound)] = [place[one] for one in sound]
        lost = np.array([sound_lost(one) for one in self._alphabet] or [0.0], np.float32)
        self._missing = np.pad(np.cumsum(lost[self._sounds], axis=1), ((0, 0), (1, 0)))
        self._heard: dict[str, Likenesses] = {}

    def unlikeness(self, words: Sequence[str]) -> Iterator[Likenesses]:
        """How unlike each form is to the first of some words, given as phonemes, to the first two together, and so on:
        one table of edits, of which each word adds rows.
        """
        row, heard = self._missing, 0
        every = np.arange(len(self.names))
        for word in words:
            for sound in word:
                row = self._after(sound, row)
            heard += len(word)
            longer = np.maximum(np.maximum(self.lengths, heard), 1).astype(np.float32)
            yield row[every, self.lengths] / longer

    def _after(self, sound: str, above: Likenesses) -> Likenesses:
        lost = sound_lost(sound)
        row = above + lost
        row[:, 1:] = np.minimum(row[:, 1:], above[:, :-1] + self._instead(sound))
        # Each further sound of a name may be missing: the least of what stands to the left, and of those in between.
        return np.minimum.accumulate(row - self._missing, axis=1) + self._missing

    def _instead(self, sound: str) -> Likenesses:
        if sound not in self._heard:
            costs = np.array([sound_instead(sound, other) for other in self._alphabet] or [0.0], np.float32)
            self._heard[sound] = costs[self._sounds]
        return self._heard[sound]


@lru_cache(maxsize=2)
def sounding(names: tuple[str, ...]) -> Sounding:
    """As it was made before: from one utterance to the next the names seldom change."""
    return Sounding(names)
