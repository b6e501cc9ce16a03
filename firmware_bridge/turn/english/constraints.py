"""Hard constraints: allergies, diets, medicines and "never", and what goes against them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from edge_memory import lazy_re as re
from edge_memory.records import Record, words_of
from firmware_bridge.turn.english.foods import DIETS, EDIBLE, FOOD, KINDRED, MEDICINAL, PLAIN, mixes_badly
from firmware_bridge.turn.english.orders import (
    as_curfew,
    has_limit,
    holds_at,
    is_gone_against,
    is_told_as_order,
    things,
    with_alone,
)
from firmware_bridge.turn.english.requests import (
    asks_permission,
    asks_suggestion,
    asks_when,
    is_about_a_present,
    is_about_drugs,
    is_about_eating,
    is_about_giving,
)
from firmware_bridge.turn.english.told import IS_KIN, subjects, told_by
from firmware_bridge.turn.english.wordforms import GENERIC, LOOSE, forms, may_mean, stem, with_whole_kin

_INTOLERANT = re.compile(r"\b(?:allerg|anaphyla|intoleran|reacts?\b|rash\b)", re.IGNORECASE)
_ASKS_WHAT_NOT = re.compile(
    r"^(?:(?:and|so|hey|please|tell me|remind me|do you (?:know|remember))\b[\s,]*)*what\b.*\b(?:(?:can't|cannot|can"
    r" not|mustn't|must not"
    r"|shouldn't|should not) \w+(?: \w+)? (?:eat|have|drink|take)\b|(?:allergic|intolerant) to\b|allergies\b)",
    re.IGNORECASE,
)
_OF_MYSELF = re.compile(r"\b(?:i|we|i'm)\b|\b(?:my|our) allergies\b", re.IGNORECASE)
_ADVISERS = frozenset("the doctor gp nurse consultant dentist physio surgeon hospital midwife pharmacist".split())
_TELLS_THE_USER = re.compile(r"\b(?:told|tells|asked|advised|warned|wants|says|said)(?: to)? (?:the user|me|i)\b", re.I)
_ADVISED_FOR = re.compile(  # "the doctor said no salt for Jo"
    r"\b(?:says?|said|told [\w' ]+?)(?: that)? no\b.* for (?:the user's )?(?!the user\b)(?P<whom>[A-Z][\w-]+|[a-z]+)\W*$"
)
_ADVISED_BY_THEIRS = re.compile(  # "Jo's doctor says no salt"
    r"(?P<whom>(?!user\b)[A-Z][\w-]+(?: [A-Z][\w-]+)?)'s (?:doctor|gp|consultant|dentist|nurse|surgeon|dietician|midwife"
    r"|pharmacist) (?:says?|said|told|wants)\b"
)
_SPEAKERS = frozenset("i me my we us our".split())
_SEVERAL = frozenset("everyone everybody boys girls kids children family guests lads twins crowd".split())
# Of what the user has themself, beside whoever else is spoken of.
_IS_HAD_BY_THE_USER = re.compile(
    r"\b(?<!give )(?<!tell )(?<!find )(?<!show )(?:me|us)\b|\b(?:ourselves|myself)\b|\b(?:i|we)(?:'d| will| should| could| might)? (?:\w+ )?(?:have|eat|drink|try|taste"
    r"|order|take|join|go|stop|skip|miss)\b",
    re.IGNORECASE,
)
_ERRAND = re.compile(
    r"(?:please )?(?:never|don't|do not) (?:ever )?(?:order|buy|book|get|go|ring|call)\b.* (?:from|at|to)\b"
    r"|.*\b(?:keys?|codes?|pin|password|gates?|doors?)\b",
    re.I,
)
_AT_ITS_HOUR = re.compile(
    r"\b(?:before|after|during|until) (?:school|bed(?:time)?|dinner|supper|tea|breakfast|lunch|homework|church|work)\b"
    r"|\bat the (?:dinner |kitchen )?table\b",
    re.IGNORECASE,
)
_OF_NO_WEIGHT = frozenset("tree cow gone pure strictly again bit".split())  # beside what is forbidden
_MADE_OF_ONE_DOUGH = frozenset("pizza pasta burger burgers toast noodles".split())  # whatever is on them
_RECEIVER = re.compile(  # "can Granny", "for my sister": somebody, if not who is bound
    rf"\b(?:can|could|may|should|might|for|give|let|get) (?:my |our |the )?(?:{IS_KIN.pattern}|granny|nana|pop|(?!I\b)(?-i:[A-Z])[a-z]+)\b",
    re.IGNORECASE,
)
_FEEDING = frozenset("give feed offer serve eat have".split())
_NAME = re.compile(r"(?<!^)\b[A-Z][\w-]+")
_NOT_TASTED = re.compile(
    r"\b(?:stings?|latex|pollen|dust|fur|horses?|cats?|dogs?|nickel|plasters?|screens?|telly|phones?|music|smell|noise|smok\w+|cigar\w*|gambl\w+|betting|casinos?|hay ?fever)\b",
    re.IGNORECASE,
)
_NOT_ONLY_EATEN = frozenset("order party serve serving shopping spread".split())
_IS_TAKEN = re.compile(
    r"\b(?:blood thinners?|heart|blood pressure|water|thyroid) (?:is|are|pills?|tablets?)\b|\bblood thinners?\b", re.I
)
KIN_TAG = "kin:"  # of a record: a word by which the user calls whom it is about
_EATEN = re.compile(
    r"\b(?:allerg|anaphyla|vegetarian|vegan|pesc[ae]tarian|intoleran|coeliac|celiac|diabet|gluten|kosher|halal|eat"
    r"|drink|stomach|diet|teetotal|have|food|touch)",
    re.IGNORECASE,
)
_NOT_THE_THING = (
    GENERIC
    | LOOSE
    | frozenset(
        """user users allergic allergy allergies never always intolerant intolerance severely badly deathly highly terribly
    very seriously take takes once twice daily day week morning mornings evening evenings night nights after before
    without ever drink drinks eat eats don weekends weekend touch tolerate won can cannot mustn must can't brings
    bring hives rash upset upsets stomach makes sick ill because since statins doctor says hospital put puts two
    three one half mg tablets tablet pill pills dose again supposed allowed anything nothing everything gave up quit
    years year smoker who whom any more strictly only no near react reacts strict mild severe life prescribed
    prescribes condition because swell swells swelling swollen up like throat closes out crook poorly stand stands hate hates dislike dislikes abide bear keen itches itchy all over so for brother sister mother father""".split()
    )
)
_REFUSES = re.compile(
    r"\b(?:no|not|never|avoid|careful|without|instead|rather|shouldn't|can't|cannot|don't|isn't|allergic|unsafe|doctor"
    r"|remember that)\b|n't\b",
    re.IGNORECASE,
)
_AGREES = re.compile(
    r"^\W*(?:yes|yeah|yep|sure|of course|certainly|absolutely|definitely|go ahead|okay|ok|no problem|sounds|great|enjoy"
    r"|you (?:can|may|should|could)\b(?! ?not))",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n]+")
_OF_BEER = re.compile(
    r"\b(?:a few|some|the|six|four|couple of) (?:cans|tinnies|jars|bevvies|cold ones)\b", re.IGNORECASE
)
_OF_WINE = re.compile(r"\b(?:glass|bottle|drop|carafe) of (?:\w+ )?(?:red|white|rosé|bubbly)\b", re.IGNORECASE)


def in_force(constraints: Iterable[Record], text: str, said_at: float) -> tuple[Record, ...]:
    """Without what holds at another hour ("no music after ten") than the wanted one.

    `said_at` is Unix time in seconds; the hour is this machine's own.
    """
    hours = asks_when(text)
    return tuple(r for r in constraints if hours or is_medicine(r) or holds_at(r.text, text, said_at))


def touched(constraints: Sequence[Record], text: str) -> tuple[Record, ...]:
    """Those of the constraints that an utterance comes near to, by its words; first what binds whom it names."""
    heard = _heard(text)
    near = [record for record in constraints if names(record, text) or _comes_near(record, heard, text)]
    of_the_named = [record for record in near if _is_named(record, heard)]
    if of_the_named and not (heard & _SPEAKERS and _IS_HAD_BY_THE_USER.search(text)):
        near = [record for record in near if record in of_the_named or _binds_anyway(record, text)]
    return tuple(sorted(near, key=lambda record: record not in of_the_named))


def names_more_than_a_meal(record: Record, text: str) -> bool:
    """Whether an utterance names the very thing that is forbidden, not only a kind of meal that need not hold it."""
    if not names(record, text) or is_order(record):
        return names(record, text)
    return not _heard(text) & _forbidden(record) <= FOOD - _MADE_OF_ONE_DOUGH


def names(record: Record, text: str) -> bool:
    """Whether an utterance names the very thing that is forbidden."""
    heard, forbidden = _heard(text), _forbidden(record)
    if not _is_for_them(record, heard, text):
        return False
    if _is_order(record):
        return is_gone_against(record.text, heard, text)
    if curfew := as_curfew(record.text):
        return is_gone_against(curfew, heard, text)
    return bool(heard & forbidden)


def forbidden_to(text: str, constraints: Sequence[Record]) -> list[Record]:
    """What somebody may not have, when an utterance asks just that ("what can't Mia eat"); empty when it does not."""
    if not _ASKS_WHAT_NOT.search(text):
        return []
    heard, named = _heard(text), [record for record in constraints if _subject(record)]
    of_the_named = [record for record in named if _is_for_them(record, heard - _SPEAKERS | {"i"}, text)]
    of_the_user = [record for record in constraints if not _subject(record)] if _OF_MYSELF.search(text) else []
    found = of_the_named or of_the_user
    return [record for record in found if not _is_order(record) and not is_medicine(record)]


def goes_against(reply: str, constraints: Iterable[Record], text: str) -> bool:
    """Whether a reply to `text` allows or suggests what one of the touched constraints forbids."""
    return any(_breaks(reply, record, text) for record in constraints)


def known_to_forbid(record: Record) -> frozenset[str]:
    """All that a constraint forbids, where each of its words is one whose kindred are known; else empty."""
    things = _things(record) | _dietary(record)
    known = KINDRED.keys() | DIETS.keys() | PLAIN | _OF_NO_WEIGHT
    is_known = all(any(form in known for form in forms(word)) for word in things)
    return _forbidden(record) if is_known and things - _OF_NO_WEIGHT else frozenset()


def is_medicine(record: Record) -> bool:
    return "medicine" in (record.key or "") or bool(_IS_TAKEN.search(record.text) and not _forbidden(record) & EDIBLE)


def forbids_a_medicine(record: Record) -> bool:
    return bool(_forbidden(record) & MEDICINAL) and not _forbidden(record) & EDIBLE


def is_dislike(record: Record) -> bool:
    """Whether it tells what somebody does not care for, which nobody would suggest to them."""
    return (record.key or "").endswith(".dislikes")


def is_order(record: Record) -> bool:
    """Whether it is told as an order ("never wake me early"), not as how the user is."""
    return _is_order(record)


def _comes_near(record: Record, heard: set[str], text: str) -> bool:
    if not _is_for_them(record, heard, text):
        return False
    about_drugs = is_about_drugs(heard, text)
    if is_medicine(record):
        return about_drugs or bool(heard & mixes_badly(words_of(record.text)))
    if about_drugs and (_INTOLERANT.search(record.text) or _forbidden(record) & MEDICINAL):
        return True
    if _is_order(record):
        return _is_order_of_feeding(record, heard) and is_about_giving(text)
    if is_dislike(record):
        return bool(heard & FOOD) and asks_suggestion(text) and not _NOT_TASTED.search(record.text)
    if is_about_a_present(text) and _INTOLERANT.search(record.text):
        return True
    for_somebody = is_about_giving(text) and _is_named(record, heard)
    return _is_eaten(record) and (is_about_eating(heard, text) or for_somebody)


def _binds_anyway(record: Record, text: str) -> bool:
    """Whether it is the very thing, and nobody else's matter than whom an utterance names."""
    is_general = is_order(record) or not (_subject(record) or is_medicine(record))
    return is_general and names(record, text)


