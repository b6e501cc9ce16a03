"""Every tunable of the memory engine, in one frozen place, with the seed's defaults."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from edge_memory.errors import BadConfig


def _tunable(default: Any, low: float, high: float, doc: str) -> Any:
    return field(default=default, metadata={"low": low, "high": high, "doc": doc})


def _switch(default: bool, doc: str) -> Any:
    return field(default=default, metadata={"doc": doc})


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryConfig:
    """Raises BadConfig when a value is outside its range or two of them contradict each other.

    `low`, `high` and `doc` of each field's metadata are the range (inclusive) and the meaning, a switch has no range;
    the settings reference is generated from them.
    """

    enabled: bool = _switch(True, "recall and learn; off, turns are only logged and answered without memory")
    working_messages: int = _tunable(20, 2, 200, "messages of a conversation that the model sees")
    short_term_threshold: int = _tunable(30, 2, 10_000, "unsummarised messages that start a summary")
    short_term_keep: int = _tunable(10, 0, 10_000, "newest messages that a summary leaves out")
    long_term_threshold: int = _tunable(20, 1, 10_000, "unincorporated summaries that start a distillation")
    long_term_keep: int = _tunable(10, 0, 10_000, "newest summaries that a distillation leaves out")
    base_memory_words: int = _tunable(400, 50, 2_000, "longest base memory document, in words")
    retrieval_top_k: int = _tunable(5, 1, 20, "records recalled for a turn")
    retrieval_min_similarity: float = _tunable(0.3, 0.0, 1.0, "cosine below which a vector match is dropped")
    include_global: bool = _switch(
        True, "recall in every conversation what belongs to none; off, a conversation has only its own records"
    )
    recall_candidates: int = _tunable(50, 1, 200, "candidates taken from the words and from the vectors")
    injection_tokens: int = _tunable(
        800,
        0,
        100_000,
        "tokens of memories in a prompt, beside base memory; 800 is 400 on the profile small, 200 on tiny",
    )
    injection_floor: float = _tunable(
        2.0, 0.0, 1_000.0, "strength (kind x decay x uses) from which a record is on the mind unasked"
    )
    injection_strongest: int = _tunable(2, 0, 20, "records that are on the mind unasked, at most")
    recency_half_life_days: float = _tunable(
        30.0, 1.0, 3_650.0, "days in which the recency of the rankers hybrid, signals and deterministic halves"
    )
    dedup_enabled: bool = _switch(True, "count what is said again as said again; off, as one more record")
    dedup_lookback: int = _tunable(5, 1, 100, "nearest records that a statement is compared with as said again")
    duplicate_distance_threshold: float = _tunable(
        0.15, 0.0, 1.0, "cosine distance within which two records are compared as possible duplicates"
    )
    extraction_enabled: bool = _switch(True, "learn from what is said; off, only what it is told to remember")
    audit_enabled: bool = _switch(True, "ask the model about what rules leave open between a statement and older ones")
    extraction_max_items: int = _tunable(3, 1, 10, "facts that one turn may leave through the model")
    decay_enabled: bool = _switch(True, "archive what has faded; off, only what is too old or too much")
    decay_half_life_days: float = _tunable(
        90.0, 1.0, 3_650.0, "days without use in which a record loses half its strength"
    )
    max_age_days: float = _tunable(
        0.0, 0.0, 36_500.0, "days without use after which a record is archived however strong; 0 leaves it to decay"
    )
    most_active_records: int = _tunable(10_000, 10, 10_000_000, "active records beyond which the weakest are archived")
    surprise_threshold: float = _tunable(
        0.3, 0.0, 1.0, "surprise below which a statement is dropped, unless it was asked for or is of high risk"
    )
    job_attempts: int = _tunable(5, 1, 100, "failures after which a memory job is parked")
    job_backoff_seconds: float = _tunable(2.0, 0.0, 3_600.0, "wait after a job's first failure, doubled each time")
    backups_kept: int = _tunable(7, 0, 365, "daily copies of the file that are kept beside it; 0 makes none")
    sensor_fresh_seconds: float = _tunable(900.0, 1.0, 86_400.0, "age at which readings leave the prompt")
    sensor_seconds: float = _tunable(10.0, 0.0, 3_600.0, "least time between two kept rows of a device's readings")
    sensor_rows_per_device: int = _tunable(1_000, 1, 1_000_000, "sensor readings kept for each device")

    def __post_init__(self) -> None:
        for spec in fields(self):
            value = getattr(self, spec.name)
            if isinstance(spec.default, bool):
                if not isinstance(value, bool):
                    raise BadConfig(f"{spec.name} is {value!r}", "give true or false")
                continue
            low, high = spec.metadata["low"], spec.metadata["high"]
            whole = isinstance(spec.default, int)
            if (
                isinstance(value, bool)
                or not isinstance(value, int if whole else int | float)
                or not low <= value <= high
            ):
                kind = "whole number" if whole else "number"
                raise BadConfig(f"{spec.name} is {value!r}", f"give a {kind} from {low} to {high}")
        if self.short_term_keep >= self.short_term_threshold:
            raise BadConfig("short_term_keep is not less than short_term_threshold", "keep fewer, or wait for more")
        if self.long_term_keep >= self.long_term_threshold:
            raise BadConfig("long_term_keep is not less than long_term_threshold", "keep fewer, or wait for more")
