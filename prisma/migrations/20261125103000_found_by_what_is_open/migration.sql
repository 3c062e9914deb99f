-- A speaker's messages that wait, which accepting, claiming and committing look for. The index has these alone: before,
-- Postgres took the one by the door's message ids while it knew little of the table, and read all that was ever said.
DROP INDEX "inbox_conversation_id_outcome_id_idx";
CREATE INDEX "inbox_open_idx" ON "inbox"("conversation_id", "person_id", "id") WHERE "outcome" IS NULL;

-- Facts of a person, likewise: they were looked for among all of the person's memories.
DROP INDEX "memories_person_id_attribute_idx";
CREATE INDEX "memories_facts_idx" ON "memories"("person_id", "companion_id", "attribute") WHERE "kind" = 'fact';

-- Rows that change in place, in columns that no index has: with room beside them their indexes stay as they are, which
-- is most of what such a change costs.
ALTER TABLE "memories" SET (fillfactor = 80);
ALTER TABLE "conversations" SET (fillfactor = 80);
ALTER TABLE "relationships" SET (fillfactor = 80);
ALTER TABLE "outreach_settings" SET (fillfactor = 80);
