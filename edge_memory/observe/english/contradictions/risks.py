"""What seems to alter what a record tells of health or money, and has to be asked about."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.contradictions.loosening import loosens, turned_out_badly
from edge_memory.observe.english.contradictions.regimens import is_paid_otherwise, is_taken_otherwise
from edge_memory.observe.english.kinds import kinds_of
from edge_memory.observe.english.lexicon import COUNT, KIN_SET, NUMBERS
from edge_memory.observe.english.restrictions import harms
from edge_memory.observe.english.wording import (
    COMMON_VERBS,
    LITTLE,
    classes_of,
    is_negative,
    same_subject,
    subject_stems,
    subjects_of,
    telling,
    told_of,
)
from edge_memory.observe.risk import is_high_risk, speaks_of_risk
from edge_memory.observe.statement import Statement
from edge_memory.records import Record, words_of

_ALTERS = re.compile(
    r"\b(?:changed?|switched|swapped|stopped"
    r"|discontinued|broke|broken|withdrew|cashed|cut|took|taken|(?:come|came|leave|left|lay|laid) off|closed?"
    r"|cancelled|canceled"
    r"|outgrown|outgrew"
    r"|no longer|no more|finished|ended|(?:is|are|was) off (?:the|all|of|his|her))\b|(?:n't|\bnot)\b.*\b"
    r"(?:now|any ?more|after all|need)\b"
    r"|(?:n't|\bnot|\bno longer|\bnever)\b.*\b(?:allerg|intoleran|diabet|asthma|coeliac|celiac|epilep|pregnan)\w*"
    r"|\bcan (?:eat|have|drink|take|tolerate|do)\b|\b(?:is|are|was|does|do) (?:\w+ )?(?:okay|ok|fine|al+ ?right"
    r"|good|safe|well)"
    r" (?:with|for|on|to (?:have|eat|drink|take))\b|\b(?:eat|drink|hav|tak)(?:s|es|ing|ed)?\b.*\bagain\b|\bno"
    r" (?:problems?|issues?|trouble|danger|risk|worry) (?:with|for|to)\b"
    r"|\b(?:(?:is|are|was|were)(?:n't| not)|was never|were never) (?:what|the one|to blame"
    r"|(?:an?|any|the|my|the user's|his|her) (?:problem|issue|danger|risk|threat|worry|cause|culprit|trouble|trigger))"
    r"\b|s (?:quite )?(?:fine|okay|ok|al+ ?right|safe) for"
    r" the user\b|\b(?:had|ate|drank|took|tried) \w+.* and (?:\w+ )?(?:was|were|felt) (?:absolutely |totally )?"
    r"(?:fine|okay|ok|al+ ?right)\b"
    r"|\btest(?:s|ed)?\b.*\b(?:is|are|was|were|c[ao]me (?:back|up|out))"
    r" (?:fine|okay|ok|al+ ?right|clear|clean|negative)\b"
    r"|\b(?:misdiagnos\w+|wrong diagnosis|false alarm|all[- ]clear|mistake)\b|\b(?:actually"
    r"|turns out)\b.*\bnot\b|\bcan\b.*\b(?:now|again)\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(rf"\b(?:\d+|{'|'.join(sorted(NUMBERS))}|once|twice)\b", re.IGNORECASE)
_DOSE = re.compile(
    rf"\b(?P<amount>(?:\d[\d.,]*|{'|'.join(sorted(NUMBERS))})(?:[ -]{COUNT})*) ?"
    r"(?:mgs?|mcg|ml|g|milligrams?|micrograms?|grams?|units?|puffs?|drops?|tablets?|pills?|capsules?|of (?!them\b))\b",
    re.IGNORECASE,
)
_RAISES = re.compile(
    r"\b(?:increas|decreas|reduc|doubl|halv|lower|rais|upp|went up|goes up|gone up|put up|going up|going down"
    r"|(?:went|gone|goes?|is|are|moved) (?:up |down |back )?to \w+ (?:units?|milligrams?|mg|tablets?|puffs?"
    r"|lit(?:re|er)s?)|go up|went down|gone down"
    r"|(?:puts?|putting|bump(?:s|ed|ing)?|mov(?:es?|ed|ing)|took|taken|tak(?:es|ing)|brought|nudged|knocked"
    r"|pushed|stepped|cut)"
    r" (?:[\w'-]+ ){0,5}?(?:up|down|back)\b|(?:higher|lower|bigger|smaller|stronger|extra) (?:dose|strength)|tripl)\w*",
    re.IGNORECASE,
)
# "They doubled the tablets" needs no figure to be another dose.
_MULTIPLIES = re.compile(
    r"\b(?:doubl|halv|tripl)\w+|\b(?:higher|lower|bigger|smaller|stronger|extra) (?:dose|strength)", re.IGNORECASE
)
_MEDICINE_CHANGED = re.compile(
    r"\b(?:tablets?|pills?|medicines?|medication|meds|injections?|inhalers?|drops)\b.*\b(?:changed|switched"
    r"|swapped|replaced)\b"
    r"|\b(?:changed|switched|swapped|replaced)\b.*\b(?:tablets?|pills?|medicines?|medication|meds|injections?"
    r"|inhalers?|drops|creams?|ointment|patch(?:es)?)\b",
    re.IGNORECASE,
)
_TREATED = re.compile(
    r"\b(?:the user|him|her|them) (?:from|off|on|onto|to)\b|\b(?:for|with) (?:the user(?!')|him|her|them)\b"
    r"|^(?:they|the (?!user\b(?!'))\w+|doctor|dr)\b",
    re.IGNORECASE,
)
# What does harm comes first, whom it harms after it: "figs give Jan a rash".
_CAUSES = re.compile(
    r"(?!the user\b)(?:the )?[\w-]+(?: [\w-]+)? (?:makes?|gives?|brings?|upsets?|triggers?|sets? off)\b", re.IGNORECASE
)
_NO_ILLNESS = re.compile(r"\b(?:misdiagnos\w+|wrong diagnosis|false alarm|mistake)\b", re.IGNORECASE)
_EATS_MEAT = re.compile(
    r"\b(?:eat(?:s|ing)?|ha(?:s|ving)|back on|cooks?) (?:\w+ )?(?:meat|fish|beef|chicken|lamb|pork|bacon"
    r"|steak|burgers?|sausages?"
    r"|turkey|ham)\b(?:.* )?(?:again|now|these days|once more)\b|\bstarted eating (?:meat|fish|chicken)\b",
    re.IGNORECASE,
)
# Whose word it is: "the nurse says the user is off the tablets".
_SAYS_SO = re.compile(
    r"^(?:the )?[\w'-]+(?: [\w'-]+){0,2} (?:says|said|told the user)(?: that)? (?=the user\b)", re.IGNORECASE
)
_OF_USER = re.compile(
    r"\bthe user's (?:\w+ ){0,2}(?:tablets?|pills?|medicines?|medication|meds|injections?|inhalers?|drops)\b", re.I
)
_OWN = re.compile(r"the user's ", re.IGNORECASE)
_BY_USER = re.compile(r"the user (?!and\b)", re.IGNORECASE)
_OF_A_THING = re.compile(r"the (?!user\b)", re.IGNORECASE)
_RISK_ITSELF = telling(
    "stopped tablets pills day takes morning allergic allergy intolerant medicine account bank doctor night"
)


def endangers(statement: Statement, record: Record, said: str = "") -> bool:
    """Whether the statement seems to alter what the record tells of health or money: to be asked about.

    `said` is all of the statement's turn.
    """
    risky = is_high_risk(record.key) or (record.key is None and speaks_of_risk(record.text))
    if not risky:
        return False
    if any(
        (loosens(statement, said, record), is_taken_otherwise(statement, record), is_paid_otherwise(statement, record))
    ):
        return True
    if (record.key or "").endswith(".diet") and _EATS_MEAT.search(statement.text):
        return same_subject(statement.text, record.text) and not is_negative(record.text)
    if _is_dosed_otherwise(statement, record):
        return True
    text = _SAYS_SO.sub("", statement.text)
    raised = _RAISES.search(text) and all(map(_AMOUNT.search, (text, record.text)))
    if not (raised or _ALTERS.search(text)) or (harms(record.text) and turned_out_badly(said or text)):
        return False
    spoken_of = subjects_of(text)
    named = bool(spoken_of) and spoken_of <= frozenset(words_of(record.text))
    of_them = "the user" in text and "user" in subjects_of(record.text)
    if named and (raised or ("user" not in spoken_of and (of_them or _NO_ILLNESS.search(text)))):
        return True
    own = _is_own(text) and not spoken_of & KIN_SET and "user" in subjects_of(record.text)
    to_them = own or (_CAUSES.match(record.text) is not None and not spoken_of.isdisjoint(words_of(record.text)))
    to_them |= _BY_USER.match(text) is not None and (record.key or "").startswith(("user.", "home."))
    treated = bool(raised) or _TREATED.search(text) is not None
    of_one = treated or to_them or same_subject(text, record.text)
    return of_one and bool(_common_matter(text, record, bool(raised), own))


def _is_own(text: str) -> bool:
    """ "The user's inhaler" and "the latex allergy came off the user's notes" are told of what is the user's."""
    of_thing = _OF_A_THING.match(text) and _OWN.search(text)
    return bool(_OWN.match(text) or of_thing)


