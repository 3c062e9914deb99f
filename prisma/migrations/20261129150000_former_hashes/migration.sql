-- A fact is known by the hash of what it says, which its owner's correction changes: an import recognises the wrong one of
-- an older export by the hash that it had.
ALTER TABLE "memories" ADD COLUMN "former_hashes" TEXT[];
CREATE INDEX "memories_corrected_idx" ON "memories"("person_id", "companion_id") WHERE "former_hashes" IS NOT NULL;
