-- DropIndex
DROP INDEX "inbox_door_conversation_id_external_id_key";

-- AlterTable
ALTER TABLE "turns" ADD COLUMN     "followed_up_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE UNIQUE INDEX "inbox_conversation_id_external_id_key" ON "inbox"("conversation_id", "external_id");

-- CreateIndex
CREATE INDEX "turns_followed_up_at_ended_at_idx" ON "turns"("followed_up_at", "ended_at");
