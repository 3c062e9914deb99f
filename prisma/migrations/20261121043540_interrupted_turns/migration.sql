-- What can happen to an accepted message before its turn has ended.
ALTER TABLE "inbox"
  ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "overtaken" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "deleted_at" TIMESTAMPTZ(3),
  ADD COLUMN "stopped_at" TIMESTAMPTZ(3);

-- Open rows are looked for by conversation, by person and by the door's id, among a long history of ended ones.
DROP INDEX "inbox_conversation_id_id_idx";
CREATE INDEX "inbox_conversation_id_outcome_id_idx" ON "inbox"("conversation_id", "outcome", "id");
CREATE INDEX "inbox_person_id_outcome_idx" ON "inbox"("person_id", "outcome");
CREATE INDEX "inbox_external_id_idx" ON "inbox"("external_id");
