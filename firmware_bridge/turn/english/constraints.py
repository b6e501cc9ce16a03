"""Hard constraints: allergies, diets, medicines and "never", and what goes against them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from edge_memory import lazy_re as re
from edge_memory.observe import restricts
from edge_memory.records import Record, words_of
from firmware_bridge.turn.english.circumstances import (
    ban_in,
    bars_passengers,
    drives_somebody,
    is_circumstantial,
    is_fast,
    is_fasting_at,
)
from firmware_bridge.turn.english.foods import DIETS, EDIBLE, FOOD, KINDRED, MEDICINAL, PLAIN, mixes_badly
from firmware_bridge.turn.english.forbidden import (
    dietary_words,
    forbidden_by,
    is_medicine,
    kept,
    subject_of,
    things_of,
    words_heard,
)
from firmware_bridge.turn.english.holding import is_known_throughout, may_hold
from firmware_bridge.turn.english.orders import (
    as_curfew,
    has_limit,
    holds_at,
    is_gone_against,
    is_told_as_order,
)
from firmware_bridge.turn.english.requests import (
    asks_of_another,
    asks_permission,
    asks_suggestion,
    asks_when,
    is_about_a_present,
    is_about_drugs,
    is_about_eating,
    is_about_giving,
)
from firmware_bridge.turn.english.told import IS_KIN
from firmware_bridge.turn.english.wordforms import forms, may_mean, with_whole_kin

_INTOLERANT = re.compile(r"\b(?:allerg|anaphyla|intoleran|reacts?\b|rash\b)", re.IGNORECASE)
_ASKS_WHAT_NOT = re.compile(
    r"^(?:(?:and|so|hey|please|tell me|remind me|do you (?:know|remember))\b[\s,]*)*what\b.*\b(?:(?:can't|cannot|can"
    r" not|mustn't|must not"
    r"|shouldn't|should not) \w+(?: \w+)? (?:eat|have|drink|take)\b|(?:allergic|intolerant) to\b|allergies\b)",
    re.IGNORECASE,
)
_OF_MYSELF = re.compile(r"\b(?:i|we|i'm)\b|\b(?:my|our) allergies\b", re.IGNORECASE)
_SPEAKERS = frozenset("i me my we us our".split())
_SEVERAL = frozenset("everyone everybody boys girls kids children family guests lads twins crowd".split())
# Of what the user has themself, beside whoever else is spoken of.
_IS_HAD_BY_THE_USER = re.compile(
    r"\b(?<!give )(?<!tell )(?<!find )(?<!show )(?:me|us)\b|\b(?:ourselves|myself)\b|\b(?:i|we)(?:'d| will"
    r"| should| could| might)? (?:\w+ )?(?:have|eat|drink|try|taste"
    r"|order|take|join|go|stop|skip|miss)\b",
    re.IGNORECASE,
)
# "Never give Bo cola", and what the user is to have or do alone: no more "me" and "us" than "can I".
_LETS = re.compile(
    rf"(?:please )?(?:never|don't|do not)(?: ever)? (?:let|give|feed|offer|serve"
    rf"|allow) (?P<whom>the user's {IS_KIN.pattern}"
    r"|(?-i:[A-Z])[\w-]+)\b",
    re.IGNORECASE,
)
_OF_THE_USER_ALONE = re.compile(
    r"\b(?:can|could|may|might|should|shall|must) i (?!(?:let|give|feed|offer|serve|allow|bring|pass|hand|lend"
    r"|make|buy|get"
    r"|cook|bake|order|put|take|have (?:\w+ )+for)\b)\w+",
    re.IGNORECASE,
)
_OTHERS = frozenset("he she they him her them we us our his their for with everyone everybody all kids".split())
_ERRAND = re.compile(
    r"(?:please )?(?:never|don't|do not) (?:ever )?(?:order|buy|book|get|go|ring|call)\b.* (?:from|at|to)\b"
    r"|.*\b(?:keys?|codes?|pin|password|gates?|doors?)\b",
    re.I,
)
_OF_NO_WEIGHT = frozenset("tree cow gone pure strictly again bit".split())  # beside what is forbidden
_MADE_OF_ONE_DOUGH = frozenset("pizza pasta burger burgers toast noodles".split())  # whatever is on them
_WHICH = re.compile(r"(?:so |and )?(?:what|which)\b", re.IGNORECASE)
_OF_US = re.compile(r"\b(?:we|us|our|none of the user|house|household|family|kept?|keeps?)\b", re.IGNORECASE)
_RECEIVER = re.compile(  # "can Granny", "for my sister": somebody, if not who is bound
    rf"\b(?:can|could|may|should|might|for|give|let|get) (?:my |our |the )?(?:{IS_KIN.pattern}|granny|nana|pop"
    r"|(?!I\b)(?-i:[A-Z])\w+|(?!(?:i|we|you|he|she|they|it|anyone|anybody|everyone|everybody|someone|guests|kids"
    r"|people)\b)"
    r"[a-z]\w+(?= (?:have|eat|drink|try|get|take|use|play|go|come|watch)\b))",
    re.IGNORECASE,
)
_FEEDING = frozenset("give feed offer serve eat have".split())
_NAME = re.compile(r"(?<!^)\b[A-Z][\w-]+")
_NOT_TASTED = re.compile(
    r"\b(?:stings?|latex|pollen|dust|fur|horses?|cats?|dogs?|nickel|plasters?|screens?|telly|phones?|music|smell"
    r"|noise|smok\w+|cigar\w*|gambl\w+|betting|casinos?|hay ?fever)\b",
    re.IGNORECASE,
)
_NOT_ONLY_EATEN = frozenset("order party serve serving shopping spread".split())
KIN_TAG = "kin:"  # of a record: a word by which the user calls whom it is about
_EATEN = re.compile(
    r"\b(?:allerg|anaphyla|vegetarian|vegan|pesc[ae]tarian|intoleran|coeliac|celiac|diabet|gluten|kosher|halal|eat"
    r"|drink|stomach|diet|teetotal|have|food|touch)",
    re.IGNORECASE,
)
_REFUSES = re.compile(
    r"\b(?:no|not|never|avoid|careful|without|instead|rather|shouldn't|can't|cannot|don't|isn't|allergic|unsafe"
    r"|doctor"
    r"|remember that)\b|n't\b",
    re.IGNORECASE,
)
_AGREES = re.compile(
    r"^\W*(?:yes|yeah|yep|sure|of course|certainly|absolutely|definitely|go ahead|okay|ok|no problem|sounds|great"
    r"|enjoy"
    r"|you (?:can|may|should|could)\b(?! ?not))",
    re.IGNORECASE,
)
_NOT_TO = re.compile(r"(?:\b(?:is|am|are)|'m|'s|'re) (?:still )?not to \w+", re.IGNORECASE)  # "I'm not to bend it"
_SENTENCE = re.compile(r"[^.!?\n]+")


def in_force(constraints: Iterable[Record], text: str, said_at: float) -> tuple[Record, ...]:
    """Without what holds at another hour ("no music after ten") than the wanted one.

    `said_at` is Unix time in seconds; the hour is this machine's own.
    """
    hours = asks_when(text)
    return tuple(r for r in constraints if hours or is_medicine(r) or _holds_then(r.text, text, said_at))


def _holds_then(told: str, text: str, said_at: float) -> bool:
    return is_fasting_at(told, text, said_at) if is_fast(told) else holds_at(told, text, said_at)


def touched(constraints: Sequence[Record], text: str) -> tuple[Record, ...]:
    """Those of the constraints that an utterance comes near to, by its words; first what binds whom it names."""
    heard = words_heard(text)
    near = [record for record in constraints if names(record, text) or _comes_near(record, heard, text)]
    of_the_named = [record for record in near if _is_named(record, heard)]
    if of_the_named and not (heard & _SPEAKERS and _IS_HAD_BY_THE_USER.search(text)):
        near = [record for record in near if record in of_the_named or _binds_anyway(record, text)]
    return tuple(sorted(near, key=lambda record: record not in of_the_named))


def names_more_than_a_meal(record: Record, text: str) -> bool:
    """Whether an utterance names the very thing that is forbidden, not only a kind of meal that need not hold it."""
    if not names(record, text) or is_order(record):
        return names(record, text)
    return not words_heard(text) & forbidden_by(record) <= FOOD - _MADE_OF_ONE_DOUGH


def names(record: Record, text: str) -> bool:
    """Whether an utterance names the very thing that is forbidden."""
    heard, forbidden = words_heard(text), forbidden_by(record)
    if not _is_for_them(record, heard, text):
        return False
    if (ban := ban_in(record.text)) and (ban.is_broken(heard, text) or not _is_order(record)):
        return ban.is_broken(heard, text)
    if bars_passengers(record.text) and (drives_somebody(text) or not _is_order(record)):
        return drives_somebody(text)
    if is_fast(record.text):
        return is_about_eating(heard, text) or bool(heard & (EDIBLE | PLAIN))
    if _is_order(record):
        return is_gone_against(record.text, heard, text) and not _is_what_only_another_may_not(record, heard, text)
    if curfew := as_curfew(record.text):
        return is_gone_against(curfew, heard, text)
    return bool(heard & forbidden)


def forbidden_to(text: str, constraints: Sequence[Record]) -> list[Record]:
    """What somebody may not have, when an utterance asks just that ("what can't Mia eat"); empty when it does not."""
    if not _ASKS_WHAT_NOT.search(text):
        return []
    heard, named = words_heard(text), [record for record in constraints if subject_of(record)]
    of_the_named = [record for record in named if _is_for_them(record, heard - _SPEAKERS | {"i"}, text)]
    of_the_user = [record for record in constraints if not subject_of(record)] if _OF_MYSELF.search(text) else []
    found = of_the_named or of_the_user
    return [record for record in found if not _is_order(record) and not is_medicine(record)]


def goes_against(reply: str, constraints: Iterable[Record], text: str) -> bool:
    """Whether a reply to `text` allows or suggests what one of the touched constraints forbids."""
    return any(_breaks(reply, record, text) for record in constraints)


def grants(reply: str, constraints: Iterable[Record], text: str) -> bool:
    """Whether a reply says yes without a word of care, or goes against one of the constraints."""
    agrees = bool(_AGREES.match(reply)) and not _REFUSES.search(reply)
    return agrees or goes_against(reply, constraints, text)


def known_to_forbid(record: Record) -> frozenset[str]:
    """All that a constraint forbids, where each of its words is one whose kindred are known; else empty."""
    things = things_of(record) | dietary_words(record)
    known = KINDRED.keys() | DIETS.keys() | PLAIN | _OF_NO_WEIGHT
    is_known = all(any(form in known for form in forms(word)) for word in things)
    return forbidden_by(record) if is_known and things - _OF_NO_WEIGHT else frozenset()


def forbids_a_medicine(record: Record) -> bool:
    return bool(forbidden_by(record) & MEDICINAL) and not forbidden_by(record) & EDIBLE


def is_dislike(record: Record) -> bool:
    """Whether it tells what somebody does not care for, which nobody would suggest to them."""
    return (record.key or "").endswith(".dislikes")


def is_order(record: Record) -> bool:
    """Whether it is told as an order ("never wake me early"), not as how the user is."""
    return _is_order(record)


def binds(record: Record) -> bool:
    """Whether what was recalled binds somebody, though it is stored as no hard constraint."""
    return (
        restricts(record.text)
        or is_order(record)
        or bool(_NOT_TO.search(record.text))
        or is_medicine(record)
        or is_dislike(record)
        or is_circumstantial(record.text)
    )


def _is_what_only_another_may_not(record: Record, heard: set[str], text: str) -> bool:
    """ "Never let Bo have cola" is no matter of what the user themselves will have."""
    ordered = _LETS.match(record.text)
    if ordered is None or _OTHERS & set(words_of(text)) or not _OF_THE_USER_ALONE.search(text):
        return False
    return heard.isdisjoint(words_of(ordered["whom"]))


def _comes_near(record: Record, heard: set[str], text: str) -> bool:
    if not _is_for_them(record, heard, text):
        return False
    about_drugs = is_about_drugs(heard, text)
    if is_medicine(record):
        return about_drugs or bool(heard & mixes_badly(words_of(record.text)))
    if about_drugs and (_INTOLERANT.search(record.text) or forbidden_by(record) & MEDICINAL):
        return True
    if _is_order(record):
        return _is_order_of_feeding(record, heard) and is_about_giving(text)
    if is_dislike(record):
        return bool(heard & FOOD) and asks_suggestion(text) and not _NOT_TASTED.search(record.text)
    if is_about_a_present(text) and _INTOLERANT.search(record.text):
        return True
    for_somebody = is_about_giving(text) and _is_named(record, heard)
    if not _is_eaten(record) or not (is_about_eating(heard, text) or for_somebody):
        return False
    if is_known_throughout(text) and not _WHICH.match(text):
        return False
    return asks_suggestion(text) or asks_of_another(text) or may_hold(heard, forbidden_by(record))


def _binds_anyway(record: Record, text: str) -> bool:
    """Whether it is the very thing, and nobody else's matter than whom an utterance names."""
    is_general = is_order(record) or not (subject_of(record) or is_medicine(record))
    return is_general and names(record, text)


