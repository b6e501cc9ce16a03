"""Whether words sound as if that was all, so that nobody must wait for the long silence. In doubt they do not."""

from __future__ import annotations

import re
from enum import IntEnum

from firmware_bridge.speech.completeness import completeness

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_BROKEN_OFF = re.compile(r"(?:[,;:\u2026\u2013\u2014-]|\.\.\.)\W*$")
_BEFORE_LAST = re.compile(r"^.*[.!?]\s+(?=.*\w)", re.DOTALL)  # all sentences but the last
_LEAST_WORDS = 3
_ENOUGH = frozenset(  # said alone, or two of them
    "yes yeah yep yup no nope nah okay ok sure thanks thank you stop hello hi goodbye bye great"
    " exactly correct maybe ja nein danke bitte stopp hallo genau okay tschüss".split()
)
_GOES_ON = {  # words after which there is more to come, in a question as well
    "en": frozenset(
        "a an the my your our their its every each no some any very too quite and or but nor because if whether when"
        " while although though unless until since that's than so um uh er erm ah hm i we he she they who's what's"
        " there's he's she's it's i'm you're we're they're i've i'd i'll we'll is are am was were be been will would"
        " can could shall should may might must have has had does do did don't didn't doesn't isn't aren't wasn't won't"
        " can't not then his how why such another much most of"
        " into per via plus minus times dr mr mrs ms saint also just really maybe even only".split()
    ),
    "de": frozenset(
        "der die das den dem des ein eine einen einem einer eines mein meine meinen meinem meiner dein deine deinen"
        " deinem sein seine seinen seinem ihr ihre ihren ihrem unser unsere kein keine keinen und oder aber denn weil"
        " dass ob wenn als äh ähm hm ich wir er sehr ganz so für von bei nach zum zur im am beim ins doktor herr frau"
        " auch nur noch".split()
    ),
}
_HANGS = frozenset("to with from about for at by in as like between without".split())  # at the end of a question alone
_WANTS_MORE = re.compile(
    r"\b(?:tell|give|show|remind|make|get|let|help|teach|read|sag|gib|zeig|erzähl|erinnere)\s+(?:me|us|mir|mich|uns)\W*$"
    r"|\b(?:can|could|would|will|kannst|könntest|würdest)\s+(?:you|du)(?:\s+(?:please|bitte))?\W*$",
    re.IGNORECASE,
)
_LEADS_IN = re.compile(
    r"\W*(?:if|when|while|because|although|before|after|since|unless|once|as soon as)\b", re.IGNORECASE
)
_NUMBER = re.compile(
    r"\d$|^(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|[b-hj-z])$"
)
_SUBJECTS = frozenset("i you we they he she it that this there".split())
_VERBS = frozenset(
    "is are am was were be been will would can could shall should may might must have has had do does did don't didn't"
    " doesn't isn't aren't wasn't weren't won't can't couldn't i'm you're we're they're he's she's it's that's there's"
    " i've we've i'd i'll we'll live lives lived work works worked like likes liked love loves loved hate hates want"
    " wants wanted need needs needed go goes went come comes came take takes took say says said know knows knew get"
    " gets got make makes made see sees saw eat eats ate call calls called mean means meant think thinks thought feel"
    " feels felt play plays played start starts started end ends ended begin begins began bought broke lost found moved"
    " died tastes looks sounds seems became called".split()
)
_ORDERS = frozenset(
    "tell set turn play call remind remember forget show give explain stop read write list open close add put make let"
    " find help describe start cancel wake say sing translate spell convert repeat check look search name recommend"
    " suggest please switch pause skip delete remove count keep teach".split()
)


_CLEAR = 0.57  # likelihood of an end: of 35 recordings cut in the middle, 7 first parts have more
_UNLIKELY = 0.02  # a fiftieth of all sentences, half of their beginnings


class Wholeness(IntEnum):
    """What the words heard so far say about whether more is to come, the surer of an end the greater."""

    UNFINISHED = 0  # they break off
    UNSURE = 1
    WHOLE = 2  # a question, statement or order by its form, as the first half of many a longer one is
    CLEAR = 3  # and sentences end with such words


def wholeness(text: str, language: str) -> Wholeness:
    """Of what was heard, as far as its words tell. In German only questions are whole, and nothing is clear."""
    text = _BEFORE_LAST.sub("", text)
    words = last_words(text)
    if not words or language not in _GOES_ON:
        return Wholeness.UNSURE
    is_short = len(words) < _LEAST_WORDS
    if is_short and all(word in _ENOUGH for word in words) and not _BROKEN_OFF.search(text):
        return Wholeness.WHOLE
    last, asks = words[-1], text.rstrip("\"' ").endswith("?")
    if _BROKEN_OFF.search(text) or last in _GOES_ON[language] or _WANTS_MORE.search(text):
        return Wholeness.UNFINISHED
    if is_short:
        return Wholeness.UNSURE
    if language != "en":
        return Wholeness.WHOLE if asks else Wholeness.UNSURE
    likely, is_number = completeness(words), _NUMBER.search(last) is not None
    if likely < _UNLIKELY and not asks:
        return Wholeness.UNFINISHED
    if not asks and (last in _HANGS or is_number or (_LEADS_IN.match(text) and "," not in text)):
        return Wholeness.UNSURE
    if likely > _CLEAR and not is_number:
        return Wholeness.CLEAR
    return Wholeness.WHOLE if asks or _has_verb(words) else Wholeness.UNSURE


def last_words(text: str) -> list[str]:
    """The words of the last sentence of a text, in small letters."""
    return [word.lower().replace("\u2019", "'") for word in _WORD.findall(_BEFORE_LAST.sub("", text))]


def _has_verb(words: list[str]) -> bool:
    """By the commonest of them, by a pronoun with more after it, or by the place where an order has it."""
    begins = next((word for word in words if word != "please"), "")
    says = any(word in _SUBJECTS for word in words[:-1])
    return begins in _ORDERS or says or any(word in _VERBS for word in words)
