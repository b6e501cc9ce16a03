"""How likely it is that a statement ends what a record tells, in whatever words it is told.

Rules know the words of a change; this weighs what else speaks for one: how near the two are, whom they are about, what
they share that nothing else shares, and of what matter each is, as the embedder sees it. The weights are fitted by
scripts/fit_endings.py, nothing here names a word of ending.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from edge_memory import lazy_re as re
from edge_memory.observe.english.contradictions.plans import is_planned
from edge_memory.observe.english.lexicon import COUNT, KIN, KIN_SET
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
from edge_memory.observe.nearness import Nearness
from edge_memory.observe.risk import is_high_risk, speaks_of_risk
from edge_memory.observe.statement import Statement
from edge_memory.protocols import Vectors
from edge_memory.records import Kind, Record, words_of

FITTED_TO = "all-MiniLM-L6-v2"  # the embedder whose vectors the weights are for
FITTED = Path(__file__).with_name("likelihood.npz")
_LIKELY = 0.8
_FARTHEST = 12  # how many nearer records count

# What does not end with a change: names, ages, birthdays, where somebody is from.
_LASTING = re.compile(
    r"\b(?:called|named|names?|calls|birthday|anniversary|born|number is|since|twins|years old|met"
    r"|has (?:got )?(?:an? |the )?(?:\w+ )?"
    rf"(?:{COUNT} )?(?:{KIN})s?|years young)\b|\b(?:is|are|turned) (?:{COUNT})(?:[- ]{COUNT})*$|\bcomes? from\b",
    re.IGNORECASE,
)
_BEGUN = re.compile(r"\b(?:bought|got|started|joined|took up|moved|booked|signed up)\b", re.IGNORECASE)
_BESIDE = re.compile(r"\b(?:also|too|as well|another|both|sometimes)\b", re.IGNORECASE)
# "Got the keys", "got the fiddle back": what one gets ends nothing that is told of it, but a plan.
_GOT_IT = re.compile(
    r"\b(?:got|found|collected|picked up|fetched) (?:the|the user's|his|her|their) (?P<thing>[\w-]+)\b"
    r"(?!.*\b(?:off|out|removed|job|post|contract)\b)",
    re.IGNORECASE,
)
_NOBODY = frozenset({"user", "the", "a", "s"})
_ARTICLES = frozenset("the a an s has have been".split())
_TIMES = frozenset({"weekday", "month", "number", "ordinal"})
_SEVERAL = re.compile(r"\b([\w'-]+),? and (?:(?:the|an?|his|her|their|user's) )*([\w'-]+)", re.IGNORECASE)

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that a statement may end, and the vector of its text."""

    record: Record
    vector: Vectors


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """The weights of the signals, in their order, and what tells the matter of a text from its vector."""

    weights: Numbers
    bias: float
    mean: Numbers
    axes: Numbers  # one row for each trait of a matter

    def matter(self, vector: Vectors) -> Numbers:
        return np.asarray(self.axes @ (vector - self.mean))


@cache
def fitted() -> Fitted:
    with np.load(FITTED) as file:
        return Fitted(file["weights"], float(file["bias"]), file["mean"], file["axes"])


def likely_ended(statement: Statement, nearness: Nearness, candidates: Sequence[Candidate]) -> Iterator[Record]:
    """Those candidates that the statement ends by all likelihood."""
    if nearness.statement is None or not candidates:
        return
    by = fitted()
    rows = np.array([list(row.values()) for row in signals(statement, nearness, candidates, by)])
    chances = 1.0 / (1.0 + np.exp(-(rows @ by.weights + by.bias)))
    for candidate, chance in zip(candidates, chances, strict=True):
        if chance > _LIKELY and may_end(statement, candidate.record):
            yield candidate.record


def may_end(statement: Statement, record: Record) -> bool:
    """Whether the record can be ended by what is likely: never who somebody is, what they suffer from or once did."""
    text, old = statement.text, record.text
    if record.kind is Kind.RELATIONSHIP or _LASTING.search(old) or is_high_risk(record.key) or speaks_of_risk(old):
        return False
    if _BESIDE.search(text) or are_namesakes(text, old) or _are_apart(text, old) or _is_of_one_of_several(text, old):
        return False
    if _is_told_beside(statement, old) or not (_tells_a_change(statement) or _differs_in_time_alone(text, old)):
        return False
    planned = is_planned(old)
    got = _GOT_IT.search(text)
    if got and not (planned or _is_said_of_now(statement)) and telling(got["thing"]) <= telling(old):
        return False
    if record.kind is Kind.PREFERENCE and not (_is_said_of_now(statement) or planned):
        return False
    return planned or not (is_planned(text) or (is_past(old) and not _BEGUN.search(old)))


def _tells_a_change(statement: Statement) -> bool:
    """By a word of change, a denial, or something that happened: "the blue bin goes on Friday" is none of these."""
    return _is_said_of_now(statement) or is_past(statement.text)


def _is_said_of_now(statement: Statement) -> bool:
    ends = statement.slot is not None and statement.slot.ends
    return ends or statement.change or statement.replaces or is_negative(statement.text)


def _differs_in_time_alone(text: str, old: str) -> bool:
    """Whether one tells nothing that the other does not, but for days, months and numbers."""
    timed = [{word for word in telling(told) if classes_of(frozenset({word})) & _TIMES} for told in (text, old)]
    new, held = (telling(told) - times for told, times in zip((text, old), timed, strict=True))
    return all(timed) and (new <= held or held <= new)


