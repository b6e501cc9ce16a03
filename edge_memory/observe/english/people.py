"""Who is meant: names that belong to the house, "my sister", and "she" right after somebody was named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

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
    rf"\b(?:my|our|the(?=\s+(?:{ONE_HOLDER}|neighbou?r)\b))\s+(?:(?:grown|dear|poor|late|very) )?"
    rf"(?:(?!{KIN_OR_PET}\b)(?:\w+)\s+)?(?P<kin>{KIN_OR_PET})"
    rf"(?:'s name(?:'s| is)\s+|(?:'s"
    rf"| is) (?:called|named)\s+|(?P<is>\s+is\s+)(?=(?-i:[A-Z])[\w-]+(?:\s*$|,|\s+and\b))|\s+(?:called|named)\s+"
    rf"|,\s*|\s+)"
    rf"(?P<name>{_NAME})(?=(?P<after>'s\b|\s*,|\s+[\w']+|\s*$))", re.IGNORECASE,
)  # fmt: skip
ALSO_KIN = re.compile(
    r"(?:\b(?:have|has|got|is|getting|get|bought|adopted|buying|adopting)|\b(?:i|we)'ve)\s+(?:(?:now|also)\s+)?(?:an?"
    r"|one|my"
    rf"|our)\s+(?:[\w-]+\s+){{0,2}}?(?P<kin>{KIN_OR_PET})\b(?:,?\s+(?:called"
    rf"|named)\s+(?P<name>{_NAME})|,?\s+(?P<bare>[\w-]+(?: (?!(?:and|who|he|she|is|lives|works)\b)[\w-]+)?)(?=$"
    rf"|,|\s+(?:and|who|he|she|is|lives|works)\b))?",
    re.IGNORECASE,
)
_CALLED = re.compile(
    rf"\b(?:(?:an?|my|our|the|his|her|their|[\w-]+'s)\s+(?:[\w-]+'?\s+){{0,2}}[\w-]+|somebody"
    rf"|someone)\s+(?:is\s+(?:also\s+)?)?(?:called|named)\s+(?P<name>{_NAME})",
    re.IGNORECASE,
)
# "Then there's Bo, he's nine".
_THERE_IS = re.compile(
    rf"\bthere(?:'s| is) (?:also |only |just )?(?P<name>{_NAME})(?=$|[,.!]| who\b| and (?:he|she)\b| (?:he|she)(?:'s"
    r"|\b))",
    re.IGNORECASE,
)
# "Everybody calls her Bo".
_ALIAS = re.compile(
    r"\b(?:everybody|everyone|people|folks|friends|they|we|i)(?: (?:all|just|always))* calls? "
    rf"(?:him|her|them|it|(?:my|our) (?P<kin>{KIN_OR_PET})|[\w-]+) (?P<name>{_NAME})(?=$|,|\.| because\b| cos\b)"
    rf"|'s nickname is (?P<nick>{_NAME})",
    re.IGNORECASE,
)
# "My wife's name is Augusta, Gus for short", "my brother is known as Bo".
_FOR_SHORT = re.compile(
    rf"\b(?:(?:my|our|the) (?:\w+ )?(?P<kin>{KIN_OR_PET})\b[^.]*?,? )?(?:(?P<short>{_NAME}) for short"
    rf"|(?:is )?(?:known as|goes by)(?: the name(?: of)?)? (?P<known>{_NAME}))(?=$|[,.]| (?:and|but)\b)",
    re.IGNORECASE,
)
# "My boy Bo".
_OWN_CHILD = re.compile(
    r"\b(?:my|our) (?:(?:big|little|wee|oldest|eldest|youngest|younger|older|middle|young) )?(?P<child>boy|girl)(?: is"
    rf" (?:called|named)|,? (?:called|named)|,)? (?P<name>{_NAME})"
    rf"(?=(?P<after>'s\b|\s*,|\s+[\w']+|\s*\.?$))",
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
# "Jana's mother is called Ola", "my sister's son Bo", "Jana's mother, everybody calls her Ma Ola".
_THEIRS = re.compile(
    rf"\b(?:(?:my|our) )?(?P<of>[\w-]+)(?: (?-i:[A-Z])[\w-]+)?'s (?P<kin>{KIN})"
    r"(?P<called>,? (?:(?:everybody|everyone|people|we|they|i)(?: all)? calls? (?:him|her)|who is called|is called"
    r"|called|is named|named))?,?"
    rf"(?P<is> is)? (?P<name>(?:{KIN} )?{_NAME})(?=(?P<after>'s\b|\s*,|\s+[\w']+|\s*\.?$))",
    re.IGNORECASE,
)
# "My sister Jana has a boy called Ola", "Jana and her husband Bo have a little girl, Ola".
_HAVE_A_CHILD = re.compile(
    rf"(?:\b(?:my|our) )?\b(?P<of>[\w-]+)(?: (?-i:[A-Z])[\w-]+)?(?: and (?:his|her) {KIN}(?: (?-i:[A-Z])[\w-]+)?)?"
    rf"(?: has| have|'s|'ve)(?: got| had)? (?:an? |one |another )(?:\w+ )?(?P<kin>{KIN}|boy|girl|fella|one)(?: called|"
    rf" named|,) (?P<name>{_NAME})",
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
    r"\s+(?:(?:off|over|out|back|home|down|up)(?=\s*$|,|\s+(?:in|at|to|with|from|now|home|on|of|for|until|till|again|and)\b)"
    r"|(?:coeliac|celiac|vegan|vegetarian|veggie|pescatarian|diabetic|asthmatic|epileptic|pregnant|deaf|blind|teetotal"
    r"|muslim|hindu"
    r"|jewish|retired|divorced|married|engaged|mad|crazy|keen|scared|terrified|afraid|lactose intolerant|gluten"
    r" intolerant)"
    r"(?=\s*$|[,.]|\s+(?:and|so|but|because|cos|since|now|too|about|for|of|on|to)\b)"
    r"|(?:fine|okay|ok|al+ ?right|sick|ill|poorly|better)(?=\s*$|,|\s+(?:with|now|again|to|about|on|for|if)\b)"
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


# Who has two names for one of these has one of them: the name told first, and what they are called for short.
_ONE_AT_A_TIME = frozenset("wife husband mother mum mom mam father dad missus hubby".split())


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of the house, as the user refers to them ("Jana", "my sister") in a clause."""

    mention: str
    name: str | None = None
    kin: str | None = None
    of: tuple[str, str] | None = None  # whose they are, by name or kin, and what they are to them


