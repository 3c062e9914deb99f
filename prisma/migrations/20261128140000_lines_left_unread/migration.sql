-- Lines that are yet to be read for facts, without those of an import that others said: nobody reads them, so they would
-- stay in it for ever. By it upkeep finds whose lines were left.
DROP INDEX "memories_unread_idx";
CREATE INDEX "memories_unread_idx" ON "memories"("person_id", "companion_id", "said_at", "id")
    WHERE "kind" = 'episode' AND "shelf" = 'open' AND "read_at" IS NULL
      AND ("writer" = 'person' OR "writer" = 'import' AND "speaker" IS NULL);
