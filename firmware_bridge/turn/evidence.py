"""Whether something that was told answers a question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from edge_memory import lazy_re as re
from edge_memory.observe import Statement
from edge_memory.records import Kind, Record, words_of
from firmware_bridge.turn.implied import implied_verbs
from firmware_bridge.turn.questions import Question, Sort
from firmware_bridge.turn.wordforms import GENERIC, family, holds

_NUMBERS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen"
    "|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|dozen|couple|pair"
    "|none|both|once|twice|every|daily|weekly|monthly|yearly"
)
_DAYS = (
    "monday|tuesday|wednesday|thursday|friday|saturday|sunday|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays"
    "|sundays|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn"
    "|winter|christmas|easter|new year"
)
_IS_TIME = re.compile(
    rf"\b(?:{_DAYS}|today|tonight|tomorrow|yesterday|morning|mornings|evening|evenings|afternoon|afternoons|night|nights"
    r"|noon|midnight|o'clock|week|weeks|weekly|weekend|weekends|weekdays?|month|months|monthly|year|years|ago|hours?|minutes?|daily|every"
    r"|since|until|(?:at|past|to|by|around|after|before) (?:half |quarter )?(?:\d|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve)\w*|\d{1,2}(?::\d\d| ?[ap]m)|\d+(?:st|nd|rd|th)|(?:19|20)\d\d"
    r"|(?:on|by|until|from) the (?:first|second|third|last|\w+th)"
    r"|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\w+teenth|\w+tieth|\w+ty[- ]first) of)\b",
    re.IGNORECASE,
)
_IS_NUMBER = re.compile(
    rf"(?:[$£€]\s?\d|\b\d+(?:[.,]\d+)*(?!\d|st\b|nd\b|rd\b|th\b)\b|\b(?:{_NUMBERS})\b)", re.IGNORECASE
)
_IS_PLACE = re.compile(
    r"\b(?:in|at|on|under|underneath|behind|beside|near|next to|inside|above|below|by|between|opposite|against|over|to|from|into|through|off"
    r"|round|around|outside|upstairs|downstairs|abroad|with)\b"
    rf"(?!\s+(?:the\s+)?(?:{_DAYS}|\d|(?:{_NUMBERS})\b|time\b|night\b|morning|evening|afternoon|first\b|weekend))"
    r"|\bdownstairs\b|\bupstairs\b|\babroad\b|\bhere\b",
    re.IGNORECASE,
)
_IS_NAMED = re.compile(r"\b(?:called|named|calls?|name is|name's|nickname)\b", re.IGNORECASE)
_IS_NAME = re.compile(r"(?<!^)(?<![.!?] )\b[A-Z][\w'-]+")
_IS_KIN = re.compile(
    r"\b(?:mother|mum|mom|father|dad|wife|husband|partner|brother|sister|son|daughter|aunt|uncle|cousin|friend|fiance|fiancee|neighbour|neighbor"
    r"|grandmother|grandma|grandfather|grandad|grandpa|gran|nan|boss|colleague|teacher|doctor|nephew|niece|grandson|granddaughter"
    r"|girlfriend|boyfriend|flatmate|housemate|roommate|landlord|landlady|child|kid|parents?|stepson|stepdaughter)\b",
    re.IGNORECASE,
)
_KIN_AND_NAME = re.compile(
    rf"\b(?:the user's|my|our) (?P<kin>{_IS_KIN.pattern}) (?-i:(?P<name>[A-Z][\w-]+))", re.IGNORECASE
)
_IS = re.compile(r"\b(?:is|are|'s)\b", re.IGNORECASE)
_IS_IN_TOWN = re.compile(  # "my mum's in Halifax" tells where she lives, "in bed" does not
    r"(?:'s|'re|\b(?:is|are))(?: (?:now|still|currently|over|out|up|down|back|based))* in (?:an? (?:[\w-]+ )?home\b"
    r"|(?!(?:the|an?|his|her|their|my|our|it|here|there|bed|hospital|town|work|class|love|trouble|pain|school|church|prison|jail"
    r"|surgery|labou?r|charge|debt|touch|remission|tears|shape|business|season|order|use|luck|good|bad|great|\w+ing"
    rf"|{_DAYS}|{_NUMBERS}|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|year|grade))\b)[\w'-]{{3,}})",
    re.IGNORECASE,
)
_A_KIND_OF = re.compile(r"\b(?:is|are|was|'s) (?:an?|the|my|our|mostly|really|actually)? ?\w+", re.IGNORECASE)
_JUST_NAMED = re.compile(r"\b(?:is|are|'s) (?:called|named|mad|in|on|at|\w+ing)\b", re.IGNORECASE)
_COLOUR = re.compile(
    r"\b(?:red|blue|green|yellow|white|black|grey|gray|silver|gold|golden|brown|orange|purple|pink|beige|navy|turquoise|cream|violet|maroon|teal)\b",
    re.IGNORECASE,
)
_TAKES = re.compile(r"\b(?:on|takes?|taking|prescribed)\b", re.IGNORECASE)
_OWN_NAME = re.compile(
    r"^(?:hi |hello )?(?:the user(?:'s name)? is|i'm|i am|my name(?:'s| is)|call me|(?:you can )?call the user)(?: called| named)? (?-i:[A-Z])"
    r"|\bcalls? (?:me|the user) (?-i:[A-Z])",
    re.IGNORECASE,
)
_OWNED = re.compile(r"(?:(?:the )?user's|my|our)\s+(?P<rest>.+)|the (?P<owner>[\w-]+)'s\b", re.IGNORECASE)
_NAMED_FIRST = re.compile(
    r"(?!(?:I|The|We|My|Our|You|Your|Never|Don|Do|Always|Please|Kindly|No|Not|It|There|That|This|On|In|At|Every|From|Both|All)\b)"
    r"(?P<name>[A-Z][\w-]+)"
)
_SOMEBODY_FIRST = re.compile(  # as speech recognition writes it
    r"(?!(?:i|it|that|this|there|we|you|he|she|they|what|who|the|here|everyone|everything|nothing|today|tomorrow)\b)"
    r"(?P<name>[a-z][\w-]+) (?:is|has|was|had|can't|isn't|doesn't|does|will|lives|works|likes|loves|hates|takes|drives|plays|goes|had)\b"
)
_VERBS = frozenset(
    """is are was were has have had will can can't cannot could should would does doesn't do don't did didn't isn't
    aren't never also just now always usually and or who that which in on at with from for going getting doing
    coming""".split()
)
_MOST_SUBJECT_WORDS = 4
_ARE_MANY = frozenset(("are", "were"))  # after the plural that is meant: "tablets are", but "sister sings"
_OF_THE_USER = re.compile(r"\bthe user\b(?!'s)|\b(?:i|i'm|i've|me|we|us)\b", re.IGNORECASE)
_WHO = frozenset("who whos whose whom".split())
_ASKS_WHO = re.compile(r"who(?:'?s)?\b", re.IGNORECASE)
_THEY_DO = re.compile(r"\b(?:does|did|do|has|have) (?:they|people|anyone|anybody|somebody|someone)\b", re.IGNORECASE)
_AT_A_NAME = re.compile(r"\b(?i:at|in|to|from|by) (?i:the )?[A-Z]")
_PLACES = frozenset(
    """hospital school church shop store restaurant pub bar cafe club college university uni bank gym clinic surgery
    nursery library theatre garage hotel station airport company firm office""".split()
)
_MADE_AS = frozenset("breed make model brand species variety".split())
_IS_ONE = re.compile(r"\b(?:is|are|was|were|'s|got|has|have|had|drives?|rides?|owns?) (?:(?:just|only|really|actually|now) )?(?:an?|the|my|our)\b", re.IGNORECASE)
_NO_NAMES = frozenset("the a an user s my our".split())
_THIRD = re.compile(r"^(?P<name>he|she|they)(?:'s|'re|'ve|'ll|'d)?\b", re.IGNORECASE)
_WAS_ONCE = re.compile(
    r"(?<!\bam )(?<!'m )(?<!\bare )(?<!'re )(?<!\bis )(?<!\bget )(?<!\bgot )\bused to\b|\b(?:formerly|previously|back then)\b"
    r"|\b(?:when (?:i|we|the user) (?:was|were)|as a (?:child|kid|boy|girl|teenager))\b",
    re.IGNORECASE,
)
_ASKS_OF_THE_PAST = re.compile(r"\b(?:did|was|were|had|used to|ever|before|previous|previously|once)\b", re.IGNORECASE)
_BY_THE_USER = re.compile(r"^(?:the user|i|we)\b(?!'s)", re.IGNORECASE)
_MONTHS_AND_SO = re.compile(rf"^(?:{_DAYS}|i|i'm|i've|ok)$", re.IGNORECASE)
_WHO_DOES = re.compile(r"\b(?:does|did|do|has|have)\s+(?:(?:my|our|the)\s+)?(?P<who>[\w-]+)")
_HEAD_WORDS = 2  # by which a sentence names whom or what it is about


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
        slot = words_of(_spaced(self.key))
        return bool(question.words) and all(holds(slot, word) for word in question.words)


def told_by(record: Record) -> Told:
    value = record.value if isinstance(record.value, str) else ""
    about = f"{_spaced(record.key or '')} {record.source_excerpt}"
    return Told(record.text, about, value, record.kind is Kind.RELATIONSHIP, record.key or "")


def told_in(statement: Statement) -> Told:
    """What one clause of an utterance tells, in the user's own words."""
    slot = statement.slot
    if slot is None:
        return Told(statement.excerpt)
    value = slot.value if isinstance(slot.value, str) else ""
    return Told(statement.excerpt, _spaced(slot.key), value, slot.kind is Kind.RELATIONSHIP, slot.key)


