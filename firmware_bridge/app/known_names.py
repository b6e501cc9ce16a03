"""The names and rare words that memory knows, for the ears to expect."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from edge_memory.errors import EdgeMemoryError
from edge_memory.memory import Memory
from edge_memory.observe.english.lexicon import KIN_SET, MONTHS, PET_SET, WEEKDAYS
from edge_memory.records import Record, Status
from edge_memory.store.records import Filter

_MOST_RECORDS = 1_000
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w\u2019'-]*[a-z][\w\u2019'-]*")
_TITLE = re.compile(r"\b(Dr|Mr|Mrs|Ms|Prof|St)\.")
_WORD = re.compile(r"[^\W\d_]{3,}")
_NEVER = frozenset(
    word.capitalize() for word in (*WEEKDAYS, *MONTHS, "the", "user", "their", "mr", "mrs", "ms", "dr", "prof", "st")
)
_RARE_SLOTS = re.compile(r"medicine|medication|allerg|condition|insulin")
_NAMED_SLOTS = re.compile(r"(?:^|[._])(?:pet|name|cat|dog|nickname)(?:$|[._])")
_PLAIN = frozenset(
    "every morning evening night nightly daily twice tablets tablet pills for with and after before breakfast dinner"
    " lunch the day week once other".split()
)


class KnownNames:
    def __init__(self, memory: Memory, persona: str) -> None:
        self._memory = memory
        self._persona = persona

    async def names(self, session_id: str, user_id: str) -> list[str]:
        """The likeliest to be said first: the persona's, those just spoken of, then by importance and use.

        Memory that cannot answer knows no names: hearing goes on without.
        """
        try:
            records, _ = await self._memory.select(Filter(user_id=user_id, status=Status.ACTIVE), _MOST_RECORDS)
            history = await self._memory.history(session_id)
        except EdgeMemoryError:
            return [self._persona]
        visible = (record for record in records if record.session_id in (None, session_id))
        ranked = [name for record in sorted(visible, key=_weight, reverse=True) for name in names_of(record)]
        spoken_of = " ".join(message.content for message in history).casefold()
        recent = [name for name in ranked if name.casefold() in spoken_of]
        return list(dict.fromkeys([self._persona, *recent, *ranked]))


def names_of(record: Record) -> tuple[str, ...]:
    """Proper names in a record's text, and the words of the slots that hold rare ones."""
    return _names_in(record.text, record.key or "", record.value if isinstance(record.value, str) else "")


@lru_cache(_MOST_RECORDS)
def _names_in(text: str, key: str, value: str) -> tuple[str, ...]:
    """Kept, for each utterance asks for those of all records before it is heard."""
    text = _TITLE.sub(r"\1", text)  # its full stop ends no sentence
    found = [_without_possessive(name) for name in _NAME.findall(text) if name not in _NEVER]
    if _NAMED_SLOTS.search(key):
        found += [word.capitalize() for word in _words(value) if word.lower() not in KIN_SET | PET_SET]
    if _RARE_SLOTS.search(key):
        found += [word for word in _words(value) if word.lower() not in _PLAIN]
    return tuple(dict.fromkeys(found))


def _words(text: str) -> Iterable[str]:
    return _WORD.findall(text)


def _without_possessive(name: str) -> str:
    return re.sub(r"['\u2019]s$", "", name)


def _weight(record: Record) -> tuple[float, float]:
    return record.importance + 0.05 * min(record.reinforcement, 10), record.last_used_at or record.created_at
