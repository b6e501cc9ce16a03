"""What a reply is given of memory: a baseline, what comes to mind, and procedures, under one budget of tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from edge_memory.config import MemoryConfig
from edge_memory.recall.rankers import FUSED_WEIGHTS, half_life_decay
from edge_memory.recall.recollection import Recollection
from edge_memory.records import Kind, Layer, Priority, Record, RecordHit, Relations, StoredMessage, TurnHit, words_of
from edge_memory.store.standing import Standing, Used
from edge_memory.store.words import STOP_WORDS

# The tokens that a record or a turn takes in the prompt, counted with the model's own tokenizer.
Cost = Callable[[Record | StoredMessage], int]
One = TypeVar("One", Record, StoredMessage)

_BASELINE = frozenset({Kind.POLICY, Kind.ARCHITECTURE, Kind.PREFERENCE})
_HARD = frozenset({Priority.CRITICAL, Priority.HIGH})
# Seed CM orders the kinds by critical, high, medium and normal.
_KIND_WEIGHTS: Mapping[str, float] = {
    Kind.POLICY: 1.0,
    Kind.WORKFLOW: 0.8,
    Kind.PITFALL: 0.8,
    Kind.ARCHITECTURE: 0.8,
    Kind.DECISION: 0.6,
    Kind.PREFERENCE: 0.6,
}
_OTHER_WEIGHT = 0.4
_STALE = 0.1  # of its strength when it was new
_UNSURE = 0.4  # as sure as after one mention
_MOST_PROCEDURES, _MOST_TURNS = 3, 2
_NEAR_TURN, _NEAR_PROCEDURE = 0.4, 0.45  # cosines
_NAMED = 0.5  # share of a procedure's name that an utterance must hold
_STEM_LETTERS = 5
_ASKING = re.compile(
    r"\s*(?:(?:and|but|so|ok|okay|hey|please)\s+)*"
    r"(?:what|when|where|who|whom|whose|which|why|how|is|are|was|were|do|does|did|can|could|should|would|will|am"
    r"|tell me|give me|show me|explain|remind me)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Activated:
    """`baseline` (A) is the same from turn to turn until a record of it changes. `relevant` (B) was recalled for the
    utterance, best first, or is on the mind anyway; `turns` are the user's own words from before, oldest first;
    `procedures` (C) are ways of doing what is asked, proven ones first.

    `base` is the base memory document, and `constraints` are all hard ones, injected or not. `relations` are the names
    for each kin word. `waiting` says that something waits for a yes, `unasked` that the user was not asked of it all.
    `tokens` is what the chosen take, `left_out` how many records would have been chosen but for the budget.
    """

    recollection: Recollection
    baseline: tuple[Record, ...] = ()
    relevant: tuple[Record, ...] = ()
    turns: tuple[StoredMessage, ...] = ()
    procedures: tuple[Record, ...] = ()
    constraints: tuple[Record, ...] = ()
    base: str = ""
    relations: Relations = field(default_factory=dict)
    waiting: bool = False
    unasked: bool = False
    tokens: int = 0
    left_out: int = 0


class _Purse:
    """Takes what still fits. What does not fit is left out whole, and something smaller may fit after it."""

    def __init__(self, tokens: int, cost: Cost) -> None:
        self._cost = cost
        self._tokens = tokens
        self.spent = 0
        self.left_out = 0

    def take(self, wanted: Iterable[One], most: int | None = None) -> list[One]:
        taken: list[One] = []
        for one in wanted:
            if most is not None and len(taken) == most:
                break
            cost = self._cost(one)
            if self.spent + cost <= self._tokens:
                self.spent += cost
                taken.append(one)
            else:
                self.left_out += 1
        return taken


def activate(
    recollection: Recollection,
    standing: Standing,
    shown: Collection[str],
    text: str,
    cost: Cost,
    config: MemoryConfig,
    now: float,
) -> Activated:
    """Chooses under `config.injection_tokens`: A before B before C; in these hard before task before soft, what is
    stale or unsure last. `shown` are the turns that the model sees anyway: what came from them is not told again.
    """
    purse = _Purse(config.injection_tokens, cost)

    def is_new(record: Record) -> bool:
        return record.source_turn_id is None or record.source_turn_id not in shown

    baseline = purse.take(sorted(filter(is_new, filter(_is_baseline, standing.hard)), key=_hard_first))
    told = {record.id for record in standing.hard if _is_baseline(record)}
    recalled = [hit.record for hit in recollection.hits if hit.record.id not in told and is_new(hit.record)]
    relevant = purse.take(_task_first(recalled, config, now))
    turns = purse.take(_telling_turns(recollection.turns, recollection.hits), _MOST_TURNS)
    told |= {hit.record.id for hit in recollection.hits}
    unasked = [record for record in standing.mind if record.id not in told]
    relevant += purse.take(filter(is_new, unasked), config.injection_strongest)
    procedures = purse.take(filter(is_new, _for_the_task(recollection.procedures, text)), _MOST_PROCEDURES)
    places = {record.id: place for place, record in enumerate((*recalled, *unasked))}
    return Activated(
        recollection=recollection,
        baseline=tuple(sorted(baseline, key=lambda record: record.id)),
        relevant=tuple(sorted(relevant, key=lambda record: places[record.id])),
        turns=tuple(sorted(turns, key=lambda message: message.id)),
        procedures=tuple(procedures),
        constraints=tuple(record for record in standing.hard if record.layer is not Layer.PROCEDURAL),
        base=standing.base,
        waiting=standing.waiting,
        unasked=standing.unasked,
        tokens=purse.spent,
        left_out=purse.left_out,
    )


def _strength(used: Used, config: MemoryConfig, now: float) -> float:
    """Seed CM: weight of the kind x decay x reinforcement, which counts the first telling: 1 + uses."""
    freshness = half_life_decay(now - used.touched_at, config.decay_half_life_days)
    return _KIND_WEIGHTS.get(used.kind, _OTHER_WEIGHT) * freshness * (1 + used.reinforcement)


def _is_baseline(record: Record) -> bool:
    """What has a scope is not for every conversation; it comes when it is recalled."""
    return record.kind in _BASELINE and record.priority in _HARD and not record.scope


def _hard_first(record: Record) -> tuple[bool, bool, float, int]:
    """By nothing that a mere use or the passing of time changes, so that the baseline stays as it is."""
    return (
        record.priority is not Priority.CRITICAL,
        record.confidence < _UNSURE,
        -record.updated_at,
        -record.id,
    )


def _task_first(recalled: Sequence[Record], config: MemoryConfig, now: float) -> list[Record]:
    """Task context before soft preferences, each in the order of recall; what is stale or unsure comes last."""

    def place(record: Record) -> tuple[bool, bool]:
        age = now - max(record.created_at, record.last_used_at or 0.0)
        is_stale = half_life_decay(age, config.decay_half_life_days) * (1 + record.reinforcement) < _STALE
        return is_stale or record.confidence < _UNSURE, record.kind is Kind.PREFERENCE

    return sorted(recalled, key=place)


def on_the_mind(used: Sequence[Used], config: MemoryConfig, now: float) -> list[int]:
    """The ids of what comes to mind unasked, strongest first."""
    strong = [(_strength(one, config, now), one) for one in used if one.layer != Layer.PROCEDURAL and not one.scope]
    kept = [(value, one.id) for value, one in strong if value >= config.injection_floor]
    return [record_id for _, record_id in sorted(kept, key=lambda pair: (-pair[0], pair[1]))]


def _telling_turns(found: Sequence[TurnHit], hits: Sequence[RecordHit]) -> list[StoredMessage]:
    """What was said before and no recalled record tells already; a question tells nothing."""
    told = {hit.record.source_turn_id for hit in hits}
    return [
        hit.message
        for hit in found
        if hit.message.turn_id not in told
        and not _asks(hit.message.content)
        and (cosine(hit) >= _NEAR_TURN or (not cosine(hit) and hit.why.get("words", 0.0) > 0))
    ]


def _asks(said: str) -> bool:
    """Whether something is asked or wished for, with a question mark or, as speech recognition writes it, without."""
    return said.rstrip().endswith("?") or _ASKING.match(said) is not None


def _for_the_task(found: Sequence[RecordHit], text: str) -> list[Record]:
    """Procedures whose name the utterance holds, or that are near to it; proven ones first."""
    heard = _stems(text)
    fitting = []
    for hit in found:
        name = _stems(hit.record.value.get("workflow", "") if isinstance(hit.record.value, dict) else hit.record.text)
        if (name and len(name & heard) >= _NAMED * len(name)) or cosine(hit) >= _NEAR_PROCEDURE:
            fitting.append(hit.record)
    return sorted(fitting, key=lambda record: not record.success_count)


def cosine(hit: RecordHit | TurnHit) -> float:
    """How near what recall found for a reply is to what was said; 0 where it was found by words alone."""
    return hit.why.get("cosine", 0.0) / FUSED_WEIGHTS["cosine"]


def _stems(text: str) -> set[str]:
    return {word[:_STEM_LETTERS] for word in words_of(text) if word not in STOP_WORDS}
