-- A time that was named moved with nobody's clock: only days that matter did, by their kind. What was counted from the
-- moment of saying ("in two hours") has its seconds, and what no turn gave was told by no clock.
ALTER TABLE intentions ADD COLUMN by_clock boolean NOT NULL DEFAULT false;
DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  UPDATE intentions SET by_clock = true
    WHERE kind = 'date' OR turn_id IS NOT NULL AND date_trunc('minute', due_at) = due_at;
  -- What is sealed is put back as it is.
  UPDATE outreach_sealed_rows SET row = row || jsonb_build_object('by_clock', row ->> 'kind' = 'date'
      OR row ->> 'turn_id' IS NOT NULL
        AND date_trunc('minute', (row ->> 'due_at')::timestamptz) = (row ->> 'due_at')::timestamptz)
    WHERE relation = 'intentions';
END
$$;
