"""A deque of messages for each live conversation, reloaded from the log after a restart.

It is trimmed in blocks: each time that it overflows the older half goes. Dropping one message a turn would change the
beginning of every prompt, and the model would read the whole history anew each time.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass

from edge_memory.records import Message, Role
from edge_memory.store import Store, conversation

_MOST_SESSIONS = 64


@dataclass(frozen=True, slots=True)
class _Held:
    turn_id: str
    message: Message


class WorkingMemory:
    """Keeps the conversations used last; any other is read from the log when it goes on."""

    def __init__(self, store: Store, messages: int) -> None:
        self._store = store
        self._messages = messages
        self._sessions: OrderedDict[str, deque[_Held]] = OrderedDict()
        self._foreign_changes = -1

    async def history(self, session_id: str) -> tuple[Message, ...]:
        """Oldest first, without a turn that awaits its answer."""
        await self._store.foreign_changes()
        return await self.history_at_last_write(session_id)

    async def history_at_last_write(self, session_id: str) -> tuple[Message, ...]:
        """The same for who has just written: what another process did since is not seen."""
        return tuple(held.message for held in await self._session(session_id))

    async def turn_ids(self, session_id: str) -> list[str]:
        """The turn of each message that `history` shows."""
        return [held.turn_id for held in await self._session(session_id)]

    def add_exchange(self, session_id: str, turn_id: str, heard: str, said: str) -> None:
        """Appends an answered turn that is already in the log. An empty half is left out, as in the log."""
        if session_id in self._sessions:
            exchange = (Message(Role.USER, heard), Message(Role.ASSISTANT, said))
            held = self._sessions[session_id]
            held.extend(_Held(turn_id, message) for message in exchange if message.content)
            if len(held) > self._messages:
                while len(held) > self._messages // 2:
                    held.popleft()

    def shorten(self, session_id: str, messages: int) -> None:
        """Drops all but the newest `messages`, because a prompt had no room for more."""
        held = self._sessions.get(session_id, deque())
        while len(held) > messages:
            held.popleft()

    async def recent_sessions(self, limit: int) -> list[tuple[str, str]]:
        """Ids of the sessions that were talked in last and of their users, newest first."""
        return await self._store.read(lambda connection: conversation.recent_sessions(connection, limit))

    def forget(self) -> None:
        """Drops everything held, so that it is read from the log again."""
        self._sessions.clear()

    async def _session(self, session_id: str) -> deque[_Held]:
        changes = self._store.foreign_changes_seen
        if changes != self._foreign_changes:  # another process may have erased what is held here
            self._foreign_changes = changes
            self.forget()
        if session_id not in self._sessions:
            stored = await self._store.read(
                lambda connection: conversation.last_messages(connection, session_id, self._messages)
            )
            held = deque(_Held(message.turn_id, Message(message.role, message.content)) for message in stored)
            # Who else asked may have been quicker, and what it was told may have grown by now.
            self._sessions.setdefault(session_id, held)
            if len(self._sessions) > _MOST_SESSIONS:
                self._sessions.popitem(last=False)
        self._sessions.move_to_end(session_id)
        return self._sessions[session_id]