def _is_order_of_feeding(record: Record, heard: set[str]) -> bool:
    """ "Never feed Bo grapes", where Bo is spoken of."""
    told = set(words_of(record.text))
    return bool(told & _FEEDING) and not heard.isdisjoint(name.lower() for name in _NAME.findall(record.text))


def _breaks(reply: str, record: Record, text: str) -> bool:
    forbidden = _forbidden(record)
    grants, refuses = bool(_AGREES.match(reply)), bool(_REFUSES.search(reply))
    if asks_permission(text):
        if (is_medicine(record) or names(record, text)) and (grants or not refuses):
            return True
        if grants and not refuses and not _is_order(record) and not asks_suggestion(text):
            return True  # nobody knows what is in it
    return any(_heard(sentence) & forbidden and not _REFUSES.search(sentence) for sentence in _SENTENCE.findall(reply))


def _is_eaten(record: Record) -> bool:
    told = f"{record.text} {record.source_excerpt}"
    forbidden = _forbidden(record)
    if _NOT_TASTED.search(told) or forbids_a_medicine(record):
        return False
    return bool(_EATEN.search(told)) or bool((forbidden - _NOT_ONLY_EATEN) & (FOOD | EDIBLE))


def _is_for_them(record: Record, heard: set[str], text: str) -> bool:
    """What binds somebody else counts when they are named, or nobody is: "what can we cook"."""
    if not _subject(record) or _is_named(record, heard):
        return True
    return not heard & {"i", "me", "my"} and not _RECEIVER.search(text)


