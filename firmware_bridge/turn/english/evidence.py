"""Whether something that was told answers a question."""

from __future__ import annotations

from collections.abc import Sequence, Set

from edge_memory import lazy_re as re
from edge_memory.records import words_of
from firmware_bridge.turn.english.kinds import is_named, kind_of
from firmware_bridge.turn.english.orders import is_told_as_order
from firmware_bridge.turn.english.questions import Question, Sort
from firmware_bridge.turn.english.sorts import NO_NAMES, PLACES, is_of_the_sort
from firmware_bridge.turn.english.told import (
    DAYS,
    NUMBERS,
    OF_THE_USER,
    OWNED,
    Told,
    is_kin,
    own_kin,
    relative_of_another,
    spaced,
    subjects,
    words_told,
)
from firmware_bridge.turn.english.wordforms import family, holds, telling_words

_A_KIND_OF = re.compile(
    r"^(?:(?:the user's|the|my|our) )?[\w-]+(?: [\w-]+)?(?: (?:is|are|was)|'s)"
    rf" (?:an?|the|my|our|mostly|really|actually)? ?(?!(?:{NUMBERS})\b|\d)\w+",
    re.IGNORECASE,
)
_JUST_NAMED = re.compile(r"\b(?:is|are|'s) (?:called|named|mad|in|on|at|\w+ing)\b", re.IGNORECASE)
_TAKES = re.compile(r"\b(?:on|takes?|taking|prescribed)\b(?! [\w' ]+ to )", re.IGNORECASE)
_OWN_NAME = re.compile(
    r"^(?:hi |hello )?(?:the user(?:'s name)? is|i'm|i am|my name(?:'s| is)|call me|(?:you can )?call the user)(?:"
    r" called| named)? (?-i:[A-Z])"
    r"|\bcalls? (?:me|the user) (?-i:[A-Z])",
    re.IGNORECASE,
)
_ASKS_WHO = re.compile(r"who(?:'?s)?\b", re.IGNORECASE)
_THEY_DO = re.compile(r"\b(?:does|did|do|has|have) (?:they|people|anyone|anybody|somebody|someone)\b", re.IGNORECASE)
_AT_A_NAME = re.compile(rf"\b(?i:at|in|to|from|by|on) (?i:the )?(?!(?i:{DAYS})\b)[A-Z]")
# What is not told of anything but by its own name.
_TOLD_BY_NAME = frozenset(
    """surname registration reg postcode zip salary airline employer bank number size dose dosage strength""".split()
)
_BLOOD_TYPE = re.compile(r"\bblood (?:type|group)\b", re.IGNORECASE)
# "The boys' teacher is called Ann" names no boys.
_ITS_OWN_IS_NAMED = re.compile(
    r"^(?i:(?:the user's|the|my|our) )?(?!user\b)[\w-]+(?:'s|s') (?P<what>[\w -]+?)(?:'s| is| are| was) (?:called|named)\b",
)
_ASKS_FOR_NAME = re.compile(r"\b(?:called|names?|named)\b", re.IGNORECASE)
_WISHES = re.compile(r"\b(?:wants|want|hopes|hope|hoping|plans|dreams|would like|'d like) (?:to|of)\b", re.IGNORECASE)
_ASKS_OF_WISHES = re.compile(
    r"\b(?:want|wants|hope|hopes|hoping|plan|plans|planning|dream|like|become|going to|will|when)\b", re.I
)
_LIVES_OR_TRAVELS = re.compile(
    r"\b(?:lives?|living|stays?|staying|moved|flying|flies|trip|from|shares?|banks?)\b", re.IGNORECASE
)
_SURNAME = re.compile(r"\b(?:surname|(?:last|second|family|full|other|whole) name)\b", re.IGNORECASE)
_FULL_NAME = re.compile(r"^[A-Z][\w'-]+ [A-Z][\w'-]+")
_FIRMS = frozenset("company firm employer".split())
_BY_A_FIRM = re.compile(r"\b(?:for|at|with|by|called|named|joined|employed)\b", re.IGNORECASE)
_ASKS_OF_ORDERS = re.compile(r"\b(?:rules?|never|not|n't|allowed|supposed|orders?|always)\b", re.IGNORECASE)
_TEAMS = frozenset("team club side squad".split())
_PLAYS_FOR = re.compile(
    r"\b(?:plays?|played|playing|supports?|captains?|coach\w*|team|club|side|squad|united|city|rovers|juniors|reserves|for)\b",
    re.IGNORECASE,
)
_MADE_AS = frozenset("breed make model brand species variety".split())
_IS_ONE = re.compile(
    r"\b(?:is|are|was|were|'s|got|has|have|had|drives?|rides?|owns?) (?:(?:just|only|really|actually|now) )?(?:an?|the"
    r"|my|our)\b",
    re.IGNORECASE,
)
_TOLD_IN_A_FORM = ((_FIRMS, _BY_A_FIRM), (_MADE_AS, _IS_ONE), (_TEAMS, _PLAYS_FOR))
_WAS_ONCE = re.compile(
    r"(?<!\bam )(?<!'m )(?<!\bare )(?<!'re )(?<!\bis )(?<!\bget )(?<!\bgot )\bused to\b|\b(?:formerly|previously|back"
    r" then)\b"
    r"|\b(?:when (?:i|we|the user) (?:was|were)|as a (?:child|kid|boy|girl|teenager))\b",
    re.IGNORECASE,
)
_ASKS_OF_THE_PAST = re.compile(r"\b(?:did|was|were|had|used to|ever|before|previous|previously|once)\b", re.IGNORECASE)
_ASKS_OF_WHAT_WAS = re.compile(
    r"\bbefore (?:i|we|he|she|they) (?:retired|stopped|left|quit)\b|\bused to\b|\boriginally\b", re.I
)
_ASKS_WHAT = re.compile(r"(?:what|which|who|where|when|how)\b", re.IGNORECASE)
_OF_TODAY = re.compile(r"\b(?:these days|nowadays|now)\b", re.IGNORECASE)
_BY_THE_USER = re.compile(r"^(?:the user|i|we)\b(?!'s)", re.IGNORECASE)
_WHO_DOES = re.compile(r"\b(?:does|did|do|has|have)\s+(?:(?:my|our|the)\s+)?(?P<who>[\w-]+)")
_WITH_CAPITAL = re.compile(r"(?<=[^.!?] )[A-Z]\w+")
_CAPITAL = re.compile(r"\b[A-Z][\w-]*")
_TELLS_WHERE = re.compile(r"\b(?:is|are|'s) (?:kept |always )?(?:in|on|under|behind|by|at|beside|above|below)\b", re.I)
_OF_IT = (
    r"(?:nights?|days?|bus|run|uniform|holidays?|trip|bag|fees|dinners?|gates?|teachers?|drivers?|nurse|secretary|mates?|play"
    r"|concert|party|photos?|keys?|manager|work)"
)
_HEAD_WORDS = 2  # by which a sentence names whom or what it is about


