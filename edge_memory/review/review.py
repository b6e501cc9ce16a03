"""What people decide about memory: proposals, confirmation, rejection, one-step undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from edge_memory.errors import BadQuery, WrongState
from edge_memory.records import Layer, NewRecord, Origin, Priority, Record, Status, UserTurn
from edge_memory.review import decisions
from edge_memory.review.decisions import Decision
from edge_memory.review.profile import Profile, project
from edge_memory.review.replies import Reply, answers_proposal, begins_with_yes, says_yes_again
from edge_memory.review.snapshots import store_profile
from edge_memory.review.traits import profile_key, told, traits_of
from edge_memory.store import Connection, Store, Transaction, finding, lineage, profiles, proposals, records, summaries
from edge_memory.store.profiles import StoredProfile
from edge_memory.store.records import Cause, Filter
from edge_memory.store.summaries import BaseMemory

_LONGEST_VALUE = 1_000
_MOST_PENDING = 1_000
_WORTH_ASKING = frozenset({Priority.CRITICAL, Priority.HIGH})


@dataclass(frozen=True, slots=True)
class Proposal:
    """A pending record, why it was proposed, and the ids of what confirming it would end."""

    record: Record
    reason: str
    replaces: tuple[int, ...]


class Review:
    """`is_sensitive` says of a slot key whether it is about identity, health or money; `may_be_spoken` of a record that
    waits, whether the companion may ask about it aloud.
    """

    def __init__(
        self,
        store: Store,
        is_sensitive: Callable[[str | None], bool],
        may_be_spoken: Callable[[Record], bool],
        clock: Callable[[], float],
    ) -> None:
        self._store = store
        self._is_sensitive = is_sensitive
        self._may_be_spoken = may_be_spoken
        self._clock = clock

    async def pending(self, user_id: str) -> list[Proposal]:
        """What waits for a decision, oldest first."""

        def read(connection: Connection) -> list[Proposal]:
            page, _ = finding.select(connection, Filter(user_id, Status.PENDING), _MOST_PENDING, 0)
            return [_proposal(connection, record) for record in reversed(page)]

        return await self._store.read(read)

    async def propose(self, key: str, value: str, reason: str, user_id: str) -> Record:
        """A pending profile record. Raises BadQuery for an empty key or value, WrongState when it is known already."""
        slot, said, now = profile_key(key), " ".join(value.split()), self._clock()
        if not said or len(said) > _LONGEST_VALUE:
            raise BadQuery("the value is empty or too long", f"give 1 to {_LONGEST_VALUE} characters")
        return await self._store.write(lambda connection: _propose(connection, slot, said, reason, user_id, now))

    async def confirm(self, record_id: int, reason: str = "confirmed by the owner") -> Decision:
        """Makes a pending record believed and ends what it replaces. Raises RecordNotFound and WrongState."""
        now = self._clock()
        return await self._store.write(lambda c: decisions.confirm(c, record_id, reason, None, now))

    async def reject(self, record_id: int, reason: str = "rejected by the owner") -> Decision:
        """Buries a pending record; its text stays in the history. Raises RecordNotFound and WrongState."""
        now = self._clock()
        return await self._store.write(lambda c: decisions.reject(c, record_id, reason, None, now))

    async def rollback(self, record_id: int, reason: str = "rolled back by the owner") -> Decision:
        """Buries an active record and brings back what it replaced. Raises RecordNotFound and WrongState."""
        now = self._clock()
        return await self._store.write(lambda c: decisions.rollback(c, record_id, reason, None, now))

    async def replaced(self, record_id: int) -> list[Record]:
        """What ended when this record was believed, and would come back if it were rolled back."""
        found = await self._store.read(lambda connection: lineage.replaced_by(connection, record_id))
        return [one.record for one in found]

    async def replacement(self, record_id: int) -> int | None:
        """The id of the record that took this one's place; None while nothing did."""
        return await self._store.read(lambda connection: lineage.replacement(connection, record_id))

    async def profile(self, user_id: str) -> Profile:
        """Who the user is and how they want things, as believed now."""
        return await self._store.read(lambda connection: project(connection, user_id, self._is_sensitive))

    async def stored_profile(self, user_id: str) -> StoredProfile | None:
        """The profile as it was stored last, at the end of a session or after a few turns."""
        return await self._store.read(lambda connection: profiles.latest(connection, user_id))

    async def stored_profiles(self, user_id: str) -> list[StoredProfile]:
        """The profiles that are kept, newest first."""
        return await self._store.read(lambda connection: profiles.versions(connection, user_id))

    async def store_profile(self, payload: Mapping[str, Any]) -> Transaction[None]:
        """The job `profile`."""
        return store_profile(payload, self._is_sensitive, self._clock)

    async def about(self, user_id: str, limit: int) -> list[Record]:
        """What is believed about who the user is and how they want things, the most important first."""
        return await self._store.read(lambda connection: records.of_the_user(connection, user_id, limit))

    async def believed(self, user_id: str, session_id: str, limit: int) -> list[Record]:
        """What is believed in a session of whatever was told, the user's own slots first, then the newest."""
        return await self._store.read(lambda connection: records.believed(connection, user_id, session_id, limit))

    # In conversation

    async def worth_asking(self, session_id: str, user_id: str, turn_id: str = "") -> Record | None:
        """The oldest pending record that the companion should ask about: high risk or important, never asked before.
        Instructions that came from elsewhere are never spoken: `lobug memory review` shows them.

        None right after a reply that asked: the one before the turn `turn_id`, which is heard and not answered yet.
        """

        def read(connection: Connection) -> list[Record]:
            if turn_id and proposals.asked_right_before(connection, session_id, turn_id):
                return []
            return proposals.unasked(connection, user_id, session_id)

        waiting = await self._store.read(read)
        return next((one for one in waiting if self._is_worth_asking(one)), None)

    async def doubts(self, session_id: str, user_id: str) -> list[Record]:
        """What waits in a session and may be asked about aloud, oldest first."""
        waiting = [one.record for one in await self.pending(user_id)]
        return [one for one in waiting if one.session_id in (None, session_id) and self._may_be_spoken(one)]

    def _is_worth_asking(self, record: Record) -> bool:
        important = self._is_sensitive(record.key) or record.priority in _WORTH_ASKING
        return important and self._may_be_spoken(record)

    async def note_asked(self, record_id: int, turn_id: str) -> None:
        """To be called when the reply of the turn `turn_id` asks about a record. Raises RecordNotFound."""
        now = self._clock()
        await self._store.write(lambda connection: proposals.note_asked(connection, record_id, turn_id, now))

    async def answer(self, turn: UserTurn) -> tuple[Reply, Decision] | None:
        """What a turn decides, done. None unless the reply right before it asked and it plainly answers."""
        plain, now = answers_proposal(turn.text), self._clock()

        def write(connection: Connection) -> tuple[Reply, Decision] | None:
            asked = proposals.asked_before(connection, turn)
            if asked is None:
                return None
            reply = plain or (Reply.YES if says_yes_again(turn.text, asked.text) else None)
            if reply is None:
                return None
            decide = decisions.confirm if reply is Reply.YES else decisions.reject
            return reply, decide(connection, asked.id, f"the user said {reply}", turn.turn_id, now)

        if plain is None and (
            not begins_with_yes(turn.text) or await self._store.read(lambda c: proposals.asked_before(c, turn)) is None
        ):
            return None
        try:
            return await self._store.write(write)
        except WrongState:  # what the record was made of has changed since the question
            return None

    async def note_offered(self, record_ids: Sequence[int], turn_id: str) -> None:
        """To be called when the reply of the turn `turn_id` asks which of these to forget. Raises RecordNotFound."""
        now = self._clock()
        await self._store.write(lambda connection: proposals.note_offered(connection, record_ids, turn_id, now))

    async def offered(self, turn: UserTurn) -> list[Record]:
        """What the reply right before a turn asked whether to forget; empty when it did not ask that."""
        return await self._store.read(lambda connection: proposals.offered_before(connection, turn))

    async def roll_back_base(self, version: int, user_id: str) -> BaseMemory:
        """Makes an older base memory document the current one, as a new version. Raises BadQuery."""
        now = self._clock()

        def write(connection: Connection) -> BaseMemory:
            versions = {one.version: one for one in summaries.base_memory_versions(connection, user_id, _MOST_PENDING)}
            if version not in versions:
                known = ", ".join(map(str, sorted(versions))) or "none yet"
                raise BadQuery(f"there is no version {version} of base memory", f"the versions are: {known}")
            reason = f"rolled back to version {version}"
            summaries.set_base_memory(connection, user_id, versions[version].content, reason, now)
            return summaries.base_memory(connection, user_id)

        return await self._store.write(write)


def _proposal(connection: Connection, record: Record) -> Proposal:
    reason = records.history(connection, record.id)[0].reason
    try:
        replaces = tuple(old.id for old in decisions.would_replace(connection, record))
    except WrongState:
        replaces = ()
    return Proposal(record, reason, replaces)


def _propose(connection: Connection, key: str, value: str, reason: str, user_id: str, now: float) -> Record:
    mates = records.in_slot(connection, user_id, key)
    for mate in mates:
        if isinstance(mate.value, str) and mate.value.lower() == value.lower():
            verb = "proposes" if mate.status is Status.PENDING else "says"
            raise WrongState(f"record {mate.id} {verb} this already", "`lobug memory inspect` shows it")
    traits = traits_of(key, mates)
    new = NewRecord(
        layer=Layer.PROFILE,
        kind=traits.kind,
        text=told(key, value),
        key=key,
        many=traits.many,
        value=value,
        importance=0.9,
        priority=traits.priority,
        user_id=user_id,
        origin=Origin.OWNER,
        source_excerpt=value,
    )
    return records.insert(connection, new, Cause("propose", reason), now, Status.PENDING)
