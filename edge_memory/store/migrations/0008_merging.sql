-- An index of words is made of parts, and each word is looked up in each of them: two of a size are merged in the
-- background, where FTS5 would wait for four.
INSERT INTO records_fts (records_fts, rank) VALUES ('usermerge', 2);
INSERT INTO turn_words (turn_words, rank) VALUES ('usermerge', 2);