@dataclass(frozen=True, slots=True)
class Household:
    """Whom the user has told about: `relations` holds the names for each kin word, all in lower case but the names,
    `spoken_of` the words of a turn that stand in what is believed.
    """

    relations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    spoken_of: frozenset[str] = frozenset()

    def only(self, kin: str) -> str | None:
        """The name behind "my sister", when there is one sister."""
        low = kin.lower()
        alike = [names for one, names in self.relations.items() if SAME_KIN.get(one, one) == SAME_KIN.get(low, low)]
        known = {name.lower(): name for names in alike for name in names}
        return next(iter(known.values())) if len(known) == 1 or (known and low in _ONE_AT_A_TIME) else None

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
        return replace(self, relations=relations, names=frozenset(names))


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
    found += of_others(clause)
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
    called = (match["name"] for pattern in (_CALLED, _THERE_IS) for match in pattern.finditer(clause))
    return [*found, *(Person(name, name) for name in called if name not in known and is_name(name))]


def of_others(clause: str) -> list[Person]:
    """Whom a clause names as somebody's: Ola of "my sister's daughter Ola"."""
    found = [
        match
        for match in _THEIRS.finditer(clause)
        if match["called"] or (_is_named(match) and match["name"][0].isupper())
    ]
    found += [match for match in _HAVE_A_CHILD.finditer(clause) if may_be_a_name(match["name"])]
    return [Person(match["name"], match["name"], of=(match["of"].lower(), match["kin"].lower())) for match in found]


def _otherwise_named(clause: str) -> list[Person]:
    """By their age ("a nine year old Bo"), as one's boy, or by a nickname."""
    found = [
        Person(match["name"], match["name"], _ONE_OF[f"{match['child'].lower()}s"])
        for match in _OWN_CHILD.finditer(clause)
        if _is_named(match)
    ]
    if short := _FOR_SHORT.search(clause):
        name = short["short"] or short["known"]
        if may_be_a_name(name):
            found.append(Person(name, name, (short["kin"] or "").lower() or None))
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
