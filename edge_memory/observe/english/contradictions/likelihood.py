"""How likely it is that a statement ends what a record tells, in whatever words it is told.

Rules know the words of a change; this weighs everything else that speaks for one: how near the two are, whom they are
about, what they share, whether both are of one matter. The weights are fitted, nothing here names a word of ending.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from edge_memory import lazy_re as re
from edge_memory.observe.english.contradictions.plans import is_planned
from edge_memory.observe.english.contradictions.work_and_home import is_dwelling, is_studies, is_work, stops_working
from edge_memory.observe.english.lexicon import COUNT, KIN, KIN_SET
from edge_memory.observe.english.people import introduced
from edge_memory.observe.english.slots import single_attribute
from edge_memory.observe.english.wording import (
    COMMON_VERBS,
    are_namesakes,
    classes_of,
    is_negative,
    is_past,
    same_subject,
    subjects_of,
    telling,
)
from edge_memory.observe.risk import is_high_risk, speaks_of_risk
from edge_memory.observe.statement import Statement
from edge_memory.records import Kind, Record, words_of

FITTED_TO = "all-MiniLM-L6-v2"  # the embedder whose cosines the weights are for
_LIKELY = 0.65
LOOKED_AT = 12  # the nearest records of a statement; what is further is not looked at

# What does not end with a change: names, ages, birthdays, where somebody is from.
_LASTING = re.compile(
    r"\b(?:called|named|names?|calls|birthday|anniversary|born|number is|since|twins|years old|met"
    r"|has (?:got )?(?:an? |the )?(?:\w+ )?"
    rf"(?:{COUNT} )?(?:{KIN})s?|years young)\b|\b(?:is|are|turned) (?:{COUNT})(?:[- ]{COUNT})*$|\bcomes? from\b",
    re.IGNORECASE,
)
_BEGUN = re.compile(r"\b(?:bought|got|started|joined|took up|moved|booked|signed up)\b", re.IGNORECASE)
_WEEKLY = re.compile(
    r"\b(?:\w+days?|every|each|weekly|daily|usually|mornings|nights|evenings|weekends?)\b", re.IGNORECASE
)
_SHARED_HOME = re.compile(r"\b(?:lives?|stays?|living|staying) with\b", re.IGNORECASE)
_IS_A = re.compile(r"^[\w' -]+? (?:is|has been) an? (?:\w+ ){1,3}|\bteach(?:es|ing)\b", re.IGNORECASE)
_MOVES = re.compile(
    r"\b(?:mov(?:e|es|ed|ing)|lives?|living|stay(?:s|ing)?|went|gone|back|house|flat|home|rent(?:s|ed)?|sold"
    r"|bought)\b",
    re.IGNORECASE,
)
_NEWS = re.compile(
    r"\b(?:has|have|is|are|was|been) (?:\w+ )?\w+(?:ed|en|ing|ne)\b|\b(?:gone|back|over|done|off|out|wants|turned)\b",
    re.IGNORECASE,
)
_LONG = 10  # words

# Fitted by scripts/fit_endings.py: those under which what was labelled as ended is likeliest.
WEIGHTS: Mapping[str, float] = {
    "cosine": 5.94,
    "rank": -0.96,
    "shared": 1.18,
    "only people": 0.82,
    "told again": 4.52,
    "same subject": -0.27,
    "same and shared": 0.30,
    "of the user": 0.40,
    "record of the user": 0.70,
    "kin": -1.69,
    "one class": -0.30,
    "another of a class": 0.91,
    "past": 0.94,
    "record past": -1.33,
    "record negative": -1.78,
    "planned": 0.35,
    "record planned": 0.45,
    "replaces": 0.41,
    "same and replaces": 0.63,
    "change": 0.32,
    "ends": 0.37,
    "many": -0.85,
    "unsorted": 0.16,
    "record unsorted": -0.71,
    "same slot": 3.16,
    "same owner": 0.07,
    "weekly": 0.47,
    "shares a home": 1.41,
    "home": 0.18,
    "home of home": 0.07,
    "work": 0.07,
    "work of work": 2.14,
    "studies": 1.60,
    "length": 1.55,
}
BIAS = -7.83


def likely_ended(statement: Statement, candidates: Iterable[Record], near: Mapping[int, float]) -> Iterator[Record]:
    """Those of the nearest that the statement ends by all likelihood. `near` holds the cosines, by the records' ids."""
    if not _is_news(statement):
        return
    order = sorted(near, key=lambda id_: -near[id_])[:LOOKED_AT]
    ranks = {id_: rank for rank, id_ in enumerate(order)}
    for record in candidates:
        if record.id not in ranks or not may_end(statement, record):
            continue
        if likelihood(statement, record, near[record.id], ranks[record.id]) > _LIKELY:
            yield record


