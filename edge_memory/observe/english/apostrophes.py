"""The apostrophes that a recogniser leaves out: "im", "my mums in town", "jans birthday"."""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import CALLED_BY_KIN, DAY, KIN, MONTHS, NUMBERS, ONE_HOLDER, PET_SET

_MOST_READ = 64
_CONTRACTIONS = {
    "im": "i'm", "ive": "i've", "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "cant": "can't",
    "isnt": "isn't", "wasnt": "wasn't", "arent": "aren't", "werent": "weren't", "hasnt": "hasn't",
    "havent": "haven't", "couldnt": "couldn't", "wouldnt": "wouldn't", "shouldnt": "shouldn't", "hes": "he's",
    "shes": "she's", "theyre": "they're", "theyve": "they've", "weve": "we've", "youre": "you're", "thats": "that's",
    "whats": "what's", "wheres": "where's", "whos": "who's", "theres": "there's", "gonna": "going to",
    "wanna": "want to", "gotta": "got to", "anymore": "any more", "aint": "ain't",
}  # fmt: skip
_CONTRACTED = re.compile(rf"\b(?:{'|'.join(_CONTRACTIONS)})\b", re.IGNORECASE)
_NUMBER = rf"(?:\d+|{'|'.join(sorted(NUMBERS))})"
_ITS = re.compile(
    rf"\bits(?= (?:my|our|your|his|too|so|an?|the|not|now|very|really|all|been|just|over|off|gone|called|cold"
    rf"|hot|going|getting"
    rf"|different|in|on|at|under|behind|by|with|up|down|out|back|{_NUMBER}|{DAY}|{'|'.join(MONTHS)}|(?:my "
    rf"|our )?[\w-]+(?: [\w-]+)? who's)\b)",
    re.IGNORECASE,
)
_WERE = re.compile(r"^were(?= (?:\w+ing|not|off|both|all|in|at|on|an?|moved|no longer)\b(?!.*\?))", re.IGNORECASE)
_THEIR = re.compile(rf"\btheir(?= (?:{_NUMBER}(?: and {_NUMBER})?$|called\b|going\b|getting\b|moving\b|both\b))", re.I)
_WOULD = re.compile(r"\b(?P<who>i|we)d(?= (?:like|love|rather|prefer|be|never|have|go)\b)(?<!\bwed)", re.IGNORECASE)
_WILL = re.compile(
    r"\bill(?= (?:be|have|get|go|need|take|see|do|make|let|call|come|try|never|always)\b)", re.IGNORECASE
)
# What follows "is" or "has" or is owned, and never a plural: "my mums called Vera", "my mums car", not "my aunts are".
_OF_ONE = (
    rf"(?:(?:not|been|got|gone|called|named|moved|left|started|quit|an?|in|at|on|off|from|allergic|pregnant|retired"
    rf"|vegan|vegetarian|diabetic|coeliac|celiac|asthmatic|epileptic|autistic|teetotal|expecting|deaf|blind|ill|dead|\w+ing|{_NUMBER})\b"
    rf"|(?:name|birthday|number|phone|address|house|flat|car|job|boss|dog|cat|tablets|pills|medicine|medication"
    rf"|operation"
    rf"|appointment|hip|knee|back|heart|eyes?|memory|room|sister|{KIN}|{ONE_HOLDER})"
    r"(?:'s\b|s\b|\s+(?:is|was|has|are|have|were|hurts?)\b))"
)
_KINS = re.compile(
    rf"\b(?P<who>(?:my|our|his|her)\s+(?:[\w-]+\s+)?(?:{KIN})|the\s+(?:[\w-]+\s+)?(?:man|woman|lady|{ONE_HOLDER})"
    rf"|(?<![\w'])(?:{'|'.join(sorted(CALLED_BY_KIN, key=len, reverse=True))}))s(?=\s+{_OF_ONE})",
    re.IGNORECASE,
)
_MY_NAMES = re.compile(r"\b(?P<what>(?:my|our|his|her) name)s(?=\s+\w)(?!\s+(?:are|were)\b)", re.IGNORECASE)
# "The puppys name is Bo", "my social workers names Ann".
_ITS_NAME = re.compile(
    r"\b(?P<who>(?:my|our|the)\s+(?:[\w-]+\s+)?[\w-]{2,}[^s\W])s(?= names?(?:'s| is| was| [\w-]+$))", re.IGNORECASE
)
_NAMES_BARE = re.compile(r"(?P<who>'s name)s(?=\s+\w)", re.IGNORECASE)
# "The light bills due on Friday".
_DUE = re.compile(r"\b(?P<what>(?:the|my|our)\s+(?:[\w-]+\s+)?[\w-]{2,}[^s\W])s(?= due\b)", re.IGNORECASE)
_SHORTEST_NAME = 3


@lru_cache(_MOST_READ)  # a turn is asked for it when it is looked up and when it is answered
def with_apostrophes(text: str) -> str:
    """As far as no names are needed to know where they belong."""
    text = _CONTRACTED.sub(lambda match: _like(match[0], _CONTRACTIONS[match[0].lower()]), text)
    text = _THEIR.sub("they're", _WERE.sub("we're", _ITS.sub("it's", text)))
    text = _WILL.sub("i'll", _WOULD.sub(r"\g<who>'d", text))
    text = _NAMES_BARE.sub(r"\g<who>'s", _ITS_NAME.sub(r"\g<who>'s", _MY_NAMES.sub(r"\g<what>'s", text)))
    return _DUE.sub(r"\g<what> is", _KINS.sub(r"\g<who>'s", text))


def of_names(text: str, names: Set[str]) -> str:
    """ "jans birthday" is Jan's, when Jan is known and Jans is not. `names` are in lower case."""

    def owned(match: re.Match[str]) -> str:
        word = match[0].lower()
        known = word not in names and word[:-1] in names - PET_SET and len(word) > _SHORTEST_NAME
        return f"{match[0][:-1]}'s" if known else match[0]

    return re.sub(r"(?<!['\w])[\w-]+s(?=\s+\w)", owned, text)


def _like(said: str, meant: str) -> str:
    return meant[0].upper() + meant[1:] if said[0].isupper() else meant
