"""Who is meant: names that belong to the house, "my sister", and "she" right after somebody was named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from edge_memory import lazy_re as re
from edge_memory.observe.lexicon import (
    ACTIVITY,
    CALLED_BY_KIN,
    HE,
    KIN,
    KIN_OR_PET,
    KIN_SET,
    NOT_A_NAME,
    NUMBERS,
    ONE_HOLDER,
    PET_SET,
    SAME_KIN,
    SHE,
    VERB_WORDS,
)
from edge_memory.observe.naming import is_name, may_be_a_name

_NAME = r"(?:(?-i:[A-Z])[\w-]+(?:\s+(?-i:[A-Z])[\w-]+)*|[\w-]+)"
_INTRODUCED = re.compile(
    rf"\b(?:my|our|the(?=\s+{ONE_HOLDER}\b))\s+(?:(?!{KIN_OR_PET}\b)(?:\w+)\s+)?(?P<kin>{KIN_OR_PET})"
    rf"(?:'s name(?:'s| is)\s+|(?:'s"
    rf"| is) (?:called|named)\s+|(?P<is>\s+is\s+)(?=(?-i:[A-Z])[\w-]+(?:\s*$|,|\s+and\b))|\s+(?:called|named)\s+"
    rf"|,\s*|\s+)"
    rf"(?P<name>{_NAME})(?=(?P<after>'s\b|\s*,|\s+[\w']+|\s*$))", re.IGNORECASE,
)  # fmt: skip
_ALSO_KIN = re.compile(
    rf"\b(?:have|has|got|is|getting|get|bought|adopted|buying|adopting)\s+(?:(?:now|also)\s+)?(?:an?|my"
    rf"|our)\s+(?:[\w-]+\s+){{0,2}}?(?P<kin>{KIN_OR_PET})\b(?:,?\s+(?:called"
    rf"|named)\s+(?P<name>{_NAME})|,?\s+(?P<bare>[\w-]+)(?=$|,|\s+(?:and|who|he|she|is|lives|works)\b))?",
    re.IGNORECASE,
)
_CALLED = re.compile(
    rf"\b(?:(?:an?|my|our|the)\s+(?:[\w-]+\s+)?[\w-]+|[\w-]+'s\s+{KIN}|somebody"
    rf"|someone)\s+(?:is\s+(?:also\s+)?)?(?:called|named)\s+(?P<name>{_NAME})",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(
    rf"\b[\w-]+'s\s+(?:{KIN_OR_PET}|boy|girl|lad|lass)(?:,\s*|\s+)(?P<name>{_NAME})(?P<after>'s\b|\s*,|\s+[\w']+|\s*$)",
    re.IGNORECASE,
)
_NOT_BARE = re.compile(r"(?:ing|ed|ly|er)$", re.IGNORECASE)  # "a friend visiting"
_LISTED = re.compile(
    r"\b(?P<kin>kids|children|sons|daughters|boys|girls|twins|brothers|sisters|grandchildren|grandkids"
    r"|grandbabies|babies|stepkids|nieces|nephews"
    r"|cousins|friends|mates|flatmates|roommates|cats|dogs|kittens|puppies|rabbits|hens|chickens|horses|goats"
    r"|guinea pigs)"
    r"(?:'s?)?(?:,|:| are| are called| called| named|,? names are"
    r"| are named)?\s+(?P<names>[\w-]+(?:,?\s+[\w-]+){1,6})\s*$",
    re.IGNORECASE,
)
_MANY = (
    "twins|triplets|kids|children|sons|daughters|boys|girls|brothers|sisters|parents|grandparents|in-laws|grandchildren"
    "|grandkids|nieces|nephews|cousins|neighbours|neighbors|friends|lodgers|tenants|cats|dogs|hens|chickens|rabbits"
    "|horses|goats|bees"
)
_MANY_NAMED = re.compile(
    rf"\b(?:(?:my|our|the)\s+(?:\w+\s+)?|(?:have|has|got|having)\s+(?:\w+\s+){{0,2}}?)(?P<plural>{_MANY})\b",
    re.IGNORECASE,
)
_ONE_OF = {
    "kids": "kid",
    "children": "child",
    "babies": "baby",
    "boys": "son",
    "girls": "daughter",
    "puppies": "puppy",
    "twins": "",
}
_MANY_OF = re.compile(r"\b(?:have|has|got|keep|own)\s+(?:\w+\s+){0,2}?(?P<plural>\w{2,}s|children)\b", re.IGNORECASE)
_THING = "thing"  # what "it" of the next clause means
_THING_DONE = re.compile(
    r"^(?:i|we|they)(?:'ve|'ll| have)?\s+(?:just\s+)?[\w']+\s+(?P<thing>(?:the|my"
    r"|our)\s+[\w-]+(?:\s+[\w-]+)?)(?:\s+(?:back|here|home|down|up|over|out|away|off))*$",
    re.IGNORECASE,
)
_MOST_LISTED = 6
_BESIDE_NAMES = frozenset(("and", "baby", "little", "big", "young", "wee", "old"))
_STAFF = re.compile(rf"the\s+(?P<role>{ONE_HOLDER})\s+(?=\w)", re.IGNORECASE)
_WORKER = re.compile(
    r"^(?P<mention>the (?:[a-z]+ ){0,2}?(?:man|woman|guy|lady|bloke|fella|chap|engineer|fitter|surveyor|inspector"
    r"|[a-z]{4,}(?:ician|ologist)))\b",
    re.IGNORECASE,
)
_KIN_ALONE = re.compile(rf"\b(?:my|our|the(?=\s+baby\b))\s+(?P<new>new\s+)?(?P<kin>{KIN_OR_PET})\b", re.IGNORECASE)
_TITLED = re.compile(
    r"^(?P<who>(?:mr|mister|mrs|ms|miss|dr|doctor|reverend|rev|pastor|father|rabbi|imam|professor)\.? [\w-]+)"
    r"(?='s\s|\s+(?!and\b|or\b|says?\b|said\b)[\w'])",
    re.IGNORECASE,
)
_STARTS_WITH = re.compile(r"^(?P<name>[\w-]+)(?:'s\s+(?P<of>[\w-]+)|\s+(?P<verb>[\w']+))", re.IGNORECASE)
_PLURAL = frozenset("have are were do live work and".split())
_PRONOUN = re.compile(
    r"^(?P<word>he's|she's|they're|it's|he'll|she'll|he|she|his|her|they|their|it|its)\b", re.IGNORECASE
)
_NUMBER = rf"(?:\d+|{'|'.join(sorted(NUMBERS - {'half', 'quarter', 'double', 'triple'}))})"
_NOT_VERBAL = re.compile(
    r"\s+(?:\w+ing(?!\s+(?:is|was|has|got|gets|lessons?|class|classes|aids?)\b)|an?|the|in|at|on|not|very|really"
    r"|so|allergic|my|our|called|named|from|afraid|due|only|now|just"
    rf"|\w+ years|{_NUMBER}(?:[ -]{_NUMBER})*(?=\s+(?:and|now|today|next|an?|per|pounds?|quid|dollars?"
    rf"|euros?)\b|,|\s*$))\b",
    re.IGNORECASE,
)
_IS_SO = re.compile(
    r"\s+(?:(?:off|over|out|back)(?=\s*$|,|\s+(?:in|at|to|with|from|now|home|on|of|for|until|till)\b)"
    r"|(?:done|finished|dead|cancelled|fixed|mended)\b)",
    re.IGNORECASE,
)
_ITS_SIDE = re.compile(
    r"(?:the|my|our) [\w-]+(?: [\w-]+)?'s left (?!(?:the|an?|his|her|their|my|our|for|home|work|school|at|on|in"
    r"|to)\b)[\w-]+ ",
    re.IGNORECASE,
)
_HAS = re.compile(
    r"\s+(?:got|been|moved|left|started|had|just|recently|lost|quit|gone|bought|sold|become|finished|changed|given"
    r"|taken|packed|put|handed|stopped|signed|leased|passed|broken|joined|switched|dropped|split|come"
    r"|outgrown|retired|died|passed|fallen|won|met|found|begun|sent|told|written|spent|run off)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of the house, as the user refers to them ("Jana", "my sister") in a clause."""

    mention: str
    name: str | None = None
    kin: str | None = None