def likelihood(statement: Statement, record: Record, cosine: float, rank: int) -> float:
    """That the statement ends what the record tells, from 0 to 1."""
    found = signals(statement, record, cosine, rank)
    return 1.0 / (1.0 + math.exp(-BIAS - sum(WEIGHTS[name] * value for name, value in found.items())))


def may_end(statement: Statement, record: Record) -> bool:
    """Whether the record can be ended by what is likely: never who somebody is, what they suffer from or once did, nor
    what is told of another than the statement is about.
    """
    text, old = statement.text, record.text
    if record.kind is Kind.RELATIONSHIP or _LASTING.search(old) or is_high_risk(record.key) or speaks_of_risk(old):
        return False
    if introduced(record.source_excerpt) or introduced(old) or (is_planned(text) and not is_planned(old)):
        return False
    if not _is_of_one_matter(statement, record):
        return False
    if is_past(old) and not is_planned(old) and not _BEGUN.search(old):
        return False
    who, whom = subjects_of(text), subjects_of(old)
    if "user" in who & whom:
        return True
    if are_namesakes(text, old):
        return False
    return not ((who & whom) | (who & set(words_of(old))) | (whom & set(words_of(text)))) <= {"user", "the", "a", "s"}


def _is_of_one_matter(statement: Statement, record: Record) -> bool:
    """A home is ended by what tells of homes, work and studies by what tells of work."""
    if is_dwelling(record) or _SHARED_HOME.search(record.text):
        return _tells_of_homes(statement)
    return _tells_of_work(statement) or not (is_work(record) or is_studies(record) or _IS_A.search(record.text))


def _tells_of_homes(statement: Statement) -> bool:
    return single_attribute(statement.slot) in ("home", "place") or bool(_MOVES.search(statement.text))


def _tells_of_work(statement: Statement) -> bool:
    slot = statement.slot
    begins = single_attribute(slot) in ("occupation", "employer", "post") and not (slot and slot.ends)
    return begins or stops_working(statement.text)


def _is_news(statement: Statement) -> bool:
    """Whether it tells that something happened or is otherwise now: "takes the bus" alone ends nothing."""
    told_so = statement.replaces or statement.change or (statement.slot is not None and statement.slot.ends)
    text = statement.text
    return told_so or is_past(text) or is_negative(text) or bool(_NEWS.search(text))


def signals(statement: Statement, record: Record, cosine: float, rank: int) -> dict[str, float]:
    """What speaks for it and against it, by the names of `WEIGHTS`.

    `cosine` says how near the two are, `rank` how many records are nearer, at most `LOOKED_AT`.
    """
    text, slot = statement.text, statement.slot
    who, whom = subjects_of(text), subjects_of(record.text)
    new, old = telling(text) - COMMON_VERBS, telling(record.text) - COMMON_VERBS
    people = telling(" ".join((who | whom) - {"user"}))
    shared = new & old
    now, before = classes_of(new), classes_of(old)
    same = same_subject(text, record.text)
    dated = {word for word in new if classes_of(frozenset({word}))}
    key = slot.key if slot else ""
    found = {
        "cosine": cosine,
        "rank": math.log1p(min(rank, LOOKED_AT)),
        "shared": bool(shared - people),
        "only people": bool(shared & people) and not shared - people,
        "told again": len(shared) / (len(new) or 1),
        "same subject": same,
        "same and shared": same and bool(shared - people),
        "of the user": "user" in who,
        "record of the user": "user" in whom,
        "kin": not who.isdisjoint(KIN_SET),
        "one class": bool(now & before),
        "another of a class": bool(now & before) and not dated <= old,
        "past": is_past(text),
        "record past": is_past(record.text),
        "record negative": is_negative(record.text),
        "planned": is_planned(text),
        "record planned": is_planned(record.text),
        "replaces": statement.replaces,
        "same and replaces": same and statement.replaces,
        "change": statement.change,
        "ends": bool(slot and slot.ends),
        "many": bool(slot and slot.many),
        "unsorted": slot is None,
        "record unsorted": record.key is None,
        "same slot": bool(key) and key == record.key,
        "same owner": bool(key and record.key) and key.partition(".")[0] == (record.key or "").partition(".")[0],
        "weekly": bool(_WEEKLY.search(record.text)),
        "shares a home": bool(_SHARED_HOME.search(record.text)),
        "home": is_dwelling(record),
        "home of home": is_dwelling(record) and _tells_of_homes(statement),
        "work": is_work(record),
        "work of work": is_work(record) and _tells_of_work(statement),
        "studies": is_studies(record),
        "length": len(words_of(record.text)) / _LONG,
    }
    return {name: float(value) for name, value in found.items()}
