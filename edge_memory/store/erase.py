"""Making erased words leave the disk, not only the tables."""

from __future__ import annotations

import time

from edge_memory.errors import StoreInUse
from edge_memory.store.connection import Connection

_TRIES, _PAUSE_SECONDS = 50, 0.1


def empty_log(connection: Connection) -> None:
    """Moves everything into the file and empties the write-ahead log, where erased words still stand.

    Raises StoreInUse when a reader keeps the log open for more than five seconds.
    """
    for _ in range(_TRIES):
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() or (1, 0, 0)
        if not busy:
            return
        time.sleep(_PAUSE_SECONDS)
    raise StoreInUse(
        "the words are out of the memory, but a reader keeps an old page of the log open",
        "close other programs that read the file and run the command again",
    )
