-- How well memory does, summed up as it works: rates and means are total / count.
CREATE TABLE measures (
    name  TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    total REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- The newest values of a measure, for percentiles; each place is written again in turn.
CREATE TABLE measure_samples (
    name  TEXT NOT NULL,
    place INTEGER NOT NULL,
    value REAL NOT NULL,
    PRIMARY KEY (name, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX fact_history_action ON fact_history (action);

-- What was believed about a user at the end of a session or after a few turns, as JSON. up_to_id is the newest message
-- in conversation_log that it knows.
CREATE TABLE profiles (
    version    INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    TEXT NOT NULL,
    content    TEXT NOT NULL,
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    up_to_id   INTEGER NOT NULL,
    created_at REAL NOT NULL
) STRICT;
CREATE INDEX profiles_user ON profiles (user_id, version);
