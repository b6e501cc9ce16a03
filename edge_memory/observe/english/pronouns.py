"""Whom a pronoun means: who was mentioned last, and "she", "they", "her" and "it" told by name."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import (
    CALLED_BY_KIN,
    DAY,
    HE,
    KIN_SET,
    NOT_A_NAME,
    ONE_HOLDER,
    PET,
    PET_SET,
    SHE,
    VERB_WORDS,
)
from edge_memory.observe.english.names import is_name, may_be_a_name
from edge_memory.observe.english.people import ALSO_KIN, HAS, KIN_ALONE, Household, Person, introduced

_MANY = (
    "twins|triplets|kids|children|sons|daughters|boys|girls|brothers|sisters|parents|grandparents|in-laws|grandchildren"
    "|grandkids|nieces|nephews|cousins|neighbours|neighbors|friends|lodgers|tenants|cats|dogs|hens|chickens|rabbits"
    "|horses|goats|bees"
)
_MANY_NAMED = re.compile(
    rf"\b(?:(?:my|our|the)\s+(?:\w+\s+)?|(?:have|has|got|having)\s+(?:\w+\s+){{0,2}}?)(?P<plural>{_MANY})\b",
    re.IGNORECASE,
)
_MANY_OF = re.compile(r"\b(?:have|has|got|keep|own)\s+(?:\w+\s+){0,2}?(?P<plural>\w{2,}s|children)\b", re.IGNORECASE)
# "Jana got engaged to Bo": they are two from there on.
_COUPLE = re.compile(
    r"^(?P<one>(?:(?i:my|our) )?[\w-]+(?: [A-Z][\w-]+)?)(?:'s| is| has| got| are)*(?: now| just)? (?:engaged|married"
    r"|getting married|going out|moving in|living)"
    r"(?: to| with)? (?P<other>(?:(?i:my|our) )?[\w-]+)\b"
)
_OF_TIME = re.compile(rf"{DAY}|(?:year|month|week|day|hour|minute|time|dollar|pound|euro|rupee)s", re.IGNORECASE)
_THING = "thing"  # what "it" of the next clause means
_THING_DONE = re.compile(
    r"^(?:i|we|they)(?:'ve|'ll| have)?\s+(?:just\s+)?[\w']+\s+(?P<thing>(?:the|my"
    r"|our)\s+[\w-]+(?:\s+[\w-]+)?)(?:\s+(?:back|here|home|down|up|over|out|away|off))*$",
    re.IGNORECASE,
)
_STAFF = re.compile(rf"the\s+(?P<role>{ONE_HOLDER})\s+(?=\w)", re.IGNORECASE)
_THE_PET = re.compile(rf"\bthe (?P<kin>{PET})\b(?!'s| \w+s\b)", re.IGNORECASE)
_WORKER = re.compile(
    r"^(?P<mention>the (?:[a-z]+ ){0,2}?(?:man|woman|guy|lady|bloke|fella|chap|engineer|fitter|surveyor|inspector"
    r"|(?:plumb|build|roof|decorat|join|till|plaster)er|[a-z]{4,}(?:ician|ologist)))\b",
    re.IGNORECASE,
)
_TITLED = re.compile(
    r"^(?P<who>(?:mr|mister|mrs|ms|miss|dr|doctor|doc|reverend|rev|pastor|father|rabbi|imam|professor)\.? [\w-]+)"
    r"(?='s\s|\s+(?!and\b|or\b|says?\b|said\b)[\w'])",
    re.IGNORECASE,
)
_BEFORE_A_NAME = CALLED_BY_KIN | frozenset("ma pa papa mama aunt sister brother".split())
# "Auntie Bo", "Ma Bo".
_KIN_AND_NAME = re.compile(
    rf"^(?P<who>(?P<kin>(?i:{'|'.join(sorted(_BEFORE_A_NAME, key=len, reverse=True))}))"
    r" (?P<name>[A-Z][\w-]+))(?='s\s|\s+(?!and\b|or\b)[\w'])"
)
_STARTS_WITH = re.compile(r"^(?P<name>[\w-]+)(?:'s\s+(?P<of>[\w-]+)|\s+(?P<verb>[\w']+))", re.IGNORECASE)
_PRONOUN = re.compile(
    r"^(?P<word>he's|she's|they're|it's|he'll|she'll|he|she|his|her|they|their|it|its)\b", re.IGNORECASE
)
_OF_ONESELF = re.compile(r"(?:i|i'm|i've|we|we're|we've)\s", re.IGNORECASE)
_TREATING = re.compile(
    r"(?:they(?:'ve|'re)?|the (?:doctor|gp|nurse|hospital|clinic|specialist|consultant|dentist|school|vet)"
    r"|doctor|dr [\w-]+)\s",
    re.IGNORECASE,
)
_OF_ONE = re.compile(r"(?:he|she)(?:'s|'ll)?|his|her|him", re.IGNORECASE)
_OBJECT = re.compile(
    r"\b(?P<whom>him|her)(?=\s+(?:every|each|on|at|in|to|for|from|by|once|twice|when|after|before|with|a|an|the"
    r"|now|most|some)\b)",
    re.IGNORECASE,
)
# "Never let him have cola". Of "her cat" and "her nuts" nobody can tell which is hers, but after these verbs.
_ORDER = re.compile(
    r"^(?:please )?(?:never|always|from now on,?|don't(?: (?:you )?(?:ever|dare))?|do not(?: ever)?|no(?= .* for )) ",
    re.IGNORECASE,
)
_ORDERED = re.compile(
    r"\b(?:(?P<whom>him)\b|(?:(?<=let )|(?<=make )|(?<=have )|(?<=help )|(?<=tell )|(?<=ask )|(?<=remind )"
    r"|(?<=allow )|(?<=give )|(?<=offer )|(?<=serve )|(?<=bring )|(?<=lend ))(?P<her>her)\b(?!\s*$)"
    r"|(?P<she>her)(?=\s*$|\s+(?:every|each|on|at|in|to|for|from|by|once|twice|when|after|before|with|while|until"
    r"|unless|if|a|an|the|any|about|near|alone|out|up|off|away)\b))",
    re.IGNORECASE,
)


def last_mentioned(clause: str, household: Household) -> Person | None:
    """Whom "she" or "it" of the next clause would mean."""
    named = introduced(clause)
    if named:
        return named[-1]
    if begins := _begins_with(clause, household):
        return begins
    staff = _STAFF.match(clause)
    if staff:
        return Person(f"the {staff['role']}", household.only(staff["role"]), staff["role"].lower())
    owned = ALSO_KIN.search(clause) or KIN_ALONE.search(clause)
    if owned:
        kin = owned["kin"].lower()
        another = re.search(r"\b(?:an?|new)\s", owned[0], re.IGNORECASE)
        return Person(f"my {kin}", None if another else household.only(kin), kin)
    if pet := _THE_PET.search(clause):
        return Person(pet[0], kin=pet["kin"].lower())
    worker = _WORKER.match(clause)
    if worker:
        return Person(worker["mention"])
    many = _MANY_OF.search(clause)
    if many and many["plural"].lower() not in NOT_A_NAME and not _OF_TIME.fullmatch(many["plural"]):
        return Person(f"our {many['plural']}")
    thing = _THING_DONE.match(clause)
    if thing:
        return Person(thing["thing"], kin=_THING)
    known = [word for word in re.findall(r"[\w-]+", clause) if household.knows(word)]
    return Person(known[-1], known[-1], household.kin_of(known[-1])) if known else None


def _begins_with(clause: str, household: Household) -> Person | None:
    """Whom it is about: "Jana sings", "Jana's brother sings", "Mrs Lund sings", "mum sings"."""
    if titled := _TITLED.match(clause):
        return Person(titled["who"])
    if called := _KIN_AND_NAME.match(clause):
        return Person(called["who"], called["who"], called["kin"].lower())
    starts = _STARTS_WITH.match(clause)
    if starts is None:
        return None
    both = " ".join(clause.split()[:2]).removesuffix("'s")
    if " " in both and household.knows(both):
        return Person(both, both, household.kin_of(both))
    name, of = starts["name"], (starts["of"] or "").lower()
    if name.lower() in CALLED_BY_KIN:
        return Person(name, household.only(name), name.lower())
    if not is_name(name):
        return None
    if of in KIN_SET and (household.knows(name) or name[0].isupper()):
        return Person(f"{name}'s {of}", kin=of)
    verb = of or (starts["verb"] or "").lower()
    stranger = name[0].isupper() and verb in VERB_WORDS and not KIN_ALONE.search(clause)
    return Person(name, name, household.kin_of(name)) if household.knows(name) or stranger else None


def of_thing(mention: str) -> Person:
    """A thing, as "it" of the next clause means it."""
    return Person(mention, kin=_THING)


def many_mentioned(clause: str) -> Person | None:
    """Whom "they" of the next clause would mean."""
    if couple := _COUPLE.match(clause):
        return Person(f"{couple['one']} and {couple['other']}")
    match = _MANY_NAMED.search(clause)
    return Person(f"our {match['plural']}") if match else None


def first_word(clause: str) -> Person | None:
    """The name that a statement begins with, though nobody has told of them before."""
    starts = _STARTS_WITH.match(clause)
    if not starts or not is_name(starts["name"]) or (starts["verb"] or "").lower() not in VERB_WORDS:
        return None
    return Person(starts["name"], starts["name"])


def opens_with_another(clause: str) -> bool:
    """Whether it may begin with the name of somebody nobody has told of: then "she" is not who was meant before."""
    starts = _STARTS_WITH.match(clause)
    return bool(starts and may_be_a_name(starts["name"]))


def fitting(clause: str, person: Person | None, before: str, household: Household) -> Person | None:
    """Whom the pronoun that a clause begins with means: another of those named before, if it does not fit `person`."""
    match = _ordered(clause) or _PRONOUN.match(clause)
    if match is None or person is None or not _OF_ONE.fullmatch(match[0]):
        return person
    word, rest = match[0].lower(), clause[match.end() :]
    if _may_mean(word, rest, person):
        return person
    others = (
        Person(name, name, household.kin_of(name))
        for name in reversed(re.findall(r"[\w-]+", before))
        if household.knows(name)
    )
    return next((one for one in others if _may_mean(word, rest, one)), person)


def name_pronoun(clause: str, person: Person | None) -> str:
    """ "she's a nurse" becomes "Jana is a nurse". Unchanged when nobody was named or another "it" is meant."""
    match = _PRONOUN.match(clause)
    if not match or person is None:
        return clause
    word, rest = match["word"].lower(), clause[match.end() :]
    if not _may_mean(word, rest, person):
        return clause
    if word in ("his", "her", "their", "its"):
        plural = word == "their" and person.mention.endswith("s")
        return person.mention + ("'" if plural else "'s") + rest
    if word.endswith("'ll"):
        return f"{person.mention} will{rest}"
    if word in ("he's", "she's", "it's"):
        return f"{person.mention} {'has' if HAS.match(rest) else 'is'}{rest}"
    if word.startswith("they"):
        verb = " are" if word == "they're" else ""
        return f"{person.mention}{verb}{rest}" if _are_many(person) else clause
    return f"{person.mention}{rest}"


def name_object(clause: str, person: Person | None) -> str:
    """ "I visit her on Mondays" becomes "I visit Jana on Mondays", as "never wake her" does "never wake Jana".
    Unchanged when nobody was named.
    """
    ordered = _ordered(clause)
    if ordered and person and person.kin != _THING and _may_mean(ordered[0].lower(), "", person):
        return f"{clause[: ordered.start()]}{_plainly(person)}{clause[ordered.end() :]}"
    if person is None or person.kin == _THING or _are_many(person):
        return clause
    if not (_OF_ONESELF.match(clause) or _TREATING.match(clause)):
        return clause
    match = _OBJECT.search(clause)
    wrong = HE if match and match["whom"].lower() == "her" else SHE
    if match is None or (person.kin or "").replace(" ", "-") in wrong:
        return clause
    return f"{clause[: match.start()]}{person.name or person.mention}{clause[match.end() :]}"


def _ordered(clause: str) -> re.Match[str] | None:
    """The "him" of an order."""
    return _ORDERED.search(clause) if _ORDER.match(clause) else None


def _plainly(person: Person) -> str:
    """What is sure to be their name, or who they are: of "my mum naps", nobody knows that naps is a verb."""
    if person.name and (person.name[0].isupper() or person.kin not in KIN_SET):
        return person.name
    return f"my {person.kin}" if person.kin in KIN_SET else person.mention


def _may_mean(word: str, rest: str, person: Person) -> bool:
    """Whether the pronoun fits: "he" is no aunt, "they" are many, "it" is a thing or an animal."""
    kin = (person.kin or "").replace(" ", "-")
    if kin in (HE if word.startswith(("she", "her")) else SHE if word in ("he", "he's", "he'll", "his", "him") else ()):
        return False
    if person.name and re.match(r"(?:\s+is)?\s+(?:called|named)\b|\s+names?\b", rest):
        return False  # whoever has a name is not the one who gets it
    if _are_many(person) != word.startswith("the") and (_are_many(person) or kin in PET_SET):
        return False
    is_thing = kin in PET_SET or kin in (_THING, "baby")
    if word.startswith("it") != is_thing and kin == _THING:
        return False
    return not word.startswith("it") or is_thing or bool(re.match(r"\s+(?:called|named)\b", rest))


def _are_many(person: Person) -> bool:
    return bool(re.fullmatch(rf"our \w+s|our (?:{_MANY})|[\w ]+ and [\w ]+", person.mention, re.IGNORECASE))