def joined(tellings: Sequence[Told]) -> list[Told]:
    """The same, each with what is known from the others of whom it tells: that Dave is the husband."""
    called: dict[str, set[str]] = {}
    for told in tellings:
        for kin, name in _acquaintances(told):
            called.setdefault(name, set()).add(kin)
            called.setdefault(kin, set()).add(name)
    return [replace(told, known_as=frozenset(_known_as(subjects(told), called))) for told in tellings]


def _known_as(subject: Iterable[str], called: dict[str, set[str]]) -> set[str]:
    """Of two brothers, "my brother" names neither."""
    return {other for word in subject for other in called.get(word, ()) if len(called[word]) == 1}


def _acquaintances(told: Told) -> list[tuple[str, str]]:
    owner, _, role = told.key.partition(".")
    name = words_of(told.value)
    found = [(role, name[0])] if owner == "user" and _IS_KIN.fullmatch(role) and len(name) == 1 else []
    return found + [(match["kin"].lower(), match["name"].lower()) for match in _KIN_AND_NAME.finditer(told.text)]


def _spaced(key: str) -> str:
    return key.replace(".", " ").replace("_", " ")


def answers(told: Told, question: Question) -> bool:
    """Whether it tells all that was asked for, of whom it was asked, and the kind of thing that was asked for."""
    if question.is_open or not _is_about(told, question):
        return False
    if _WAS_ONCE.search(told.text) and not _ASKS_OF_THE_PAST.search(question.text):
        return False
    if question.words == {"name"}:
        return bool(_OWN_NAME.search(told.text)) or told.about.startswith(("user name", "user nickname"))
    words = [*words_of(f"{told.text} {told.about}"), *told.known_as]
    words += _implied(told)
    needed = question.words or question.loose
    if not all(holds(words, word) for word in needed):
        return False
    if question.of_another and question.words and not _says_more(told, question, words):
        return False
    return _fits_category(told, question, words) and _is_of_the_sort(told, question)


