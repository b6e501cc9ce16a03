"""Retelling what the user said about themself in the third person, by rule and in their own words."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.inflection import agreeing

_CONTRACTIONS = {
    "i'm": "the user is",
    "im": "the user is",
    "ive": "the user has",
    "i've": "the user has",
    "i'd": "the user would",
    "i'll": "the user will",
    "we're": "the user is",
    "we've": "the user has",
    "we'd": "the user would",
    "we'll": "the user will",
}
_PRONOUNS = {
    "i": "the user",
    "me": "the user",
    "we": "the user",
    "us": "the user",
    "my": "the user's",
    "our": "the user's",
    "mine": "the user's",
    "ours": "the user's",
    "myself": "themself",
    "ourselves": "themselves",
}
_BEFORE_A_MINE = frozenset("the a an coal gold copper nickel tin iron salt".split())
_SUBJECTS = frozenset({"i", "we"})
_ADVERBS = frozenset(
    """usually never always also really just still often sometimes only currently now already almost generally mostly
    rarely recently normally typically both all finally actually definitely absolutely no longer not very even then
    ever once twice quite rather much""".split()
)
_ENDS_LIKE_AN_ADVERB = frozenset("apply rely reply supply fly multiply imply comply rally tally bully".split())
_TOKEN = re.compile(r"[\w'\u2019-]+|[^\w\s]|\s+")


def third_person(clause: str) -> str:
    """ "I live in Oslo with my wife" becomes "The user lives in Oslo with the user's wife"."""
    told: list[str] = []
    verb_next = False
    for piece in _TOKEN.findall(clause.replace("\u2019", "'")):
        word = piece.lower()
        if piece.isspace() or not any(character.isalpha() for character in word):
            told.append(piece)
        elif word in _CONTRACTIONS:
            told.append(_CONTRACTIONS[word])
            verb_next = False
        elif (
            word in _PRONOUNS
            and not (word == "mine" and set(re.findall(r"\w+", "".join(told[-4:]).lower())) & _BEFORE_A_MINE)
            and piece != "US"
            and not (piece == "I" and told[-2:-1] in (["an"], ["letter"], ["capital"]))
        ):
            told.append(_PRONOUNS[word])
            verb_next = word in _SUBJECTS
        elif verb_next and _is_adverb(word):
            told.append(piece)
        else:
            told.append(agreeing(piece) if verb_next else piece)
            verb_next = False
    text = "".join(told).strip()
    return text[:1].upper() + text[1:]


def _is_adverb(word: str) -> bool:
    return word in _ADVERBS or (word.endswith("ly") and word not in _ENDS_LIKE_AN_ADVERB)
