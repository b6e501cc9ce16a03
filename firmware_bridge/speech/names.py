"""Names that memory knows: a near-miss in what was heard is mended before anybody reads it.

By the next best readings, where one has the name; by spelling, what the recogniser took for another name ("Pria"
for Priya); by sound, what it was not sure of ("my own Brazil" for omeprazole), where those say something else; by all
readings together, where each has something else ("Tambi", "Tammy", "Tanby" for Tanvi).
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from firmware_bridge.speech.contested import WORD, bare, contested
from firmware_bridge.speech.sounds import phonemes, unlikeness

_ALIKE = 0.86  # Jaro-Winkler similarity from which two spellings may be one name
_NEARLY = 0.78  # the same, where both also sound alike (Metaphone)
_SURE = 0.92  # the same for short names and for the first word of a sentence, which has a capital letter anyway
_SHORT_NAME = 4  # letters
_LEAST_LETTERS = 3
_MOST_SOUNDED = 100  # names that are compared by sound, the likeliest
_MOST_WORDS = 5  # that one name may have been heard as
_UNSURE = 2  # readings that say something else, from which the words may be another's
_UNLIKE = 0.22  # phonemes that may differ between a name and what was heard instead
_UNLIKE_LONG, _VERY_LONG = 0.28, 11  # the same of a name of so many phonemes
_SAME = 0.06  # the same of what counts as one sound
_SAME_LONG, _LONG = 0.13, 7  # the same of what no ordinary words sound like: a name of so many phonemes
_UNLIKE_SPELLED = 0.25  # the same where the name is spelled nearly so
_UNLIKE_REPEATED = 0.25  # the same where several readings have one word with a capital letter
_UNLIKE_NAMED = 0.25  # the same where a name was heard, though another one
_UNLIKE_READ = 0.36  # the same between two readings, of which one has a name
_UNLIKE_MENDED = 0.25  # the same, where that name had to be mended
_CLOSE, _NEARBY = 0.7, 2.0  # nats that a reading is less likely by: as good as the best; nearly so
_READ_DIFFERENTLY = 3  # ways to read a place where something unknown was said
_MEAN_APART = 0.42  # phonemes that may differ between a name and all readings, on average
_APART, _APART_LONG = {4: 0.25, 5: 0.4}, 0.62  # that and the nearest together, by a name's phonemes
_APART_LOWER = 0.5  # the same of a medicine or another thing: a wrong one is worse than none
_BEFORE_PERSON = re.compile(
    r"\b(?:call|phone|ring|text|email|message|ask|tell|invite|visit|meet|thank|hug|marry|mrs?\.?|ms\.?|dr\.?|aunt|uncle)\s$",
    re.IGNORECASE,
)
_CALLS = re.compile(
    r"(?:.*[.!?]\s+)?(?:please\s+)?(?:call|phone|ring|text|email|message|ask|tell|invite)$", re.IGNORECASE
)
_AFTER_PERSON = re.compile(
    r"\s(?:said|says|told|tells|asked|asks|rang|phoned|lives|works|wants|thinks)\b", re.IGNORECASE
)
_AFTER_ARTICLE = re.compile(r"\ban?\s$", re.IGNORECASE)
_LONG_NAME, _LEAST_SOUNDS = 6, 3  # phonemes, of a name for which ordinary words may stand, and of any


def mend_names(text: str, names: Sequence[str], others: Sequence[str] = (), behind: Sequence[float] = ()) -> str:
    """The text with each near-miss of a known name replaced by it. `names`: the likeliest first; `others` are the next
    best readings of the same sound, `behind` in nats how much less likely each is. For the thread that computes (see
    `phonemes`).
    """
    distances = list(behind) or [math.inf] * len(others)
    readings = [(one, 1.0 if far <= _CLOSE else _UNLIKE_READ) for one, far in zip(others, distances, strict=True)]
    text = _by_reading(text, names, readings)
    text = _by_sound(_by_spelling(text, names), names, others)
    mended = [
        (_by_sound(one, names, [text, *others]), _UNLIKE_READ if far <= _NEARBY else _UNLIKE_MENDED)
        for one, far in zip(others, distances, strict=True)
    ]
    return _by_contest(_by_reading(text, names, mended, narrow=True), names, others)


def _by_reading(text: str, names: Sequence[str], others: Sequence[tuple[str, float]], *, narrow: bool = False) -> str:
    """Where another reading has a known name and this one words that sound like it, that reading's words; if `narrow`,
    no more words than this one has. With each reading comes how unlike the words may sound.
    """
    known = {name.casefold() for name in names}
    for other, most in others:
        mine, theirs = list(WORD.finditer(text)), list(WORD.finditer(other))
        for here, there in _differing(mine, theirs):
            if (
                len(here) > _MOST_WORDS
                or (narrow and len(there) > len(here))
                or any(bare(word[0]).casefold() in known for word in here)
            ):
                continue
            named = [word for word in there if bare(word[0]).casefold() in known]
            if len(named) == 1 and unlikeness(_together(here), _together(there)) <= most:
                said = other[there[0].start() : there[-1].end()]
                text = text[: here[0].start()] + said + text[here[-1].end() :]
                break
    return text


def _differing(
    mine: Sequence[re.Match[str]], theirs: Sequence[re.Match[str]]
) -> Iterator[tuple[Sequence[re.Match[str]], Sequence[re.Match[str]]]]:
    """The words of two readings that stand in each other's place."""
    matcher = SequenceMatcher(
        None, [word[0].casefold() for word in mine], [word[0].casefold() for word in theirs], autojunk=False
    )
    for tag, begin, end, first, last in matcher.get_opcodes():
        if tag == "replace":
            yield mine[begin:end], theirs[first:last]