def _implied(told: Told) -> list[str]:
    lives = _IS_IN_TOWN.search(told.text) and not _OF_THE_USER.match(told.text)
    return [*implied_verbs(told.text), *(["live"] if lives else []), *(["take"] if ".medicine_" in told.key else [])]


def _says_more(told: Told, question: Question, words: list[str]) -> bool:
    """ "Where does Anna come from" is not answered by where she works."""
    subject = subjects(told)
    if any(word not in subject for word in question.words):
        return True
    return all(holds(words, word) for word in question.loose)


def subjects(told: Told) -> set[str]:
    """The words that name whom a sentence is about, when it is not the user."""
    owned = _OWNED.match(told.text)
    if owned is None:
        match = _THIRD.match(told.text) or _NAMED_FIRST.match(told.text) or _SOMEBODY_FIRST.match(told.text)
        return set(words_of(match["name"])) if match else set()
    if owned["owner"]:
        return set(words_of(owned["owner"]))
    named: set[str] = set()
    rest = owned["rest"].split()
    for place, word in enumerate(rest[:_MOST_SUBJECT_WORDS]):
        plain = word.lower().strip(",.")
        ends = place and plain == word and plain.endswith(("s", "ed")) and not _IS_KIN.search(plain)
        if plain in _VERBS or (ends and not _ARE_MANY.issuperset(rest[place + 1 : place + 2] or ("",))):
            break
        named |= set(words_of(plain.removesuffix("'s")))
    return named


def _is_about(told: Told, question: Question) -> bool:
    """What is told of somebody or something else ("my brother lives in Lille") counts only if that was asked for."""
    subject = subjects(told) | told.known_as
    asked = {family(word) for word in question.words | question.loose | question.category}
    people = _people_in(told, subject) | {family(word) for word in told.known_as}
    if people and not people & asked:
        subject = people
    if not subject or {family(word) for word in subject} & asked:
        return True
    if people and question.of_own_thing:
        return False
    if not question.personal and (_ASKS_WHO.match(question.text) or _names_nobody(question)):
        return True  # whoever it is
    return not question.by_user and bool(_OF_THE_USER.search(told.text))


