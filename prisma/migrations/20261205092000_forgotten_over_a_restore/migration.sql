-- What was forgotten since the backup was written, or deleted where it was said, stays forgotten over a restore: the orders
-- stay, and the sweeper carries them out on the backup's rows. What an undo has ended is not there to be kept.
CREATE FUNCTION kith_restoring_gateway_orders() RETURNS void LANGUAGE sql AS $$
  CREATE TEMP TABLE kept_forget_orders ON COMMIT DROP AS
    SELECT * FROM forget_orders WHERE reason IN ('forgotten', 'deleted');
$$;

CREATE FUNCTION kith_restored_gateway_orders() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM kept_forget_orders
    WHERE id IN (SELECT id FROM forget_orders) OR person_id NOT IN (SELECT person_id FROM people);
  -- A deleted line has its words again here: it is forgotten as if its person asked for it.
  UPDATE kept_forget_orders SET reason = 'forgotten', finished_at = NULL, undo_until = least(undo_until, now()),
    what = CASE WHEN reason = 'forgotten' THEN what
      ELSE jsonb_build_object('kind', 'sources', 'sources', jsonb_build_array(what ->> 'source')) END;
  INSERT INTO forget_orders SELECT * FROM kept_forget_orders;
  -- Of memories that were made since, the backup may have the messages: these are forgotten, where no named memory that is
  -- there covers them. Not the document of a passage, nor where the talk was to stay. An order takes 500.
  INSERT INTO forget_orders (id, person_id, companion_id, reason, what, at)
    SELECT gen_random_uuid(), person_id, companion_id, 'forgotten',
      jsonb_build_object('kind', 'sources', 'sources', jsonb_agg(source)), at
    FROM (
      SELECT kept.*, source, (row_number() OVER (PARTITION BY id) - 1) / 500 AS part
      FROM kept_forget_orders AS kept, jsonb_array_elements_text(what -> 'lineSources') AS source
      WHERE what ->> 'kind' = 'ids' AND NOT keep_talk AND source !~ '^document:[0-9a-f-]{36}$'
        AND NOT EXISTS (
          SELECT FROM jsonb_array_elements_text(what -> 'ids') AS named (id)
          JOIN memories ON memories.id = named.id::uuid WHERE source = ANY (memories.sources))
    ) AS uncovered
    GROUP BY id, person_id, companion_id, at, part;
END
$$;

-- Summaries that were forgotten are not written again, and tasks that were deleted do not come back.
CREATE FUNCTION kith_restoring_memory_records() RETURNS void LANGUAGE sql AS $$
  CREATE TEMP TABLE kept_forget_records ON COMMIT DROP AS
    SELECT id, person_id, companion_id, removed, subjects, at FROM forget_records
    WHERE subjects <> '{}' OR sources = '{}' AND removed <> '{}';
$$;

CREATE FUNCTION kith_restored_memory_records() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Under an id of its own: by that of its order, which is carried out again, it would say that this is done.
  INSERT INTO forget_records (id, person_id, companion_id, everything, sources, pending, removed, subjects, at)
    SELECT gen_random_uuid(), person_id, companion_id, false, '{}', '{}', removed, subjects, at
    FROM kept_forget_records
    WHERE id NOT IN (SELECT id FROM forget_records) AND person_id IN (SELECT person_id FROM people);
  DELETE FROM tasks USING kept_forget_records AS kept WHERE tasks.id = ANY (kept.removed);
END
$$;

REVOKE ALL ON FUNCTION kith_restoring_gateway_orders(), kith_restored_gateway_orders(),
  kith_restoring_memory_records(), kith_restored_memory_records() FROM PUBLIC;
