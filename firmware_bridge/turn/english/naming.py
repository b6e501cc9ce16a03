"""What a thing is called: whether a question asks for that, and whether what was told says it."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.records import words_of
from firmware_bridge.turn.english.told import NUMBERS, Told, is_kin_or_pet
from firmware_bridge.turn.english.wordforms import GENERIC, holds

_ASKS_NAME_OF = (
    re.compile(r"\bnames? of (?:[\w'-]+ )*?(?P<thing>[\w-]+)\W*$", re.IGNORECASE),
    re.compile(r"\b(?:what|what's|whats) (?:[\w'-]+ )*?(?P<thing>(?!what)[\w-]+?)(?:'s|s') names?\W*$", re.IGNORECASE),
    re.compile(
        r"\b(?:what|what's|whats) (?:[\w'-]+ )*?(?P<thing>[\w-]+) (?:called|named)(?: now| again| these days)?\W*$",
        re.I,
    ),
)
_SAYS_NAME = re.compile(r"\b(?:called|named|names?|calls?|nicknamed?)\b", re.IGNORECASE)
_WORD = re.compile(r"[\w'-]+|[,.;:]")
_BETWEEN = frozenset("is are was were called named , : the a an my our user's just only little wee".split())
_OWN = frozenset("the a an my our user user's his her their".split())
_MOST_BETWEEN, _MOST_BEFORE = 3, 5
# After "is" in a text without capitals: no name.
_NO_NAME = re.compile(
    rf"(?:\w+(?:ing|ed|ly)|in|on|at|under|behind|by|with|from|near|off|out|up|down|back|not|very|too|so|all|here|there|{NUMBERS})$",
    re.IGNORECASE,
)


def thing_named(question: str) -> str:
    """The "boat" of "what is the boat called"; empty for a question that asks for no thing's name."""
    for pattern in _ASKS_NAME_OF:
        if (match := pattern.search(question)) and words_of(match["thing"])[:1] not in ([], ["other"]):
            return match["thing"].lower()
    return ""


def names_it(told: Told, thing: str) -> bool:
    """Whether a name stands by the word for a thing, or it says what something is called."""
    is_medicine = ".medicine_" in told.key and holds(("medicine",), thing)
    if is_medicine or _SAYS_NAME.search(told.text) or holds(told.known_as, thing):
        return True
    words = _WORD.findall(told.text)
    spells = not told.text[1:].islower()
    return any(
        _is_named_here(words, place, spells)
        for place, word in enumerate(words)
        if word[:1].isalpha() and holds(words_of(word), thing) and not word.endswith(("'s", "s'"))
    )


def _is_named_here(words: list[str], place: int, spells: bool) -> bool:
    after = words[place + 1 : place + 2 + _MOST_BETWEEN]
    passed = 0
    while passed < len(after) and (after[passed].lower() in _BETWEEN or is_kin_or_pet(after[passed].lower())):
        passed += 1
    name = after[passed] if passed < len(after) else ""
    before = words[max(0, place - _MOST_BEFORE) : place]  # "Rex is our dog"
    verb = next((at for at, word in enumerate(before) if word.lower() in {"is", "are", "was", ","}), 0)
    first = before[verb - 1] if verb else ""
    does = any(word.endswith("ing") for word in before[verb:])
    if not does and first.lower() not in _OWN | GENERIC and first[:1].isupper():
        return True
    if spells:
        return name[:1].isupper()
    named = {"is", "are", "called", "named"} & set(after[:passed]) or is_kin_or_pet(words[place].lower())
    return bool(named and name[:1].isalpha() and name not in GENERIC and not _NO_NAME.match(name))
