"""Whom the records introduce by name, without reading all of them for each turn."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import KIN
from edge_memory.observe.english.people import Person, introduced
from edge_memory.observe.german import reading as german
from edge_memory.store import Connection, told

# What tells of somebody else introduces nobody to the user, but for their relatives: those may be the user's, too.
_OF_THE_USER = re.compile(
    rf"'s {KIN}\b|\b(?:has|have) (?:got |had )?(?:an?|one|another) (?:\w+ )?(?:{KIN}|boy|girl|fella|one)\b"
    r"|\b(?:users?|nicknames?|call(?:s|ed|ing)?|nam(?:e|es|ed|ing)|the (?:boys|girls|kids|twins|children)"
    r"|nutzers?|heißt|namens)\b",
    re.IGNORECASE,
)


class Introductions:
    """Looks once at each record that is new or has changed, and then only at those that introduce somebody.

    For one thread: the store's reading one.
    """

    def __init__(self) -> None:
        self._seen = 0  # up to which entry of the history
        self._introducing = set[int]()  # ids of records
        self._relating = set[int]()  # ids of those that fill a slot with who is who

    def relationships(self, connection: Connection, user_id: str) -> list[tuple[str, str]]:
        """Slot and value of what is believed by now about who is who, in the order of telling."""
        self._catch_up(connection)
        return told.relationships(connection, user_id, self._relating)

    def people(self, connection: Connection, user_id: str) -> list[Person]:
        """Those of what is believed by now about a user, in the order of telling."""
        self._catch_up(connection)
        excerpts = told.believed_excerpts(connection, user_id, self._introducing)
        return [person for excerpt in excerpts for person in _introduced(excerpt)]

    def _catch_up(self, connection: Connection) -> None:
        newest = told.last_entry(connection)
        if newest < self._seen:  # the newest records were erased as if they had never been
            self._seen = 0
            self._introducing.clear()
            self._relating.clear()
        if newest == self._seen:
            return
        for record_id, text, excerpt, relates in told.changed_since(connection, self._seen):
            introduces = _OF_THE_USER.search(text) and _introduced(excerpt)
            for ids, holds in ((self._introducing, introduces), (self._relating, relates)):
                (ids.add if holds else ids.discard)(record_id)
        self._seen = newest


def _introduced(excerpt: str) -> list[Person]:
    """What introduces somebody in one language does not in the other."""
    return introduced(excerpt) or german.introduced(excerpt)
