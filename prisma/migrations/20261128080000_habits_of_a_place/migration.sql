-- A habit shows where what it comes from was heard: in one channel, or everywhere once several people came up with it in
-- places of their own.
ALTER TABLE "quirks" ADD COLUMN "audience" TEXT NOT NULL DEFAULT 'everywhere';
DROP INDEX "quirks_companion_id_kind_text_key";
CREATE UNIQUE INDEX "quirks_companion_id_kind_text_audience_key" ON "quirks"("companion_id", "kind", "text", "audience");

-- Those from before: of one channel where all of their turns are from there, and gone where it is not known who may hear them.
DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  CREATE TEMPORARY TABLE "heard" ON COMMIT DROP AS
    SELECT q."id", count(DISTINCT s."person_id") AS people,
      count(DISTINCT CASE WHEN t."audience" = 'direct' THEN t."person_id"::text ELSE t."audience" END) AS places,
      CASE WHEN bool_and(t."audience" IS NOT NULL AND t."audience" <> 'direct') THEN min(t."audience") END AS channel
    FROM "quirks" q
    LEFT JOIN "quirk_sources" s ON s."quirk_id" = q."id"
    LEFT JOIN "turns" t ON t."turn_id" = s."turn_id"
    WHERE q."origin" = 'reflection'
    GROUP BY q."id";
  UPDATE "quirks" q SET "audience" = h."channel" FROM "heard" h
    WHERE h."id" = q."id" AND h."places" = 1 AND h."channel" IS NOT NULL;
  DELETE FROM "quirks" q USING "heard" h
    WHERE h."id" = q."id" AND q."audience" = 'everywhere' AND (h."people" < 3 OR h."places" < 3);
  -- Nobody can say who may hear those either.
  DELETE FROM "personality_sealed_rows" WHERE "relation" = 'quirks';
END
$$;
