"""What was told, as a question looks at it: its words, its slot, and whom it is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from edge_memory import lazy_re as re
from edge_memory.observe import Statement
from edge_memory.observe.english.asked import MY_KIN
from edge_memory.records import Kind, Record, words_of
from firmware_bridge.turn.english.implied import IMPLIED_VERBS, implied_verbs
from firmware_bridge.turn.english.kinds import is_named, kind_of
from firmware_bridge.turn.english.questions import Question
from firmware_bridge.turn.english.relatives import relatives_in
from firmware_bridge.turn.english.wordforms import family, holds, with_whole_kin

NUMBERS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    "|eighteen"
    "|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|dozen|couple|pair"
    "|none|both|once|twice|every|daily|weekly|monthly|yearly"
)
DAYS = (
    "monday|tuesday|wednesday|thursday|friday|saturday|sunday|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays"
    "|sundays|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer"
    "|autumn"
    "|winter|christmas|easter|new year"
)
_KIN = frozenset(
    """mother mum mom father dad wife husband partner brother sister son daughter aunt uncle cousin friend fiance fiancee
    neighbour neighbor grandmother grandma grandfather grandad grandpa gran nan boss colleague teacher doctor nephew
    niece grandson granddaughter girlfriend boyfriend flatmate housemate roommate landlord landlady child kid parent
    parents stepson stepdaughter motherinlaw fatherinlaw brotherinlaw sisterinlaw soninlaw daughterinlaw exwife
    exhusband exgirlfriend exboyfriend expartner mama mam mammy mummy mommy daddy papa amma""".split()
)
IS_KIN = re.compile(rf"\b(?:{'|'.join(sorted(_KIN))})\b", re.IGNORECASE)
_KIN_AND_NAME = re.compile(
    rf"\b(?:the user's|my|our) (?P<kin>{IS_KIN.pattern}) (?-i:(?P<name>[A-Z][\w-]+))", re.IGNORECASE
)
_PETS = frozenset("dog cat horse pony rabbit hamster parrot budgie tortoise puppy kitten ferret goat donkey".split())
_CALLED = re.compile(r"\b(?:called|named) (?P<name>[A-Z][\w-]+)$")
_HAS_KIN = re.compile(  # "I have an aunt, Ola"
    rf"\b(?:got|have|has|had) (?:an?|one) (?:[\w-]+ )?(?P<kin>{IS_KIN.pattern}|boy|girl)"
    r"(?:,| called| named|, called|, named) (?-i:(?P<name>[A-Z][\w-]+))(?! and\b)",
    re.IGNORECASE,
)
_IN_ORDER = re.compile(  # "Rex is my eldest", "my eldest is Rex"
    r"^(?P<name>[\w-]+) is (?:the user's|my|our) (?P<place>eldest|oldest|youngest|firstborn|lastborn|baby)\b",
    re.IGNORECASE,
)
_AS_KIN = {"boy": "son", "girl": "daughter"}
_RELATIVE_OF = re.compile(
    rf"(?:(?:the user's|my|our) )?(?P<of>[\w-]+)(?: [A-Z][\w-]+)?'s (?:(?:little|wee|big|baby|eldest|oldest|youngest|older|younger|only) )*"
    rf"(?P<kin>(?i:{IS_KIN.pattern}|boy|girl|lad|lass|baby)\b)(?: (?!(?:I|The)\b)(?P<name>[A-Z][\w-]+))?"
)
_IS_IN_TOWN = re.compile(  # "my aunt's in Bergen" tells where she lives, "in bed" does not
    r"(?:'s|'re|\b(?:is|are))(?: (?:now|still|currently|over|out|up|down|back|based))* in (?:an? (?:[\w-]+ )?home\b"
    r"|(?!(?:the|an?|his|her|their|my|our|it|here|there|bed|hospital|town|work|class|love|trouble|pain|school|church"
    r"|prison|jail"
    r"|surgery|labou?r|charge|debt|touch|remission|tears|shape|business|season|order|use|luck|good|bad|great|\w+ing"
    rf"|{DAYS}|{NUMBERS}|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|year"
    rf"|grade))\b)[\w'-]{{3,}})",
    re.IGNORECASE,
)
OWNED = re.compile(r"(?:(?:the )?user's|my|our)\s+(?P<rest>.+)|the (?P<owner>[\w-]+)'s\b", re.IGNORECASE)
_NAMED_FIRST = re.compile(
    r"(?!(?:I|The|We|My|Our|You|Your|Never|Don|Do|Always|Please|Kindly|No|Not|It|There|That|This|On|In|At|Every|From"
    r"|Both|All)\b)"
    r"(?P<name>(?:(?:Miss|Mrs|Mr|Ms|Dr|Aunt|Auntie|Aunty|Uncle|Granny|Gran|Nana|Ma|Mama|Papa|Reverend)\.? )?[A-Z][\w-]+)"
)
_SOMEBODY_FIRST = re.compile(  # as speech recognition writes it
    r"(?!(?:i|it|that|this|there|we|you|he|she|they|what|who|the|here|everyone|everything|nothing|today|tomorrow)\b)"
    r"(?P<name>[a-z][\w-]+) (?:is|has|was|had|can't|isn't|doesn't|does|will|lives|works|likes|loves|hates|takes|drives"
    r"|plays|goes|had)\b"
)
_THE_FAMILY = re.compile(
    r"the (?P<name>twins|triplets|kids?|children|boys?|girls?|lads?|lass|lasses|bairns?|baby|grandkids|grandchildren"
    r"|missus|wife|husband)\b(?!')",
    re.IGNORECASE,
)
_VERBS = frozenset(
    """is are was were has have had will can can't cannot could should would does doesn't do don't did didn't isn't
    aren't never also just now always usually and or who that which in on at with from for going getting doing
    coming""".split()
)
_PRIEST = re.compile(r"(?<!my )(?<!our )(?<!user's )\bFather(?= [A-Z])")  # nobody's father
_OF_THE_HOUSE = "home."  # the owner of slots that nobody owns: "the spare key"
_MOST_SUBJECT_WORDS = 4
_MOST_READ = 4_096  # tellings whose words are kept: those of one user come again and again
_MOST_ASKED = 64  # questions; one is held against many tellings
_ARE_MANY = frozenset(("are", "were"))  # after the plural that is meant: "tablets are", but "sister sings"
OF_THE_USER = re.compile(r"\bthe user\b(?!'s)|\b(?:i|i'm|i've|me|we|us)\b", re.IGNORECASE)
_THIRD = re.compile(r"^(?P<name>he|she|they)(?:'s|'re|'ve|'ll|'d)?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence that was told, with what its slot (`key`) is called and what it holds.

    `known_as` is what else the one whom it is about is called: their name, or who they are to the user.
    """

    text: str
    about: str = ""
    value: str = ""
    is_relation: bool = False
    key: str = ""
    known_as: frozenset[str] = frozenset()

    def fills_slot(self, question: Question) -> bool:
        """Whether its slot is the one that is asked for, not only its words."""
        slot, asked = words_of(spaced(self.key)), question.words or question.category
        return bool(asked) and all(holds(slot, word) for word in asked)