def _by_spelling(text: str, names: Sequence[str]) -> str:
    """Only words that the recogniser itself took for names, with a capital letter, are looked at, never the first of a
    sentence unless it also sounds like the name; two words may be one name ("Pre Ya").
    """
    known = {name.casefold() for name in names}
    single = [name for name in names if " " not in name and len(name) >= _LEAST_LETTERS]
    words = list(WORD.finditer(text))
    mended, skip = [], -1
    for number, word in enumerate(words):
        if number <= skip:
            continue
        joined = words[number + 1] if number + 1 < len(words) else None
        if joined and (name := _joined(text, word, joined, single, known)):
            mended.append((word.start(), joined.end(), name))
            skip = number + 1
        elif name := _mended(text, word, single, known):
            mended.append((word.start(), word.end(), name))
    for start, end, name in reversed(mended):
        text = text[:start] + name + text[end:]
    return text


def _by_sound(text: str, names: Sequence[str], others: Sequence[str]) -> str:
    """Words that the recogniser was not sure of, each window of them by the name that sounds most like it; where it was
    sure of a name, only one that sounds the same takes its place ("Kiva" for Caoimhe).
    """
    readings = [words for words in map(WORD.findall, others) if words]
    words, known = list(WORD.finditer(text)), {name.casefold() for name in names}
    found = [
        (unlike, window, name)
        for window in windows(text, words)
        if not any(bare(word[0]).casefold() in known for word in window)
        for unlike, name in _meant(text, window, names, readings)
    ]
    mended: list[tuple[int, int, str]] = []
    for _, window, name in sorted(found, key=lambda one: one[0]):
        start, end = window[0].start(), window[-1].start() + len(bare(window[-1][0]))
        if all(end <= begun or start >= ended for begun, ended, _ in mended):
            mended.append((start, end, name))
    for start, end, name in sorted(mended, reverse=True):
        text = text[:start] + name + text[end:]
    return text


def _by_contest(text: str, names: Sequence[str], others: Sequence[str]) -> str:
    """Where the readings go three ways or more, the name that all of them together sound most like."""
    known = {name.casefold() for name in names}
    for place in reversed(list(contested(text, others))):
        is_known = place.is_sure or any(bare(word[0]).casefold() in known for word in place.words)
        if is_known or len(place.words) > _MOST_WORDS:
            continue
        named = phonemes(place.named)
        near = [name for name in names if not named or unlikeness(named, phonemes(name)) <= _UNLIKE_REPEATED]
        wholes, rests = place.variants, [variant[1:] for variant in place.variants]
        found = [(*one, 0) for one in _likely(wholes, fitting(near, text, place.words))]
        if all(rests):  # the first word of each may be one that goes before a name
            found += [(*one, 1) for one in _likely(rests, fitting(near, text, place.words[1:]))]
        if found:
            _, name, first = min(found)
            end = place.words[-1].start() + len(bare(place.words[-1][0]))
            text = text[: place.words[first].start()] + name + text[end:]
    return text


def _likely(variants: Sequence[Sequence[str]], names: Sequence[str]) -> Iterator[tuple[float, str]]:
    """The names that sound like what was read, on the whole and at one place very much, and how unlike they sound."""
    sounds = ["".join(phonemes(bare(word)) for word in variant) for variant in variants]
    if len(set(sounds)) < _READ_DIFFERENTLY:
        return
    for name in names[:_MOST_SOUNDED]:
        wanted = phonemes(name)
        unlike = [unlikeness(sound, wanted) if sound else 1.0 for sound in sounds]
        mean, most = sum(unlike) / len(unlike), _APART.get(len(wanted), _APART_LONG if len(wanted) > 3 else 0.0)
        if name.islower():
            most = min(most, _APART_LOWER)
        if mean <= _MEAN_APART and min(unlike) + mean <= most:
            yield mean, name


def windows(text: str, words: Sequence[re.Match[str]]) -> Iterator[Sequence[re.Match[str]]]:
    """A few words that follow each other with nothing but spaces between."""
    for first in range(len(words)):
        for last in range(first, min(first + _MOST_WORDS, len(words))):
            if last > first and text[words[last - 1].end() : words[last].start()].strip():
                break
            if not _CALLS.match(text, 0, words[first].end()):
                yield words[first : last + 1]


