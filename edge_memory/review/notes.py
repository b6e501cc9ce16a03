"""What the owner writes down by hand, and what a run keeps while it lasts."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from edge_memory.errors import BadQuery, NothingMatches
from edge_memory.records import Kind, Layer, NewRecord, Origin, Record, Status, words_of
from edge_memory.review import procedures
from edge_memory.store import Connection, Store, finding, jobs, records, vectors
from edge_memory.store.records import Cause

_LONGEST_TEXT = 4_000
_MOST_STEPS, _MOST_TAGS = 50, 20


class Notes:
    """Episodes, procedures, and the working notes of runs. What `must_wait` names of a program's, by its text, its
    words, kind and layer, waits for the owner.
    """

    def __init__(
        self, store: Store, must_wait: Callable[[str, str, Kind, Layer], bool], clock: Callable[[], float]
    ) -> None:
        self._store = store
        self._must_wait = must_wait
        self._clock = clock

    async def episode(
        self, text: str, outcome: str, tags: Sequence[str], user_id: str, *, by_program: bool = False
    ) -> Record:
        """Something that happened. Episodes are only ever added. Raises BadQuery for an empty or too long text."""
        new = _episode(_checked(text, "text"), outcome.strip(), tags, user_id)
        return await self._keep(new, Cause("insert", "an episode"), by_program=by_program)

    async def procedure(
        self, name: str, steps: Sequence[str], scope: str, user_id: str, *, by_program: bool = False
    ) -> Record:
        """A named way of doing something. Written down again with the same steps, it has proved itself once more.

        Raises BadQuery for an empty name or step.
        """
        if not words_of(name) or not steps or len(steps) > _MOST_STEPS:
            raise BadQuery(
                "a procedure needs a name and steps", f"give --step once for each of 1 to {_MOST_STEPS} steps"
            )
        told = [_checked(step, "step") for step in steps]
        new = procedures.procedure(_checked(name, "name"), told, user_id, scope.strip())
        now = self._clock()

        def write(connection: Connection) -> Record:
            for known in finding.active(connection, user_id, Layer.PROCEDURAL):
                if _same_way(known, new):
                    return _proved(connection, known, now)
            return self._insert(connection, new, Cause("insert", "a procedure"), now, by_program=by_program)

        return await self._store.write(write)

    async def jot(self, run_id: str, text: str, user_id: str) -> Record:
        """A working note, seen only by the session `run_id`. Raises BadQuery."""
        new = NewRecord(
            layer=Layer.WORKING,
            kind=Kind.FACT,
            text=_checked(text, "text"),
            many=True,
            confidence=1.0,
            session_id=_checked(run_id, "run"),
            user_id=user_id,
            origin=Origin.OWNER,
        )
        return await self._keep(new, Cause("insert", "a note of a run"))

    async def close_run(
        self, run_id: str, outcome: str | None, user_id: str, *, by_program: bool = False
    ) -> Record | None:
        """Buries a run's working notes. With an outcome they live on in one episode, which is returned.

        Raises NothingMatches for a run without notes.
        """
        now = self._clock()

        def write(connection: Connection) -> Record | None:
            notes = [r for r in finding.active(connection, user_id, Layer.WORKING) if r.session_id == run_id]
            if not notes:
                raise NothingMatches(f"run {run_id!r} has no notes", "a run is closed once")
            for note in notes:
                vectors.remove(connection, note.id)
                cause = Cause("close", "its run is over")
                records.change(connection, note.id, cause, now, status=Status.TOMBSTONED, valid_to=now)
            if outcome is None:
                return None
            text = "; ".join(note.text for note in notes)[:_LONGEST_TEXT]
            episode = _episode(text, outcome, ("run",), user_id)
            return self._insert(connection, episode, Cause("insert", "a run"), now, by_program=by_program)

        return await self._store.write(write)

    async def _keep(self, new: NewRecord, cause: Cause, *, by_program: bool = False) -> Record:
        now = self._clock()
        return await self._store.write(lambda c: self._insert(c, new, cause, now, by_program=by_program))

    def _insert(self, connection: Connection, new: NewRecord, cause: Cause, now: float, *, by_program: bool) -> Record:
        jobs.enqueue(connection, jobs.JobKind.EMBED, "records", {}, now)
        new = dataclasses.replace(new, event_time=_event_time(new, now))
        if not by_program:
            return records.insert(connection, new, cause, now)
        new = dataclasses.replace(new, origin=Origin.IMPORT)
        told = f"{new.text}. {new.value['outcome']}" if new.layer is Layer.EPISODIC and new.value else new.text
        waits = self._must_wait(new.text, told, new.kind, new.layer)
        return records.insert(connection, new, cause, now, Status.PENDING if waits else Status.ACTIVE)


def _checked(text: str, name: str) -> str:
    plain = " ".join(text.split())
    if not plain or len(plain) > _LONGEST_TEXT:
        raise BadQuery(f"the {name} is empty or too long", f"give 1 to {_LONGEST_TEXT} characters")
    return plain


def _episode(text: str, outcome: str, tags: Sequence[str], user_id: str) -> NewRecord:
    kept = tuple(dict.fromkeys(tag.strip() for tag in tags if tag.strip()))
    if len(kept) > _MOST_TAGS:
        raise BadQuery(f"{len(kept)} tags", f"give at most {_MOST_TAGS}")
    return NewRecord(
        layer=Layer.EPISODIC,
        kind=Kind.EVENT,
        text=text,
        many=True,
        value={"outcome": outcome} if outcome else None,
        confidence=1.0,
        tags=kept,
        user_id=user_id,
        origin=Origin.OWNER,
    )


def _event_time(new: NewRecord, now: float) -> float | None:
    return now if new.layer is Layer.EPISODIC else None


def _same_way(known: Record, new: NewRecord) -> bool:
    return known.text.lower() == new.text.lower() and (known.scope, known.session_id) == (new.scope, new.session_id)


def _proved(connection: Connection, known: Record, now: float) -> Record:
    value = {**known.value, "success_count": known.success_count + 1} if isinstance(known.value, dict) else None
    cause = Cause("noop", "done the same way again")
    return records.change(
        connection, known.id, cause, now, value=value, reinforcement=known.reinforcement + 1, last_used_at=now
    )
