-- What a turn left: asked for every turn that may stand in a prompt.
CREATE INDEX records_source_turn ON records (source_turn_id, status) WHERE source_turn_id IS NOT NULL;
