-- Whether a reason has moved with a change of the zone. It is not known of those that there are: any may have.
ALTER TABLE "intentions" ADD COLUMN "moved" BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE "intentions" ALTER COLUMN "moved" SET DEFAULT false;

DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  -- What is sealed is put back as it is.
  UPDATE outreach_sealed_rows SET row = row || '{"moved": true}' WHERE relation = 'intentions';
END
$$;
