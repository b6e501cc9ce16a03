"""How much of a medicine somebody takes and when, what is paid and to whom: told in other figures or as a change."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import COUNT, MEDICINES, NUMBERS
from edge_memory.observe.english.wording import is_negative, subjects_of, telling, told_of
from edge_memory.observe.statement import Statement
from edge_memory.records import Record, words_of

_AMOUNT = re.compile(
    rf"\b(?P<amount>(?:\d[\d.,]*|{'|'.join(sorted(NUMBERS))})(?:[ -]{COUNT})*) ?"
    r"(?P<unit>mgs?|mcg|ml|g|milligrams?|micrograms?|grams?|units?|puffs?|drops?|tablets?|pills?|capsules?)\b",
    re.IGNORECASE,
)
_TIMES = telling("morning noon lunchtime midday afternoon evening night bedtime breakfast lunch dinner supper teatime")
_FORGOTTEN = re.compile(
    r"\b(?:forg\w+|miss(?:es|ed)?|without fail|fetch\w*|collect\w*|pick\w* up|keeps?)\b", re.IGNORECASE
)
_MEDICINE = re.compile(rf"\b{MEDICINES}\b", re.IGNORECASE)
_SOME_MEDICINE = re.compile(r"\b(?:tablets?|pills?|injections?|inhalers?|drops|patch(?:es)?)\b", re.IGNORECASE)
# "They took Ola off the tablets", "Ola is down to half a tablet".
_STOPPED = re.compile(r"\b(?:off|stopp\w+|without|weaned|skip\w*)\b", re.IGNORECASE)
_LESS_OR_MORE = re.compile(r"\b(?:down to|up to|back to|half an?|halv\w+|doubl\w+|twice as|only)\b", re.IGNORECASE)
_PAID = telling("rent pension salary wage wages mortgage account")
_OF_ACCOUNTS = telling("savings current joint checking business deposit isa student")
_FIGURE = re.compile(rf"\b(?:\d[\d,.]*|(?:{COUNT})(?: (?:{COUNT}|and))*)\b", re.IGNORECASE)
_ELSEWHERE = ("place",)


def is_taken_otherwise(statement: Statement, record: Record) -> bool:
    """Whether it tells another time, another amount, a change or an end of a medicine that somebody takes."""
    text, told = statement.text, told_of(record)
    medicine = _medicine_of(record)
    if not medicine or _is_elsewhere(statement) or not _is_of_them(text, record):
        return False
    now, before = (dict(_amounts(one)) for one in (text, told))
    other_amount = any(now[unit] != before[unit] for unit in now.keys() & before.keys())
    if not medicine <= telling(text):
        return other_amount and not _MEDICINE.search(text)
    if _FORGOTTEN.search(text):
        return False
    at, was_at = telling(text) & _TIMES, telling(told) & _TIMES
    changed = statement.replaces or is_negative(text) or bool(_STOPPED.search(text))
    changed |= bool(before) and (statement.change or bool(_LESS_OR_MORE.search(text)))
    return changed or other_amount or bool(at and was_at and not at & was_at)


def _medicine_of(record: Record) -> frozenset[str]:
    """The stems of its name, or of what kind of medicine it is; none for what is no medicine."""
    named = (record.key or "").partition(".medicine_")[2]
    found = None if named or record.key else _MEDICINE.search(record.text) or _SOME_MEDICINE.search(record.text)
    return telling(found[0] if found else named.replace("_", " "))


def is_paid_otherwise(statement: Statement, record: Record) -> bool:
    """Whether it tells the user's rent, pension or account in another figure, or as a change."""
    text = statement.text
    new, old = telling(text), telling(record.text)
    ours = all("user" in subjects_of(one) or "the user's" in one.lower() for one in (text, record.text))
    if not ours or not new & old & _PAID or new & _OF_ACCOUNTS != old & _OF_ACCOUNTS or _is_elsewhere(statement):
        return False
    now, before = (frozenset(_FIGURE.findall(one)) for one in (text, record.text))
    return statement.replaces or statement.change or bool(now and before and not now & before)


def _is_elsewhere(statement: Statement) -> bool:
    return statement.slot is not None and statement.slot.key.rpartition(".")[2] in _ELSEWHERE


def _amounts(text: str) -> list[tuple[str, str]]:
    return [(found["unit"].lower().rstrip("s"), found["amount"].lower()) for found in _AMOUNT.finditer(text)]


def _is_of_them(text: str, record: Record) -> bool:
    whom, words = subjects_of(record.text), frozenset(words_of(text))
    if whom == {"user"}:
        return "user" in words
    return bool(whom & words)
