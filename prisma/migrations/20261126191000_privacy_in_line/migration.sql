-- When talk in private was last asked for, or its end, until memory and the gateway are known to agree. Where one of the
-- two was not reached, the sweeper brings the gateway in line. Those who talk in private now are compared once.
ALTER TABLE "people" ADD COLUMN "privacy_asked_at" TIMESTAMPTZ(3);
DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  UPDATE "people" SET "privacy_asked_at" = now() WHERE "private_from" IS NOT NULL AND "private_until" IS NULL;
END
$$;
CREATE INDEX "people_privacy_asked_at_idx" ON "people"("privacy_asked_at") WHERE "privacy_asked_at" IS NOT NULL;
