"""What people say in the grammar of where they come from, as standard English: "he's done quit", "without no tea"."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.inflection import PARTICIPLE_OF, participle
from edge_memory.observe.english.lexicon import HE, SHE, word_class

_DROPPED_G = re.compile(
    r"\b(go|do|tak|talk|com|gett|liv|work|expect|kidd|morn|even|noth|someth|anyth|feel|look|try|mak|think|play"
    r"|drink|eat|sleep|runn"
    r"|sitt|putt|us|hav|say|tell|giv|leav|mov|smok|start|stopp|fish|hunt|farm|driv|walk|watch|wait|call|help|read"
    r"|sing|swimm|cook"
    r"|grow|learn|los|meet|pay|rent|sell|buy|spend|stay|study|teach|visit|wear|writ)in'?(?=[\s,.!?]|$)",
    re.IGNORECASE,
)
_A_DOING = re.compile(r"\ba-(?=\w{2,}ing\b)", re.IGNORECASE)
_BEGINS = r"(?:(?<=^)|(?<=[,.;] )|(?<=\b(?:and|but) ))"
_DONE = r"(?:\w+ed|made|got|went|quit|sold|bought|left|lost|told|gone|broke|took|gave|come|run|had|put)\b"
# "He done made the team", "she's done up and left".
_HAS_DONE = re.compile(
    rf"{_BEGINS}(?P<who>(?:my |our )?[\w-]+?)(?P<have>'s|'ve| has| have)? done (?:up and |gone and |went and )?"
    rf"(?P<deed>{_DONE})",
    re.IGNORECASE,
)
_UP_AND = re.compile(rf"{_BEGINS}(?P<who>(?:my |our )?[\w-]+) up and (?={_DONE})", re.IGNORECASE)
# "My knee has give out".
_HAS_GAVE = re.compile(
    r"(?P<have>\b(?:has|have|had)|'ve)(?P<how>(?: just| finally| already)?) (?P<verb>give|gave|took|went|broke|fell|ate"
    r"|drove|wrote|began|swam|spoke|stole|tore|wore|rode|grew|threw|saw|did|came|ran)\b",
    re.IGNORECASE,
)
# "We got us a dog", "I want me a drink", "he takes him a nap".
_GOT_US = re.compile(r"\b(?P<got>got|bought|found|made) (?:me|us|him|her) (?=an? )", re.IGNORECASE)
_FOR_ONESELF = re.compile(
    r"\b(?P<who>[\w-]+(?:'d|'ve)?) (?P<verb>takes?|took|has|have|had|wants?|needs?|eats?|ate|drinks?|drank|likes?)"
    r" (?P<whom>me|us|him|her) (?=(?:an?|some|two|three|half an?|my|our|his) )",
    re.IGNORECASE,
)
_NOT = {
    "can": "can't", "din": "don't", "do": "don't", "did": "didn't", "is": "isn't", "was": "wasn't", "would": "wouldn't",
    "does": "doesn't", "has": "hasn't", "have": "haven't", "could": "couldn't", "should": "shouldn't",
}  # fmt: skip
_NAE = re.compile(rf"\b(?P<verb>{'|'.join(_NOT)})(?:nae|na)\b", re.IGNORECASE)
_AINT = re.compile(r"\b(?:(?P<me>i)\s+ain't|ain't)\b", re.IGNORECASE)
_NO_MORE = re.compile(
    r"(?P<said>(?:n't|\bnot|\bnever)\b.*) no more\b(?=$|[,.!]|\s+(?:i|we|he|she|it|they|now|so"
    r"|because|on account of|since|cause)\b)",
    re.IGNORECASE,
)
# "I don't want no tea", "without no sugar".
_NOT_NO = re.compile(
    r"(?P<said>(?:n't|\bnever)(?: (?!no\b)[\w']+){1,3}|\bwithout) no (?=(?!more\b|longer\b|matter\b|one\b|idea\b|way\b"
    r"|problem\b|wait\b|but\b|sorry\b|not\b|i\b|i'm\b|it\b|it's\b|the\b|my\b|we\b|make\b|on\b|in\b|at\b)(?P<what>\w+))",
    re.IGNORECASE,
)
_DONT_NEVER = re.compile(
    r"^(?P<please>please )?(?:(?:don't|do not)(?: you)? never|never you) (?=(?!mind\b)\w)", re.IGNORECASE
)
_NOT_NEVER = re.compile(r"(?P<not>\b\w+n't) never\b(?!\s*mind)", re.IGNORECASE)
_AFTER = re.compile(
    r"\b(?P<who>i'm|we're|they're|he's|she's|i am|we are|is|are) (?P<just>just )?after (?P<verb>\w+ing)\b"
    r"(?:(?P<rest>[^,]*? and )(?P<second>\w+ing)\b)?",
    re.IGNORECASE,
)
_HAVE = {"i'm": "i've", "we're": "we've", "they're": "they've", "he's": "he has", "she's": "she has", "i am": "i have",
         "we are": "we have", "is": "has", "are": "have"}  # fmt: skip


def in_standard_english(text: str) -> str:
    """The same without what only a dialect says; what is said in both stays as it is."""
    text = _NAE.sub(lambda match: _like(match[0], _NOT[match["verb"].lower()]), text)
    text = _AFTER.sub(_is_after, text)
    text = _A_DOING.sub("", _DROPPED_G.sub(r"\1ing", text))
    text = _AINT.sub(lambda match: "i'm not" if match["me"] else "isn't", text)
    text = _UP_AND.sub(r"\g<who> ", _HAS_DONE.sub(_has_done, text))
    text = _HAS_GAVE.sub(lambda match: match["have"] + match["how"] + " " + PARTICIPLE_OF[match["verb"].lower()], text)
    text = _FOR_ONESELF.sub(_of_oneself, _GOT_US.sub(r"\g<got> ", text))
    text = _NOT_NEVER.sub(r"\g<not> ever", _DONT_NEVER.sub(r"\g<please>never ", text))
    return _NO_MORE.sub(r"\g<said> any more", _NOT_NO.sub(_denied_once, text))


def _like(said: str, meant: str) -> str:
    return meant[0].upper() + meant[1:] if said[0].isupper() else meant


def _is_after(match: re.Match[str]) -> str:
    """ "We're after selling it and getting another": the Irish way of saying that they have just done so."""
    second = match["rest"] + participle(match["second"]) if match["second"] else ""
    return f"{_like(match['who'], _HAVE[match['who'].lower()])} {participle(match['verb'])}{second}"


def _has_done(match: re.Match[str]) -> str:
    have = match["have"] if (match["have"] or "'s") != "'s" else " has"
    have = " have" if match["who"].lower() in ("i", "we", "they", "you") else have
    return f"{match['who']}{have} {match['deed']}"


def _of_oneself(match: re.Match[str]) -> str:
    """As it is where it is done for another: "I take her a pill", "my mother takes him a pill"."""
    who, whom = match["who"].lower().partition("'")[0], match["whom"].lower()
    same = {"i": "me", "we": "us", "he": "him", "she": "her", **dict.fromkeys(HE, "him"), **dict.fromkeys(SHE, "her")}
    named = match["who"][0].isupper() and whom in ("him", "her")
    return f"{match['who']} {match['verb']} " if same.get(who, whom if named else "") == whom else match[0]


def _denied_once(match: re.Match[str]) -> str:
    """A number or a day after "no" puts right what was said: "I can't come on Monday, no, Tuesday"."""
    return match[0] if word_class(match["what"]) else f"{match['said']} "