@dataclass(frozen=True, slots=True)
class Household:
    """Whom the user has told about: `relations` holds the names for each kin word, all in lower case but the names."""

    relations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    names: frozenset[str] = frozenset()

    def only(self, kin: str) -> str | None:
        """The name behind "my sister", when there is one sister."""
        low = kin.lower()
        alike = [names for one, names in self.relations.items() if SAME_KIN.get(one, one) == SAME_KIN.get(low, low)]
        known = {name.lower(): name for names in alike for name in names}
        return next(iter(known.values())) if len(known) == 1 else None

    def kin_of(self, name: str) -> str | None:
        low = name.lower()
        return next((kin for kin, names in self.relations.items() if low in (n.lower() for n in names)), None)

    def knows(self, name: str) -> bool:
        return name.lower() in self.names

    def joined_by(self, people: Iterable[Person]) -> Household:
        """The same with those who were just introduced."""
        relations, names = dict(self.relations), set(self.names)
        for person in people:
            if person.name:
                names.add(person.name.lower())
                if person.kin and person.name not in relations.get(person.kin, ()):
                    relations[person.kin] = (*relations.get(person.kin, ()), person.name)
        return Household(relations, frozenset(names))


def introduced(clause: str) -> list[Person]:
    """Whom a clause names together with what they are to the user: "my sister Jana", "a dog called Bit"."""
    found = []
    for match in _INTRODUCED.finditer(clause):
        if _is_named(match):
            found.append(Person(match["name"], match["name"], match["kin"].lower()))
    found += [Person(match["name"], match["name"]) for match in _OF_OTHERS.finditer(clause) if _is_named(match)]
    for match in _ALSO_KIN.finditer(clause):
        name = match["name"] or match["bare"]
        if name and is_name(name) and not (match["bare"] and _NOT_BARE.search(name)):
            found.append(Person(name, name, match["kin"].lower()))
    for match in _LISTED.finditer(clause):
        kin = _ONE_OF.get(match["kin"].lower(), match["kin"].lower().removesuffix("s"))
        kin = kin if kin in KIN_SET | PET_SET else ""
        listed = [word for word in re.findall(r"[\w-]+", match["names"]) if word.lower() not in _BESIDE_NAMES]
        if len(listed) <= _MOST_LISTED and all(is_name(name) and f"{name}s" not in VERB_WORDS for name in listed):
            found += [Person(name, name, kin or None) for name in listed]
    known = {person.name for person in found}
    called = (match["name"] for match in _CALLED.finditer(clause))
    return [*found, *(Person(name, name) for name in called if name not in known and is_name(name))]


