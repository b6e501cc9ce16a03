-- What is read before every reply must not cost more the more is remembered.
CREATE INDEX records_hard ON records (user_id, id) WHERE status = 'active' AND priority IN ('critical', 'high');
CREATE INDEX records_used ON records (user_id, reinforcement, id) WHERE status = 'active' AND reinforcement > 0;
