-- What the user wants to be told later. An alarm is meant in local time, wherever the clock and the time zone move;
-- a timer in seconds of the boot that it was set in, and in wall time after a reboot.
CREATE TABLE reminders (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    TEXT NOT NULL,
    device_id  TEXT,
    turn_id    TEXT UNIQUE,
    kind       TEXT NOT NULL CHECK (kind IN ('alarm', 'timer')),
    text       TEXT NOT NULL,
    local_time TEXT,            -- alarm: ISO 8601 without zone
    boot_id    TEXT,            -- timer
    boot_due   REAL,            -- timer: seconds since that boot
    wall_due   REAL NOT NULL,   -- Unix time, as it was when set
    state      TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'rung', 'cancelled')),
    created_at REAL NOT NULL,
    rung_at    REAL
) STRICT;
CREATE INDEX reminders_waiting ON reminders (user_id, id) WHERE state = 'waiting';
