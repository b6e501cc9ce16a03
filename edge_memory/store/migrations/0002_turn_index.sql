-- Who spoke, in a dialogue that others had. NULL: the user or the assistant.
ALTER TABLE conversation_log ADD COLUMN speaker TEXT;
CREATE INDEX conversation_log_speaker ON conversation_log (user_id, speaker) WHERE speaker IS NOT NULL;

-- What users said, to be found by its words; rowid is the id in conversation_log. around holds the words of the two
-- turns before and after, day the date in words, place one word for the session, so that a search in it reads no other.
CREATE VIRTUAL TABLE turn_words USING fts5 (body, around, day, place, tokenize = 'porter unicode61');
INSERT INTO turn_words (turn_words, rank) VALUES ('secure-delete', 1);

INSERT INTO turn_words (rowid, body, around, day, place)
SELECT
    id,
    content,
    coalesce((SELECT group_concat(content, ' ') FROM (
        SELECT content FROM conversation_log AS near
        WHERE near.session_id = heard.session_id AND near.id < heard.id AND role = 'user' AND action <> 'ignore'
        ORDER BY near.id DESC LIMIT 2
    )), '') || ' ' || coalesce((SELECT group_concat(content, ' ') FROM (
        SELECT content FROM conversation_log AS near
        WHERE near.session_id = heard.session_id AND near.id > heard.id AND role = 'user' AND action <> 'ignore'
        ORDER BY near.id LIMIT 2
    )), ''),
    ltrim(strftime('%d ', created_at, 'unixepoch', 'localtime'), '0') || rtrim(substr(
        'January  February March    April    May      June     July     August   SeptemberOctober  November December ',
        9 * strftime('%m', created_at, 'unixepoch', 'localtime') - 8, 9
    )) || strftime(' %Y', created_at, 'unixepoch', 'localtime'),
    's' || lower(hex(session_id))
FROM conversation_log AS heard
WHERE role = 'user' AND action <> 'ignore' AND content <> '';

-- What has gained, changed or lost its vector since; source_id 0 stands for all of that source. A copy in memory that
-- has read up to a number is brought up to date by what has a higher one.
CREATE TABLE vector_changes (
    number    INTEGER PRIMARY KEY AUTOINCREMENT,
    source    TEXT NOT NULL CHECK (source IN ('record', 'turn')),
    source_id INTEGER NOT NULL,
    UNIQUE (source, source_id)
) STRICT;
