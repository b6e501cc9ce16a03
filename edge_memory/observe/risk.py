"""Identity, health and money: what is never overwritten without being asked about, and what seems to alter it."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import MEDICINES
from edge_memory.observe.english.restrictions import forbids, harms
from edge_memory.observe.german import patterns as german

_HIGH_RISK = frozenset(
    """name birthday birth address phone number mobile mail email passport insurance blood allergy cannot medicine dose
    diet condition surname bank account card iban salary income wage pension mortgage loan debt rent pin password
    """.split()
)
_RISKY_WORDS = re.compile(
    r"\b(?:allerg\w+|medicines?|medication|tablets?|pills?|insulin|dose|diagnos\w+|pension|salary|wages|mortgage"
    r"|bank account|loan|passport|blood type|blood group|surgery|cancer|parkinson\w*|dementia|pacemaker|deaf|blind"
    r"|oxygen|nebuli[sz]er|gout|angina|copd|ulcers?|hernia|glaucoma|eczema|psoriasis|an[a]?emi[ac]"
    r"|osteoporosis|seizures|fits|hepatitis|hiv|tumou?r|kidneys?|arthritis|migraines?"
    r"|stroke|heart (?:attack|condition|failure)|rent|savings|deposit|fd|isa|shares(?! (?:an?|the|his|her|with"
    r"|it|one|two|our)\b)|investments?"
    r"|intoleran\w+|coeliac|celiac|diabet\w+|asthma\w*"
    r"|epilep\w+|inhaler|prescri\w+|(?:\w*bank|current|savings|checking|deposit) account|account (?:number|no|ends)"
    r"|vegetarian|vegan|kosher|halal|jain|gluten|lactose|blood pressure|thyroid|supplements?)\b",
    re.IGNORECASE,
)
_MEDICINE = re.compile(rf"\b{MEDICINES}\b", re.IGNORECASE)
_MONEY = frozenset("bank card account credit debit iban pension salary rent mortgage loan passport insurance".split())
_BANKED = _MONEY - {"passport", "insurance", "card", "rent"}
_OF_ONESELF = ("first", "middle", "last", "maiden", "family", "full", "sur")
_OF_THE_HOUSE = frozenset("home rule procedure".split())


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
    named = _RISKY_WORDS.search(text) or _MEDICINE.search(text) or german.RISKY.search(text)
    return bool(named) or harms(text) or forbids(text)
