"""Retelling what the user said about themself in the third person, by rule and in their own words."""

from __future__ import annotations

from edge_memory import lazy_re as re

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
_SUBJECTS = frozenset({"i", "we"})
_ADVERBS = frozenset(
    """usually never always also really just still often sometimes only currently now already almost generally mostly
    rarely recently normally typically both all finally actually definitely absolutely no longer not very even then
    ever once twice quite rather much""".split()
)
_ENDS_LIKE_AN_ADVERB = frozenset("apply rely reply supply fly multiply imply comply rally tally bully".split())
_IRREGULAR = {
    "am": "is",
    "are": "is",
    "were": "was",
    "have": "has",
    "haven't": "hasn't",
    "do": "does",
    "don't": "doesn't",
    "aren't": "isn't",
    "weren't": "wasn't",
    "go": "goes",
    "dont": "doesn't",
    "havent": "hasn't",
    "arent": "isn't",
    "been": "has been",
}
_MODALS = frozenset(
    """can can't cannot cant could couldn't wont didnt wasnt ought gotta gonna wanna will won't would wouldn't should
    shouldn't must mustn't may might had hadn't was wasn't did didn't is has""".split()
)
_PAST = frozenset(
    """went got took made came saw said told gave found knew thought felt left kept began broke bought brought built
    caught chose drove ate fell flew forgot grew heard held hurt led lost met paid put quit ran read rode sang sat
    sold sent slept spent spoke stood stole swam taught threw understood woke won wrote wore cut hit let set shut
    cost bit bent beat became blew drank drew fought hid rang rose shook shot sank stuck swore tore agreed freed dug
    hung swung spun struck froze lent spread split slid wept swept dealt burnt dreamt learnt sought gave overslept
    withdrew forgave""".split()
)
_UNCHANGED = _MODALS | _PAST | {"and", "or"}
_AGREES_ALREADY = re.compile(r"(?<![siu])s$")  # "I goes", as some say
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


def is_past(word: str) -> bool:
    """Whether it is a past form of an irregular verb ("sank", "put")."""
    return word.lower() in _PAST


def _is_adverb(word: str) -> bool:
    return word in _ADVERBS or (word.endswith("ly") and word not in _ENDS_LIKE_AN_ADVERB)


def agreeing(verb: str) -> str:
    """A verb as "the user" asks for it: "has" for "have"; past forms and modals stay."""
    word = verb.lower()
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _UNCHANGED or _AGREES_ALREADY.search(word) or (word.endswith("ed") and not word.endswith("eed")):
        return verb
    if word.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"
