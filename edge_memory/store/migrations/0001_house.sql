-- Facts about this file: the embedder whose vectors it holds, and so on.
CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

-- Every turn as it was heard and answered. Order is by id.
CREATE TABLE conversation_log (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    turn_id    TEXT NOT NULL,
    role       TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    content    TEXT NOT NULL,
    session_id TEXT NOT NULL,
    user_id    TEXT NOT NULL,
    device_id  TEXT,
    action     TEXT NOT NULL DEFAULT 'respond' CHECK (action IN ('respond', 'ignore', 'clarify')),
    timings    TEXT,
    created_at REAL NOT NULL,
    summarized INTEGER NOT NULL DEFAULT 0 CHECK (summarized IN (0, 1)),
    UNIQUE (turn_id, role)
) STRICT;
CREATE INDEX conversation_log_session ON conversation_log (session_id, id);
CREATE INDEX conversation_log_unsummarized ON conversation_log (session_id, id) WHERE summarized = 0;

-- Everything that memory believes, believed or proposes. key is the slot, "subject.attribute".
CREATE TABLE records (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    uid            TEXT NOT NULL UNIQUE,
    user_id        TEXT NOT NULL,
    session_id     TEXT,            -- NULL: seen by every session
    scope          TEXT NOT NULL DEFAULT '',
    layer          TEXT NOT NULL CHECK (layer IN ('working', 'episodic', 'semantic', 'profile', 'procedural')),
    kind           TEXT NOT NULL,
    key            TEXT,
    many           INTEGER NOT NULL DEFAULT 0 CHECK (many IN (0, 1)),
    text           TEXT NOT NULL,
    value          TEXT,            -- JSON
    tags           TEXT NOT NULL DEFAULT '[]',
    priority       TEXT NOT NULL DEFAULT 'normal' CHECK (priority IN ('critical', 'high', 'medium', 'normal')),
    confidence     REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    importance     REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
    surprise       TEXT NOT NULL DEFAULT '{}',
    status         TEXT NOT NULL
        CHECK (status IN ('active', 'pending', 'superseded', 'expired', 'archived', 'tombstoned')),
    valid_from     REAL NOT NULL,
    valid_to       REAL,
    event_time     REAL,
    origin         TEXT NOT NULL CHECK (origin IN ('conversation', 'owner', 'import', 'device')),
    source_turn_id TEXT,
    source_excerpt TEXT NOT NULL DEFAULT '',
    reinforcement  INTEGER NOT NULL DEFAULT 0,
    last_used_at   REAL,
    created_at     REAL NOT NULL,
    updated_at     REAL NOT NULL
) STRICT;
CREATE INDEX records_slot ON records (user_id, key, status);
CREATE INDEX records_status ON records (status, layer, id);
CREATE INDEX records_valid_to ON records (valid_to);
CREATE INDEX records_updated_at ON records (updated_at);
CREATE INDEX records_text ON records (user_id, lower(text)) WHERE status = 'active';

CREATE VIRTUAL TABLE records_fts USING fts5 (
    text, tags, scope, content = 'records', content_rowid = 'id', tokenize = 'porter unicode61'
);
INSERT INTO records_fts (records_fts, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER records_fts_insert AFTER INSERT ON records BEGIN
    INSERT INTO records_fts (rowid, text, tags, scope) VALUES (new.id, new.text, new.tags, new.scope);
END;
CREATE TRIGGER records_fts_delete AFTER DELETE ON records BEGIN
    INSERT INTO records_fts (records_fts, rowid, text, tags, scope)
    VALUES ('delete', old.id, old.text, old.tags, old.scope);
END;
CREATE TRIGGER records_fts_update AFTER UPDATE OF text, tags, scope ON records BEGIN
    INSERT INTO records_fts (records_fts, rowid, text, tags, scope)
    VALUES ('delete', old.id, old.text, old.tags, old.scope);
    INSERT INTO records_fts (rowid, text, tags, scope) VALUES (new.id, new.text, new.tags, new.scope);
END;

-- What happened to each record. Rows are never changed; erasing a record erases its rows.
CREATE TABLE fact_history (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    record_id   INTEGER NOT NULL REFERENCES records (id),
    action      TEXT NOT NULL,
    reason      TEXT NOT NULL DEFAULT '',
    before      TEXT,               -- JSON of the record, NULL when it is new
    after       TEXT,               -- JSON of the record, NULL when it was erased
    turn_id     TEXT,
    at          REAL NOT NULL
) STRICT;
CREATE INDEX fact_history_record ON fact_history (record_id, id);
CREATE TRIGGER fact_history_append_only BEFORE UPDATE ON fact_history BEGIN
    SELECT raise(ABORT, 'fact_history is append-only');
END;

-- What turns have done already, so that doing it again does nothing.
CREATE TABLE applied_actions (
    turn_id     TEXT NOT NULL,
    key         TEXT NOT NULL,
    action_hash TEXT NOT NULL,
    PRIMARY KEY (turn_id, key, action_hash)
) STRICT, WITHOUT ROWID;

-- What the messages from source_from_id to source_to_id said.
CREATE TABLE memory_summaries (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    content        TEXT NOT NULL,
    session_id     TEXT NOT NULL,
    user_id        TEXT NOT NULL,
    source_from_id INTEGER NOT NULL,
    source_to_id   INTEGER NOT NULL,
    created_at     REAL NOT NULL,
    incorporated   INTEGER NOT NULL DEFAULT 0 CHECK (incorporated IN (0, 1)),
    UNIQUE (session_id, source_from_id)
) STRICT;
CREATE INDEX memory_summaries_unincorporated ON memory_summaries (user_id, id) WHERE incorporated = 0;

-- The newest version of a user is the current document; older ones are there to go back to.
CREATE TABLE memory_base (
    version    INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    TEXT NOT NULL,
    content    TEXT NOT NULL,
    reason     TEXT NOT NULL,
    created_at REAL NOT NULL
) STRICT;
CREATE INDEX memory_base_user ON memory_base (user_id, version);

-- Work to be done after a reply. A finished job's row goes in the transaction of its effect.
CREATE TABLE jobs (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    kind       TEXT NOT NULL,
    key        TEXT NOT NULL UNIQUE,
    payload    TEXT NOT NULL,
    state      TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'parked')),
    attempts   INTEGER NOT NULL DEFAULT 0,
    error      TEXT NOT NULL DEFAULT '',
    created_at REAL NOT NULL
) STRICT;
CREATE INDEX jobs_state ON jobs (state, id);

CREATE TABLE sensor_log (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    device_id  TEXT NOT NULL,
    readings   TEXT NOT NULL,       -- flat JSON object
    created_at REAL NOT NULL
) STRICT;
CREATE INDEX sensor_log_device ON sensor_log (device_id, id);
