-- A message that was deleted since the backup takes no other message with it that says the same: its order tells that it is
-- one. The function is the former one but for that.
CREATE OR REPLACE FUNCTION kith_restored_gateway_orders() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM kept_forget_orders
    WHERE id IN (SELECT id FROM forget_orders) OR person_id NOT IN (SELECT person_id FROM people);
  -- A deleted line has its words again here: it is forgotten as if its person asked for it, but for what they also said
  -- elsewhere, by the turn that it was said in.
  UPDATE kept_forget_orders SET reason = 'forgotten', finished_at = NULL, undo_until = least(undo_until, now()),
    what = CASE WHEN reason = 'forgotten' THEN what
      ELSE jsonb_build_object('kind', 'sources', 'sources', jsonb_build_array(what ->> 'source'),
        'deletedIn', what -> 'turnId') END;
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
