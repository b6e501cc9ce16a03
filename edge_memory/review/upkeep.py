"""Keeping memory small and in order: consolidation by itself, compaction and dedup as proposals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from edge_memory.config import MemoryConfig
from edge_memory.records import Layer, NewRecord, Record, Status
from edge_memory.review import compaction, consolidation, procedures
from edge_memory.review.consolidation import Consolidated, Plan
from edge_memory.store import Connection, Store, Transaction, finding, jobs, lineage, records
from edge_memory.store.records import Cause


@dataclass(frozen=True, slots=True)
class Merger:
    """Records that could be one, what that one would say, and its id if it was proposed."""

    sources: tuple[Record, ...]
    text: str
    record_id: int | None = None


class Upkeep:
    def __init__(
        self,
        store: Store,
        is_sensitive: Callable[[str | None], bool],
        config: MemoryConfig,
        clock: Callable[[], float],
    ) -> None:
        self._store = store
        self._is_sensitive = is_sensitive
        self._config = config
        self._clock = clock

    async def compact(self, user_id: str, *, create: bool) -> list[Merger]:
        """Semantic notes that say nearly the same. With `create` each group becomes a pending record."""
        return await self._merge(user_id, Layer.SEMANTIC, compaction.groups_of, compaction.compacted, create)

    async def dedup_procedures(self, user_id: str, *, create: bool) -> list[Merger]:
        """Procedures of one workflow. With `create` each group's canonical one becomes a pending record."""
        return await self._merge(user_id, Layer.PROCEDURAL, procedures.same_workflow, procedures.canonical, create)

    async def consolidate(self) -> Consolidated:
        """Merges repeats, archives what faded, promotes what keeps coming back. Safe to repeat."""
        done = Consolidated()
        while True:
            plan = await self._store.read(lambda connection: self._plan(connection, archive=True))
            piece = await self._store.write(self._piece(plan))
            done += piece
            if piece == Consolidated():
                return done

    async def consolidate_job(self, payload: Mapping[str, Any]) -> Transaction[None]:
        """The job `consolidate`: one bounded piece; leaves itself again while there is more."""
        archive = bool(payload["archive"])
        plan = await self._store.read(lambda connection: self._plan(connection, archive=archive))

        def effect(connection: Connection) -> None:
            now = self._clock()
            done = consolidation.carry_out(connection, plan, now)
            if done != Consolidated():
                jobs.enqueue(connection, jobs.JobKind.CONSOLIDATE, "all", payload, now)

        return effect

    def _piece(self, plan: Plan) -> Transaction[Consolidated]:
        now = self._clock()
        return lambda connection: consolidation.carry_out(connection, plan, now)

    def _plan(self, connection: Connection, *, archive: bool) -> Plan:
        return consolidation.plan(connection, self._config, self._is_sensitive, self._clock(), archive)

    async def _merge(
        self,
        user_id: str,
        layer: Layer,
        groups_of: Callable[[Sequence[Record]], list[list[Record]]],
        merged: Callable[[Sequence[Record]], NewRecord],
        create: bool,
    ) -> list[Merger]:
        def look(connection: Connection) -> list[Merger]:
            known = lineage.compactions(connection)
            waiting = {id_ for one in known if one.status is Status.PENDING for id_ in one.sources}
            refused = {one.sources for one in known if one.status is Status.TOMBSTONED}
            free = [one for one in finding.active(connection, user_id, layer) if one.id not in waiting]
            groups = [group for group in groups_of(free) if frozenset(r.id for r in group) not in refused]
            return [Merger(tuple(group), merged(group).text) for group in groups]

        if not create:
            return await self._store.read(look)
        now = self._clock()

        def propose(connection: Connection) -> list[Merger]:
            return [
                Merger(one.sources, one.text, _propose(connection, merged(one.sources), len(one.sources), now))
                for one in look(connection)
            ]

        return await self._store.write(propose)


def _propose(connection: Connection, new: NewRecord, sources: int, now: float) -> int:
    cause = Cause("propose", f"made of {sources} records")
    return records.insert(connection, new, cause, now, Status.PENDING).id
