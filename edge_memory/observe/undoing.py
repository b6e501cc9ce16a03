"""What a statement makes untrue by the kind of what it tells: a move, a new job, a liking turned round, a new dose.

The frames are of the third person, and a record is met by what it tells, whether it has a slot or not.
"""

from __future__ import annotations

import re

from edge_memory.observe.lexicon import MONTHS, NUMBERS, ONE_HOLDER, WEEKDAYS
from edge_memory.observe.reading import Statement
from edge_memory.observe.slots import is_high_risk, speaks_of_risk
from edge_memory.observe.wording import COMMON_VERBS, is_negative, is_past, same_subject, stem, subjects_of, telling
from edge_memory.records import Record, words_of

_DWELLS = re.compile(
    r"\b(?:lives?|living|stays?|staying|resides?|residing|settled|based|rents?|renting)\s+(?:\w+\s+){0,2}?"
    r"(?:in|at|on|near|above|over|alone|by|with the user(?!'s)|there|here)\b|\b(?:is"
    r"|are)\s+(?:\w+\s+){0,2}?(?:at home|alone)\b",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"\b(?:is|are|'s) (?:\w+ )?(?:moving|coming|going|planning|hoping|thinking)\b|\b(?:will|going to|might|may|wants?"
    r"|would|could|hopes?|plans?)\b",
    re.IGNORECASE,
)
_WORKS = re.compile(
    r"\b(?:works?|working|teaches|teaching|lectures|employed)\s+(?:\w+ )?(?:at|in|for|with|on|as|nights|days|a|an"
    r"|the)\b"
    r"|\bdrives (?:a|the) (?:\w+ )?(?:bus|taxi|lorry|truck|cab|van)\b",
    re.IGNORECASE,
)
# Told of what somebody does all day, it ends the job that they had.
_AT_HOME = re.compile(
    r"\b(?:stays?|is|'s) at home (?:now|only|with|all day|these days|full[- ]time)\b|\bis (?:now )?(?:retired"
    r"|unemployed"
    r"|out of work)\b|\b(?:has )?(?:just )?retired\b|\btook (?:early retirement|(?:voluntary )?redundancy|vrs)\b"
    r"|\b(?:got|was|been)"
    r" (?:laid off|made redundant|let go|fired|sacked)\b|\b(?:doesn't|does not|isn't|is not|not) work(?:ing"
    r"|s)? (?:any ?more"
    r"|now|these days|at the moment)\b|\b(?:changed|switched|lost|got|found|started|has|begins) (?:the user's|his"
    r"|her|their"
    r"|a|an)(?: new| whole new| different)? (?:job|jobs|career)\b",
    re.IGNORECASE,
)
_EARNS = re.compile(
    r"\b(?:works? as|working as|teaches|teaching|lectures|drives a (?:bus|taxi|lorry|truck|cab))\b", re.IGNORECASE
)
_STUDIES = re.compile(
    r"\b(?:studies|studying|is doing (?:his|her|their|a|the user's)|is at (?:uni|college|university|school))\b",
    re.IGNORECASE,
)
_DISLIKES = re.compile(
    r"\b(?:(?:can't|cannot|can not|couldn't) (?:stand|bear|abide|stick|stomach)|hates?|dislikes?|detests?|loathes?"
    r"|(?:went"
    r"|gone|going|goes|is|put the user) (?:right |completely |totally |well |clean )?off|sick of|fed up (?:with|of)"
    r"|(?:isn't|is not|no longer|not) (?:\w+ )?(?:keen on|into|fond of|a fan of|mad about|crazy about)"
    r"|(?:doesn't|does not|no longer|never|didn't|not) (?:\w+ )?(?:likes?|loves?|enjoys?|fancy|fancies|care for|eats?"
    r"|drinks?|watch|watches|listens? to|bothers? with))\b(?P<object>.*)",
    re.IGNORECASE,
)
_LIKES = re.compile(
    r"\b(?:(?:doesn't|does not) mind|grown? on|grew on|got(?:ten)? used to|c[ao]me (?:a)?round to|taken to|took to"
    r"|has a (?:crush|thing|soft spot)|likes?|loves?|enjoys?|adores?|(?:mad|crazy|wild|nuts) (?:about|for|on|into)"
    r"|fond of"
    r"|keen on|fan of|favou?rite|prefers?|eats?|drinks?|watch(?:es)?|listens? to)\b(?P<object>.*)",
    re.IGNORECASE,
)
_TURNED = re.compile(
    r"\b(?:now|nowadays|these days|any ?more|no longer|lately|again|gone|went|grown|grew|sick of|fed up|used to|come"
    r"|came|turned|since|doesn't mind|does not mind|after all|started|has taken to)\b",
    re.IGNORECASE,
)
_REST = re.compile(
    r"[,;].*$|\b(?:because|since|cos|cause|now|these days|nowadays|any ?more|but|to be honest|so much|at all|again"
    r"|lately)\b.*$",
    re.IGNORECASE,
)
_PUT_OFF = re.compile(
    r"\b(?:moved|shifted|rescheduled|postponed|preponed|pushed|put|brought|changed|delayed)\b(?: \w+)? ?(?:back|forward"
    r"|up)?\s*(?:from .+? )?(?:to|till|until|for|by)\s",
    re.IGNORECASE,
)
_DATE = re.compile(
    rf"\b(?:{'|'.join([*WEEKDAYS, *MONTHS])}|tomorrow|today|tonight|next \w+|this \w+|\w+ (?:o'clock|am|pm))\b",
    re.IGNORECASE,
)
_SWITCHED = re.compile(
    r"\b(?:switched|changed|swapped|dropped|traded|replaced|ditched|moved|converted|instead|gave up|given up|went"
    r"|gone)\b",
    re.IGNORECASE,
)
_ALTERS = re.compile(
    r"\b(?:changed?|switched|swapped|stopped"
    r"|discontinued|broke|broken|withdrew|cashed|cut|took|taken|come off|came off|closed?|cancelled|canceled"
    r"|outgrown|outgrew"
    r"|no longer|no more|finished|ended)\b|(?:n't|\bnot)\b.*\b(?:now|any ?more|after all|need)\b"
    r"|\b(?:actually|turns out)\b.*\bnot\b|\bcan\b.*\b(?:now|again)\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(rf"\b(?:\d+|{'|'.join(sorted(NUMBERS))}|once|twice)\b", re.IGNORECASE)
_RAISES = re.compile(
    r"\b(?:increas|decreas|reduc|doubl|halv|lower|rais|upp|went up|goes up|gone up|put up|went down|gone down)\w*",
    re.IGNORECASE,
)
_TREATED = re.compile(
    r"\b(?:the user|him|her|them) (?:from|off|on|onto|to)\b|^(?:they|the \w+|doctor|dr)\b", re.IGNORECASE
)
_HOLDER = re.compile(
    rf"^The user's (?:new |current |present )?(?P<role>{ONE_HOLDER})(?:'s name)? (?:is|'s)(?: now)?(?: called"
    rf"| named)? \w",
    re.IGNORECASE,
)
_PARTED = re.compile(r"\b(?:broken? up|split up|separated|divorced|dumped)\b", re.IGNORECASE)
_PAIR = "boyfriend|girlfriend|partner|fianc\\w+|husband|wife"
_PAIRED = re.compile(
    rf"\b(?:{_PAIR})(?:'s name)? (?:is|'s)(?: called| named)? [\w-]+$|\bhas an? (?:\w+ )?(?:{_PAIR})\b"
    r"|\b(?:is|are|was) (?:dating|seeing|going out with|engaged|married)\b",
    re.IGNORECASE,
)
_SMALL_IN_A_COUPLE = frozenset("the s and with is are got has have broke up split separated divorced from".split())
_LESS = frozenset(telling("not like love eat drink enjoy watch do does play go only just care mind"))
_DOING = re.compile(
    r"^(?:the user|[\w-]+|the user's \w+(?: [\w-]+)?) (?:is |usually |always |now "
    r"|normally )*(?P<verb>\w+) (?:the user's |the |his |her"
    r" )?(?P<thing>[\w-]+(?: [\w-]+)?) (?P<way>in|on|at|under|behind|with|by|from|to) (?P<rest>.+?)(?:,? (?:now"
    r"|instead|these days"
    r"|nowadays|from now on|any ?more))*$",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\b(?:only|just|solely|nothing but)\b", re.IGNORECASE)
_RISK_ITSELF = telling("tablets pills day takes morning allergic allergy intolerant medicine account bank doctor night")
_ASPECTS_OF_HOME = ("home", "place")


def undoes(statement: Statement, record: Record) -> bool:
    """Whether the record, an older one that is believed, cannot be true beside the statement."""
    text, slot = statement.text, statement.slot
    if is_negative(record.text) and slot is not None and slot.ends:
        return False
    if _holds_no_more(statement, record):
        return True
    if not same_subject(text, record.text):
        return False
    attribute = slot.key.partition(".")[2] if slot and not slot.many else ""
    return (
        (_stops_working(statement.text) and _is_work(record))
        or (attribute == "home" and not _PLAN.search(text) and _is_dwelling(record))
        or (attribute == "occupation" and statement.change and _is_job(record))
        or (attribute == "employer" and bool(slot and not slot.ends) and statement.change and _is_studies(record))
        or _turns_liking(statement, record)
        or _turns_round(statement, record)
        or _puts_off(text, record)
        or _narrows(statement, record)
        or _does_otherwise(statement, record)
    )


def endangers(statement: Statement, record: Record) -> bool:
    """Whether the statement seems to alter what the record tells of health or money: to be asked about."""
    risky = is_high_risk(record.key) or (record.key is None and speaks_of_risk(record.text))
    raised = _RAISES.search(statement.text) and all(map(_AMOUNT.search, (statement.text, record.text)))
    if not risky or not (raised or _ALTERS.search(statement.text)):
        return False
    shared = (telling(statement.text) & telling(f"{record.text} {record.value or ''}")) - COMMON_VERBS - _LESS
    shared -= subjects_of(record.text) | subjects_of(statement.text) | _RISK_ITSELF
    spoken_of = subjects_of(statement.text)
    within = bool(raised and spoken_of) and spoken_of <= frozenset(words_of(record.text))
    treated = within or bool(_TREATED.search(statement.text))
    return (bool(shared) or within) and (treated or same_subject(statement.text, record.text))


def words_undone(statement: Statement) -> str:
    """Words to find such records by that share none with the statement."""
    slot = statement.slot
    attribute = slot.key.partition(".")[2] if slot and not slot.many else ""
    if attribute == "home":
        return "lives living stays staying settled based rents home alone"
    if attribute in ("occupation", "employer") and statement.change:
        return "works working teaches drives studying studies doing college"
    if _stops_working(statement.text):
        return "works working teaches teaching drives employed"
    return ""


def is_switch(statement: Statement) -> bool:
    return bool(_SWITCHED.search(statement.excerpt)) and bool(statement.instead_of)


def _is_dwelling(record: Record) -> bool:
    attribute = (record.key or "").partition(".")[2]
    if attribute in _ASPECTS_OF_HOME:
        return True
    return record.key is None and bool(_DWELLS.search(record.text)) and not is_negative(record.text)


def _is_job(record: Record) -> bool:
    return record.key is None and bool(_EARNS.search(record.text)) and not is_negative(record.text)


def _stops_working(text: str) -> bool:
    return bool(_AT_HOME.search(text))


def _is_work(record: Record) -> bool:
    attribute = (record.key or "").partition(".")[2]
    if is_negative(record.text) or is_past(record.text):
        return False
    return attribute in ("employer", "post") or bool(_WORKS.search(record.text))


def _is_studies(record: Record) -> bool:
    return record.key is None and bool(_STUDIES.search(record.text)) and not is_negative(record.text)


def _liking(text: str) -> tuple[bool, frozenset[str]] | None:
    """Whether it is liked, and the words of what."""
    for liked, pattern in ((False, _DISLIKES), (True, _LIKES)):
        match = pattern.search(text)
        if match:
            return liked, telling(_REST.sub("", match["object"])) - {"not"}
    return None


def _turns_liking(statement: Statement, record: Record) -> bool:
    now, before = _liking(statement.text), _liking(record.text)
    if now is None or before is None or now[0] == before[0] or not now[1] or not _TURNED.search(statement.text):
        return False
    return now[1] <= telling(record.text)


def _turns_round(statement: Statement, record: Record) -> bool:
    """ "doesn't eat snails" and "eats snails now": what was denied is so now."""
    if not statement.replaces or is_negative(statement.text) or not is_negative(record.text) or is_past(record.text):
        return False
    denied = telling(record.text) - _LESS - subjects_of(record.text)
    return bool(denied) and denied <= telling(statement.text)


def _narrows(statement: Statement, record: Record) -> bool:
    """ "only does nights from now on" and "does two days and three nights"."""
    if not (statement.replaces and _ONLY.search(statement.text)) or record.key is not None or is_past(record.text):
        return False
    shared = telling(statement.text) & telling(record.text)
    return bool(shared - COMMON_VERBS - _LESS - subjects_of(record.text)) and not is_negative(record.text)


def _does_otherwise(statement: Statement, record: Record) -> bool:
    """The same doing with the same thing, at another place or in another way: "keeps the seeds in the shed now"."""
    if not statement.replaces or is_negative(statement.text) or is_negative(record.text) or is_past(record.text):
        return False
    now, before = _doing(statement.text), _doing(record.text)
    if now is None or before is None:
        return False
    return now[:3] == before[:3] and now[3] != before[3]


def _doing(text: str) -> tuple[str, str, str, str] | None:
    """Verb, object, preposition and the rest of a sentence like "The user keeps the receipts in the glove box"."""
    match = _DOING.match(text)
    if match is None:
        return None
    verb, thing = stem(match["verb"].lower()), " ".join(map(stem, words_of(match["thing"])))
    return verb, thing, match["way"].lower(), match["rest"].lower()


def _puts_off(text: str, record: Record) -> bool:
    """An appointment that has got another day."""
    match = _PUT_OFF.search(text)
    if not match or not _DATE.search(record.text) or is_negative(record.text):
        return False
    event = telling(text[: match.start()]) - COMMON_VERBS
    return bool(event) and event <= telling(record.text) and bool(event - subjects_of(record.text))


def _holds_no_more(statement: Statement, record: Record) -> bool:
    """A new holder of what only one holds, and a couple that has parted."""
    now, before = _HOLDER.match(statement.text), _HOLDER.match(record.text)
    if now and before and statement.change:
        return now["role"].lower() == before["role"].lower()
    parted = _PARTED.search(statement.text)
    if not parted or not _PAIRED.search(record.text) or is_negative(record.text):
        return False
    couple = {word for word in words_of(statement.text) if word not in _SMALL_IN_A_COUPLE}
    named = couple & set(words_of(record.text))
    return len(named - {"user"}) > 1 or {"user"} < named