def _meant(
    text: str, window: Sequence[re.Match[str]], names: Sequence[str], readings: Sequence[Sequence[str]]
) -> Iterator[tuple[float, str]]:
    """The names that these words may stand for, and how unlike each sounds."""
    heard = sounds_of(word[0] for word in window)
    is_named = all(word[0][:1].isupper() for word in window) and not _begins_sentence(text, window[0].start())
    # A name that it does not know the recogniser spells in several ways that sound the same.
    told = _spelled(word[0] for word in window) if is_named else heard
    is_sure = sum(told not in (_spelled if is_named else sounds_of)(reading) for reading in readings) < _UNSURE
    shortest = _LEAST_SOUNDS if is_named else _LONG_NAME
    sounds = heard.replace(" ", "")
    for name in fitting(names[:_MOST_SOUNDED], text, window):
        wanted = phonemes(name)
        if len(wanted) < shortest or 2 * abs(len(wanted) - len(sounds)) > len(wanted):
            continue
        if (unlike := unlikeness(sounds, wanted)) <= _most(len(wanted), is_named=is_named, is_sure=is_sure):
            yield unlike, name


def _most(length: int, *, is_named: bool, is_sure: bool) -> float:
    """How unlike a name of so many phonemes words may sound that the recogniser took for a name, or was sure of."""
    if is_named:
        return _SAME if is_sure else _UNLIKE_NAMED
    if is_sure:
        return _SAME_LONG if length >= _LONG else -1.0
    return _UNLIKE_LONG if length >= _VERY_LONG else _UNLIKE


def fitting(names: Sequence[str], text: str, words: Sequence[re.Match[str]]) -> Sequence[str]:
    """Those that may stand for these words: where somebody is meant, sound alone makes no medicine of a name, and no
    name follows "a".
    """
    if not words:
        return names
    if _AFTER_ARTICLE.search(text, 0, words[0].start()):
        return [name for name in names if name.islower()]
    return [name for name in names if not name.islower()] if stands_for_somebody(text, words) else names


def stands_for_somebody(text: str, words: Sequence[re.Match[str]]) -> bool:
    """Whether a person's name would stand where these words do."""
    return bool(
        bare(words[-1][0]) != words[-1][0]
        or _BEFORE_PERSON.search(text, 0, words[0].start())
        or _AFTER_PERSON.match(text, words[-1].end())
    )


def sounds_of(words: Iterable[str]) -> str:
    """Each word by itself between spaces, so that two spellings of one word are the same."""
    return f" {' '.join(phonemes(bare(word)) for word in words)} "


def _spelled(words: Iterable[str]) -> str:
    return f" {' '.join(bare(word).casefold() for word in words)} "


def _together(words: Iterable[re.Match[str]]) -> str:
    return "".join(phonemes(bare(word[0])) for word in words)


def _mended(text: str, word: re.Match[str], names: Sequence[str], known: Iterable[str]) -> str:
    """The name that this word was meant to be, with its possessive, else nothing."""
    heard = bare(word[0])
    if not heard[:1].isupper() or len(heard) < _LEAST_LETTERS or heard.casefold() in known:
        return ""
    name = _nearest(heard, names, sure=_begins_sentence(text, word.start()))
    return name + word[0][len(heard) :] if name else ""


def _joined(text: str, word: re.Match[str], after: re.Match[str], names: Sequence[str], known: Iterable[str]) -> str:
    """A name that was heard as two words."""
    if text[word.end() : after.start()] != " " or not (word[0][:1].isupper() and after[0][:1].isupper()):
        return ""
    if {word[0].casefold(), after[0].casefold()} & set(known):
        return ""
    return _nearest(word[0] + after[0].lower(), names, sure=True)


def _nearest(heard: str, names: Sequence[str], *, sure: bool) -> str:
    """The name most like what was heard. With `sure` it must sound like it, or be written very nearly so."""
    import jellyfish

    best, likeness = "", 0.0
    for name in names:
        if not name[:1].isupper():
            continue
        alike = jellyfish.jaro_winkler_similarity(_folded(heard), _folded(name))
        sounds = jellyfish.metaphone(_folded(heard)) == jellyfish.metaphone(_folded(name))
        if sure or len(name) <= _SHORT_NAME:
            enough = alike >= _SURE or (sounds and len(name) > _SHORT_NAME and alike >= _NEARLY)
        else:
            enough = alike >= (_NEARLY if sounds else _ALIKE)
        if enough and alike > likeness and unlikeness(phonemes(heard), phonemes(name)) <= _UNLIKE_SPELLED:
            best, likeness = name, alike
    return best


def _begins_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip("\"' ")
    return not before or before[-1] in ".!?"


def _folded(word: str) -> str:

    flat = unicodedata.normalize("NFKD", word.casefold())
    return "".join(character for character in flat if character.isalpha() and not unicodedata.combining(character))
