"""Names that memory knows: a near-miss in what was heard is mended before anybody reads it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_POSSESSIVE = re.compile(r"['\u2019]s$")
_ALIKE = 0.86  # Jaro-Winkler similarity from which two spellings may be one name
_NEARLY = 0.78  # the same, where both also sound alike (Metaphone)
_SURE = 0.92  # the same for short names and for the first word of a sentence, which has a capital letter anyway
_SHORT_NAME = 4  # letters
_LEAST_LETTERS = 3


def mend_names(text: str, names: Sequence[str]) -> str:
    """The text with each near-miss of a known name replaced by it.

    Only words that the recogniser itself took for names, with a capital letter, are looked at, never the first of a
    sentence unless it also sounds like the name; two words may be one name ("Pre Ya"). `names`: the likeliest first.
    """
    known = {name.casefold() for name in names}
    single = [name for name in names if " " not in name and len(name) >= _LEAST_LETTERS]
    words = list(_WORD.finditer(text))
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


def _mended(text: str, word: re.Match[str], names: Sequence[str], known: Iterable[str]) -> str:
    """The name that this word was meant to be, with its possessive, else nothing."""
    ending = _POSSESSIVE.search(word[0])
    bare = word[0][: ending.start()] if ending else word[0]
    if not bare[:1].isupper() or len(bare) < _LEAST_LETTERS or bare.casefold() in known:
        return ""
    name = _nearest(bare, names, sure=_begins_sentence(text, word.start()))
    return name + (ending[0] if ending else "") if name else ""


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
        if enough and alike > likeness:
            best, likeness = name, alike
    return best


def _begins_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip("\"' ")
    return not before or before[-1] in ".!?"


def _folded(word: str) -> str:

    flat = unicodedata.normalize("NFKD", word.casefold())
    return "".join(character for character in flat if character.isalpha() and not unicodedata.combining(character))
