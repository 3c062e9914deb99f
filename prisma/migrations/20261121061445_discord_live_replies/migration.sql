-- Replies that are shown while they are written.
CREATE TABLE "discord_live_replies" (
    "turn_id" UUID NOT NULL,
    "channel_id" TEXT NOT NULL,
    "reply_to" TEXT,
    "message_id" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "discord_live_replies_pkey" PRIMARY KEY ("turn_id")
);
CREATE INDEX "discord_live_replies_started_at_idx" ON "discord_live_replies"("started_at");
