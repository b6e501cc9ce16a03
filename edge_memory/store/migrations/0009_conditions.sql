-- What is no diet was once kept in the slot of the diet, which holds one value: "diabetic" stood in the way of
-- "vegetarian". Conditions and rules of diet have slots of their own, which hold many.
CREATE TEMP TABLE moved AS
    SELECT id, key, many, substr(key, 1, length(key) - length('diet')) || CASE
        WHEN said GLOB '*free' OR said IN ('kosher', 'halal', 'teetotal') THEN 'diet_rule' ELSE 'condition' END AS slot
    FROM (SELECT id, key, many, lower(json_extract(value, '$')) AS said FROM records
          WHERE key GLOB '*.diet' AND status <> 'tombstoned' AND json_type(value) = 'text')
    WHERE said GLOB '*diabetic' OR said GLOB '*intolerant' OR said IN ('coeliac', 'celiac', 'asthmatic', 'epileptic')
       OR said GLOB 'gluten?free' OR said GLOB 'dairy?free' OR said IN ('kosher', 'halal', 'teetotal');
INSERT INTO fact_history (record_id, action, reason, before, after, at)
    SELECT id, 'update', 'has a slot of its own', json_object('key', key, 'many', json(iif(many, 'true', 'false'))),
        json_object('key', slot, 'many', json('true')), unixepoch('subsec') FROM moved;
UPDATE records SET key = moved.slot, many = 1 FROM moved WHERE records.id = moved.id;
DROP TABLE moved;
