"""Names that memory knows: a near-miss in what was heard is mended before anybody reads it. For an engine that cannot
weigh names against what it heard (see weighing.py).

By spelling, what the recogniser took for another name ("Pria" for Priya); by sound, where hardly anything differs
("gabba pentin" for gabapentin).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from firmware_bridge.speech.sounds import phonemes, unlikeness

WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_POSSESSIVE = re.compile(r"['\u2019]s$")
_ALIKE = 0.86  # Jaro-Winkler similarity from which two spellings may be one name
_NEARLY = 0.78  # the same, where both also sound alike (Metaphone)
_SURE = 0.92  # the same for short names and for the first word of a sentence, which has a capital letter anyway
_SHORT_NAME = 4  # letters
_LEAST_LETTERS = 3
_MOST_SOUNDED = 100  # names that are compared by sound, the likeliest
_MOST_WORDS = 5  # that one name may have been heard as
_UNLIKE_SPELLED = 0.25  # phonemes that may differ where the name is spelled nearly so
_SAME = 0.06  # the same of what counts as one sound
_SAME_LONG, _LONG = 0.13, 7  # the same of what no ordinary words sound like: a name of so many phonemes
_LEAST_SOUNDS = 3  # phonemes of a name
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


def mend_names(text: str, names: Sequence[str]) -> str:
    """The text with each near-miss of a known name replaced by it. `names`: the likeliest first. For the thread that
    computes (see `phonemes`).
    """
    return _by_sound(_by_spelling(text, names), names)


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


def _by_sound(text: str, names: Sequence[str]) -> str:
    """Each window of words by the name that sounds the same ("Kiva" for Caoimhe)."""
    words, known = list(WORD.finditer(text)), {name.casefold() for name in names}
    found = [
        (unlike, window, name)
        for window in _windows(text, words)
        if not any(bare(word[0]).casefold() in known for word in window)
        for unlike, name in _meant(text, window, names)
    ]
    mended: list[tuple[int, int, str]] = []
    for _, window, name in sorted(found, key=lambda one: one[0]):
        start, end = window[0].start(), window[-1].start() + len(bare(window[-1][0]))
        if all(end <= begun or start >= ended for begun, ended, _ in mended):
            mended.append((start, end, name))
    for start, end, name in sorted(mended, reverse=True):
        text = text[:start] + name + text[end:]
    return text


def _windows(text: str, words: Sequence[re.Match[str]]) -> Iterator[Sequence[re.Match[str]]]:
    """A few words that follow each other with nothing but spaces between."""
    for first in range(len(words)):
        for last in range(first, min(first + _MOST_WORDS, len(words))):
            if last > first and text[words[last - 1].end() : words[last].start()].strip():
                break
            if not _CALLS.match(text, 0, words[first].end()):
                yield words[first : last + 1]


def _meant(text: str, window: Sequence[re.Match[str]], names: Sequence[str]) -> Iterator[tuple[float, str]]:
    """The names that these words may stand for, and how unlike each sounds."""
    sounds = "".join(phonemes(bare(word[0])) for word in window)
    is_named = all(word[0][:1].isupper() for word in window) and not _begins_sentence(text, window[0].start())
    for name in names[:_MOST_SOUNDED]:
        wanted = phonemes(name)
        if len(wanted) >= (_LEAST_SOUNDS if is_named else _LONG) and may_stand(name, text, window):
            unlike = unlikeness(sounds, wanted)
            if unlike <= (_SAME if is_named else _SAME_LONG):
                yield unlike, name


def may_stand(name: str, text: str, words: Sequence[re.Match[str]]) -> bool:
    """Whether a name may be what these words of a text are: no proper name follows "a"."""
    return may_be_medicine(text, words) if name.islower() else not follows_article(text, words)


def may_be_medicine(text: str, words: Sequence[re.Match[str]]) -> bool:
    """Where somebody is meant, sound alone makes no medicine of it."""
    return bare(words[-1][0]) == words[-1][0] and not is_person(text, words)


def follows_article(text: str, words: Sequence[re.Match[str]]) -> bool:
    return bool(_AFTER_ARTICLE.search(text, 0, words[0].start()))


def is_person(text: str, words: Sequence[re.Match[str]]) -> bool:
    """Whether somebody is called or spoken of by these words."""
    return bool(_BEFORE_PERSON.search(text, 0, words[0].start()) or _AFTER_PERSON.match(text, words[-1].end()))


def bare(word: str) -> str:
    """A word without its possessive."""
    return _POSSESSIVE.sub("", word)


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
