"""Consolidation, once a week: repeats become one, what faded is archived, what keeps coming back is trusted more.

Nothing is deleted: an archived record can be searched, and its history tells why it rests.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from edge_memory.config import MemoryConfig
from edge_memory.records import Record, Status
from edge_memory.store import Connection, fading, jobs, records, schedule, vectors
from edge_memory.store.fading import Fading
from edge_memory.store.records import Cause

WORK = "consolidation"
_DAY_SECONDS = 86_400.0
_EVERY_DAYS = 7.0
# After a longer pause the clock may have jumped, and a wrong clock must not send everything to the archive.
_LONGEST_TRUSTED_PAUSE_DAYS = 60.0
_FAINT = 0.1
_RECURS, _TRUSTED = 3, 0.8
_MOST_CHANGES = 500  # in one transaction, so that a turn never waits long for the writer


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done: repeats by the record that stays, and ids to archive and to promote."""

    repeats: tuple[tuple[int, tuple[int, ...]], ...] = ()
    archive: tuple[int, ...] = ()
    promote: tuple[int, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.repeats or self.archive or self.promote)


@dataclass(frozen=True, slots=True)
class Consolidated:
    """How many records were merged into another, archived and promoted."""

    merged: int = 0
    archived: int = 0
    promoted: int = 0

    def __add__(self, other: Consolidated) -> Consolidated:
        return Consolidated(self.merged + other.merged, self.archived + other.archived, self.promoted + other.promoted)


def strength(touched_at: float, reinforcement: int, now: float, half_life_days: float) -> float:
    """(1 + reinforcement) x 2^(-age / half-life): 1 when new, 0.1 after 3.3 half-lives without being used.

    An age before zero counts as zero: a clock that was set back does not make anything older.
    """
    age_days = max(now - touched_at, 0.0) / _DAY_SECONDS
    return float((1 + reinforcement) * 2.0 ** -(age_days / half_life_days))


def due_consolidation(connection: Connection, now: float) -> None:
    """Leaves the job when a week has passed since the last time. The date is in the file."""
    last = schedule.last_done(connection, WORK)
    if last is None or last > now:
        schedule.note_done(connection, WORK, now)
        return
    days = (now - last) / _DAY_SECONDS
    if days >= _EVERY_DAYS:
        payload = {"archive": days <= _LONGEST_TRUSTED_PAUSE_DAYS}
        jobs.enqueue(connection, jobs.JobKind.CONSOLIDATE, "all", payload, now)


def plan(
    connection: Connection, config: MemoryConfig, is_sensitive: Callable[[str | None], bool], now: float, archive: bool
) -> Plan:
    """The next bounded piece of work; empty when all is done."""
    repeats = fading.repeats(connection)[:_MOST_CHANGES] if config.dedup_enabled else []
    fading_ids = _to_archive(connection, config, is_sensitive, now) if archive else []
    return Plan(
        tuple(repeats),
        tuple(fading_ids[:_MOST_CHANGES]),
        tuple(fading.recurring(connection, _RECURS, _TRUSTED)[:_MOST_CHANGES]),
    )


def carry_out(connection: Connection, work: Plan, now: float) -> Consolidated:
    """Skips what has changed since the plan was made."""
    merged = sum(_merge(connection, kept, others, now) for kept, others in work.repeats)
    archived = sum(_archive(connection, record_id, now) for record_id in work.archive)
    promoted = sum(_promote(connection, record_id, now) for record_id in work.promote)
    schedule.note_done(connection, WORK, now)
    return Consolidated(merged, archived, promoted)


def _to_archive(
    connection: Connection, config: MemoryConfig, is_sensitive: Callable[[str | None], bool], now: float
) -> list[int]:
    """What has faded or is too old, and the weakest of what is too much; never what is confirmed, important or high
    risk.
    """
    half_life = config.decay_half_life_days
    faded_before = now - half_life * _DAY_SECONDS * math.log2(1 / _FAINT) if config.decay_enabled else -math.inf
    too_old_before = now - config.max_age_days * _DAY_SECONDS if config.max_age_days else -math.inf

    def how_strong(one: Fading) -> float:
        return strength(one.touched_at, one.reinforcement, now, half_life)

    def has_gone(one: Fading) -> bool:
        faded = config.decay_enabled and how_strong(one) < _FAINT
        return faded or one.touched_at < too_old_before

    excess = fading.count_active(connection) - config.most_active_records
    candidates = fading.unprotected(connection, math.inf if excess > 0 else max(faded_before, too_old_before))
    weakest = sorted((one for one in candidates if not is_sensitive(one.key)), key=how_strong)
    return [one.record_id for place, one in enumerate(weakest) if place < excess or has_gone(one)]


def _merge(connection: Connection, kept_id: int, others: tuple[int, ...], now: float) -> int:
    kept = _still_active(connection, kept_id)
    if kept is None:
        return 0
    found = [_still_active(connection, record_id) for record_id in others]
    repeats = [record for record in found if record is not None and record.text.lower() == kept.text.lower()]
    if not repeats:
        return 0
    for record in repeats:
        cause = Cause("repeat", f"says what record {kept_id} says")
        records.change(connection, record.id, cause, now, status=Status.SUPERSEDED, valid_to=now)
        vectors.remove(connection, record.id)
    records.change(
        connection,
        kept_id,
        Cause("merge", f"says what {len(repeats)} others said, too"),
        now,
        confidence=max(record.confidence for record in (kept, *repeats)),
        reinforcement=kept.reinforcement + sum(1 + record.reinforcement for record in repeats),
        last_used_at=max((r.last_used_at for r in (kept, *repeats) if r.last_used_at is not None), default=None),
    )
    return len(repeats)


def _archive(connection: Connection, record_id: int, now: float) -> int:
    if _still_active(connection, record_id) is None:
        return 0
    records.change(connection, record_id, Cause("archive", "not used for long"), now, status=Status.ARCHIVED)
    return 1


def _promote(connection: Connection, record_id: int, now: float) -> int:
    record = _still_active(connection, record_id)
    if record is None:
        return 0
    cause = Cause("promote", f"came back {record.reinforcement} times")
    records.change(connection, record_id, cause, now, confidence=max(record.confidence, _TRUSTED))
    return 1


def _still_active(connection: Connection, record_id: int) -> Record | None:
    record = records.get_many(connection, [record_id]).get(record_id)
    return record if record is not None and record.status is Status.ACTIVE else None