def _is_told_beside(statement: Statement, old: str) -> bool:
    """Whether, of one subject, both begin alike and neither is told of now: "bought a sledge", "bought a tent"."""
    if statement.replaces or (statement.slot is not None and statement.slot.ends):
        return False
    beginnings = [[word for word in words_of(told) if word not in _ARTICLES] for told in (statement.text, old)]
    same = [one == other for one, other in zip(*beginnings, strict=False)]
    alike = same.index(False) if False in same else len(same)
    return same_subject(statement.text, old) and alike > len(subjects_of(old) - KIN_SET or subjects_of(old))


def _are_apart(text: str, old: str) -> bool:
    """Whether neither is about the user as the other is, nor names whom or what the other is about."""
    who, whom = subjects_of(text), subjects_of(old)
    met = (who & whom) | (who & set(words_of(old))) | (whom & set(words_of(text)))
    return "user" not in who & whom and met <= _NOBODY


def _is_of_one_of_several(text: str, old: str) -> bool:
    """Of "beans and leeks" only the beans were given up."""
    said = telling(text)
    ends = ((telling(one) & said, telling(other) & said) for one, other in _SEVERAL.findall(old))
    return any(bool(one) != bool(other) for one, other in ends)


def signals(
    statement: Statement, nearness: Nearness, candidates: Sequence[Candidate], by: Fitted
) -> Iterator[dict[str, float]]:
    """What speaks for each candidate's end and against it, by name, always in the same order."""
    vector = nearness.statement
    assert vector is not None
    turn = vector if nearness.turn is None else nearness.turn
    matter = by.matter(vector)
    cosines = [float(vector @ one.vector) for one in candidates]
    told = [telling(one.record.text) - COMMON_VERBS for one in candidates]
    rarity = Counter(word for words in told for word in words)
    mates = [same_subject(statement.text, one.record.text) for one in candidates]
    ranks = _ranks(cosines, [True] * len(cosines))
    mate_ranks = _ranks(cosines, mates)
    for place, (record, held) in enumerate((one.record, one.vector) for one in candidates):
        found = {
            "cosine": cosines[place],
            "cosine of the turn": float(turn @ held),
            "rank": math.log1p(ranks[place]),
            "rank of its subject": math.log1p(mate_ranks[place]),
            "nearest of its subject": mates[place] and not mate_ranks[place],
            "of its subject": math.log1p(sum(mates)),
            "same subject": mates[place],
        }
        found |= _of_words(statement, nearness.said, record, told[place], rarity)
        found |= _of_time(statement, record, same=mates[place]) | _of_slots(statement, record)
        old = by.matter(held)
        both = matter * old
        for name, traits in (("new", matter), ("old", old), ("both", both), ("same", both * mates[place])):
            found |= {f"{name} {number}": trait for number, trait in enumerate(traits)}
        yield {name: float(value) for name, value in found.items()}


def _ranks(cosines: Sequence[float], counted: Sequence[bool]) -> list[int]:
    """How many of those that count are nearer, at most `_FARTHEST`, which is also that of those that do not."""
    order = sorted((place for place, counts in enumerate(counted) if counts), key=lambda place: -cosines[place])
    ranks = {place: min(rank, _FARTHEST) for rank, place in enumerate(order)}
    return [ranks.get(place, _FARTHEST) for place in range(len(cosines))]


def _of_words(
    statement: Statement, said: str, record: Record, held: frozenset[str], rarity: Mapping[str, int]
) -> dict[str, float]:
    """`held` are the telling words of the record, `rarity` says how many candidates have each of such words."""
    text = statement.text
    who, whom = subjects_of(text), subjects_of(record.text)
    new = telling(text) - COMMON_VERBS
    spoken = telling(said or statement.excerpt) - COMMON_VERBS
    people = telling(" ".join((who | whom) - {"user"}))
    shared, now = new & held, classes_of(new)
    dated = {word for word in new if classes_of(frozenset({word}))}
    one_class = bool(now & classes_of(held))

    def rarest(words: frozenset[str]) -> float:
        return max((1.0 / rarity[word] for word in words), default=0.0)

    return {
        "shared": bool(shared - people),
        "only people": bool(shared & people) and not shared - people,
        "told again": len(shared) / (len(new) or 1),
        "rarest": rarest(shared - people),
        "rarest of the turn": rarest((spoken & held) - people),
        "rarest of people": rarest(spoken & held & people),
        "of the user": "user" in who,
        "record of the user": "user" in whom,
        "apart": _are_apart(text, record.text),
        "kin": not who.isdisjoint(KIN_SET),
        "one class": one_class,
        "another of a class": one_class and not dated <= held,
    }


def _of_time(statement: Statement, record: Record, *, same: bool) -> dict[str, float]:
    return {
        "past": is_past(statement.text),
        "record past": is_past(record.text),
        "negative": is_negative(statement.text),
        "record negative": is_negative(record.text),
        "planned": is_planned(statement.text),
        "record planned": is_planned(record.text),
        "replaces": statement.replaces,
        "same and replaces": same and statement.replaces,
        "change": statement.change,
        "beside": bool(_BESIDE.search(statement.text)),
    }


def _of_slots(statement: Statement, record: Record) -> dict[str, float]:
    slot, key = statement.slot, record.key or ""
    attribute = single_attribute(slot)
    return {
        "ends": bool(slot and slot.ends),
        "unsorted": slot is None,
        "record unsorted": not key,
        "same slot": bool(slot and slot.key and slot.key == key),
        "same attribute": bool(attribute) and attribute == key.partition(".")[2].partition(".")[0],
    }
