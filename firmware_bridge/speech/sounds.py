"""How words sound, and how alike: phonemes by the espeak-ng that comes with Piper."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_MOST_KEPT = 8_192
_VOWELS = {
    vowel: kind for kind, vowels in (("front", "iɪeɛæyᵻ"), ("mid", "əɚɜʌɐɨa"), ("back", "uʊoɔɑɒɵ")) for vowel in vowels
}
_WEAK = frozenset("əɐᵻhjɹwʔ")  # come and go
_NEAR = frozenset(map(frozenset, "pb td kɡ sz fv θð ʃʒ mn nŋ ɹɾ ʃs tθ dð fθ ɾt ɾd ʒz vw vb jɪ ji wu wʊ ɹɚ ɹɜ".split()))
_MARKS = frozenset("ˈˌːʲʰ")


@lru_cache(maxsize=_MOST_KEPT)
def phonemes(words: str) -> str:
    """The sounds of some English words, one letter of the IPA each, without stress and length.

    For the thread that computes: espeak-ng has one state for all. Empty where Piper is not installed.
    """
    try:
        from piper.phonemize_espeak import EspeakPhonemizer
    except ImportError:
        return ""
    spoken = "".join("".join(clause) for clause in EspeakPhonemizer().phonemize("en-us", words))
    return "".join(sound for sound in unicodedata.normalize("NFD", spoken) if sound.isalpha() and sound not in _MARKS)


@lru_cache(maxsize=_MOST_KEPT)
def unlikeness(one: str, other: str) -> float:
    """0 for the same phonemes, about 1 for such as have nothing in common: edits, weighed by how alike two sounds are,
    for each sound of the longer.
    """
    row = [0.0]
    for sound in other:
        row.append(row[-1] + sound_lost(sound))
    for heard in one:
        above, row = row, [row[0] + sound_lost(heard)]
        for place, sound in enumerate(other):
            row.append(
                min(
                    above[place] + sound_instead(heard, sound),
                    above[place + 1] + sound_lost(heard),
                    row[place] + sound_lost(sound),
                )
            )
    return row[-1] / max(len(one), len(other), 1)


def sound_lost(sound: str) -> float:
    return 0.4 if sound in _WEAK else 0.6 if sound in _VOWELS else 0.9


def sound_instead(one: str, other: str) -> float:
    if one == other:
        return 0.0
    first, second = _VOWELS.get(one), _VOWELS.get(other)
    if first and second:
        return 0.25 if first == second else 0.35 if "mid" in (first, second) else 0.5
    return 0.35 if frozenset((one, other)) in _NEAR else 1.0
