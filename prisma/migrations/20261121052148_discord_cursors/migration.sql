-- How far the bot has heard, which process is connected, and since when a reply may have arrived unknown to us.
CREATE TABLE "discord_cursors" (
    "channel_id" TEXT NOT NULL,
    "is_direct" BOOLEAN NOT NULL,
    "last_message_id" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "discord_cursors_pkey" PRIMARY KEY ("channel_id")
);
CREATE INDEX "discord_cursors_updated_at_idx" ON "discord_cursors"("updated_at");

CREATE TABLE "discord_leaders" (
    "shard" INTEGER NOT NULL,
    "holder" TEXT NOT NULL,
    "held_until" TIMESTAMPTZ(3) NOT NULL,
    "identifies" INTEGER NOT NULL DEFAULT 0,
    "day" DATE NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "discord_leaders_pkey" PRIMARY KEY ("shard")
);

ALTER TABLE "outbox" ADD COLUMN "first_tried_at" TIMESTAMPTZ(3);
CREATE INDEX "outbox_conversation_id_created_at_idx" ON "outbox"("conversation_id", "created_at");
