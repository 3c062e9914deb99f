-- What was sent, and what people and operators allow, stay known over a restore: nothing is sent for a second time, the
-- caps hold, and nobody who opted out since the backup was written is written to again.
CREATE FUNCTION kith_restoring_proactive_scheduler() RETURNS void LANGUAGE sql AS $$
  CREATE TEMP TABLE kept_intentions ON COMMIT DROP AS SELECT * FROM intentions;
  CREATE TEMP TABLE kept_outreach_attempts ON COMMIT DROP AS SELECT * FROM outreach_attempts;
  CREATE TEMP TABLE kept_outreach_settings ON COMMIT DROP AS SELECT * FROM outreach_settings;
  CREATE TEMP TABLE kept_outreach_channels ON COMMIT DROP AS SELECT * FROM outreach_channels;
  CREATE TEMP TABLE kept_paused_jobs ON COMMIT DROP AS SELECT name FROM recurring_jobs WHERE paused;
$$;
REVOKE ALL ON FUNCTION kith_restoring_proactive_scheduler() FROM PUBLIC;

CREATE OR REPLACE FUNCTION kith_restored_proactive_scheduler() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- A reason of the backup is as it is now, also where its time was moved. Those made since go with the talk that gave
  -- them, but for the next year's of one in the backup, and for the companion's own that are over: without words they tell
  -- what it has asked about.
  DELETE FROM kept_intentions AS kept WHERE person_id NOT IN (SELECT person_id FROM people) OR NOT (
    id IN (SELECT id FROM intentions) OR turn_id IS NULL AND status <> 'open'
    OR yearly AND status = 'open' AND EXISTS (
      SELECT FROM intentions AS restored
      WHERE restored.yearly AND restored.turn_id = kept.turn_id AND restored.about = kept.about));
  UPDATE kept_intentions SET about = '' WHERE turn_id IS NULL AND id NOT IN (SELECT id FROM intentions);
  -- Of one that is unknown here, as all are on a new machine, nobody can say whether it was sent: where it was due, it is
  -- over, and a yearly one comes in the next year, unless that one was made already.
  UPDATE intentions AS restored
    SET due_at = due_at + make_interval(years => 1 + extract(year FROM age(now(), due_at))::int)
    WHERE status = 'open' AND yearly AND due_at <= now() AND id NOT IN (SELECT id FROM kept_intentions)
      AND NOT EXISTS (
        SELECT FROM intentions AS other WHERE other.turn_id = restored.turn_id AND other.about = restored.about
          AND other.due_at > restored.due_at);
  UPDATE intentions SET status = 'dropped'
    WHERE status = 'open' AND due_at <= now() AND id NOT IN (SELECT id FROM kept_intentions);
  DELETE FROM intentions WHERE id IN (SELECT id FROM kept_intentions);
  INSERT INTO intentions SELECT * FROM kept_intentions ON CONFLICT DO NOTHING;

  -- Those since count for the caps. What they were about goes with the talk of that time.
  UPDATE kept_outreach_attempts SET reason = '', because = '' WHERE id NOT IN (SELECT id FROM outreach_attempts);
  DELETE FROM outreach_attempts WHERE id IN (SELECT id FROM kept_outreach_attempts);
  INSERT INTO outreach_attempts
    SELECT * FROM kept_outreach_attempts WHERE person_id IN (SELECT person_id FROM people);
  UPDATE outreach_attempts SET status = 'failed' WHERE status = 'queued';

  -- What people and operators allow, and whether people answer, is as it is now.
  DELETE FROM outreach_settings WHERE person_id IN (SELECT person_id FROM kept_outreach_settings);
  INSERT INTO outreach_settings
    SELECT * FROM kept_outreach_settings WHERE person_id IN (SELECT person_id FROM people);
  INSERT INTO outreach_channels SELECT * FROM kept_outreach_channels
    ON CONFLICT (channel_id) DO UPDATE SET mode = excluded.mode;
  UPDATE recurring_jobs SET paused = true WHERE name IN (SELECT name FROM kept_paused_jobs);
END
$$;
