"""How likely it is that what is wanted goes against something that was told, in whatever words either is said.

Rules know the words of foods, drugs and hours; this weighs what else speaks for it: how near the two are, of what
matter each is as the embedder sees it, whom they are about, which words they share, and what the rules say. The weights
are fitted by scripts/fit_bans.py, nothing here names what could be forbidden.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from edge_memory import lazy_re as re
from edge_memory.observe import read_statements, restricts
from edge_memory.protocols import Vectors
from edge_memory.recall import Positions
from edge_memory.records import Kind, Priority, Record, words_of
from firmware_bridge.turn.english.constraints import KIN_TAG, binds, is_order, names, touched
from firmware_bridge.turn.english.forbidden import is_medicine, kept, subject_of, words_heard
from firmware_bridge.turn.english.orders import is_told_as_order
from firmware_bridge.turn.english.requests import asks_of_another, asks_permission, asks_suggestion, bids
from firmware_bridge.turn.english.told import subjects, told_by
from firmware_bridge.turn.english.wordforms import telling_words

FITTED_TO = "all-MiniLM-L6-v2"  # the embedder whose vectors the weights are for
FITTED = Path(__file__).with_name("touching.npz")
_MOST_WISHES = 64  # of which is kept what they are
_FARTHEST = 12  # how many nearer records count
_HARD = (Priority.HIGH, Priority.CRITICAL)
_SPEAKER = frozenset("i me my we us our i'm i'll i'd i've let's mine myself".split())
_PRONOUNS = frozenset("he him his she her they them their it its".split())
_NOBODY = frozenset("user the a an s it that this they them he she him her his".split())
_FACT = re.compile(
    r"^\W*(?:(?:so|and|hey|please|tell me|remind me|do you (?:know|remember))\b[\s,]*)*"
    r"(?:(?:in|at|on|from|to|for|with|by|of) (?=wh))?"
    r"(?:what|when|where|who|whose|which|why|how|did|does|do|was|were|has|have|is|are)\b",
    re.IGNORECASE,
)
# How what must not be is told, whatever it is.
_CUE = re.compile(
    r"\b(?:no|not|never|nobody|no one|nothing|none|without|only|must|mustn't|cannot|off|away|out of|allerg\w+|banned"
    r"|forbidden|poison\w*|toxic|deadly|dangerous|stays? shut|careful|avoid\w*|strict\w*)\b|n't\b",
    re.IGNORECASE,
)
_MAY = re.compile(
    r"\b(?:can|could|may|might|shall|should|must|allowed|okay|ok|all right|alright|fine|safe)\b", re.IGNORECASE
)
_WANTS = re.compile(
    r"\b(?:want|wants|wanting|fancy|fancies|asking|asks|asked|offered|offering|begging|would like|'d like|'d love"
    r"|let's|let me|going to|gonna|i'll|i'd|i might|i could|think i|about to|needs?|please)\b"
    r"|\bfor (?:me|us)\W*$",
    re.IGNORECASE,
)

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """The weights of the signals, in their order, and what tells the matter of a text from its vector."""

    weights: Numbers
    bias: float
    mean: Numbers
    axes: Numbers  # one row for each trait of a matter

    def traits(self, vectors: Vectors) -> Numbers:
        return np.asarray((vectors - self.mean) @ self.axes.T, dtype=np.float64)


@cache
def fitted() -> Fitted:
    with np.load(FITTED) as file:
        parts = {name: file[name].astype(np.float64) for name in file.files}
    return Fitted(bias=float(parts.pop("bias")), **parts)


def is_wish(text: str) -> bool:
    """Whether something is wanted or about to be done, rather than told or asked for as a fact."""
    found = _of_the_wish(text)
    if found["fact"] or found["forbids"]:
        return False
    wants = ("permission", "suggestion", "bids", "may", "wants")
    return any(found[name] for name in wants) or not found["states"]


@kept
def may_bind(record: Record) -> bool:
    """Whether it is told as what must not be, if only by a "not" or an "only"."""
    return record.priority in _HARD or binds(record) or bool(_CUE.search(record.text))


def chances(text: str, candidates: Sequence[Record], positions: Positions) -> list[float]:
    """Of each candidate, that `text` goes against it."""
    if not candidates:
        return []
    by, asked, vectors = fitted(), positions.asked, positions.records
    rows = np.array([list(row.values()) for row in signals(text, candidates, asked, vectors)])
    told = by.traits(np.array([vectors.get(one.id, np.zeros_like(asked)) for one in candidates]))
    wanted = np.repeat(by.traits(asked[None]), len(told), axis=0)
    scores = np.column_stack([rows, wanted, told]) @ by.weights + by.bias
    return [float(one) for one in 1.0 / (1.0 + np.exp(-scores))]


def signals(
    text: str, candidates: Sequence[Record], asked: Vectors, vectors: Mapping[int, Vectors]
) -> Iterator[dict[str, float]]:
    """What speaks for it that each candidate is gone against, by name, always in the same order."""
    cosines = [float(asked @ vectors[one.id]) if one.id in vectors else 0.0 for one in candidates]
    order = sorted(range(len(cosines)), key=lambda place: -cosines[place])
    ranks = {place: min(rank, _FARTHEST) for rank, place in enumerate(order)}
    best = [cosines[place] for place in order[:2]] + [0.0]
    heard, said = words_heard(text), telling_words(text)
    told = [telling_words(one.text) for one in candidates]
    rarity = Counter(word for words in told for word in words)
    people = [_people(one) for one in candidates]
    named = heard & frozenset().union(*people)
    own, others = bool(heard & _SPEAKER), bool(heard & _PRONOUNS)
    near = {record.id for record in touched(candidates, text)}
    wanted = _of_the_wish(text)
    for place, record in enumerate(candidates):
        shared = (said & told[place]) - people[place]
        whom, of_user = people[place], "the user" in record.text.lower()
        same = bool(whom & heard)
        mates = [one for other, one in enumerate(cosines) if other != place and people[other] & whom & heard]
        yield (
            wanted
            | {
                "cosine": cosines[place],
                "rank": math.log1p(ranks[place]),
                "above all": cosines[place] - best[not ranks[place]],
                "above its mates": cosines[place] - max(mates) if mates else 0.0,
                "has mates": float(bool(mates)),
                "cosine of whom": cosines[place] * same,
                "cosine of a ban": cosines[place] * _of_the_record(record)["cue"],
                "shared": math.log1p(len(shared)),
                "rarest": max((1.0 / rarity[word] for word in shared), default=0.0),
                "same person": float(same),
                "another": float(bool(named) and not same),
                "another than whom": float(bool(named and whom) and not same),
                "another than the user": float(bool(named) and of_user and not whom and not own),
                "for nobody": float(not named and not own and not others),
                "whom and nobody named": float(bool(whom) and not named and not own),
                "whom and only own": float(bool(whom) and not named and own and not others),
                "whom and a pronoun": float(bool(whom) and not named and others),
                "own and told of the user": float(own and of_user and not whom),
                "of all": float(not whom and not of_user),
                "near and same": float(record.id in near and same),
                "near and the user's": float(record.id in near and own and of_user),
                "near by cosine": cosines[place] * float(record.id in near),
                "near": float(record.id in near),
                "names": float(names(record, text)),
            }
            | _of_the_record(record)
        )


@lru_cache(_MOST_WISHES)
def _of_the_wish(text: str) -> dict[str, float]:
    heard = words_heard(text)
    is_fact = bool(_FACT.match(text)) and not _MAY.search(text)
    return {
        "permission": float(asks_permission(text)),
        "suggestion": float(asks_suggestion(text) or asks_of_another(text)),
        "bids": float(bids(text)),
        "may": float(bool(_MAY.search(text))),
        "wants": float(bool(_WANTS.search(text))),
        "fact": float(is_fact),
        "own": float(bool(heard & _SPEAKER)),
        "states": float(bool(read_statements(text))),
        "forbids": float(restricts(text) or is_told_as_order(text)),
        "asks": float(text.rstrip().endswith("?")),
    }


@kept
def _of_the_record(record: Record) -> dict[str, float]:
    return {
        "hard": float(record.priority in _HARD),
        "binds": float(binds(record)),
        "restricts": float(restricts(record.text)),
        "order": float(is_order(record)),
        "cue": float(bool(_CUE.search(record.text))),
        "medicine": float(is_medicine(record)),
        "relation": float(record.kind is Kind.RELATIONSHIP),
        "slot": float(bool(record.key)),
    }


@kept
def _people(record: Record) -> frozenset[str]:
    """Words for whom a record is about, by name or by what they are to the user."""
    kin = {word for tag in record.tags if tag.startswith(KIN_TAG) for word in words_of(tag.removeprefix(KIN_TAG))}
    return frozenset((subject_of(record) | subjects(told_by(record)) | kin) - _NOBODY)