def _is_named(match: re.Match[str]) -> bool:
    """Whether what stands after "my sister" is her name: by its capital, or by what comes next."""
    name, after = match["name"], match["after"].strip(" ,").lower()
    followed = after in VERB_WORDS | _PLURAL or after in ("", "'s", "and", "who", "with", "in", "at")
    plainly = may_be_a_name(name) if match.groupdict().get("is") else is_name(name)
    return plainly and (name[0].isupper() or followed)


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
    owned = _ALSO_KIN.search(clause) or _KIN_ALONE.search(clause)
    if owned:
        kin = owned["kin"].lower()
        another = re.search(r"\b(?:an?|new)\s", owned[0], re.IGNORECASE)
        return Person(f"my {kin}", None if another else household.only(kin), kin)
    worker = _WORKER.match(clause)
    if worker:
        return Person(worker["mention"])
    many = _MANY_OF.search(clause)
    if many and many["plural"].lower() not in NOT_A_NAME:
        return Person(f"our {many['plural']}")
    thing = _THING_DONE.match(clause)
    if thing:
        return Person(thing["thing"], kin=_THING)
    known = [word for word in re.findall(r"[\w-]+", clause) if household.knows(word)]
    return Person(known[-1], known[-1], household.kin_of(known[-1])) if known else None


def _begins_with(clause: str, household: Household) -> Person | None:
    """Whom it is about: "Jana sings", "Jana's brother sings", "Mrs Lund sings", "mum sings"."""
    titled = _TITLED.match(clause)
    if titled:
        return Person(titled["who"])
    starts = _STARTS_WITH.match(clause)
    if starts is None:
        return None
    name, of = starts["name"], (starts["of"] or "").lower()
    if name.lower() in CALLED_BY_KIN:
        return Person(name, household.only(name), name.lower())
    if not is_name(name):
        return None
    if of in KIN_SET and (household.knows(name) or name[0].isupper()):
        return Person(f"{name}'s {of}", kin=of)
    verb = of or (starts["verb"] or "").lower()
    stranger = name[0].isupper() and verb in VERB_WORDS and not _KIN_ALONE.search(clause)
    return Person(name, name, household.kin_of(name)) if household.knows(name) or stranger else None


def of_thing(mention: str) -> Person:
    """A thing, as "it" of the next clause means it."""
    return Person(mention, kin=_THING)


def many_mentioned(clause: str) -> Person | None:
    """Whom "they" of the next clause would mean."""
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
        return f"{person.mention} {'has' if _HAS.match(rest) else 'is'}{rest}"
    if word.startswith("they"):
        verb = " are" if word == "they're" else ""
        return f"{person.mention}{verb}{rest}" if _are_many(person) else clause
    return f"{person.mention}{rest}"


def _may_mean(word: str, rest: str, person: Person) -> bool:
    """Whether the pronoun fits: "he" is no aunt, "they" are many, "it" is a thing or an animal."""
    kin = (person.kin or "").replace(" ", "-")
    if kin in (HE if word.startswith(("she", "her")) else SHE if word in ("he", "he's", "he'll", "his") else ()):
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
    return bool(re.fullmatch(rf"our \w+s|our (?:{_MANY})", person.mention, re.IGNORECASE))


def expand_is(clause: str, household: Household) -> str:
    """ "Jana's a nurse" becomes "Jana is a nurse"; "Jana's birthday" stays."""
    match = re.match(
        rf"^(?P<who>(?:my|our)\s+(?:\w+\s+)?{KIN_OR_PET}(?:\s+[\w-]+)?|the\s+[\w-]+(?:\s+[\w-]+)?"
        rf"|{ACTIVITY}|(?-i:[A-Z])[\w-]+ (?-i:[A-Z])[\w-]+|[\w-]+)'s(?=\s)",
        clause,
        re.IGNORECASE,
    )
    if not match or match["who"].lower() in ("it", "that", "there", "what", "who", "where", "how", "he", "she", "let"):
        return clause
    rest = clause[match.end() :]
    its_side = _ITS_SIDE.match(clause)  # "the cart's left wheel" has not left
    if _HAS.match(rest) and not its_side:
        return f"{match['who']} has{rest}"
    return f"{match['who']} is{rest}" if _NOT_VERBAL.match(rest) or _IS_SO.match(rest) else clause