def _is_order_of_feeding(record: Record, heard: set[str]) -> bool:
    """ "Never feed Bo grapes", where Bo is spoken of."""
    told = set(words_of(record.text))
    return bool(told & _FEEDING) and not heard.isdisjoint(name.lower() for name in _NAME.findall(record.text))


def _breaks(reply: str, record: Record, text: str) -> bool:
    forbidden = forbidden_by(record)
    grants, refuses = bool(_AGREES.match(reply)), bool(_REFUSES.search(reply))
    if asks_permission(text):
        if (is_medicine(record) or names(record, text)) and (grants or not refuses):
            return True
        if grants and not refuses and not _is_order(record) and not asks_suggestion(text):
            return True  # nobody knows what is in it
    return any(
        words_heard(sentence) & forbidden and not _REFUSES.search(sentence) for sentence in _SENTENCE.findall(reply)
    )


@kept
def _is_eaten(record: Record) -> bool:
    told = f"{record.text} {record.source_excerpt}"
    forbidden = forbidden_by(record)
    if _NOT_TASTED.search(told) or forbids_a_medicine(record):
        return False
    return bool(_EATEN.search(told)) or bool((forbidden - _NOT_ONLY_EATEN) & (FOOD | EDIBLE))


def _is_for_them(record: Record, heard: set[str], text: str) -> bool:
    """What binds somebody else counts when they are named, or nobody is: "what can we cook". What only the user may not
    have is no matter of whom it is for.
    """
    for_another = bool(_RECEIVER.search(text)) and not _IS_HAD_BY_THE_USER.search(text)
    if not subject_of(record):
        is_had = is_medicine(record) or (_is_eaten(record) and not is_told_as_order(record.text))
        return not (for_another and is_had and not _OF_US.search(record.text))
    return _is_named(record, heard) or not (heard & {"i", "me", "my"} or for_another)


def _is_named(record: Record, heard: set[str]) -> bool:
    """Whether whom it binds is spoken of, by name or as who they are to the user, or among several."""
    subject = subject_of(record)
    kin = {
        word
        for tag in record.tags
        if tag.startswith(KIN_TAG)
        for word in words_of(with_whole_kin(tag.removeprefix(KIN_TAG)))
    }
    return bool(subject) and (bool(heard & _SEVERAL) or any(may_mean(word, heard) for word in subject | kin))


@kept
def _is_order(record: Record) -> bool:
    if not is_told_as_order(record.text):
        return False
    is_errand = bool(_ERRAND.match(record.text))
    return is_errand or has_limit(record.text) or not (forbidden_by(record) - _NOT_ONLY_EATEN) & FOOD
