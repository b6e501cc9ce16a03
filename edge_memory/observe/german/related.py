"""The records that a German statement has to do with: by its slot and by its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from edge_memory.observe.arbitrate import Related
from edge_memory.observe.statement import Statement
from edge_memory.records import Record, Status, words_of
from edge_memory.store import Connection, records, told
from edge_memory.store.stemming import german_stem
from edge_memory.store.words import stop_words

_CANDIDATES = 40
_LIVE = (Status.ACTIVE, Status.PENDING)
_DENIES = frozenset("nicht kein keine keinen nie niemals".split())


def find_related(connection: Connection, user_id: str, statement: Statement, twins: Sequence[int]) -> Related:
    """As `observe.english.related`, without vectors: only the slot and whole words decide."""
    slot = statement.slot
    keys = [slot.key, *slot.aliases] if slot and slot.key else []
    same_slot = [record for key in keys for record in records.in_slot(connection, user_id, key)]
    words = f"{statement.text} {statement.instead_of} {slot.about if slot else ''}"
    shared = told.sharing_words(connection, user_id, words, _CANDIDATES)
    twin = records.with_text(connection, user_id, statement.text)
    others = [*([twin] if twin else []), *records.get_many(connection, twins).values(), *shared]
    alike = tuple({record.id: record for record in others}.values())
    idle = stop_words(connection)
    against = list(_against(connection, user_id, statement, [one for one in alike if one.status in _LIVE], idle))
    if slot and slot.ends and slot.value and slot.key and "." in slot.key:  # which of the values it is that ends
        against += [mate for mate in same_slot if _holds(mate, slot.value, idle)]
        same_slot = []
    elif slot and slot.ends and "." not in slot.key and slot.key:
        against += told.about_subject(connection, user_id, slot.key)
    if statement.corrects is not None:
        against += records.get_many(connection, [statement.corrects]).values()
    return Related(tuple(same_slot), alike, tuple(record for record in against if record.status is Status.ACTIVE))


def _against(
    connection: Connection, user_id: str, statement: Statement, live: Iterable[Record], idle: frozenset[str]
) -> Iterator[Record]:
    slot = statement.slot
    if slot and slot.opposite and not slot.ends:
        for mate in records.in_slot(connection, user_id, slot.opposite):
            held, value = _stems(str(mate.value or ""), idle), _stems(slot.value, idle)
            if held and value and (held <= value or value <= held):
                yield mate
    for record in live:
        ended = bool(slot and slot.ends and slot.about) and _holds(record, slot.about if slot else "", idle)
        replaced = bool(statement.instead_of) and _holds(record, statement.instead_of, idle)
        if (ended and not _denies(record)) or (replaced and _shares_more(statement, record, idle)):
            yield record


def _shares_more(statement: Statement, record: Record, idle: frozenset[str]) -> bool:
    topic = _stems(statement.text, idle) & _stems(record.text, idle)
    return bool(topic - _stems(statement.instead_of, idle))


def _denies(record: Record) -> bool:
    return not _DENIES.isdisjoint(words_of(record.text))


def _holds(record: Record, words: str, idle: frozenset[str]) -> bool:
    wanted = _stems(words, idle)
    return bool(wanted) and wanted <= _stems(f"{record.text} {record.value or ''}", idle)


def _stems(text: str, idle: frozenset[str]) -> frozenset[str]:
    return frozenset(german_stem(word) for word in words_of(text) if word not in idle)