def answers(told: Told, question: Question) -> bool:
    """Whether it tells all that was asked for, of whom it was asked, and the kind of thing that was asked for."""
    if question.personal and _SURNAME.search(question.text) and told.key == "user.name":
        return bool(_FULL_NAME.match(told.value)) or (told.value.islower() and len(told.value.split()) > 1)
    needed = question.words or question.loose
    words = words_told(told, question)
    if question.words != {"name"} and not all(holds(words, word) for word in needed):
        return False  # as it is of nearly all of many
    if question.who_is and _capitalised_words(told.text) >= question.words and not is_told_as_order(told.text):
        return True  # whatever names them
    if question.is_open or not is_about(told, question) or _is_of_something_alike(told, question):
        return False
    if is_told_as_order(told.text) and not _ASKS_OF_ORDERS.search(question.text):
        return False
    if _WAS_ONCE.search(told.text) and not _ASKS_OF_THE_PAST.search(question.text):
        return False
    if question.words == {"name"}:
        return bool(_OWN_NAME.search(told.text)) or told.about.startswith(("user name", "user nickname"))
    if _ASKS_OF_WHAT_WAS.search(question.text) and _OF_TODAY.search(told.text):
        return False
    if question.of_another and question.words and not _says_more(told, question, words):
        return False
    return _fits_category(told, question, words) and is_of_the_sort(told, question) and _tells_more(told, question)


def _is_of_something_alike(told: Told, question: Question) -> bool:
    """Blood pressure is no blood type, work no company, and what the boys' teacher is called not what the boys are."""
    if _is_only_wished(told, question):
        return True
    if _BLOOD_TYPE.search(question.text) and not _BLOOD_TYPE.search(told.text):
        return True
    if question.category & _FIRMS and not _BY_A_FIRM.search(told.text):
        return True
    if not _ASKS_FOR_NAME.search(question.text):
        return False
    if not _ASKS_FOR_NAME.search(told.text) and any(_is_only_one(told.text, word) for word in question.words):
        return True
    named = _ITS_OWN_IS_NAMED.match(told.text)
    if named is None:
        return False
    asked = words_of(question.text)
    return not any(holds(asked, word) for word in words_of(named["what"]))


def _tells_more(told: Told, question: Question) -> bool:
    """Whether it holds anything that the question does not."""
    if not _ASKS_WHAT.match(question.text):
        return True
    return bool(telling_words(told.text) - telling_words(question.text) - {"user"} - NO_NAMES)


def _is_only_one(text: str, word: str) -> bool:
    """ "Plays in a band" names no band."""
    return bool(re.search(rf"\ban? (?:[\w-]+ )?{re.escape(word)}\b", text))


def _is_only_wished(told: Told, question: Question) -> bool:
    """Where somebody studies is not told by what they want to study."""
    return bool(_WISHES.search(told.text)) and not _ASKS_OF_WISHES.search(question.text)


