-- A habit shows where what it comes from was heard: in one channel, or everywhere once several people came up with it in
-- places of their own.
ALTER TABLE "quirks" ADD COLUMN "audience" TEXT NOT NULL DEFAULT 'everywhere';
DROP INDEX "quirks_companion_id_kind_text_key";
CREATE UNIQUE INDEX "quirks_companion_id_kind_text_audience_key" ON "quirks"("companion_id", "kind", "text", "audience");
-- Where it was said: null for sources from before this, until the function below has run.
ALTER TABLE "quirk_sources" ADD COLUMN "audience" TEXT;

-- Habits from before this, also those of an older backup: of one channel where all of their turns are from there, everywhere
-- where three people came up with them in talk of their own, and gone where neither is sure.
CREATE FUNCTION kith_restored_personality() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  CREATE TEMPORARY TABLE "from_before" ON COMMIT DROP AS
    SELECT DISTINCT "quirk_id" AS "id" FROM "quirk_sources" WHERE "audience" IS NULL;
  UPDATE "quirk_sources" s SET "audience" = t."audience" FROM "turns" t
    WHERE t."turn_id" = s."turn_id" AND s."audience" IS NULL;
  UPDATE "quirks" q SET "audience" = heard."channel"
    FROM (SELECT "quirk_id", min("audience") AS "channel" FROM "quirk_sources"
      GROUP BY "quirk_id" HAVING count(DISTINCT coalesce("audience", '')) = 1) AS heard
    WHERE heard."quirk_id" = q."id" AND heard."channel" <> 'direct' AND q."origin" = 'reflection'
      AND q."id" IN (SELECT "id" FROM "from_before");
  DELETE FROM "quirks" q
    WHERE q."origin" = 'reflection' AND q."audience" = 'everywhere' AND q."id" IN (SELECT "id" FROM "from_before")
      AND (SELECT count(DISTINCT "person_id") FROM "quirk_sources" WHERE "quirk_id" = q."id" AND "audience" = 'direct') < 3;
  DELETE FROM "quirk_sources" WHERE "audience" IS NULL;
END
$$;

DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  PERFORM kith_restored_personality();
  -- Nobody can say who may hear those that wait for an undo.
  DELETE FROM "personality_sealed_rows" WHERE "relation" IN ('quirks', 'quirk_sources');
END
$$;
