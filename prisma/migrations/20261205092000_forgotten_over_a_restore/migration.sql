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
  -- Memories that an order names by their ids may have been others in the backup, of the same messages. An order takes 500.
  INSERT INTO forget_orders (id, person_id, companion_id, reason, what, keep_talk, at)
    SELECT gen_random_uuid(), person_id, companion_id, 'forgotten',
      jsonb_build_object('kind', 'sources', 'sources', jsonb_agg(source)), keep_talk, at
    FROM (
      SELECT kept.*, source, (row_number() OVER (PARTITION BY id) - 1) / 500 AS part
      FROM kept_forget_orders AS kept, jsonb_array_elements_text(what -> 'lineSources') AS source
      WHERE what ->> 'kind' = 'ids'
    ) AS named
    GROUP BY id, person_id, companion_id, keep_talk, at, part;
END
$$;

REVOKE ALL ON FUNCTION kith_restoring_gateway_orders(), kith_restored_gateway_orders() FROM PUBLIC;