def _names_nobody(question: Question) -> bool:
    """ "What did they name the baby", "when was the roof mended": of something that happened, whoever did it."""
    if question.of_another:
        return bool(_THEY_DO.search(question.text))
    return len(question.words) > 1


def _people_in(told: Told, subject: set[str]) -> set[str]:
    """Whose it is, among what a sentence is about: the wife of "my wife's car", the brother of "my brother Tom"."""
    owned = _OWNED.match(told.text)
    if owned is None or owned["owner"]:
        return {family(word) for word in subject}
    named: set[str] = set()
    for word in owned["rest"].lower().split()[: len(subject) + 1]:
        plain = word.removesuffix("'s").strip(",.")
        if plain not in subject:
            continue
        if plain != word.strip(",.") or _IS_KIN.fullmatch(plain) or named:
            named.add(plain)
        if plain != word.strip(",."):
            break
    return {family(word) for word in named}


def _fits_category(told: Told, question: Question, words: list[str]) -> bool:
    """ "What instrument does my son play" is answered by a trumpet, not by that word: by what is said of him."""
    category = question.category
    if not category or any(holds(words, word) and not _goes_there(told, word) for word in category):
        return True
    if any(family(word) == "medicine" for word in category) and _TAKES.search(told.text):
        return True
    if any(family(word) == "colour" for word in category):
        return bool(_COLOUR.search(told.text))
    if _MADE_AS & category and not _IS_ONE.search(told.text):
        return False
    if _PLACES & category and _AT_A_NAME.search(told.text):
        return True
    plain = [word for word in words_of(told.text) if word not in _NO_NAMES]
    beyond = plain if _BY_THE_USER.match(told.text) else plain[_HEAD_WORDS:]
    named = question.words or question.loose
    if question.of_another:  # "what school does Rex go to" is not answered by whatever names Rex
        named = named - {match["who"] for match in _WHO_DOES.finditer(question.text.lower())}
    if question.sort is not Sort.ANY or (not question.of_attribute and any(holds(beyond, word) for word in named)):
        return True
    if question.of_another:
        return any(holds(plain, word) for word in named)
    return bool(named) and bool(_A_KIND_OF.search(told.text)) and not _JUST_NAMED.search(told.text)


def _goes_there(told: Told, kind: str) -> bool:
    """ "Takes the bus to school" does not say to which."""
    asked = holds(words_of(_spaced(told.key)), kind)
    return not asked and bool(re.search(rf"\b(?:to|at|from|after|before) {re.escape(kind)}\b", told.text, re.I))


def _is_of_the_sort(told: Told, question: Question) -> bool:
    asked = set(words_of(question.text))
    if question.sort is Sort.NAME:
        return _names_somebody(told, asked)
    whole = f"{told.text} {told.value}"
    if question.sort is Sort.PLACE:
        return bool(_IS_PLACE.search(whole)) or bool({"home", "place", "employer", "school"} & set(told.about.split()))
    if question.sort is Sort.TIME:
        return bool(_IS_TIME.search(whole)) or bool({"when", "birthday"} & set(told.about.split()))
    if question.sort is Sort.NUMBER:
        return bool(_IS_NUMBER.search(whole)) or "born" in asked
    return True


def _names_somebody(told: Told, asked: set[str]) -> bool:
    if _IS_NAMED.search(told.text) or (told.is_relation and _asks_who_that_is(told, asked)):
        return True
    if told.text[1:].islower():  # as speech recognition writes names
        kin = set(words_of(" ".join(_IS_KIN.findall(told.text))))
        return bool(_IS.search(told.text) or subjects(told) - asked - kin)
    names = [name for name in _IS_NAME.findall(told.text) if not _MONTHS_AND_SO.match(name)]
    new = [name for name in names if not set(words_of(name)) & asked]
    return bool(new) or any(  # "who keeps hens": my aunt; "what are they called" is not answered so
        kin.lower() not in asked and kin.lower() not in GENERIC for kin in _IS_KIN.findall(told.text) if asked & _WHO
    )


def _asks_who_that_is(told: Told, asked: set[str]) -> bool:
    """ "What are my aunt's llamas called" asks for no name of the aunt."""
    role = words_of(told.key.partition(".")[2].replace("_", " "))
    return bool(asked & _WHO) or any(holds(role, word) for word in asked - _NO_NAMES)
