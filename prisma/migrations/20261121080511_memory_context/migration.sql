-- What was said around a memory, and by whom, is part of how it is found.
ALTER TABLE "memories" ADD COLUMN "conversation" TEXT, ADD COLUMN "speaker" TEXT;
CREATE INDEX "memories_person_id_conversation_said_at_idx" ON "memories"("person_id", "conversation", "said_at");
ALTER TABLE "memory_vectors" ADD COLUMN "conversation" TEXT, ADD COLUMN "said_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
-- Points are written anew with what stands around them: the service does that by itself.
UPDATE "memories" SET "indexed_in" = NULL;