def _is_named(record: Record, heard: set[str]) -> bool:
    """Whether whom it binds is spoken of, by name or as who they are to the user, or among several."""
    subject = _subject(record)
    kin = {
        word
        for tag in record.tags
        if tag.startswith(KIN_TAG)
        for word in words_of(with_whole_kin(tag.removeprefix(KIN_TAG)))
    }
    return bool(subject) and (bool(heard & _SEVERAL) or any(may_mean(word, heard) for word in subject | kin))


def _subject(record: Record) -> frozenset[str]:
    """Words that name whom it binds; none for the user, of whose own slot or on whose doctor's word it is."""
    owner, _, attribute = (record.key or "").partition(".")
    if owner == "user" and "." not in attribute:
        return frozenset()
    if named := _ADVISED_FOR.search(record.text) or _ADVISED_BY_THEIRS.match(record.text):
        return frozenset(words_of(named["whom"]))
    advised = _ADVISERS if _TELLS_THE_USER.search(record.text) else frozenset[str]()
    return subjects(told_by(record)) - _forbidden(record) - advised


def _is_order(record: Record) -> bool:
    if not is_told_as_order(record.text):
        return False
    is_errand = bool(_ERRAND.match(record.text))
    return is_errand or has_limit(record.text) or not (_forbidden(record) - _NOT_ONLY_EATEN) & FOOD


