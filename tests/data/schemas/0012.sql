PRAGMA application_id = 1282359925;
PRAGMA user_version = 12;
BEGIN;
CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;
INSERT INTO meta (name, value) VALUES ('migration 1 house', '1795362482.3563209');
INSERT INTO meta (name, value) VALUES ('migration 2 turn_index', '1795362482.3563209');
INSERT INTO meta (name, value) VALUES ('migration 3 devices', '1795362482.3563209');
INSERT INTO meta (name, value) VALUES ('migration 4 standing', '1795362482.3563209');
INSERT INTO meta (name, value) VALUES ('migration 5 measures', '1795362482.3563209');
INSERT INTO meta (name, value) VALUES ('migration 6 reminders', '1795362482.3563209');
INSERT INTO meta (name, value) VALUES ('migration 7 source_turns', '1795362482.3563209');
INSERT INTO meta (name, value) VALUES ('migration 8 merging', '1795362482.3563209');
INSERT INTO meta (name, value) VALUES ('migration 9 conditions', '1795362482.3563209');
INSERT INTO meta (name, value) VALUES ('migration 10 revoked', '1795362482.3563209');
INSERT INTO meta (name, value) VALUES ('migration 11 small_pages', '1795362482.3563209');
INSERT INTO meta (name, value) VALUES ('migration 12 checksums', '1795362482.3563209');
INSERT INTO meta (name, value) VALUES ('embedder name', 'hash-8');
INSERT INTO meta (name, value) VALUES ('embedder dimension', '8');
INSERT INTO meta (name, value) VALUES ('last backup', '1790000000.0');
INSERT INTO meta (name, value) VALUES ('last consolidation', '1790000000.0');
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
    summarized INTEGER NOT NULL DEFAULT 0 CHECK (summarized IN (0, 1)), speaker TEXT,
    UNIQUE (turn_id, role)
) STRICT;
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized, speaker) VALUES (1, 'turn0', 'user', 'my name is Alex and I work at NASA', 'kitchen', 'owner', 'desk', 'respond', NULL, 1790000000.0, 0, NULL);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized, speaker) VALUES (2, 'turn0', 'assistant', 'I see.', 'kitchen', 'owner', 'desk', 'respond', '{"total_ms": 12.0}', 1790000000.0, 0, NULL);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized, speaker) VALUES (3, 'turn1', 'user', 'i am allergic to peanuts', 'kitchen', 'owner', 'desk', 'respond', NULL, 1790000001.0, 0, NULL);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized, speaker) VALUES (4, 'turn1', 'assistant', 'I see.', 'kitchen', 'owner', 'desk', 'respond', '{"total_ms": 12.0}', 1790000001.0, 0, NULL);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized, speaker) VALUES (5, 'turn2', 'user', 'my sister Nora lives in Hull', 'kitchen', 'owner', 'desk', 'respond', NULL, 1790000002.0, 0, NULL);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized, speaker) VALUES (6, 'turn2', 'assistant', 'I see.', 'kitchen', 'owner', 'desk', 'respond', '{"total_ms": 12.0}', 1790000002.0, 0, NULL);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized, speaker) VALUES (7, 'turn3', 'user', 'i live in Leeds', 'kitchen', 'owner', 'desk', 'respond', NULL, 1790000003.0, 0, NULL);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized, speaker) VALUES (8, 'turn3', 'assistant', 'I see.', 'kitchen', 'owner', 'desk', 'respond', '{"total_ms": 12.0}', 1790000003.0, 0, NULL);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized, speaker) VALUES (9, 'turn4', 'user', 'no, i live in York now', 'kitchen', 'owner', 'desk', 'respond', NULL, 1790000004.0, 0, NULL);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized, speaker) VALUES (10, 'turn4', 'assistant', 'I see.', 'kitchen', 'owner', 'desk', 'respond', '{"total_ms": 12.0}', 1790000004.0, 0, NULL);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized, speaker) VALUES (11, 'turn5', 'user', 'we have a dog called Rex', 'kitchen', 'owner', 'desk', 'respond', NULL, 1790000005.0, 0, NULL);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized, speaker) VALUES (12, 'turn5', 'assistant', 'I see.', 'kitchen', 'owner', 'desk', 'respond', '{"total_ms": 12.0}', 1790000005.0, 0, NULL);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized, speaker) VALUES (13, 'turn6', 'user', 'i like tea without sugar', 'kitchen', 'owner', 'desk', 'respond', NULL, 1790000006.0, 0, NULL);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized, speaker) VALUES (14, 'turn6', 'assistant', 'I see.', 'kitchen', 'owner', 'desk', 'respond', '{"total_ms": 12.0}', 1790000006.0, 0, NULL);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized, speaker) VALUES (15, 'turn7', 'user', 'never wake me before seven', 'kitchen', 'owner', 'desk', 'respond', NULL, 1790000007.0, 0, NULL);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized, speaker) VALUES (16, 'turn7', 'assistant', 'I see.', 'kitchen', 'owner', 'desk', 'respond', '{"total_ms": 12.0}', 1790000007.0, 0, NULL);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized, speaker) VALUES (17, 'turn8', 'user', 'what is my name', 'kitchen', 'owner', 'desk', 'respond', NULL, 1790000008.0, 0, NULL);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized, speaker) VALUES (18, 'turn8', 'assistant', 'I see.', 'kitchen', 'owner', 'desk', 'respond', '{"total_ms": 12.0}', 1790000008.0, 0, NULL);
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
INSERT INTO records (id, uid, user_id, session_id, scope, layer, kind, key, many, text, value, tags, priority, confidence, importance, surprise, status, valid_from, valid_to, event_time, origin, source_turn_id, source_excerpt, reinforcement, last_used_at, created_at, updated_at) VALUES (1, '21116fe7-f124-4823-9ebb-7c3e21ec6ee4', 'owner', NULL, '', 'profile', 'fact', 'user.name', 0, 'The user''s name is Alex', '"Alex"', '[]', 'normal', 0.4, 0.9, '{"novelty": 1.0, "contradiction": 0.0, "specificity": 0.55, "emphasis": 0.0, "context_switch": 0.0, "score": 0.51}', 'active', 1790000000.0, NULL, NULL, 'conversation', 'turn0', 'my name is Alex', 0, NULL, 1790000000.0, 1790000000.0);
INSERT INTO records (id, uid, user_id, session_id, scope, layer, kind, key, many, text, value, tags, priority, confidence, importance, surprise, status, valid_from, valid_to, event_time, origin, source_turn_id, source_excerpt, reinforcement, last_used_at, created_at, updated_at) VALUES (2, '88bfb32b-0db9-4f5b-807c-b80fa79ff5fa', 'owner', NULL, '', 'profile', 'fact', 'user.employer', 0, 'The user works at NASA', '"NASA"', '[]', 'normal', 0.4, 0.51, '{"novelty": 1.0, "contradiction": 0.0, "specificity": 0.55, "emphasis": 0.0, "context_switch": 0.0, "score": 0.51}', 'active', 1790000000.0, NULL, NULL, 'conversation', 'turn0', 'I work at NASA', 0, NULL, 1790000000.0, 1790000000.0);
INSERT INTO records (id, uid, user_id, session_id, scope, layer, kind, key, many, text, value, tags, priority, confidence, importance, surprise, status, valid_from, valid_to, event_time, origin, source_turn_id, source_excerpt, reinforcement, last_used_at, created_at, updated_at) VALUES (3, '7ca81ead-ca9d-47d0-bd84-76e811c76787', 'owner', NULL, '', 'profile', 'policy', 'user.allergy', 1, 'The user is allergic to peanuts', '"peanuts"', '[]', 'critical', 0.4, 0.9, '{"novelty": 1.0, "contradiction": 0.0, "specificity": 0.3, "emphasis": 0.0, "context_switch": 1.0, "score": 0.51}', 'active', 1790000000.0, NULL, NULL, 'conversation', 'turn1', 'i am allergic to peanuts', 0, NULL, 1790000000.0, 1790000000.0);
INSERT INTO records (id, uid, user_id, session_id, scope, layer, kind, key, many, text, value, tags, priority, confidence, importance, surprise, status, valid_from, valid_to, event_time, origin, source_turn_id, source_excerpt, reinforcement, last_used_at, created_at, updated_at) VALUES (4, '39dd39c6-83a7-4c83-8f82-2fe677481c29', 'owner', NULL, '', 'profile', 'fact', 'nora.home', 0, 'The user''s sister Nora lives in Hull', '"Hull"', '[]', 'normal', 0.4, 0.65, '{"novelty": 1.0, "contradiction": 0.0, "specificity": 1.0, "emphasis": 0.0, "context_switch": 1.0, "score": 0.65}', 'active', 1790000000.0, NULL, NULL, 'conversation', 'turn2', 'my sister Nora lives in Hull', 0, NULL, 1790000000.0, 1790000000.0);
INSERT INTO records (id, uid, user_id, session_id, scope, layer, kind, key, many, text, value, tags, priority, confidence, importance, surprise, status, valid_from, valid_to, event_time, origin, source_turn_id, source_excerpt, reinforcement, last_used_at, created_at, updated_at) VALUES (5, '96539384-fe5a-4f00-b3d9-4dc6616e1439', 'owner', NULL, '', 'profile', 'fact', 'user.home', 0, 'The user lives in Leeds', '"Leeds"', '[]', 'normal', 0.4, 0.41, '{"novelty": 0.75, "contradiction": 0.0, "specificity": 0.55, "emphasis": 0.0, "context_switch": 0.0, "score": 0.41}', 'superseded', 1790000000.0, 1790000000.0, NULL, 'conversation', 'turn3', 'i live in Leeds', 0, NULL, 1790000000.0, 1790000000.0);
INSERT INTO records (id, uid, user_id, session_id, scope, layer, kind, key, many, text, value, tags, priority, confidence, importance, surprise, status, valid_from, valid_to, event_time, origin, source_turn_id, source_excerpt, reinforcement, last_used_at, created_at, updated_at) VALUES (6, '9bd31b31-e31e-49e6-ae61-e2562f994f65', 'owner', NULL, '', 'profile', 'fact', 'user.home', 0, 'The user lives in York now', '"York"', '[]', 'normal', 0.4, 0.66, '{"novelty": 0.75, "contradiction": 1.0, "specificity": 0.55, "emphasis": 0.0, "context_switch": 0.0, "score": 0.66}', 'active', 1790000000.0, NULL, NULL, 'conversation', 'turn4', 'i live in York now', 0, NULL, 1790000000.0, 1790000000.0);
INSERT INTO records (id, uid, user_id, session_id, scope, layer, kind, key, many, text, value, tags, priority, confidence, importance, surprise, status, valid_from, valid_to, event_time, origin, source_turn_id, source_excerpt, reinforcement, last_used_at, created_at, updated_at) VALUES (7, 'e403753c-9667-472c-988e-c9db40eed9e9', 'owner', NULL, '', 'profile', 'relationship', 'user.pet', 1, 'The user has a dog called Rex', '"dog Rex"', '[]', 'normal', 0.4, 0.59, '{"novelty": 1.0, "contradiction": 0.0, "specificity": 0.7, "emphasis": 0.0, "context_switch": 1.0, "score": 0.59}', 'active', 1790000000.0, NULL, NULL, 'conversation', 'turn5', 'we have a dog called Rex', 0, NULL, 1790000000.0, 1790000000.0);
INSERT INTO records (id, uid, user_id, session_id, scope, layer, kind, key, many, text, value, tags, priority, confidence, importance, surprise, status, valid_from, valid_to, event_time, origin, source_turn_id, source_excerpt, reinforcement, last_used_at, created_at, updated_at) VALUES (8, '60a2b05e-9894-4df0-8c7b-56563c70600f', 'owner', NULL, '', 'profile', 'preference', 'user.likes', 1, 'The user likes tea without sugar', '"tea without sugar"', '[]', 'normal', 0.4, 0.57, '{"novelty": 1.0, "contradiction": 0.0, "specificity": 0.6, "emphasis": 0.0, "context_switch": 1.0, "score": 0.57}', 'active', 1790000000.0, NULL, NULL, 'conversation', 'turn6', 'i like tea without sugar', 0, NULL, 1790000000.0, 1790000000.0);
INSERT INTO records (id, uid, user_id, session_id, scope, layer, kind, key, many, text, value, tags, priority, confidence, importance, surprise, status, valid_from, valid_to, event_time, origin, source_turn_id, source_excerpt, reinforcement, last_used_at, created_at, updated_at) VALUES (9, 'fca463de-7f10-45d8-b0a3-bf54adc5b2e8', 'owner', NULL, '', 'profile', 'policy', 'rule.never', 1, 'Never wake the user before seven', '"wake the user before seven"', '[]', 'critical', 0.4, 0.67, '{"novelty": 1.0, "contradiction": 0.0, "specificity": 0.85, "emphasis": 0.5, "context_switch": 1.0, "score": 0.67}', 'active', 1790000000.0, NULL, NULL, 'conversation', 'turn7', 'never wake me before seven', 0, NULL, 1790000000.0, 1790000000.0);
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
INSERT INTO fact_history (id, record_id, action, reason, before, after, turn_id, at) VALUES (1, 1, 'insert', 'new', NULL, '{"id": 1, "uid": "21116fe7-f124-4823-9ebb-7c3e21ec6ee4", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "fact", "key": "user.name", "many": false, "text": "The user''s name is Alex", "value": "Alex", "tags": [], "priority": "normal", "confidence": 0.4, "importance": 0.9, "surprise": {"novelty": 1.0, "contradiction": 0.0, "specificity": 0.55, "emphasis": 0.0, "context_switch": 0.0, "score": 0.51}, "status": "active", "valid_from": 1790000000.0, "valid_to": null, "event_time": null, "origin": "conversation", "source_turn_id": "turn0", "source_excerpt": "my name is Alex", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', 'turn0', 1790000000.0);
INSERT INTO fact_history (id, record_id, action, reason, before, after, turn_id, at) VALUES (2, 2, 'insert', 'new', NULL, '{"id": 2, "uid": "88bfb32b-0db9-4f5b-807c-b80fa79ff5fa", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "fact", "key": "user.employer", "many": false, "text": "The user works at NASA", "value": "NASA", "tags": [], "priority": "normal", "confidence": 0.4, "importance": 0.51, "surprise": {"novelty": 1.0, "contradiction": 0.0, "specificity": 0.55, "emphasis": 0.0, "context_switch": 0.0, "score": 0.51}, "status": "active", "valid_from": 1790000000.0, "valid_to": null, "event_time": null, "origin": "conversation", "source_turn_id": "turn0", "source_excerpt": "I work at NASA", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', 'turn0', 1790000000.0);
INSERT INTO fact_history (id, record_id, action, reason, before, after, turn_id, at) VALUES (3, 3, 'insert', 'new', NULL, '{"id": 3, "uid": "7ca81ead-ca9d-47d0-bd84-76e811c76787", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "policy", "key": "user.allergy", "many": true, "text": "The user is allergic to peanuts", "value": "peanuts", "tags": [], "priority": "critical", "confidence": 0.4, "importance": 0.9, "surprise": {"novelty": 1.0, "contradiction": 0.0, "specificity": 0.3, "emphasis": 0.0, "context_switch": 1.0, "score": 0.51}, "status": "active", "valid_from": 1790000000.0, "valid_to": null, "event_time": null, "origin": "conversation", "source_turn_id": "turn1", "source_excerpt": "i am allergic to peanuts", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', 'turn1', 1790000000.0);
INSERT INTO fact_history (id, record_id, action, reason, before, after, turn_id, at) VALUES (4, 4, 'insert', 'new', NULL, '{"id": 4, "uid": "39dd39c6-83a7-4c83-8f82-2fe677481c29", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "fact", "key": "nora.home", "many": false, "text": "The user''s sister Nora lives in Hull", "value": "Hull", "tags": [], "priority": "normal", "confidence": 0.4, "importance": 0.65, "surprise": {"novelty": 1.0, "contradiction": 0.0, "specificity": 1.0, "emphasis": 0.0, "context_switch": 1.0, "score": 0.65}, "status": "active", "valid_from": 1790000000.0, "valid_to": null, "event_time": null, "origin": "conversation", "source_turn_id": "turn2", "source_excerpt": "my sister Nora lives in Hull", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', 'turn2', 1790000000.0);
INSERT INTO fact_history (id, record_id, action, reason, before, after, turn_id, at) VALUES (5, 5, 'insert', 'new', NULL, '{"id": 5, "uid": "96539384-fe5a-4f00-b3d9-4dc6616e1439", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "fact", "key": "user.home", "many": false, "text": "The user lives in Leeds", "value": "Leeds", "tags": [], "priority": "normal", "confidence": 0.4, "importance": 0.41, "surprise": {"novelty": 0.75, "contradiction": 0.0, "specificity": 0.55, "emphasis": 0.0, "context_switch": 0.0, "score": 0.41}, "status": "active", "valid_from": 1790000000.0, "valid_to": null, "event_time": null, "origin": "conversation", "source_turn_id": "turn3", "source_excerpt": "i live in Leeds", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', 'turn3', 1790000000.0);
INSERT INTO fact_history (id, record_id, action, reason, before, after, turn_id, at) VALUES (6, 5, 'supersede', 'a new value of the same slot', '{"id": 5, "uid": "96539384-fe5a-4f00-b3d9-4dc6616e1439", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "fact", "key": "user.home", "many": false, "text": "The user lives in Leeds", "value": "Leeds", "tags": [], "priority": "normal", "confidence": 0.4, "importance": 0.41, "surprise": {"novelty": 0.75, "contradiction": 0.0, "specificity": 0.55, "emphasis": 0.0, "context_switch": 0.0, "score": 0.41}, "status": "active", "valid_from": 1790000000.0, "valid_to": null, "event_time": null, "origin": "conversation", "source_turn_id": "turn3", "source_excerpt": "i live in Leeds", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', '{"id": 5, "uid": "96539384-fe5a-4f00-b3d9-4dc6616e1439", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "fact", "key": "user.home", "many": false, "text": "The user lives in Leeds", "value": "Leeds", "tags": [], "priority": "normal", "confidence": 0.4, "importance": 0.41, "surprise": {"novelty": 0.75, "contradiction": 0.0, "specificity": 0.55, "emphasis": 0.0, "context_switch": 0.0, "score": 0.41}, "status": "superseded", "valid_from": 1790000000.0, "valid_to": 1790000000.0, "event_time": null, "origin": "conversation", "source_turn_id": "turn3", "source_excerpt": "i live in Leeds", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', 'turn4', 1790000000.0);
INSERT INTO fact_history (id, record_id, action, reason, before, after, turn_id, at) VALUES (7, 6, 'supersede', 'a new value of the same slot', NULL, '{"id": 6, "uid": "9bd31b31-e31e-49e6-ae61-e2562f994f65", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "fact", "key": "user.home", "many": false, "text": "The user lives in York now", "value": "York", "tags": [], "priority": "normal", "confidence": 0.4, "importance": 0.66, "surprise": {"novelty": 0.75, "contradiction": 1.0, "specificity": 0.55, "emphasis": 0.0, "context_switch": 0.0, "score": 0.66}, "status": "active", "valid_from": 1790000000.0, "valid_to": null, "event_time": null, "origin": "conversation", "source_turn_id": "turn4", "source_excerpt": "i live in York now", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', 'turn4', 1790000000.0);
INSERT INTO fact_history (id, record_id, action, reason, before, after, turn_id, at) VALUES (8, 7, 'insert', 'new', NULL, '{"id": 7, "uid": "e403753c-9667-472c-988e-c9db40eed9e9", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "relationship", "key": "user.pet", "many": true, "text": "The user has a dog called Rex", "value": "dog Rex", "tags": [], "priority": "normal", "confidence": 0.4, "importance": 0.59, "surprise": {"novelty": 1.0, "contradiction": 0.0, "specificity": 0.7, "emphasis": 0.0, "context_switch": 1.0, "score": 0.59}, "status": "active", "valid_from": 1790000000.0, "valid_to": null, "event_time": null, "origin": "conversation", "source_turn_id": "turn5", "source_excerpt": "we have a dog called Rex", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', 'turn5', 1790000000.0);
INSERT INTO fact_history (id, record_id, action, reason, before, after, turn_id, at) VALUES (9, 8, 'insert', 'new', NULL, '{"id": 8, "uid": "60a2b05e-9894-4df0-8c7b-56563c70600f", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "preference", "key": "user.likes", "many": true, "text": "The user likes tea without sugar", "value": "tea without sugar", "tags": [], "priority": "normal", "confidence": 0.4, "importance": 0.57, "surprise": {"novelty": 1.0, "contradiction": 0.0, "specificity": 0.6, "emphasis": 0.0, "context_switch": 1.0, "score": 0.57}, "status": "active", "valid_from": 1790000000.0, "valid_to": null, "event_time": null, "origin": "conversation", "source_turn_id": "turn6", "source_excerpt": "i like tea without sugar", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', 'turn6', 1790000000.0);
INSERT INTO fact_history (id, record_id, action, reason, before, after, turn_id, at) VALUES (10, 9, 'insert', 'new', NULL, '{"id": 9, "uid": "fca463de-7f10-45d8-b0a3-bf54adc5b2e8", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "policy", "key": "rule.never", "many": true, "text": "Never wake the user before seven", "value": "wake the user before seven", "tags": [], "priority": "critical", "confidence": 0.4, "importance": 0.67, "surprise": {"novelty": 1.0, "contradiction": 0.0, "specificity": 0.85, "emphasis": 0.5, "context_switch": 1.0, "score": 0.67}, "status": "active", "valid_from": 1790000000.0, "valid_to": null, "event_time": null, "origin": "conversation", "source_turn_id": "turn7", "source_excerpt": "never wake me before seven", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', 'turn7', 1790000000.0);
CREATE TABLE applied_actions (
    turn_id     TEXT NOT NULL,
    key         TEXT NOT NULL,
    action_hash TEXT NOT NULL,
    PRIMARY KEY (turn_id, key, action_hash)
) STRICT, WITHOUT ROWID;
INSERT INTO applied_actions (turn_id, key, action_hash) VALUES ('turn0', 'user.employer', '1b13485a28e3a665');
INSERT INTO applied_actions (turn_id, key, action_hash) VALUES ('turn0', 'user.name', 'f9baaeab85da6e2e');
INSERT INTO applied_actions (turn_id, key, action_hash) VALUES ('turn1', 'user.allergy', 'b9d82c25e830bf64');
INSERT INTO applied_actions (turn_id, key, action_hash) VALUES ('turn2', 'nora.home', 'f9f1b18f01ccaaad');
INSERT INTO applied_actions (turn_id, key, action_hash) VALUES ('turn3', 'user.home', '5bd6c9e9d552b0c0');
INSERT INTO applied_actions (turn_id, key, action_hash) VALUES ('turn4', 'user.home', '4bd8a4120e7ecb8b');
INSERT INTO applied_actions (turn_id, key, action_hash) VALUES ('turn5', 'user.pet', 'ed0c694084fa5890');
INSERT INTO applied_actions (turn_id, key, action_hash) VALUES ('turn6', 'user.likes', 'd40aaeab96f505a9');
INSERT INTO applied_actions (turn_id, key, action_hash) VALUES ('turn7', 'rule.never', '7165a89f83a67a5b');
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
CREATE TABLE memory_base (
    version    INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    TEXT NOT NULL,
    content    TEXT NOT NULL,
    reason     TEXT NOT NULL,
    created_at REAL NOT NULL
) STRICT;
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
INSERT INTO jobs (id, kind, key, payload, state, attempts, error, created_at) VALUES (18, 'observe', 'observe:turn8', '{"turn_id": "turn8", "found": [], "forget": []}', 'pending', 0, '', 1790000008.0);
CREATE TABLE sensor_log (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    device_id  TEXT NOT NULL,
    readings   TEXT NOT NULL,       -- flat JSON object
    created_at REAL NOT NULL
) STRICT;
INSERT INTO sensor_log (id, device_id, readings, created_at) VALUES (1, 'desk', '{"temperature": 21.5}', 1790000000.0);
CREATE TABLE vector_changes (
    number    INTEGER PRIMARY KEY AUTOINCREMENT,
    source    TEXT NOT NULL CHECK (source IN ('record', 'turn')),
    source_id INTEGER NOT NULL,
    UNIQUE (source, source_id)
) STRICT;
INSERT INTO vector_changes (number, source, source_id) VALUES (1, 'record', 0);
INSERT INTO vector_changes (number, source, source_id) VALUES (2, 'turn', 0);
INSERT INTO vector_changes (number, source, source_id) VALUES (3, 'record', 1);
INSERT INTO vector_changes (number, source, source_id) VALUES (4, 'record', 2);
INSERT INTO vector_changes (number, source, source_id) VALUES (5, 'turn', 1);
INSERT INTO vector_changes (number, source, source_id) VALUES (6, 'record', 3);
INSERT INTO vector_changes (number, source, source_id) VALUES (7, 'turn', 3);
INSERT INTO vector_changes (number, source, source_id) VALUES (8, 'record', 4);
INSERT INTO vector_changes (number, source, source_id) VALUES (9, 'turn', 5);
INSERT INTO vector_changes (number, source, source_id) VALUES (11, 'turn', 7);
INSERT INTO vector_changes (number, source, source_id) VALUES (12, 'record', 5);
INSERT INTO vector_changes (number, source, source_id) VALUES (13, 'record', 6);
INSERT INTO vector_changes (number, source, source_id) VALUES (14, 'turn', 9);
INSERT INTO vector_changes (number, source, source_id) VALUES (15, 'record', 7);
INSERT INTO vector_changes (number, source, source_id) VALUES (16, 'turn', 11);
INSERT INTO vector_changes (number, source, source_id) VALUES (17, 'record', 8);
INSERT INTO vector_changes (number, source, source_id) VALUES (18, 'turn', 13);
INSERT INTO vector_changes (number, source, source_id) VALUES (19, 'record', 9);
INSERT INTO vector_changes (number, source, source_id) VALUES (20, 'turn', 15);
CREATE TABLE devices (
    device_id  TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    place      TEXT NOT NULL DEFAULT '',
    user_id    TEXT NOT NULL,
    session_id TEXT NOT NULL,
    token_hash BLOB NOT NULL UNIQUE,
    paired_at  REAL NOT NULL
) STRICT, WITHOUT ROWID;
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
, by_cable TEXT) STRICT;
CREATE TABLE measures (
    name  TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    total REAL NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO measures (name, count, total) VALUES ('observer_ms', 8, 4427.102785999523);
CREATE TABLE measure_samples (
    name  TEXT NOT NULL,
    place INTEGER NOT NULL,
    value REAL NOT NULL,
    PRIMARY KEY (name, place)
) STRICT, WITHOUT ROWID;
INSERT INTO measure_samples (name, place, value) VALUES ('observer_ms', 1, 1442.9645799991704);
INSERT INTO measure_samples (name, place, value) VALUES ('observer_ms', 2, 433.2325010000204);
INSERT INTO measure_samples (name, place, value) VALUES ('observer_ms', 3, 3.839838000203599);
INSERT INTO measure_samples (name, place, value) VALUES ('observer_ms', 4, 4.049449000376626);
INSERT INTO measure_samples (name, place, value) VALUES ('observer_ms', 5, 4.252981998433825);
INSERT INTO measure_samples (name, place, value) VALUES ('observer_ms', 6, 3.829032000794541);
INSERT INTO measure_samples (name, place, value) VALUES ('observer_ms', 7, 1312.3961170003895);
INSERT INTO measure_samples (name, place, value) VALUES ('observer_ms', 8, 1222.538287000134);
CREATE TABLE profiles (
    version    INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id    TEXT NOT NULL,
    content    TEXT NOT NULL,
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    up_to_id   INTEGER NOT NULL,
    created_at REAL NOT NULL
) STRICT;
INSERT INTO profiles (version, user_id, content, confidence, up_to_id, created_at) VALUES (1, 'owner', '{"identity": {"user.home": [{"record_id": 6, "text": "The user lives in York now", "value": "York", "confidence": 0.4, "since": 1790000000.0}], "nora.home": [{"record_id": 4, "text": "The user''s sister Nora lives in Hull", "value": "Hull", "confidence": 0.4, "since": 1790000000.0}], "user.employer": [{"record_id": 2, "text": "The user works at NASA", "value": "NASA", "confidence": 0.4, "since": 1790000000.0}], "user.name": [{"record_id": 1, "text": "The user''s name is Alex", "value": "Alex", "confidence": 0.4, "since": 1790000000.0}]}, "hard_preferences": {"user.allergy": [{"record_id": 3, "text": "The user is allergic to peanuts", "value": "peanuts", "confidence": 0.4, "since": 1790000000.0}]}, "soft_preferences": {}, "current_tasks": [], "recent_changes": [{"key": "user.home", "was": "The user lives in Leeds", "now": "The user lives in York now", "at": 1790000000.0}], "sensitive_topics": [{"record_id": 3, "text": "The user is allergic to peanuts", "value": "peanuts", "confidence": 0.4, "since": 1790000000.0, "key": "user.allergy"}, {"record_id": 1, "text": "The user''s name is Alex", "value": "Alex", "confidence": 0.4, "since": 1790000000.0, "key": "user.name"}]}', 0.4, 10, 1790000000.0);
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
CREATE TABLE revoked_devices (
    device_id  TEXT PRIMARY KEY,
    revoked_at REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE records_fts USING fts5 (
    text, tags, scope, content = 'records', content_rowid = 'id', tokenize = 'porter unicode61'
);
INSERT INTO records_fts (records_fts) VALUES ('rebuild');
INSERT INTO records_fts (records_fts, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE turn_words USING fts5 (body, around, day, place, tokenize = 'porter unicode61');
INSERT INTO turn_words (rowid, body, around, day, place) VALUES (1, 'my name is Alex and I work at NASA', 'i am allergic to peanuts my sister Nora lives in Hull', '21 September 2026', 's6b69746368656e');
INSERT INTO turn_words (rowid, body, around, day, place) VALUES (3, 'i am allergic to peanuts', 'my name is Alex and I work at NASA my sister Nora lives in Hull i live in Leeds', '21 September 2026', 's6b69746368656e');
INSERT INTO turn_words (rowid, body, around, day, place) VALUES (5, 'my sister Nora lives in Hull', 'my name is Alex and I work at NASA i am allergic to peanuts i live in Leeds no, i live in York now', '21 September 2026', 's6b69746368656e');
INSERT INTO turn_words (rowid, body, around, day, place) VALUES (7, 'i live in Leeds', 'i am allergic to peanuts my sister Nora lives in Hull no, i live in York now we have a dog called Rex', '21 September 2026', 's6b69746368656e');
INSERT INTO turn_words (rowid, body, around, day, place) VALUES (9, 'no, i live in York now', 'my sister Nora lives in Hull i live in Leeds we have a dog called Rex i like tea without sugar', '21 September 2026', 's6b69746368656e');
INSERT INTO turn_words (rowid, body, around, day, place) VALUES (11, 'we have a dog called Rex', 'i live in Leeds no, i live in York now i like tea without sugar never wake me before seven', '21 September 2026', 's6b69746368656e');
INSERT INTO turn_words (rowid, body, around, day, place) VALUES (13, 'i like tea without sugar', 'no, i live in York now we have a dog called Rex never wake me before seven what is my name', '21 September 2026', 's6b69746368656e');
INSERT INTO turn_words (rowid, body, around, day, place) VALUES (15, 'never wake me before seven', 'we have a dog called Rex i like tea without sugar what is my name', '21 September 2026', 's6b69746368656e');
INSERT INTO turn_words (rowid, body, around, day, place) VALUES (17, 'what is my name', 'i like tea without sugar never wake me before seven', '21 September 2026', 's6b69746368656e');
INSERT INTO turn_words (turn_words, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE record_vectors USING vec0 (record_id INTEGER PRIMARY KEY, embedding float[8] distance_metric=cosine, chunk_size=64);
INSERT INTO record_vectors (record_id, embedding) VALUES (1, X'9BE8213F9BE8213F000000009BE8A13E00000000000000009BE8A13E00000000');
INSERT INTO record_vectors (record_id, embedding) VALUES (2, X'2EF9E43E00000000000000002EF9E43E2EF9E43E2EF9E43E2EF9E43E00000000');
INSERT INTO record_vectors (record_id, embedding) VALUES (3, X'F304353FF304B53EF304B53EF304B53E0000000000000000F304B53E00000000');
INSERT INTO record_vectors (record_id, embedding) VALUES (4, X'3ACD133F3ACD933E000000003ACD133F000000003ACD933E3ACD933E3ACD933E');
INSERT INTO record_vectors (record_id, embedding) VALUES (6, X'3ACD933E00000000000000003ACD933E0000000000000000D8B35D3F3ACD933E');
INSERT INTO record_vectors (record_id, embedding) VALUES (7, X'A532043F0000000000000000F74B463FA532843E0000000000000000A532843E');
INSERT INTO record_vectors (record_id, embedding) VALUES (8, X'77D6883E0000000077D6083FB2414D3F00000000000000000000000000000000');
INSERT INTO record_vectors (record_id, embedding) VALUES (9, X'9BE8A13E00000000000000009BE8213F9BE8A13E9BE8213F0000000000000000');
CREATE VIRTUAL TABLE turn_vectors USING vec0 (turn_id INTEGER PRIMARY KEY, embedding float[8] distance_metric=cosine, chunk_size=64);
INSERT INTO turn_vectors (turn_id, embedding) VALUES (1, X'435BF83E435B783E0000000000000000435B783E435B783E72443A3F435B783E');
INSERT INTO turn_vectors (turn_id, embedding) VALUES (3, X'2EF9E43E2EF9E43E2EF9E43E0000000000000000000000002EF9E43E2EF9E43E');
INSERT INTO turn_vectors (turn_id, embedding) VALUES (5, X'F304B53E0000000000000000F304B53E00000000F304353FF304B53EF304B53E');
INSERT INTO turn_vectors (turn_id, embedding) VALUES (7, X'EB05D13E00000000000000000000000000000000EB05D13E00000000EB05513F');
INSERT INTO turn_vectors (turn_id, embedding) VALUES (9, X'000000009BE8A13E0000000000000000000000009BE8A13E9BE8213F9BE8213F');
INSERT INTO turn_vectors (turn_id, embedding) VALUES (11, X'3ACD933E3ACD933E00000000D8B35D3F3ACD933E000000000000000000000000');
INSERT INTO turn_vectors (turn_id, embedding) VALUES (13, X'0000000000000000ABAA2A3FABAAAA3E000000000000000000000000ABAA2A3F');
INSERT INTO turn_vectors (turn_id, embedding) VALUES (15, X'9084C13E00000000000000009084C13E9084C13E9084413F0000000000000000');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence (name, seq) VALUES ('fact_history', 10);
INSERT INTO sqlite_sequence (name, seq) VALUES ('vector_changes', 20);
INSERT INTO sqlite_sequence (name, seq) VALUES ('conversation_log', 18);
INSERT INTO sqlite_sequence (name, seq) VALUES ('jobs', 18);
INSERT INTO sqlite_sequence (name, seq) VALUES ('records', 9);
INSERT INTO sqlite_sequence (name, seq) VALUES ('record_vectors_rowids', 9);
INSERT INTO sqlite_sequence (name, seq) VALUES ('record_vectors_chunks', 1);
INSERT INTO sqlite_sequence (name, seq) VALUES ('turn_vectors_rowids', 15);
INSERT INTO sqlite_sequence (name, seq) VALUES ('turn_vectors_chunks', 1);
INSERT INTO sqlite_sequence (name, seq) VALUES ('profiles', 1);
INSERT INTO sqlite_sequence (name, seq) VALUES ('sensor_log', 1);
CREATE INDEX conversation_log_session ON conversation_log (session_id, id);
CREATE INDEX conversation_log_unsummarized ON conversation_log (session_id, id) WHERE summarized = 0;
CREATE INDEX records_slot ON records (user_id, key, status);
CREATE INDEX records_status ON records (status, layer, id);
CREATE INDEX records_valid_to ON records (valid_to);
CREATE INDEX records_updated_at ON records (updated_at);
CREATE INDEX records_text ON records (user_id, lower(text)) WHERE status = 'active';
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
CREATE INDEX fact_history_record ON fact_history (record_id, id);
CREATE TRIGGER fact_history_append_only BEFORE UPDATE ON fact_history BEGIN
    SELECT raise(ABORT, 'fact_history is append-only');
END;
CREATE INDEX memory_summaries_unincorporated ON memory_summaries (user_id, id) WHERE incorporated = 0;
CREATE INDEX memory_base_user ON memory_base (user_id, version);
CREATE INDEX sensor_log_device ON sensor_log (device_id, id);
CREATE INDEX conversation_log_speaker ON conversation_log (user_id, speaker) WHERE speaker IS NOT NULL;
CREATE INDEX records_hard ON records (user_id, id) WHERE status = 'active' AND priority IN ('critical', 'high');
CREATE INDEX records_used ON records (user_id, reinforcement, id) WHERE status = 'active' AND reinforcement > 0;
CREATE INDEX fact_history_action ON fact_history (action);
CREATE INDEX profiles_user ON profiles (user_id, version);
CREATE INDEX reminders_waiting ON reminders (user_id, id) WHERE state = 'waiting';
CREATE INDEX records_source_turn ON records (source_turn_id, status) WHERE source_turn_id IS NOT NULL;
COMMIT;
