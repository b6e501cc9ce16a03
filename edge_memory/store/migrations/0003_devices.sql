-- Devices that may talk to the companion. Of a token only its SHA-256 is kept; revoking is deleting the row.
CREATE TABLE devices (
    device_id  TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    place      TEXT NOT NULL DEFAULT '',
    user_id    TEXT NOT NULL,
    session_id TEXT NOT NULL,
    token_hash BLOB NOT NULL UNIQUE,
    paired_at  REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- The one window in which a device may be paired over the network. The first device that asks has it for itself.
CREATE TABLE pairing (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    opened_at  REAL NOT NULL,
    user_id    TEXT NOT NULL,
    name       TEXT NOT NULL,
    place      TEXT NOT NULL,
    replaces   INTEGER NOT NULL CHECK (replaces IN (0, 1)),   -- a device of this id may be paired already
    device_id  TEXT,
    claim_hash BLOB,                                          -- of the secret by which the device fetches its token
    code       TEXT,
    tries      INTEGER NOT NULL DEFAULT 0,
    confirmed  INTEGER NOT NULL DEFAULT 0 CHECK (confirmed IN (0, 1))
) STRICT;
