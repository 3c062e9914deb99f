-- Reasons that wait to be placed again: whether they go by the clock is known once they are read.
DROP INDEX "intentions_unplaced_idx";
CREATE INDEX "intentions_unplaced_idx" ON "intentions"("person_id")
  WHERE NOT "zone_named" AND "turn_id" IS NOT NULL AND "status" = 'open';

DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  -- It is not known which have moved with a change of the zone.
  UPDATE intentions SET zone_named = false WHERE status = 'dropped' AND by_clock;
END
$$;
