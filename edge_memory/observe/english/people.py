"""Who is meant: names that belong to the house, "my sister", and "she" right after somebody was named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import (
    ACTIVITY,
    CALLED_BY_KIN,
    KIN,
    KIN_OR_PET,
    KIN_SET,
    NUMBERS,
    ONE_HOLDER,
    PET_SET,
    SAME_KIN,
    VERB_WORDS,
)
from edge_memory.observe.english.names import is_name, may_be_a_name

_TITLE = r"(?:(?:miss|mr|mister|mrs|ms|dr|auntie|uncle|pastor)\.?\s+)?"
_NUMBER = rf"(?:\d+|{'|'.join(sorted(NUMBERS - {'half', 'quarter', 'double', 'triple'}))})"
_NAME = rf"{_TITLE}(?:(?-i:[A-Z])[\w-]+(?:\s+(?-i:[A-Z])[\w-]+)*|[\w-]+)"
_INTRODUCED = re.compile(
    rf"\b(?:my|our|the(?=\s+{ONE_HOLDER}\b))\s+(?:(?!{KIN_OR_PET}\b)(?:\w+)\s+)?(?P<kin>{KIN_OR_PET})"
    rf"(?:'s name(?:'s| is)\s+|(?:'s"
    rf"| is) (?:called|named)\s+|(?P<is>\s+is\s+)(?=(?-i:[A-Z])[\w-]+(?:\s*$|,|\s+and\b))|\s+(?:called|named)\s+"
    rf"|,\s*|\s+)"
    rf"(?P<name>{_NAME})(?=(?P<after>'s\b|\s*,|\s+[\w']+|\s*$))", re.IGNORECASE,
)  # fmt: skip
ALSO_KIN = re.compile(
    rf"(?:\b(?:have|has|got|is|getting|get|bought|adopted|buying|adopting)|\b(?:i|we)'ve)\s+(?:(?:now|also)\s+)?(?:an?|one|my"
    rf"|our)\s+(?:[\w-]+\s+){{0,2}}?(?P<kin>{KIN_OR_PET})\b(?:,?\s+(?:called"
    rf"|named)\s+(?P<name>{_NAME})|,?\s+(?P<bare>[\w-]+(?: (?!(?:and|who|he|she|is|lives|works)\b)[\w-]+)?)(?=$"
    rf"|,|\s+(?:and|who|he|she|is|lives|works)\b))?",
    re.IGNORECASE,
)
_CALLED = re.compile(
    rf"\b(?:(?:an?|my|our|the)\s+(?:[\w-]+\s+)?[\w-]+|[\w-]+'s\s+{KIN}|somebody"
    rf"|someone)\s+(?:is\s+(?:also\s+)?)?(?:called|named)\s+(?P<name>{_NAME})",
    re.IGNORECASE,
)
# "Everybody calls her Bo".
_ALIAS = re.compile(
    r"\b(?:everybody|everyone|people|folks|friends|they|we|i)(?: (?:all|just|always))* calls? "
    rf"(?:him|her|them|it|(?:my|our) (?P<kin>{KIN_OR_PET})|[\w-]+) (?P<name>{_NAME})(?=$|,|\.| because\b| cos\b)"
    rf"|'s nickname is (?P<nick>{_NAME})",
    re.IGNORECASE,
)
# "A nine year old Bo".
_BY_AGE = re.compile(
    rf"\b(?:an?|my|our|the) {_NUMBER}(?:[ -]{_NUMBER})?[ -]years?[ -]old (?:(?P<kin>{KIN_OR_PET}) )?"
    rf"(?:called |named )?(?P<name>{_NAME})"
    r"(?=$|,| (?:and|who|he|she|they|is|has)\b)",
    re.IGNORECASE,
)
_OFTEN = frozenset("later daily weekly nightly twice once regularly most sometimes often names".split())
_OF_OTHERS = re.compile(
    rf"\b[\w-]+'s\s+(?:{KIN_OR_PET}|boy|girl|lad|lass)(?:,\s*|\s+)(?P<name>{_NAME})(?P<after>'s\b|\s*,|\s+[\w']+|\s*$)",
    re.IGNORECASE,
)
# "Jana is my sister".
_IS_KIN = re.compile(
    rf"^(?P<name>{_NAME})(?:'s| is) (?:also |now )?(?:my|our) (?:(?!{KIN_OR_PET}\b)[\w-]+ )?"
    rf"(?P<kin>{KIN_OR_PET})\b(?!'s)",
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
_ONE_OF = {
    "kids": "kid",
    "children": "child",
    "babies": "baby",
    "boys": "son",
    "girls": "daughter",
    "puppies": "puppy",
    "twins": "",
}
_MOST_LISTED = 6
_BESIDE_NAMES = frozenset(("and", "baby", "little", "big", "young", "wee", "old"))
KIN_ALONE = re.compile(rf"\b(?:my|our|the(?=\s+baby\b))\s+(?P<new>new\s+)?(?P<kin>{KIN_OR_PET})\b", re.IGNORECASE)
_PLURAL = frozenset("have are were do live work and".split())
_NOT_VERBAL = re.compile(
    r"\s+(?:\w+ing(?!\s+(?:is|was|has|got|gets|lessons?|class|classes|aids?)\b)|an?|the|in|at|on|not|very|really"
    r"|so|allergic|my|our|called|named|from|afraid|due|only|now|just"
    rf"|\w+ years|{_NUMBER}(?:[ -]{_NUMBER})*(?=\s+(?:and|now|today|next|an?|per|pounds?|quid|dollars?"
    rf"|euros?)\b|,|\s*$))\b",
    re.IGNORECASE,
)
_IS_SO = re.compile(
    r"\s+(?:(?:off|over|out|back|home)(?=\s*$|,|\s+(?:in|at|to|with|from|now|home|on|of|for|until|till|again|and)\b)"
    r"|(?:done|finished|dead|cancelled|fixed|mended)\b)",
    re.IGNORECASE,
)
_ITS_SIDE = re.compile(
    r"(?:the|my|our) [\w-]+(?: [\w-]+)?'s left (?!(?:the|an?|his|her|their|my|our|for|home|work|school|at|on|in"
    r"|to)\b)[\w-]+ ",
    re.IGNORECASE,
)
HAS = re.compile(
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

    def knows_or_kin(self, word: str) -> bool:
        """Whether a word names somebody known, or somebody whom one calls so ("gran")."""
        low = word.lower().removesuffix("'s")
        return low in self.names or low in CALLED_BY_KIN

    def with_capitals(self, clause: str) -> str:
        """A clause with the capitals of the names of several words, by which they are known for one name."""
        for name in self.names:
            if " " in name:
                clause = re.sub(rf"\b{re.escape(name)}\b", name.title(), clause, flags=re.IGNORECASE)
        return clause

    def joined_by(self, people: Iterable[Person]) -> Household:
        """The same with those who were just introduced."""
        relations, names = dict(self.relations), set(self.names)
        for person in people:
            if person.name:
                names |= spoken_names(person.name)
                if person.kin and person.name not in relations.get(person.kin, ()):
                    relations[person.kin] = (*relations.get(person.kin, ()), person.name)
        return Household(relations, frozenset(names))


def spoken_names(name: str) -> set[str]:
    """What somebody may be called by: "Jun Hao", "Jun"."""
    return {name.lower(), name.lower().split()[0]}


def introduced(clause: str) -> list[Person]:
    """Whom a clause names together with what they are to the user: "my sister Jana", "a dog called Bit"."""
    found = []
    for match in _INTRODUCED.finditer(clause):
        if _is_named(match):
            found.append(Person(match["name"], match["name"], match["kin"].lower()))
    found += [Person(match["name"], match["name"]) for match in _OF_OTHERS.finditer(clause) if _is_named(match)]
    found += _otherwise_named(clause)
    theirs = _IS_KIN.match(clause)
    if theirs and (may_be_a_name(theirs["name"]) or (theirs["name"][0].isupper() and is_name(theirs["name"]))):
        found.append(Person(theirs["name"], theirs["name"], theirs["kin"].lower()))
    for match in ALSO_KIN.finditer(clause):
        name = match["name"] or match["bare"]
        if name and is_name(name) and not (match["bare"] and any(map(_cannot_be_bare, name.split()))):
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


def _otherwise_named(clause: str) -> list[Person]:
    """By their age ("a nine year old Bo"), or by a nickname."""
    found = []
    if (aged := _BY_AGE.search(clause)) and may_be_a_name(aged["name"]):
        found.append(Person(aged["name"], aged["name"], (aged["kin"] or "").lower() or None))
    if alias := _ALIAS.search(clause):
        name = alias["name"] or alias["nick"]
        if may_be_a_name(name) and name.lower() not in _OFTEN:
            found.append(Person(name, name, (alias["kin"] or "").lower() or None))
    return found


def _cannot_be_bare(word: str) -> bool:
    """ "A friend visiting", "a sister overseas"."""
    return bool(_NOT_BARE.search(word)) or not may_be_a_name(word)


def _is_named(match: re.Match[str]) -> bool:
    """Whether what stands after "my sister" is her name: by its capital, or by what comes next."""
    name, after = match["name"], match["after"].strip(" ,").lower()
    followed = after in VERB_WORDS | _PLURAL or after in ("", "'s", "and", "who", "with", "in", "at")
    plainly = may_be_a_name(name) if match.groupdict().get("is") else is_name(name)
    return plainly and (name[0].isupper() or followed)


def expand_is(clause: str, household: Household) -> str:
    """ "Jana's a nurse" becomes "Jana is a nurse"; "Jana's birthday" stays."""
    match = re.match(
        rf"^(?P<who>(?:my|our)\s+(?:\w+\s+)?{KIN_OR_PET}(?:\s+[\w-]+)?|(?:the|my|our)\s+[\w-]+(?:\s+[\w-]+)?"
        rf"|{ACTIVITY}|(?-i:[A-Z])[\w-]+ (?-i:[A-Z])[\w-]+|[\w-]+)'s(?=\s)",
        clause,
        re.IGNORECASE,
    )
    if not match or match["who"].lower() in ("it", "that", "there", "what", "who", "where", "how", "he", "she", "let"):
        return clause
    rest = clause[match.end() :]
    its_side = _ITS_SIDE.match(clause)  # "the cart's left wheel" has not left
    if HAS.match(rest) and not its_side:
        return f"{match['who']} has{rest}"
    return f"{match['who']} is{rest}" if _NOT_VERBAL.match(rest) or _IS_SO.match(rest) else clause
