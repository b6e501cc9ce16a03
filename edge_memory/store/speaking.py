"""The language that a file is spoken with."""

from __future__ import annotations

from contextlib import suppress

from edge_memory.errors import StoreFull
from edge_memory.records import Language
from edge_memory.store import turn_index, words
from edge_memory.store.connection import Connection
from edge_memory.store.store import Store


async def speak(store: Store, wanted: Language | None) -> Language:
    """The language of the file; another `wanted` one becomes it, and the indices of words are made anew for it.

    A full disk leaves it as it is.
    """
    found = await store.read(words.language)
    if wanted is None or wanted is found:
        return found

    def change(connection: Connection) -> None:
        if words.speak(connection, wanted):
            turn_index.rebuild(connection)

    with suppress(StoreFull):
        await store.write(change)
    return await store.read(words.language)
