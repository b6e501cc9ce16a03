"""What is done, had or paid otherwise than before: denied, narrowed, at another place, for another price."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.contradictions.likings import REST
from edge_memory.observe.english.contradictions.plans import DATE
from edge_memory.observe.english.lexicon import COUNT, KIN_SET, NUMBERS
from edge_memory.observe.english.wording import (
    COMMON_VERBS,
    LITTLE,
    classes_of,
    is_negative,
    is_past,
    same_subject,
    stem,
    subject_stems,
    subjects_of,
    telling,
)
from edge_memory.observe.statement import Statement
from edge_memory.records import Kind, Record, words_of

_DOING = re.compile(
    r"^(?:the user|[\w-]+|the user's \w+(?: [\w-]+)?) (?:is |usually |always |now "
    r"|normally )*(?P<verb>\w+) (?:the user's |the |his |her"
    r" )?(?P<thing>[\w-]+(?: [\w-]+){0,3}?) (?P<way>in|on|at|under|behind|with|by|from|to) (?P<rest>.+?)(?:,? (?:now"
    r"|instead|these days"
    r"|nowadays|from now on|any ?more))*$",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(?:got|has|picked up|collected|found|fetched|brought|gave|given|handed|dropped|sent|returned|posted|taken|took)"
    r" (?P<thing>(?:the user's|the) .+?) (?:back|from)\b|\b(?:returned|picked up|collected|fetched) (?P<what>(?:the"
    r" user's|the) [\w' -]+?)(?: to"
    r" the user)?$"
    r"|^(?P<itself>(?:the user's|the) .+?) (?:is|came|has come|are) (?:now )?(?:back|returned)\b",
    re.IGNORECASE,
)
_MENDED = re.compile(
    r"\b(?:fixed|mended|repaired|sorted(?: out)?|unblocked|replaced) (?P<thing>(?:the user's|the) [\w' -]+)",
    re.IGNORECASE,
)
_FAULTY = re.compile(
    r"\b(?:out of (?:order|action|use)|on the blink|playing up|bust|leak\w*|drip\w*|overheat\w*|squeak\w*"
    r"|stick(?:s|ing)|jam(?:s|med)|blocked|cracked|faulty|not working|flat"
    r"|(?:isn't|doesn't|won't) (?:work|working|start|close|open|shut))\b",
    re.IGNORECASE,
)
_AWAY = re.compile(
    r"\b(?:repair\w*|garage|menders?|cleaners|lost|missing|stolen|lent|borrowed|broken?|away"
    r"|(?:is|are) (?:with|at) )\b",
    re.IGNORECASE,
)
# "Has cut down to one cigar", when it was three.
_COUNTS_DOWN = re.compile(
    rf"\b(?:cut|gone|went|got|come|is|has|brought)(?: right| back| it| the user's [\w-]+| the [\w-]+)? (?:down|up"
    rf"|back) to (?:only "
    rf"|just )?(?P<count>{COUNT}) (?P<what>[\w-]+)",
    re.IGNORECASE,
)
_COUNTED = re.compile(rf"\b(?P<count>{COUNT}) (?P<what>[\w-]+)", re.IGNORECASE)
# "Likes the user's steak rare": how something is taken.
_TAKEN_SO = re.compile(
    r"^the user (?:now )?(?:likes|takes|has|drinks|eats|prefers|wants) the user's (?P<thing>[\w-]+) (?P<how>\w.*)$",
    re.IGNORECASE,
)
_GETS_UP = re.compile(r"\b(?:gets?|wakes?|is) up at \w", re.IGNORECASE)
_ONLY = re.compile(r"\b(?:only|just|solely|nothing but)\b", re.IGNORECASE)
_PRICED = re.compile(
    r"^(?!the user(?!')).+? (?:charges?|wants?|costs?|asks?(?: for)?|takes?) (?:the user )?(?:only |about "
    r"|around |just )?[£$€]?"
    rf"(?P<amount>(?:\d[\d.,]*|{'|'.join(sorted(NUMBERS))})(?:[ -]{COUNT})*)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"^(?:the user's )?[\w'-]+(?: [\w'-]+)? (?:doesn't|does not|don't) (?:actually |really )?(?P<verb>\w+)"
    r" (?P<what>\S.*)$",
    re.IGNORECASE,
)
# Of what is used, read or worn so one is meant, when another is told as a change.
_ONE_OF = re.compile(
    r"^.+? (?:now |only |mostly |always )?(?P<verb>uses|reads|wears|rides|supports|smokes|votes for|shops at"
    r"|catches|gets"
    r"|prays at|follows) (?P<what>(?:an?|the) [\w'-]+(?: [\w'-]+){0,3}?|(?-i:[A-Z])[\w'-]+)(?: now"
    r"| these days| instead)*$",
    re.IGNORECASE,
)
# What is done at a place and with nothing: "sleeps in the kitchen", "parks outside now".
_AT_PLACE = re.compile(
    r"^.+? (?:\w+ly |always |now |only )*(?P<verb>sleeps?|naps?|sits?|parks?|eats?|trains?|practises?"
    r"|practices?|shops?|prays?"
    r"|studies|swims?|meets?)(?: now)? (?P<place>(?:(?:in|at|on|under|behind|outside|by) (?!the (?:morning"
    r"|evening|afternoon)\b"
    rf"|(?:{COUNT}|noon|night|weekends?|\w+days?)\b)(?:the |a |my |our |the user's )?[\w-]+|upstairs"
    rf"|downstairs|outside|inside|at home))"
    r"(?: now| these days| instead| any ?more)*$",
    re.IGNORECASE,
)
_RENEWS = re.compile(r"\b(?:renewed|extended|topped up|refilled|has (?:renewed|extended))\b", re.IGNORECASE)
_RUNS_OUT = re.compile(r"\b(?:runs? out|expires?|lapses?|is up|(?:is|are) due|ends?)\b", re.IGNORECASE)
_CAN = re.compile(r"\bcan (?P<verb>\w+)\b", re.IGNORECASE)
_CANNOT = re.compile(r"\b(?:can't|cannot|can not) (?P<verb>\w+)\b", re.IGNORECASE)
_FIXED = re.compile(
    r"\b(?:is|'s|got|has been|was|are) (?:all )?(?:fixed|mended|repaired|sorted|working again)\b", re.IGNORECASE
)
# Where or when something takes place.
_HELD = re.compile(
    r"^(?:the (?:user's )?)?(?P<what>[\w' -]+?) (?:is|are|meets?|happens|takes? place)(?: held)? (?:now )?"
    r"(?:at|in|on) (?P<rest>.+)$",
    re.IGNORECASE,
)
_WITH = re.compile(
    r"^(?:the|the user's) (?P<thing>[\w -]+?) (?:is|are)(?: now| kept| left)? with (?P<who>(?:the user's"
    r" )?[\w' -]+?)(?: now| these days)*$",
    re.IGNORECASE,
)
_KEEPS = re.compile(
    r"^(?:the user's )?(?P<who>(?!the user\b)[\w' -]+?) (?:now )?(?:has|keeps|holds|is (?:keeping|minding|holding)"
    r"|minds)(?: got)?"
    r" (?:the|the user's) (?P<thing>(?:spare |house |front door |back door |shed |garage )*(?:keys?|spare|ladder"
    r"|drill|trailer|tools|papers"
    r"|documents|passports?|will|deeds|fob|remote))(?: now| these days)*$",
    re.IGNORECASE,
)
_DENYING = telling("never doesn't don't didn't can't won't isn't any")
_PAID = re.compile(r"\b(?:been paid|paid (?:\w+ )*?(?:back|off|up)|paid|settled)\b", re.IGNORECASE)
_STARTED = re.compile(r"\b(?:started|taken up|took up|begun|began|bought|got|passed|learned|learnt) ", re.IGNORECASE)
_OWES = re.compile(r"\bowes?\b", re.IGNORECASE)
_AT = re.compile(rf"\b(?:at|in) (?!(?:{COUNT}|half|quarter|noon|the (?:morning|evening|afternoon))\b)\w", re.IGNORECASE)


def is_back(text: str, record: Record) -> bool:
    """What has come back is no longer away."""
    if _FIXED.search(text) and same_subject(text, record.text):
        return bool(_AWAY.search(record.text) or _FAULTY.search(record.text))
    mended = _MENDED.search(text)
    if mended and (_AWAY.search(record.text) or _FAULTY.search(record.text)):
        return bool(subject_stems(record.text)) and subject_stems(record.text) <= telling(mended["thing"])
    match = _BACK.search(text)
    if match is None or not _AWAY.search(record.text):
        return False
    thing = telling(match["thing"] or match["what"] or match["itself"]) - subject_stems("the user")
    return bool(thing) and thing <= telling(record.text)


def is_renewed(text: str, record: Record) -> bool:
    """Whether something of a kind that runs out, as the record tells, has been renewed."""
    return bool(_RENEWS.search(text) and _RUNS_OUT.search(record.text))


def does_otherwise(statement: Statement, record: Record) -> bool:
    """Whether it tells another way of what the same person does, has or pays by the record."""
    return (
        _turns_round(statement, record)
        or _denies(statement, record)
        or _costs_otherwise(statement, record)
        or _narrows(statement, record)
        or _can_again(statement, record)
        or _does_the_same_otherwise(statement, record)
        or _takes_it_otherwise(statement, record)
    )


def is_held_elsewhere(statement: Statement, record: Record) -> bool:
    """ "Tennis is at the club now" beside "plays tennis in the park", and the same of its day."""
    held = _HELD.match(statement.text)
    if held is None or not statement.replaces or is_negative(record.text) or is_past(record.text):
        return False
    what = telling(held["what"]) - COMMON_VERBS - telling("the user's")
    if not what or not what <= telling(record.text) or not subjects_of(statement.text).isdisjoint(KIN_SET):
        return False
    before, dated = _AT.search(record.text), DATE.search(held["rest"]) is not None
    return dated == bool(DATE.search(record.text)) if dated else before is not None


def is_with_another(text: str, record: Record) -> bool:
    """ "Ola has the keys now" beside "the keys are with Bo": a thing is in one place, whoever has it."""
    now, before = _holding(text), _holding(record.text)
    return now is not None and before is not None and now[0] == before[0] and now[1] != before[1]


def _holding(text: str) -> tuple[str, str] | None:
    """The last word of what somebody keeps for the user, and who they are."""
    match = _WITH.match(text) or _KEEPS.match(text)
    if match is None or is_negative(text):
        return None
    return stem(words_of(match["thing"])[-1]), " ".join(words_of(match["who"]))


def is_paid(statement: Statement, record: Record) -> bool:
    """ "The builder has been paid" ends that the user owes him."""
    whom = telling(statement.text) & telling(record.text) - telling(
        "the user's paid owes money dollars pounds euros back"
    )
    named = {word for word in whom if not classes_of(frozenset({word}))}
    return bool(_PAID.search(statement.text) and _OWES.search(record.text) and named) and not is_negative(
        statement.text
    )


def _turns_round(statement: Statement, record: Record) -> bool:
    """ "doesn't eat snails" and "eats snails now": what was denied is so now."""
    told_so = statement.replaces or _STARTED.search(statement.text)
    if not told_so or is_negative(statement.text) or not is_negative(record.text) or is_past(record.text):
        return False
    denied = telling(REST.sub("", record.text)) - LITTLE - COMMON_VERBS - _DENYING - subject_stems(record.text)
    return bool(denied) and denied <= telling(statement.text)


def _costs_otherwise(statement: Statement, record: Record) -> bool:
    """Another price of the same: "wants five now" beside "charges four crowns a trip"."""
    now, before = _PRICED.match(statement.text), _PRICED.match(record.text)
    if now is None or before is None or not statement.replaces:
        return False
    return now["amount"].lower() != before["amount"].lower()


def _denies(statement: Statement, record: Record) -> bool:
    """ "Doesn't get the bus" beside "gets the number 9 bus": the same doing, denied without a condition."""
    denied = _DENIES.match(statement.text)
    if denied is None or is_negative(record.text) or is_past(record.text) or record.kind is Kind.RELATIONSHIP:
        return False
    doing, told = telling(REST.sub("", denied["what"])) - LITTLE, telling(record.text)
    return (
        bool(doing)
        and doing <= told
        and not classes_of(doing)
        and stem(denied["verb"].lower()) in map(stem, words_of(record.text))
    )


def _narrows(statement: Statement, record: Record) -> bool:
    """ "only does nights from now on" and "does two days and three nights"."""
    if not (statement.replaces and _ONLY.search(statement.text)) or record.key is not None or is_past(record.text):
        return False
    shared = telling(statement.text) & telling(record.text)
    return bool(shared - COMMON_VERBS - LITTLE - subject_stems(record.text)) and not is_negative(record.text)


def _can_again(statement: Statement, record: Record) -> bool:
    can, could_not = _CAN.search(statement.text), _CANNOT.search(record.text)
    if can is None or could_not is None or is_negative(statement.text):
        return False
    return can["verb"].lower() == could_not["verb"].lower() and statement.replaces


def _does_the_same_otherwise(statement: Statement, record: Record) -> bool:
    """The same doing with the same thing, at another place or in another way: "keeps the seeds in the shed now"."""
    if not statement.replaces or is_negative(statement.text) or is_negative(record.text) or is_past(record.text):
        return False
    one, other = (_ONE_OF.match(told) for told in (statement.text, record.text))
    if one and other and stem(one["verb"].lower()) == stem(other["verb"].lower()):
        return same_subject(statement.text, record.text) and one["what"].lower() != other["what"].lower()
    here, there = (_AT_PLACE.match(told) for told in (statement.text, record.text))
    if here and there and stem(here["verb"].lower()) == stem(there["verb"].lower()):
        return here["place"].lower() != there["place"].lower()
    now, before = _doing(statement.text), _doing(record.text)
    if now is None or before is None:
        return False
    if now[:1] == before[:1] and now[2:] == before[2:] and now[1] != before[1]:
        return not DATE.search(now[3])
    return now[:3] == before[:3] and now[3] != before[3]


def _takes_it_otherwise(statement: Statement, record: Record) -> bool:
    """Steak done otherwise, another number of sugars, another hour to get up at."""
    fewer = _COUNTS_DOWN.search(statement.text)
    if fewer:
        held = {stem(one["what"].lower()): one["count"].lower() for one in _COUNTED.finditer(record.text)}
        return held.get(stem(fewer["what"].lower()), fewer["count"].lower()) != fewer["count"].lower()
    if not statement.replaces:
        return False
    now, before = _TAKEN_SO.match(statement.text), _TAKEN_SO.match(record.text)
    if now and before and now["thing"].lower() == before["thing"].lower():
        return True
    return all(map(_GETS_UP.search, (statement.text, record.text)))


def _doing(text: str) -> tuple[str, str, str, str] | None:
    """Verb, object, preposition and the rest of a sentence like "The user puts the ladder behind the barn"."""
    match = _DOING.match(text)
    if match is None:
        return None
    verb, thing = stem(match["verb"].lower()), " ".join(map(stem, words_of(match["thing"])))
    return verb, thing, match["way"].lower(), match["rest"].lower()
