"""The key by which the owner is known away from the companion's own machine. Only its SHA-256 is kept."""

from __future__ import annotations

import hashlib
import hmac
import secrets

from edge_memory.store.connection import Connection
from edge_memory.store.devices import TOKEN_PREFIX

PREFIX = TOKEN_PREFIX + "owner_"
_NAME, _SECRET_BYTES = "owner_key", 32


def renew(connection: Connection) -> str:
    """A new key, which is not kept anywhere; the one before opens nothing any more."""
    key = PREFIX + secrets.token_urlsafe(_SECRET_BYTES)
    connection.execute("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", (_NAME, _hash(key)))
    return key


def remove(connection: Connection) -> None:
    connection.execute("DELETE FROM meta WHERE name = ?", (_NAME,))


def is_set(connection: Connection) -> bool:
    return connection.execute("SELECT 1 FROM meta WHERE name = ?", (_NAME,)).get is not None


def fits(connection: Connection, key: str) -> bool:
    known = connection.execute("SELECT value FROM meta WHERE name = ?", (_NAME,)).get
    return known is not None and hmac.compare_digest(str(known), _hash(key))


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
