-- Whoever spoke was kept with the suite's zone of that moment as if they had named it, and no later one reached them.
ALTER TABLE "outreach_settings" ADD COLUMN "zone_named" BOOLEAN NOT NULL DEFAULT false;

DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  -- UTC was the suite's where it had none, and the settings showed it: hardly anybody named it. Another zone counts as
  -- named, unless nothing has changed since the turn that the row was made with.
  UPDATE outreach_settings AS settings SET zone_named = true
  WHERE time_zone <> 'UTC' AND NOT EXISTS (
    SELECT FROM outreach_handled_turns WHERE person_id = settings.person_id AND at = settings.updated_at);
END
$$;
