-- Whether a reason was placed by a time zone that its person named: others are placed again once they name one.
ALTER TABLE "intentions" ADD COLUMN "zone_named" BOOLEAN NOT NULL DEFAULT false;

DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  -- Of whoever has named one, all have moved to it.
  UPDATE intentions AS one SET zone_named = true
  FROM outreach_settings AS settings WHERE settings.person_id = one.person_id AND settings.zone_named;
  -- What is sealed is put back as it is.
  UPDATE outreach_sealed_rows AS sealed SET row = row || jsonb_build_object('zone_named', EXISTS (
    SELECT FROM outreach_settings AS settings
    WHERE settings.person_id = sealed.person_id AND settings.zone_named))
  WHERE relation = 'intentions';
END
$$;

-- Those that wait to be placed again, should their person name a zone.
CREATE INDEX "intentions_unplaced_idx" ON "intentions"("person_id")
  WHERE NOT "zone_named" AND "by_clock" AND "status" = 'open';