def told_by(record: Record) -> Told:
    value = record.value if isinstance(record.value, str) else ""
    return _told_by(record.text, record.key or "", record.source_excerpt, value, record.kind)


@lru_cache(_MOST_READ)
def _told_by(text: str, key: str, source_excerpt: str, value: str, kind: Kind) -> Told:
    about = f"{spaced(key.removeprefix(_OF_THE_HOUSE))} {source_excerpt}"
    return Told(with_whole_kin(text), with_whole_kin(about), value, kind is Kind.RELATIONSHIP, key)


def told_in(statement: Statement) -> Told:
    """What one clause of an utterance tells, in the user's own words."""
    slot = statement.slot
    if slot is None:
        return Told(statement.excerpt)
    value = slot.value if isinstance(slot.value, str) else ""
    return Told(statement.excerpt, spaced(slot.key), value, slot.kind is Kind.RELATIONSHIP, slot.key)


def joined(tellings: Sequence[Told], relations: Mapping[str, Sequence[str]] | None = None) -> list[Told]:
    """The same, each with what is known from the others of whom it tells: that Dave is the husband. `relations` holds
    the names for each kin word, as far as they are known anyway.
    """
    called: dict[str, set[str]] = {}
    for kin, names in (relations or {}).items():
        for name in (word for one in names for word in words_of(one) if not is_kin(word)):
            called.setdefault(name, set()).add(kin)
            called.setdefault(kin, set()).add(name)
    for told in tellings:
        for kin, name in _acquaintances(told):
            called.setdefault(name, set()).add(kin)
            called.setdefault(kin, set()).add(name)
    return [_with_names(told, called) for told in tellings]


def _with_names(told: Told, called: dict[str, set[str]]) -> Told:
    subject = subjects(told)
    known_as = _known_as(subject, called)
    relative = _RELATIVE_OF.match(told.text)
    whose = {relative["of"].lower()} if relative else subject
    kin = {word for one in whose for word in (one, *called.get(one, ())) if is_kin(word)}
    known_as |= relatives_in(told.text, frozenset(kin)) if kin else frozenset()
    return replace(told, known_as=frozenset(known_as)) if known_as else told


def _known_as(subject: Iterable[str], called: dict[str, set[str]]) -> set[str]:
    """Of two brothers, "my brother" names neither; somebody's name may go with "father" and "dad"."""
    return {other for word in subject for other in called.get(word, ()) if len(set(map(family, called[word]))) == 1}


