"""Which known names were said: what sounds like one in any reading is proposed, and the recogniser that heard the sound
tells how likely each is, beside what it heard. Unclear speech is read once more where the names are expected: whoever
hears a name wrong often hears the words around it wrong as well.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from firmware_bridge.speech.names import WORD, bare, follows_article, is_person, may_be_medicine
from firmware_bridge.speech.protocols import Hindsight, Transcript
from firmware_bridge.speech.sounding import Sounding, sounding
from firmware_bridge.speech.sounds import phonemes, unlikeness

_MOST_SOUNDED = 200  # names that are compared by sound, the likeliest
_MOST_WORDS = 5  # that one name may have been heard as
_MOST_TRIED, _MOST_UNLIKELY = 6, 4  # names; so many where less likely ones are among them
_MOST_NAMES = 3  # in one utterance
_LEAST_SOUNDS = 3  # phonemes of a name
_UNLIKEST = 0.47  # unlikeness with which a name is tried
_BEHIND = 0.01  # of unlikeness for each nat that a reading is less likely by than the best
# Nats that speak for a name, fitted to names that were said and to ordinary sentences.
_ALWAYS = 0.6
_UNLIKE = -56.0  # by how unlike it sounds
_SOUND, _MOST_SOUNDS = 1.5, 10  # for each of its phonemes, up to so many
_WORD = 2.3  # for each word more than one that it was heard as
_PERSON = 3.1  # where somebody is called or spoken of
_ARTICLE = -3.0  # where a proper name follows "a"
_AGAIN = 2.0  # where it was read once it was expected
_LIKELIER, _MOST_LIKELIER = 1.5, 8.0  # for each nat by which the sound goes better with it, up to so many
_WORTHWHILE = -10.0  # nats that must speak for it for the sound to be asked
_LIKELY = -6.0  # the same of such as go before what sounds more like it and has less that speaks for it
_NEARLY = -12.0  # nats that the best may lack, with which the sound is read again
_CLEAR = -0.1  # mean log probability of words that are not read again

Readings = Sequence[tuple[str, float]]  # each with the nats that it is less likely by than the best


@dataclass(frozen=True, slots=True)
class _Place:
    """A few words of a reading, as what a name may have been heard."""

    unlike: float
    distance: float  # the same, and a little for an unlikely reading
    form: int  # of the name, in the table
    reading: str
    words: Sequence[re.Match[str]]

    def put(self, form: str) -> str:
        """The reading with a name in this place; the apostrophe of a plural goes with it."""
        after = self.reading[self.words[-1].end() :]
        return self.reading[: self.words[0].start()] + form + after.removeprefix("'")


@dataclass(frozen=True, slots=True)
class _Proposal:
    name: str
    text: str
    favour: float  # nats that speak for it before the sound is asked


def weighed(heard: Transcript, after: Hindsight, names: Sequence[str]) -> str:
    """The words of `heard`, with each known name that goes as well with the sound. For the thread that computes."""
    text, readings = heard.text, [(heard.text, 0.0), *zip(heard.others, heard.behind, strict=True)]
    known = tuple(names[:_MOST_SOUNDED])
    for count in range(_MOST_NAMES):
        tried = _proposals(text, readings, known, least=_LIKELY if count else _WORTHWHILE)
        if not tried:
            break
        expected = [one.name for one in tried]
        gain, best = _heaviest(text, tried, expected, after)
        if _NEARLY <= gain < 0 and heard.confidence < _CLEAR:
            again = [(reading, 0.0) for reading in after.readings(expected)]
            if tried := _proposals(text, again, known, heard=readings):
                gain, best = _heaviest(text, tried, expected, after)
        if gain < 0:
            break
        text, readings = best.text, [(best.text, 0.0)]
    return text


def _heaviest(text: str, tried: Sequence[_Proposal], names: Sequence[str], after: Hindsight) -> tuple[float, _Proposal]:
    """The proposal that gains most where these names are expected, and how much, in nats."""
    before, *weights = after.weigh([text, *(one.text for one in tried)], names)
    gains = [one.favour + _likelier(weight - before) for weight, one in zip(weights, tried, strict=True)]
    return max(zip(gains, tried, strict=True), key=lambda one: one[0])


def _likelier(nats: float) -> float:
    return nats if nats < 0 else _LIKELIER * min(nats, _MOST_LIKELIER)


def _proposals(
    text: str, readings: Readings, names: Sequence[str], *, heard: Readings = (), least: float = _WORTHWHILE
) -> list[_Proposal]:
    """The names that sound most like something in a reading, each in the place that sounds most like it; none that
    `text` has, and none by which one is lost. Readings where names are expected may make them of anything: each must
    stand for a few words that were `heard` before, and sound like those.
    """
    table, has = sounding(tuple(names)), _named(text, names)
    likely: dict[str, _Proposal] = {}
    others: dict[str, _Proposal] = {}
    for place in sorted(_places(readings, table), key=lambda one: (one.distance, one.form)):
        if len(likely) == _MOST_TRIED:
            break
        name, put = table.names[place.form], place.put(table.forms[place.form])
        if name in likely or (name.islower() and not may_be_medicine(place.reading, place.words)):
            continue
        favour = _favour_again(place, put, heard, table) if heard else _favour(place, table)
        kind = likely if favour >= _LIKELY else others
        if favour >= least and name not in kind and has < _named(put, names):
            kind[name] = _Proposal(name, put, favour)
    more = [one for name, one in others.items() if name not in likely]
    return [*likely.values(), *more[: max(0, _MOST_UNLIKELY - len(likely))]]


def _places(readings: Readings, table: Sounding) -> Iterator[_Place]:
    """Where in the readings something sounds at all like one of the names."""
    for reading, behind in readings:
        for words in _runs(reading):
            for last, unlike in enumerate(table.unlikeness([phonemes(word[0]) for word in words])):
                for form in np.flatnonzero((unlike <= _UNLIKEST) & (table.lengths >= _LEAST_SOUNDS)):
                    alike = float(unlike[form])
                    yield _Place(alike, alike + _BEHIND * behind, int(form), reading, words[: last + 1])


def _favour(place: _Place, table: Sounding) -> float:
    return _ALWAYS + _UNLIKE * place.unlike + _WORD * (len(place.words) - 1) + _worth(place, table)


def _favour_again(place: _Place, put: str, heard: Readings, table: Sounding) -> float:
    """The same of a name in a reading where it was expected, by what stood there before."""
    unlike, count = min(_unlike_there(reading, behind, put) for reading, behind in heard)
    if unlike > _UNLIKEST or count > _MOST_WORDS:
        return -math.inf
    return _ALWAYS + _UNLIKE * unlike + _AGAIN + _worth(place, table)


def _worth(place: _Place, table: Sounding) -> float:
    """What speaks for a name by its length and its place."""
    is_proper = table.names[place.form][:1].isupper()
    return (
        _SOUND * min(int(table.lengths[place.form]), _MOST_SOUNDS)
        + _PERSON * is_person(place.reading, place.words)
        + _ARTICLE * (is_proper and follows_article(place.reading, place.words))
    )


def _unlike_there(heard: str, behind: float, put: str) -> tuple[float, int]:
    """How unlike two readings sound from the first word that differs to the last; how many words there were heard."""
    first, second = WORD.findall(heard), WORD.findall(put)
    begin = _alike(first, second)
    end = min(_alike(first[::-1], second[::-1]), min(len(first), len(second)) - begin)
    mine, theirs = first[begin : len(first) - end], second[begin : len(second) - end]
    return unlikeness(_sound(mine), _sound(theirs)) + _BEHIND * behind, len(mine)


def _alike(first: Sequence[str], second: Sequence[str]) -> int:
    """How many words two readings have in common at their beginning."""
    pairs = enumerate(zip(first, second, strict=False))
    differing = (place for place, (one, other) in pairs if one.casefold() != other.casefold())
    return next(differing, min(len(first), len(second)))


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