def _says_more(told: Told, question: Question, words: Sequence[str]) -> bool:
    """ "Where does Anna come from" is not answered by where she works."""
    named = subjects(told) | _capitalised(question)
    if any(word not in named for word in question.words):
        return True
    return all(holds(words, word) for word in question.loose)


def is_about(told: Told, question: Question) -> bool:
    """What is told of somebody or something else ("my brother lives in Lille") counts only if that was asked for."""
    if (kin := relative_of_another(told)) and any(family(one) == family(kin) for one in own_kin(question.text)):
        return False
    subject = subjects(told) | told.known_as
    asked = {family(word) for word in question.words | question.loose | question.category}
    people = _people_in(told, subject).union(family(word) for word in told.known_as)
    if people and not people & asked:
        subject = people
    if not subject or {family(word) for word in subject} & asked:
        return True
    if people and question.of_own_thing:
        return False
    if not question.personal and (_ASKS_WHO.match(question.text) or _names_nobody(question)):
        return True  # whoever it is
    return not question.by_user and bool(OF_THE_USER.search(told.text))


def _names_nobody(question: Question) -> bool:
    """ "What did they call the boat", "when was the roof mended": of something that happened, whoever did it."""
    if question.of_another:
        return bool(_THEY_DO.search(question.text))
    return len(question.words) > 1


def _people_in(told: Told, subject: Set[str]) -> frozenset[str]:
    """Whose it is, among what a sentence is about: the wife of "my wife's car", the brother of "my brother Tom"."""
    owned = OWNED.match(told.text)
    if owned is None or owned["owner"]:
        return frozenset(map(family, subject))
    named: set[str] = set()
    for word in owned["rest"].lower().split()[: len(subject) + 1]:
        plain = word.removesuffix("'s").strip(",.")
        if plain not in subject:
            continue
        if plain != word.strip(",.") or is_kin(plain) or named:
            named.add(plain)
        if plain != word.strip(",."):
            break
    return frozenset(map(family, named))


def _fits_category(told: Told, question: Question, words: Sequence[str]) -> bool:
    """ "What instrument does Ola play" is answered by a trumpet, not by that word: by what is said of Ola."""
    category = question.category
    if not category or any(holds(words, word) and not goes_there(told, word) for word in category):
        return not _tells_only_where(told, category)
    if any(family(word) == "medicine" for word in category):
        return bool(_TAKES.search(told.text)) or ".medicine_" in told.key
    if _TOLD_BY_NAME & category:
        return False
    if kinds := {kind for word in category if (kind := kind_of(word))}:
        return any(is_named(kind, words_of(told.text)) for kind in kinds)
    if any(kinds & category and not form.search(told.text) for kinds, form in _TOLD_IN_A_FORM):
        return False
    if PLACES & category and not (told.text[1:].islower() and question.of_another):
        is_elsewhere = not (question.words or question.loose) and _LIVES_OR_TRAVELS.search(told.text)
        return not is_elsewhere and bool(_AT_A_NAME.search(told.text))
    plain = [word for word in words_of(told.text) if word not in NO_NAMES]
    beyond = plain if _BY_THE_USER.match(told.text) else plain[_HEAD_WORDS:]
    named = question.words or question.loose
    named = named - _capitalised(question)  # "which ward was Rex on" is not answered by whatever names Rex
    if question.of_another:  # "what school does Rex go to" is not answered by whatever names Rex
        named = named - {match["who"] for match in _WHO_DOES.finditer(question.text.lower())}
    if question.sort is not Sort.ANY or (not question.of_attribute and any(holds(beyond, word) for word in named)):
        return True
    if question.of_another:
        return any(holds(plain, word) for word in named)
    return bool(named) and bool(_A_KIND_OF.search(told.text)) and not _JUST_NAMED.search(told.text)


def _tells_only_where(told: Told, category: Set[str]) -> bool:
    """Which fuel it is is not told by where it is."""
    lies = _TELLS_WHERE.search(told.text) if told.key.endswith(".place") else None
    before = words_of(told.text[: lies.start()]) if lies else ()
    return any(holds(before, word) for word in category)


def _capitalised(question: Question) -> set[str]:
    return {word.lower() for word in _WITH_CAPITAL.findall(question.text)}


def _capitalised_words(text: str) -> set[str]:
    return {word.lower() for word in _CAPITAL.findall(text)}


def goes_there(told: Told, kind: str) -> bool:
    """ "Takes the bus to school" does not say to which."""
    asked = holds(words_of(spaced(told.key)), kind)
    ways = "to|at|in|from|after|before" if kind in PLACES else "to|at|from|after|before"
    going = rf"\b(?:{ways}) {re.escape(kind)}\b|\b{re.escape(kind)} {_OF_IT}\b"
    return not asked and bool(re.search(going, told.text, re.IGNORECASE))
