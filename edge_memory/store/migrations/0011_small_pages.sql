-- A page of the file is 1 KiB: a leaf of an index of words, with its head, has room in one, encrypted or not.
INSERT INTO records_fts (records_fts, rank) VALUES ('pgsz', 900);
INSERT INTO turn_words (turn_words, rank) VALUES ('pgsz', 900);

-- Jobs are few, and a row's place by its id is found without it; each turn wrote it anew several times.
DROP INDEX jobs_state;
