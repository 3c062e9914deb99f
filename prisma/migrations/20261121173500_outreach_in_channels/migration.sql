-- Outreach where a person allowed it: their direct messages, a channel, or both. A reason is said only where those who
-- read may hear it; of those kept before it is not known where they were told, so they count as told in a DM.
ALTER TABLE "outreach_settings"
    ADD COLUMN "direct" BOOLEAN NOT NULL DEFAULT true,
    ADD COLUMN "channel_id" TEXT,
    ADD COLUMN "channel_problem" TEXT;
ALTER TABLE "intentions" ADD COLUMN "audience" TEXT DEFAULT 'direct';

-- What could not be said in a channel is tried again as a direct message: a second attempt for one reason.
ALTER TABLE "outreach_attempts" ADD COLUMN "channel_id" TEXT;
DROP INDEX "outreach_attempts_intention_id_key";
CREATE INDEX "outreach_attempts_intention_id_idx" ON "outreach_attempts"("intention_id");

-- The operator's word on a channel. About no person.
CREATE TABLE "outreach_channels" (
    "channel_id" TEXT NOT NULL,
    "mode" TEXT NOT NULL,

    CONSTRAINT "outreach_channels_pkey" PRIMARY KEY ("channel_id")
);