def _common_matter(text: str, record: Record, raised: bool, own: bool) -> frozenset[str]:
    """What both tell besides whom they are about; `own` says that this is a thing of the user's."""
    common = kinds_of(telling(text)) & kinds_of(telling(told_of(record))) - COMMON_VERBS - LITTLE - _RISK_ITSELF
    if not own:
        common -= subject_stems(text)
    if not raised:
        common = frozenset(word for word in common if classes_of(frozenset({word})) != {"number"})
    if _OF_A_THING.match(record.text):
        return common
    kind_of_matter = telling((record.key or "").partition(".")[2].replace("_", " "))
    whom = frozenset() if harms(record.text) and _CAUSES.match(record.text) else subject_stems(record.text)
    return common - whom - (kind_of_matter - telling(str(record.value or "")))


def _is_dosed_otherwise(statement: Statement, record: Record) -> bool:
    """Another amount of the medicine that the record tells of, or another medicine in its place."""
    text, medicine = statement.text, (record.key or "").partition(".medicine_")[2]
    if not medicine or is_negative(text):
        return False
    treated = same_subject(text, record.text) or bool(_TREATED.search(text))
    if not telling(medicine.replace("_", " ")) <= telling(text):
        theirs = same_subject(text, record.text) or (_OF_USER.search(text) and (record.key or "").startswith("user."))
        return bool(theirs) and _MEDICINE_CHANGED.search(text) is not None
    now, before = ({dose["amount"].lower() for dose in _DOSE.finditer(told)} for told in (text, told_of(record)))
    if not before:
        return treated and bool(now) and _RAISES.search(text) is not None
    return treated and (_MULTIPLIES.search(text) is not None or (bool(now) and not now & before))