@lru_cache(_MOST_READ)
def _acquaintances(told: Told) -> tuple[tuple[str, str], ...]:
    owner, _, role = told.key.partition(".")
    name = words_of(told.value) if owner == "user" else []
    roles = [word for word in role.split("_") if is_kin(word)]
    kin = roles[0] if len(roles) == 1 else role.rpartition("_")[2]  # an older sister is a sister
    found = [(kin, name[0])] if len(name) == 1 and is_kin(kin) else []
    pet, _, called = role.partition("_")
    if owner == "home" and called == "name" and is_kin_or_pet(pet) and len(words_of(told.value)) == 1:
        found.append((pet, told.value.lower()))
    if role in ("nickname", "name") and is_kin(owner) and len(words_of(told.value)) == 1:
        found.append((owner, told.value.lower()))
    if owner == "user" and is_kin_or_pet(kin) and (named := _CALLED.search(told.value)):
        found.append((kin, named["name"].lower()))
    if OF_THE_USER.match(told.text):
        found += [
            (_AS_KIN.get(one["kin"].lower(), one["kin"].lower()), one["name"].lower())
            for one in _HAS_KIN.finditer(told.text)
        ]
    found += [(one["place"].lower(), one["name"].lower()) for one in _IN_ORDER.finditer(told.text)]
    introduced = _KIN_AND_NAME.finditer(told.text)
    return (*found, *((match["kin"].lower(), match["name"].lower()) for match in introduced))


def spaced(key: str) -> str:
    return key.replace(".", " ").replace("_", " ")


def words_told(told: Told, question: Question) -> tuple[str, ...]:
    """The words that it tells, and those that it implies, of these the ones by which it could answer the question."""
    return _words_told(told, _verbs_wanted(question))


@lru_cache(_MOST_READ)
def _words_told(told: Told, verbs: frozenset[str]) -> tuple[str, ...]:
    return (
        *words_of(_PRIEST.sub("Reverend", f"{told.text} {told.about}")),
        *told.known_as,
        *(_implied(told, verbs) if verbs else ()),
    )


def _implied(told: Told, verbs: frozenset[str]) -> list[str]:
    lives = "live" in verbs and _IS_IN_TOWN.search(told.text) and not OF_THE_USER.match(told.text)
    medicine = [verb for verb in ("take", "medicine") if verb in verbs and ".medicine_" in told.key]
    return [*implied_verbs(told.text, verbs), *(["live"] if lives else []), *medicine]


@lru_cache(_MOST_ASKED)
def _verbs_wanted(question: Question) -> frozenset[str]:
    """Of the verbs that a telling may imply, those that the question asks for, in these words or in others."""
    asked = question.words | question.category | question.loose
    kinds = [kind for word in question.category if (kind := kind_of(word))]
    return frozenset(
        verb
        for verb in (*IMPLIED_VERBS, "take", "medicine")
        if any(holds((verb,), word) for word in asked) or any(is_named(kind, (verb,)) for kind in kinds)
    )


def subjects(told: Told) -> frozenset[str]:
    """The words that name whom a sentence is about, when it is not the user."""
    return _subjects(told.text)


@lru_cache(_MOST_READ)
def _subjects(text: str) -> frozenset[str]:
    if relative := _RELATIVE_OF.match(text):
        return frozenset(word.lower() for word in (relative["kin"], relative["name"]) if word)
    owned = OWNED.match(text)
    if owned is None:
        first = (_THIRD, _THE_FAMILY, _NAMED_FIRST, _SOMEBODY_FIRST)
        match = next((match for pattern in first if (match := pattern.match(text))), None)
        return frozenset(words_of(match["name"])) if match else frozenset()
    if owned["owner"]:
        return frozenset(words_of(owned["owner"]))
    named: set[str] = set()
    rest = owned["rest"].split()
    for place, word in enumerate(rest[:_MOST_SUBJECT_WORDS]):
        plain = word.lower().strip(",.")
        ends = place and plain == word and plain.endswith(("s", "ed")) and not IS_KIN.search(plain)
        if plain in _VERBS or (ends and not _ARE_MANY.issuperset(rest[place + 1 : place + 2] or ("",))):
            break
        named |= set(words_of(plain.removesuffix("'s")))
    return frozenset(named)


def relative_of_another(told: Told) -> str:
    """ "Mother" of "Jan's mother sings"; empty for what is told of anybody else."""
    match = _RELATIVE_OF.match(told.text)
    return match["kin"].lower() if match else ""


def own_kin(text: str) -> list[str]:
    """The kin words of "my sister" and "our son", not of "my sister's"."""
    return [match["kin"].lower() for match in MY_KIN.finditer(text) if is_kin(match["kin"].lower())]


def says_who(told: Told) -> bool:
    """Whether it tells what somebody is to somebody."""
    return told.is_relation or bool(IS_KIN.search(told.text))


def is_kin_or_pet(word: str) -> bool:
    return is_kin(word) or word in _PETS


def is_kin(word: str) -> bool:
    """Whether a word says who somebody is to the user."""
    return word.lower() in _KIN
