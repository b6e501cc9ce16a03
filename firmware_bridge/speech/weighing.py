"""Which known names were said: what sounds like one in any reading is proposed, and the recogniser that heard the sound
tells how likely each is, beside what it heard.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

import numpy as np

from firmware_bridge.speech.names import WORD, bare, is_person, may_stand
from firmware_bridge.speech.protocols import Hindsight, Transcript
from firmware_bridge.speech.sounding import Sounding, sounding
from firmware_bridge.speech.sounds import phonemes, unlikeness

_MOST_SOUNDED = 200  # names that are compared by sound, the likeliest
_MOST_WORDS = 5  # that one name may have been heard as
_MOST_TRIED = 6
_MOST_NAMES = 3  # in one utterance
_LEAST_SOUNDS = 3  # phonemes of a name
_UNLIKEST = 0.42  # unlikeness with which a name is tried
_UNLIKE_AGAIN = 0.5  # the same between two readings of one place, of which one has the name
_BEHIND = 0.01  # of unlikeness for each nat that a reading is less likely by than the best
# Nats that speak for a name before the sound is asked, fitted to names that were said and to ordinary sentences.
_ALWAYS = 3.6
_UNLIKE = -56.0  # by how unlike it sounds
_SOUND, _MOST_SOUNDS = 1.5, 10  # for each of its phonemes, up to so many
_WORD = 2.3  # for each word more than one that it was heard as
_PERSON = 3.1  # where somebody is called or spoken of
_MOST_LIKELIER = 5.0  # the most that counts of what the sound says
_WORTHWHILE = -3.0  # nats that must speak for it for the sound to be asked
_NEARLY = -12.0  # nats that it may lack, with which readings are asked for that expect it
_CLEAR = -0.2  # mean log probability of words that are not read again


@dataclass(frozen=True, slots=True)
class _Reading:
    text: str
    behind: float  # nats
    words: Sequence[re.Match[str]]
    sounds: Sequence[str]  # of the words


@dataclass(frozen=True, slots=True)
class _Proposal:
    name: str
    text: str
    favour: float  # nats that speak for it
    distance: float  # how unlike it sounds, and a little for an unlikely reading


def weighed(heard: Transcript, after: Hindsight, names: Sequence[str]) -> str:
    """The words of `heard`, with each known name that goes as well with the sound. For the thread that computes."""
    text, readings = heard.text, [(heard.text, 0.0), *zip(heard.others, heard.behind, strict=True)]
    for _ in range(_MOST_NAMES):
        tried = _proposals(text, readings, names)
        if not tried:
            break
        gain, best = _heaviest(text, tried, tried, after)
        if _NEARLY <= gain < 0 and heard.confidence < _CLEAR and (expected := _expected(text, tried, after, names)):
            gain, best = _heaviest(text, expected, tried, after)
        if gain < 0:
            break
        text, readings = best.text, [(best.text, 0.0)]
    return text


def _heaviest(
    text: str, proposals: Sequence[_Proposal], tried: Sequence[_Proposal], after: Hindsight
) -> tuple[float, _Proposal]:
    """The proposal that gains most, and how much, in nats."""
    before, *weights = after.weigh([text, *(one.text for one in proposals)], [one.name for one in tried])
    gains = [one.favour + min(weight - before, _MOST_LIKELIER) for weight, one in zip(weights, proposals, strict=True)]
    return max(zip(gains, proposals, strict=True), key=lambda one: one[0])


def _expected(text: str, tried: Sequence[_Proposal], after: Hindsight, names: Sequence[str]) -> list[_Proposal]:
    """What is read where these names are expected, for the words around one may have been heard wrong as well. Only
    where it stands for a few words that sound like it: such readings like to make names of anything.
    """
    has = _named(text, names)
    return [
        replace(one, text=reading)
        for reading in after.readings([one.name for one in tried])
        for one in tried
        if has | {one.name} == _named(reading, names)
        and reading.count(one.name) == 1
        and _unlike_there(text, reading, one.name) <= _UNLIKE_AGAIN
    ]


def _unlike_there(text: str, reading: str, name: str) -> float:
    """How unlike two readings sound in the few words where one has a name that the other has not."""
    mine, theirs = WORD.findall(text), WORD.findall(reading)
    matcher = SequenceMatcher(None, [one.casefold() for one in mine], [one.casefold() for one in theirs], False)
    for tag, begin, end, first, last in matcher.get_opcodes():
        if tag != "equal" and _named(" ".join(theirs[first:last]), [name]) and end - begin <= _MOST_WORDS:
            return unlikeness(_sound(mine[begin:end]), _sound(theirs[first:last]))
    return 1.0


def _proposals(text: str, readings: Iterable[tuple[str, float]], names: Sequence[str]) -> list[_Proposal]:
    """Names that `text` does not have, each in the place that sounds most like it, the likest first. None that it has
    is lost by one.
    """
    table, has = sounding(tuple(names[:_MOST_SOUNDED])), _named(text, names)
    best: dict[str, _Proposal] = {}
    for reading, behind in readings:
        for one in _in_reading(reading, behind, table):
            known = best.get(one.name)
            if (known is None or one.distance < known.distance) and has < _named(one.text, names):
                best[one.name] = one
    return sorted(best.values(), key=lambda one: one.distance)[:_MOST_TRIED]


def _in_reading(text: str, behind: float, table: Sounding) -> Iterator[_Proposal]:
    worth = _ALWAYS + _SOUND * np.minimum(table.lengths, _MOST_SOUNDS)
    worth[table.lengths < _LEAST_SOUNDS] = -np.inf
    for words in _runs(text):
        for last, unlike in enumerate(table.unlikeness([phonemes(word[0]) for word in words])):
            here = words[: last + 1]
            person = _PERSON if is_person(text, here) else 0.0
            favour = worth + _UNLIKE * unlike + _WORD * last + person
            for number in np.flatnonzero((favour >= _WORTHWHILE) & (unlike <= _UNLIKEST)):
                name = table.names[number]
                if may_stand(name, text, here):
                    put = text[: here[0].start()] + table.forms[number] + text[here[-1].end() :]
                    yield _Proposal(name, put, float(favour[number]), float(unlike[number]) + _BEHIND * behind)


def _runs(text: str) -> Iterator[Sequence[re.Match[str]]]:
    """From each word on the next few, with nothing but spaces between."""
    words = list(WORD.finditer(text))
    for first in range(len(words)):
        last = first + 1
        most = min(first + _MOST_WORDS, len(words))
        while last < most and not text[words[last - 1].end() : words[last].start()].strip():
            last += 1
        yield words[first:last]


def _sound(words: Iterable[str]) -> str:
    return "".join(map(phonemes, words))


def _named(text: str, names: Sequence[str]) -> set[str]:
    """The names in a text."""
    words = {bare(word).casefold() for word in WORD.findall(text)}
    return {name for name in names if name.casefold() in words}
