-- A day that comes every year was kept as its next time alone: put off to a 28 February, a 29th stayed there for good.
ALTER TABLE intentions ADD COLUMN leap_day boolean NOT NULL DEFAULT false;
DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  UPDATE intentions SET leap_day = true WHERE yearly AND to_char(due_at AT TIME ZONE 'UTC', 'MMDD') = '0229';
  -- What is sealed is put back as it is.
  UPDATE outreach_sealed_rows SET row = row || '{"leap_day": false}' WHERE relation = 'intentions';
END
$$;
