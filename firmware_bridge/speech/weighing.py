"""Where the readings leave open whether a name was said, the sound decides: how likely it is with the name there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from firmware_bridge.speech.contested import WORD, bare
from firmware_bridge.speech.names import fitting, sounds_of, stands_for_somebody, windows
from firmware_bridge.speech.protocols import Transcript
from firmware_bridge.speech.sounds import phonemes, unlikeness

_WORTHWHILE = 0.3  # phonemes that may differ between a name and the words that it is tried for
_MOST_TRIED = 3
_MOST_SOUNDED = 100  # names that are compared by sound, the likeliest
_LEAST_SOUNDS = 3  # phonemes of a name
_UNSURE = 2  # readings that say something else, from which the words may be another's
_NO_LIKELIER = -6.5  # nats; a name that rules put there and that is less likely by more was not said
_AS_LIKELY = 0.3  # phonemes that differ where a name must be as likely as what was heard
_WEIGHT = 15.0  # nats that all phonemes together are worth
_EXPECTED = 2.0  # nats in favour of a name where somebody is called or spoken of


@dataclass(frozen=True, slots=True, order=True)
class _Proposal:
    needed: float  # nats that it may be less likely by, or must be likelier
    name: str
    text: str
    behind: float = 0.0  # nats, of the reading that it comes from


def weighed(heard: Transcript, mended: str, names: Sequence[str]) -> str:
    """The words of `heard`, as `mended` by rules or otherwise, whatever goes best with the sound. For the thread that
    computes.
    """
    if heard.weigh is None:
        return mended
    if mended != heard.text:
        before, after = heard.weigh([heard.text, mended], _named(mended, names))
        if after - before >= _NO_LIKELIER:
            return mended
    if _named(heard.text, names):
        return heard.text
    tried = sorted(_proposals(heard, names))[:_MOST_TRIED]
    if not tried:
        return heard.text
    before, *weights = heard.weigh([heard.text, *(one.text for one in tried)], [one.name for one in tried])
    gains = [after - before - one.needed for after, one in zip(weights, tried, strict=True)]
    gain, best = max(zip(gains, tried, strict=True))
    return best.text if gain >= 0 else heard.text


def _proposals(heard: Transcript, names: Sequence[str]) -> Iterator[_Proposal]:
    """Each name once, in the place of the words that sound most like it in the likeliest reading."""
    best: dict[str, _Proposal] = {}
    readings = [heard.text, *heard.others]
    spoken = [sounds_of(WORD.findall(reading)) for reading in readings]
    for reading, behind in zip(readings, [0.0, *heard.behind], strict=True):
        if _named(reading, names):
            continue
        for window in windows(reading, list(WORD.finditer(reading))):
            said = sounds_of(word[0] for word in window)
            if sum(said not in other for other in spoken) >= _UNSURE:
                for one in _in_place_of(window, said.replace(" ", ""), reading, behind, names):
                    known = best.get(one.name)
                    if known is None or one.needed + one.behind < known.needed + known.behind:
                        best[one.name] = one
    yield from best.values()


def _in_place_of(
    window: Sequence[re.Match[str]], sounds: str, reading: str, behind: float, names: Sequence[str]
) -> Iterator[_Proposal]:
    """The names that these words of a reading may stand for."""
    end = window[-1].start() + len(bare(window[-1][0]))
    expected = _EXPECTED if stands_for_somebody(reading, window) else 0.0
    for name in fitting(names[:_MOST_SOUNDED], reading, window):
        wanted = phonemes(name)
        if len(wanted) < _LEAST_SOUNDS or 2 * abs(len(wanted) - len(sounds)) > len(wanted):
            continue
        if (unlike := unlikeness(sounds, wanted)) <= _WORTHWHILE:
            needed = _WEIGHT * (unlike - _AS_LIKELY) - expected
            yield _Proposal(needed, name, reading[: window[0].start()] + name + reading[end:], behind)


def _named(text: str, names: Sequence[str]) -> list[str]:
    """The names in a text."""
    words = {bare(word).casefold() for word in WORD.findall(text)}
    return [name for name in names if name.casefold() in words]