def _things(record: Record) -> set[str]:
    if is_told_as_order(record.text):
        return things(_AT_ITS_HOUR.sub("", record.text))
    told = f"{record.value if isinstance(record.value, str) else ''} {record.text}"
    said = words_of(with_alone(_AT_ITS_HOUR.sub("", told)))
    subject = subjects(told_by(record)) - KINDRED.keys()  # "sulfa drugs give me hives" is about nobody
    if advised := _ADVISED_FOR.search(record.text) or _ADVISED_BY_THEIRS.match(record.text):
        subject |= {*words_of(advised["whom"]), *_ADVISERS, "said", "told", "says"}
    named = {word for word in said if word not in _NOT_THE_THING and word not in subject and not word.isdigit()}
    return named or {word for word in said if word in KINDRED}


def _forbidden(record: Record) -> frozenset[str]:
    """The words of what is forbidden, with their kindred."""
    things = {form for word in _things(record) | _dietary(record) for form in forms(word)}
    families = {family for word in things for family in (*DIETS.get(word, ()), word)}
    stems = {stem(word) for word in things if word not in FOOD}  # "drove" goes against "can't drive"
    return frozenset(things.union(stems, *(KINDRED.get(family, frozenset()) for family in families)))


def _dietary(record: Record) -> set[str]:
    """Words that stand for what they forbid ("coeliac", "smoking"), also where they name who it is about."""
    return {word for word in words_of(record.text) if word in DIETS}


def _heard(text: str) -> set[str]:
    said = words_of(with_alone(with_whole_kin(_OF_BEER.sub("beer", _OF_WINE.sub("glass of wine", text)))))
    pairs = {f"{first}-{second}" for first, second in pairwise(said)}
    return {form for word in said for form in (*forms(word), stem(word))} | set(words_of(text.replace("-", ""))) | pairs
