PRAGMA application_id = 1282359925;
PRAGMA user_version = 1;
BEGIN;
CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;
INSERT INTO meta (name, value) VALUES ('migration 1 house', '1795336098.5993397');
INSERT INTO meta (name, value) VALUES ('embedder name', 'hash-8');
INSERT INTO meta (name, value) VALUES ('embedder dimension', '8');
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
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized) VALUES (1, 'turn0', 'user', 'my name is Alex and I work at NASA', 'kitchen', 'owner', 'desk', 'respond', NULL, 1790000000.0, 0);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized) VALUES (2, 'turn0', 'assistant', 'I see.', 'kitchen', 'owner', 'desk', 'respond', '{"total_ms": 12.0}', 1790000000.0, 0);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized) VALUES (3, 'turn1', 'user', 'i am allergic to peanuts', 'kitchen', 'owner', 'desk', 'respond', NULL, 1790000001.0, 0);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized) VALUES (4, 'turn1', 'assistant', 'I see.', 'kitchen', 'owner', 'desk', 'respond', '{"total_ms": 12.0}', 1790000001.0, 0);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized) VALUES (5, 'turn2', 'user', 'my sister Nora lives in Hull', 'kitchen', 'owner', 'desk', 'respond', NULL, 1790000002.0, 0);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized) VALUES (6, 'turn2', 'assistant', 'I see.', 'kitchen', 'owner', 'desk', 'respond', '{"total_ms": 12.0}', 1790000002.0, 0);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized) VALUES (7, 'turn3', 'user', 'i live in Leeds', 'kitchen', 'owner', 'desk', 'respond', NULL, 1790000003.0, 0);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized) VALUES (8, 'turn3', 'assistant', 'I see.', 'kitchen', 'owner', 'desk', 'respond', '{"total_ms": 12.0}', 1790000003.0, 0);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized) VALUES (9, 'turn4', 'user', 'no, i live in York now', 'kitchen', 'owner', 'desk', 'respond', NULL, 1790000004.0, 0);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized) VALUES (10, 'turn4', 'assistant', 'I see.', 'kitchen', 'owner', 'desk', 'respond', '{"total_ms": 12.0}', 1790000004.0, 0);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized) VALUES (11, 'turn5', 'user', 'we have a dog called Rex', 'kitchen', 'owner', 'desk', 'respond', NULL, 1790000005.0, 0);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized) VALUES (12, 'turn5', 'assistant', 'I see.', 'kitchen', 'owner', 'desk', 'respond', '{"total_ms": 12.0}', 1790000005.0, 0);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized) VALUES (13, 'turn6', 'user', 'i like tea without sugar', 'kitchen', 'owner', 'desk', 'respond', NULL, 1790000006.0, 0);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized) VALUES (14, 'turn6', 'assistant', 'I see.', 'kitchen', 'owner', 'desk', 'respond', '{"total_ms": 12.0}', 1790000006.0, 0);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized) VALUES (15, 'turn7', 'user', 'never wake me before seven', 'kitchen', 'owner', 'desk', 'respond', NULL, 1790000007.0, 0);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized) VALUES (16, 'turn7', 'assistant', 'I see.', 'kitchen', 'owner', 'desk', 'respond', '{"total_ms": 12.0}', 1790000007.0, 0);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized) VALUES (17, 'turn8', 'user', 'what is my name', 'kitchen', 'owner', 'desk', 'respond', NULL, 1790000008.0, 0);
INSERT INTO conversation_log (id, turn_id, role, content, session_id, user_id, device_id, action, timings, created_at, summarized) VALUES (18, 'turn8', 'assistant', 'I see.', 'kitchen', 'owner', 'desk', 'respond', '{"total_ms": 12.0}', 1790000008.0, 0);
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
INSERT INTO records (id, uid, user_id, session_id, scope, layer, kind, key, many, text, value, tags, priority, confidence, importance, surprise, status, valid_from, valid_to, event_time, origin, source_turn_id, source_excerpt, reinforcement, last_used_at, created_at, updated_at) VALUES (1, 'c3f1eb71-ec15-4ff9-b82e-7b4822f9716d', 'owner', NULL, '', 'profile', 'fact', 'user.name', 0, 'The user''s name is Alex', '"Alex"', '[]', 'normal', 0.4, 0.9, '{}', 'active', 1790000000.0, NULL, NULL, 'conversation', 'turn0', 'my name is Alex', 0, NULL, 1790000000.0, 1790000000.0);
INSERT INTO records (id, uid, user_id, session_id, scope, layer, kind, key, many, text, value, tags, priority, confidence, importance, surprise, status, valid_from, valid_to, event_time, origin, source_turn_id, source_excerpt, reinforcement, last_used_at, created_at, updated_at) VALUES (2, '76e1d13e-373a-46de-9d27-5fbe1e7c62ec', 'owner', NULL, '', 'profile', 'fact', 'user.employer', 0, 'The user works at NASA', '"NASA"', '[]', 'normal', 0.4, 0.5, '{}', 'active', 1790000000.0, NULL, NULL, 'conversation', 'turn0', 'I work at NASA', 0, NULL, 1790000000.0, 1790000000.0);
INSERT INTO records (id, uid, user_id, session_id, scope, layer, kind, key, many, text, value, tags, priority, confidence, importance, surprise, status, valid_from, valid_to, event_time, origin, source_turn_id, source_excerpt, reinforcement, last_used_at, created_at, updated_at) VALUES (3, 'ab400466-3935-4bce-8a1a-d0cae99917d1', 'owner', NULL, '', 'profile', 'policy', 'user.allergy', 1, 'The user is allergic to peanuts', '"peanuts"', '[]', 'critical', 0.4, 0.9, '{}', 'active', 1790000000.0, NULL, NULL, 'conversation', 'turn1', 'i am allergic to peanuts', 0, NULL, 1790000000.0, 1790000000.0);
INSERT INTO records (id, uid, user_id, session_id, scope, layer, kind, key, many, text, value, tags, priority, confidence, importance, surprise, status, valid_from, valid_to, event_time, origin, source_turn_id, source_excerpt, reinforcement, last_used_at, created_at, updated_at) VALUES (4, '33cf670c-71ad-4ba4-9ec6-9fd6fa258687', 'owner', NULL, '', 'profile', 'relationship', 'nora.lives_in', 0, 'The user''s sister Nora lives in Hull', '"Hull"', '[]', 'normal', 0.4, 0.5, '{}', 'active', 1790000000.0, NULL, NULL, 'conversation', 'turn2', 'my sister Nora lives in Hull', 0, NULL, 1790000000.0, 1790000000.0);
INSERT INTO records (id, uid, user_id, session_id, scope, layer, kind, key, many, text, value, tags, priority, confidence, importance, surprise, status, valid_from, valid_to, event_time, origin, source_turn_id, source_excerpt, reinforcement, last_used_at, created_at, updated_at) VALUES (5, 'f405dbb7-e189-4abd-a811-c73695e257a7', 'owner', NULL, '', 'profile', 'fact', 'user.home', 0, 'The user lives in Leeds', '"Leeds"', '[]', 'normal', 0.4, 0.5, '{}', 'superseded', 1790000000.0, 1790000000.0, NULL, 'conversation', 'turn3', 'i live in Leeds', 0, NULL, 1790000000.0, 1790000000.0);
INSERT INTO records (id, uid, user_id, session_id, scope, layer, kind, key, many, text, value, tags, priority, confidence, importance, surprise, status, valid_from, valid_to, event_time, origin, source_turn_id, source_excerpt, reinforcement, last_used_at, created_at, updated_at) VALUES (6, 'b2c3eea9-6489-48dd-af8c-931886212ce8', 'owner', NULL, '', 'profile', 'fact', 'user.home', 0, 'The user lives in York now', '"York now"', '[]', 'normal', 0.4, 0.5, '{}', 'active', 1790000000.0, NULL, NULL, 'conversation', 'turn4', 'i live in York now', 0, NULL, 1790000000.0, 1790000000.0);
INSERT INTO records (id, uid, user_id, session_id, scope, layer, kind, key, many, text, value, tags, priority, confidence, importance, surprise, status, valid_from, valid_to, event_time, origin, source_turn_id, source_excerpt, reinforcement, last_used_at, created_at, updated_at) VALUES (7, 'b9bf641a-264f-4e7f-9369-7b6192d8209c', 'owner', NULL, '', 'profile', 'relationship', 'user.pet', 1, 'The user has a dog called Rex', '"dog Rex"', '[]', 'normal', 0.4, 0.5, '{}', 'active', 1790000000.0, NULL, NULL, 'conversation', 'turn5', 'we have a dog called Rex', 0, NULL, 1790000000.0, 1790000000.0);
INSERT INTO records (id, uid, user_id, session_id, scope, layer, kind, key, many, text, value, tags, priority, confidence, importance, surprise, status, valid_from, valid_to, event_time, origin, source_turn_id, source_excerpt, reinforcement, last_used_at, created_at, updated_at) VALUES (8, '693d5524-9e1a-46d5-9e66-6fb1750aa453', 'owner', NULL, '', 'profile', 'preference', 'user.likes', 1, 'The user likes tea without sugar', '"tea without sugar"', '[]', 'normal', 0.4, 0.5, '{}', 'active', 1790000000.0, NULL, NULL, 'conversation', 'turn6', 'i like tea without sugar', 0, NULL, 1790000000.0, 1790000000.0);
INSERT INTO records (id, uid, user_id, session_id, scope, layer, kind, key, many, text, value, tags, priority, confidence, importance, surprise, status, valid_from, valid_to, event_time, origin, source_turn_id, source_excerpt, reinforcement, last_used_at, created_at, updated_at) VALUES (9, 'a0bfd236-7d16-4be5-aa34-bd5acd238961', 'owner', NULL, '', 'profile', 'policy', 'rule.never', 1, 'Never wake the user before seven', '"wake me before seven"', '[]', 'critical', 0.4, 0.5, '{}', 'active', 1790000000.0, NULL, NULL, 'conversation', 'turn7', 'never wake me before seven', 0, NULL, 1790000000.0, 1790000000.0);
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
INSERT INTO fact_history (id, record_id, action, reason, before, after, turn_id, at) VALUES (1, 1, 'insert', 'new', NULL, '{"id": 1, "uid": "c3f1eb71-ec15-4ff9-b82e-7b4822f9716d", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "fact", "key": "user.name", "many": false, "text": "The user''s name is Alex", "value": "Alex", "tags": [], "priority": "normal", "confidence": 0.4, "importance": 0.9, "surprise": {}, "status": "active", "valid_from": 1790000000.0, "valid_to": null, "event_time": null, "origin": "conversation", "source_turn_id": "turn0", "source_excerpt": "my name is Alex", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', 'turn0', 1790000000.0);
INSERT INTO fact_history (id, record_id, action, reason, before, after, turn_id, at) VALUES (2, 2, 'insert', 'new', NULL, '{"id": 2, "uid": "76e1d13e-373a-46de-9d27-5fbe1e7c62ec", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "fact", "key": "user.employer", "many": false, "text": "The user works at NASA", "value": "NASA", "tags": [], "priority": "normal", "confidence": 0.4, "importance": 0.5, "surprise": {}, "status": "active", "valid_from": 1790000000.0, "valid_to": null, "event_time": null, "origin": "conversation", "source_turn_id": "turn0", "source_excerpt": "I work at NASA", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', 'turn0', 1790000000.0);
INSERT INTO fact_history (id, record_id, action, reason, before, after, turn_id, at) VALUES (3, 3, 'insert', 'new', NULL, '{"id": 3, "uid": "ab400466-3935-4bce-8a1a-d0cae99917d1", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "policy", "key": "user.allergy", "many": true, "text": "The user is allergic to peanuts", "value": "peanuts", "tags": [], "priority": "critical", "confidence": 0.4, "importance": 0.9, "surprise": {}, "status": "active", "valid_from": 1790000000.0, "valid_to": null, "event_time": null, "origin": "conversation", "source_turn_id": "turn1", "source_excerpt": "i am allergic to peanuts", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', 'turn1', 1790000000.0);
INSERT INTO fact_history (id, record_id, action, reason, before, after, turn_id, at) VALUES (4, 4, 'insert', 'new', NULL, '{"id": 4, "uid": "33cf670c-71ad-4ba4-9ec6-9fd6fa258687", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "relationship", "key": "nora.lives_in", "many": false, "text": "The user''s sister Nora lives in Hull", "value": "Hull", "tags": [], "priority": "normal", "confidence": 0.4, "importance": 0.5, "surprise": {}, "status": "active", "valid_from": 1790000000.0, "valid_to": null, "event_time": null, "origin": "conversation", "source_turn_id": "turn2", "source_excerpt": "my sister Nora lives in Hull", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', 'turn2', 1790000000.0);
INSERT INTO fact_history (id, record_id, action, reason, before, after, turn_id, at) VALUES (5, 5, 'insert', 'new', NULL, '{"id": 5, "uid": "f405dbb7-e189-4abd-a811-c73695e257a7", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "fact", "key": "user.home", "many": false, "text": "The user lives in Leeds", "value": "Leeds", "tags": [], "priority": "normal", "confidence": 0.4, "importance": 0.5, "surprise": {}, "status": "active", "valid_from": 1790000000.0, "valid_to": null, "event_time": null, "origin": "conversation", "source_turn_id": "turn3", "source_excerpt": "i live in Leeds", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', 'turn3', 1790000000.0);
INSERT INTO fact_history (id, record_id, action, reason, before, after, turn_id, at) VALUES (6, 5, 'supersede', 'a new value of the same slot', '{"id": 5, "uid": "f405dbb7-e189-4abd-a811-c73695e257a7", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "fact", "key": "user.home", "many": false, "text": "The user lives in Leeds", "value": "Leeds", "tags": [], "priority": "normal", "confidence": 0.4, "importance": 0.5, "surprise": {}, "status": "active", "valid_from": 1790000000.0, "valid_to": null, "event_time": null, "origin": "conversation", "source_turn_id": "turn3", "source_excerpt": "i live in Leeds", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', '{"id": 5, "uid": "f405dbb7-e189-4abd-a811-c73695e257a7", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "fact", "key": "user.home", "many": false, "text": "The user lives in Leeds", "value": "Leeds", "tags": [], "priority": "normal", "confidence": 0.4, "importance": 0.5, "surprise": {}, "status": "superseded", "valid_from": 1790000000.0, "valid_to": 1790000000.0, "event_time": null, "origin": "conversation", "source_turn_id": "turn3", "source_excerpt": "i live in Leeds", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', 'turn4', 1790000000.0);
INSERT INTO fact_history (id, record_id, action, reason, before, after, turn_id, at) VALUES (7, 6, 'supersede', 'a new value of the same slot', NULL, '{"id": 6, "uid": "b2c3eea9-6489-48dd-af8c-931886212ce8", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "fact", "key": "user.home", "many": false, "text": "The user lives in York now", "value": "York now", "tags": [], "priority": "normal", "confidence": 0.4, "importance": 0.5, "surprise": {}, "status": "active", "valid_from": 1790000000.0, "valid_to": null, "event_time": null, "origin": "conversation", "source_turn_id": "turn4", "source_excerpt": "i live in York now", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', 'turn4', 1790000000.0);
INSERT INTO fact_history (id, record_id, action, reason, before, after, turn_id, at) VALUES (8, 7, 'insert', 'new', NULL, '{"id": 7, "uid": "b9bf641a-264f-4e7f-9369-7b6192d8209c", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "relationship", "key": "user.pet", "many": true, "text": "The user has a dog called Rex", "value": "dog Rex", "tags": [], "priority": "normal", "confidence": 0.4, "importance": 0.5, "surprise": {}, "status": "active", "valid_from": 1790000000.0, "valid_to": null, "event_time": null, "origin": "conversation", "source_turn_id": "turn5", "source_excerpt": "we have a dog called Rex", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', 'turn5', 1790000000.0);
INSERT INTO fact_history (id, record_id, action, reason, before, after, turn_id, at) VALUES (9, 8, 'insert', 'new', NULL, '{"id": 8, "uid": "693d5524-9e1a-46d5-9e66-6fb1750aa453", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "preference", "key": "user.likes", "many": true, "text": "The user likes tea without sugar", "value": "tea without sugar", "tags": [], "priority": "normal", "confidence": 0.4, "importance": 0.5, "surprise": {}, "status": "active", "valid_from": 1790000000.0, "valid_to": null, "event_time": null, "origin": "conversation", "source_turn_id": "turn6", "source_excerpt": "i like tea without sugar", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', 'turn6', 1790000000.0);
INSERT INTO fact_history (id, record_id, action, reason, before, after, turn_id, at) VALUES (10, 9, 'insert', 'new', NULL, '{"id": 9, "uid": "a0bfd236-7d16-4be5-aa34-bd5acd238961", "user_id": "owner", "session_id": null, "scope": "", "layer": "profile", "kind": "policy", "key": "rule.never", "many": true, "text": "Never wake the user before seven", "value": "wake me before seven", "tags": [], "priority": "critical", "confidence": 0.4, "importance": 0.5, "surprise": {}, "status": "active", "valid_from": 1790000000.0, "valid_to": null, "event_time": null, "origin": "conversation", "source_turn_id": "turn7", "source_excerpt": "never wake me before seven", "reinforcement": 0, "last_used_at": null, "created_at": 1790000000.0, "updated_at": 1790000000.0}', 'turn7', 1790000000.0);
CREATE TABLE applied_actions (
    turn_id     TEXT NOT NULL,
    key         TEXT NOT NULL,
    action_hash TEXT NOT NULL,
    PRIMARY KEY (turn_id, key, action_hash)
) STRICT, WITHOUT ROWID;
INSERT INTO applied_actions (turn_id, key, action_hash) VALUES ('turn0', 'user.employer', '1b13485a28e3a665');
INSERT INTO applied_actions (turn_id, key, action_hash) VALUES ('turn0', 'user.name', 'f9baaeab85da6e2e');
INSERT INTO applied_actions (turn_id, key, action_hash) VALUES ('turn1', 'user.allergy', 'b9d82c25e830bf64');
INSERT INTO applied_actions (turn_id, key, action_hash) VALUES ('turn2', 'nora.lives_in', 'f9f1b18f01ccaaad');
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
INSERT INTO jobs (id, kind, key, payload, state, attempts, error, created_at) VALUES (9, 'observe', 'observe:turn8', '{"turn_id": "turn8"}', 'pending', 0, '', 1790000008.0);
CREATE TABLE sensor_log (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    device_id  TEXT NOT NULL,
    readings   TEXT NOT NULL,       -- flat JSON object
    created_at REAL NOT NULL
) STRICT;
INSERT INTO sensor_log (id, device_id, readings, created_at) VALUES (1, 'desk', '{"temperature": 21.5}', 1790000000.0);
CREATE VIRTUAL TABLE records_fts USING fts5 (
    text, tags, scope, content = 'records', content_rowid = 'id', tokenize = 'porter unicode61'
);
INSERT INTO records_fts (records_fts) VALUES ('rebuild');
INSERT INTO records_fts (records_fts, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE record_vectors USING vec0 (record_id INTEGER PRIMARY KEY, embedding float[8] distance_metric=cosine);
INSERT INTO record_vectors (record_id, embedding) VALUES (1, X'9BE8213F9BE8213F000000009BE8A13E00000000000000009BE8A13E00000000');
INSERT INTO record_vectors (record_id, embedding) VALUES (2, X'2EF9E43E00000000000000002EF9E43E2EF9E43E2EF9E43E2EF9E43E00000000');
INSERT INTO record_vectors (record_id, embedding) VALUES (3, X'F304353FF304B53EF304B53EF304B53E0000000000000000F304B53E00000000');
INSERT INTO record_vectors (record_id, embedding) VALUES (4, X'3ACD133F3ACD933E000000003ACD133F000000003ACD933E3ACD933E3ACD933E');
INSERT INTO record_vectors (record_id, embedding) VALUES (6, X'3ACD933E00000000000000003ACD933E0000000000000000D8B35D3F3ACD933E');
INSERT INTO record_vectors (record_id, embedding) VALUES (7, X'A532043F0000000000000000F74B463FA532843E0000000000000000A532843E');
INSERT INTO record_vectors (record_id, embedding) VALUES (8, X'77D6883E0000000077D6083FB2414D3F00000000000000000000000000000000');
INSERT INTO record_vectors (record_id, embedding) VALUES (9, X'9BE8A13E00000000000000009BE8213F9BE8A13E9BE8213F0000000000000000');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence (name, seq) VALUES ('conversation_log', 18);
INSERT INTO sqlite_sequence (name, seq) VALUES ('jobs', 9);
INSERT INTO sqlite_sequence (name, seq) VALUES ('records', 9);
INSERT INTO sqlite_sequence (name, seq) VALUES ('fact_history', 10);
INSERT INTO sqlite_sequence (name, seq) VALUES ('record_vectors_rowids', 9);
INSERT INTO sqlite_sequence (name, seq) VALUES ('record_vectors_chunks', 1);
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
CREATE INDEX jobs_state ON jobs (state, id);
CREATE INDEX sensor_log_device ON sensor_log (device_id, id);
COMMIT;
