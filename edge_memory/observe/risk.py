"""Identity, health and money: what is never overwritten without being asked about, and what seems to alter it."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe import frames
from edge_memory.observe.german import patterns as german
from edge_memory.observe.lexicon import KIN_SET
from edge_memory.observe.reading import Statement
from edge_memory.observe.restrictions import harms
from edge_memory.observe.wording import (
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
from edge_memory.records import Record, words_of

_HIGH_RISK = frozenset(
    """name birthday birth address phone number mobile mail email passport insurance blood allergy cannot medicine dose
    diet condition surname bank account card iban salary income wage pension mortgage loan debt rent pin password
    """.split()
)
_RISKY_WORDS = re.compile(
    r"\b(?:allerg\w+|medicines?|medication|tablets?|pills?|insulin|dose|diagnos\w+|pension|salary|wages|mortgage"
    r"|bank account|loan|passport|blood type|blood group|surgery|cancer|parkinson\w*|dementia|pacemaker|deaf|blind"
    r"|stroke|heart (?:attack|condition|failure)|rent|savings|deposit|fd|isa|shares(?! (?:an?|the|his|her|with"
    r"|it|one|two|our)\b)|investments?"
    r"|intoleran\w+|coeliac|celiac|diabet\w+|asthma\w*"
    r"|epilep\w+|inhaler|prescri\w+|(?:\w*bank|current|savings|checking|deposit) account|account (?:number|no|ends)"
    r"|vegetarian|vegan|kosher|halal|jain|gluten|lactose|blood pressure|thyroid|supplements?)\b",
    re.IGNORECASE,
)
_MONEY = frozenset("bank card account credit debit iban pension salary rent mortgage loan passport insurance".split())
_BANKED = _MONEY - {"passport", "insurance", "card"}
_OF_ONESELF = ("first", "middle", "last", "maiden", "family", "full", "sur")
_OF_THE_HOUSE = frozenset("home rule procedure".split())
# What does harm comes first, whom it harms after it: "figs give Jan a rash".
_CAUSES = re.compile(
    r"(?!the user\b)(?:the )?[\w-]+(?: [\w-]+)? (?:makes?|gives?|brings?|upsets?|triggers?|sets? off)\b", re.IGNORECASE
)
_OWN = re.compile(r"the user's ", re.IGNORECASE)
_OF_A_THING = re.compile(r"the (?!user\b)", re.IGNORECASE)
_RISK_ITSELF = telling("tablets pills day takes morning allergic allergy intolerant medicine account bank doctor night")


def is_high_risk(key: str | None) -> bool:
    """Identity, health and money: never overwritten without being asked about."""
    subject, _, attribute = (key or "").partition(".")
    words = set(re.split(r"[._]", attribute))
    if attribute.endswith("_name") and attribute.removesuffix("_name") not in _OF_ONESELF:
        return False  # what a boat or the staff is called
    if attribute.endswith(".place") and words.isdisjoint(_BANKED):
        return False  # where the tablets are kept
    if subject in _OF_THE_HOUSE or "wifi" in words:
        return subject == "home" and not _MONEY.isdisjoint(words)
    return not _HIGH_RISK.isdisjoint(words)


def speaks_of_risk(text: str) -> bool:
    """The same for what no rule could sort into a slot."""
    return bool(_RISKY_WORDS.search(text) or german.RISKY.search(text)) or harms(text)


def endangers(statement: Statement, record: Record) -> bool:
    """Whether the statement seems to alter what the record tells of health or money: to be asked about."""
    risky = is_high_risk(record.key) or (record.key is None and speaks_of_risk(record.text))
    if not risky:
        return False
    if _is_dosed_otherwise(statement, record):
        return True
    raised = frames.RAISES.search(statement.text) and all(map(frames.AMOUNT.search, (statement.text, record.text)))
    if not (raised or frames.ALTERS.search(statement.text)):
        return False
    spoken_of = subjects_of(statement.text)
    if raised and spoken_of and spoken_of <= frozenset(words_of(record.text)):
        return True
    own = _OWN.match(statement.text) is not None and not spoken_of & KIN_SET and "user" in subjects_of(record.text)
    to_them = own or (_CAUSES.match(record.text) is not None and not spoken_of.isdisjoint(words_of(record.text)))
    treated = bool(raised) or frames.TREATED.search(statement.text) is not None
    of_one = treated or to_them or same_subject(statement.text, record.text)
    return of_one and bool(_common_matter(statement.text, record, bool(raised), own))


def _common_matter(text: str, record: Record, raised: bool, own: bool) -> frozenset[str]:
    """What both tell besides whom they are about; `own` says that this is a thing of the user's."""
    common = telling(text) & telling(told_of(record)) - COMMON_VERBS - LITTLE - _RISK_ITSELF
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
    treated = same_subject(text, record.text) or bool(frames.TREATED.search(text))
    if not telling(medicine.replace("_", " ")) <= telling(text):
        return same_subject(text, record.text) and frames.MEDICINE_CHANGED.search(text) is not None
    now, before = ({dose["amount"].lower() for dose in frames.DOSE.finditer(told)} for told in (text, told_of(record)))
    if not before:
        return treated and bool(now) and frames.RAISES.search(text) is not None
    return treated and (frames.MULTIPLIES.search(text) is not None or (bool(now) and not now & before))
