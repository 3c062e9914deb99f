-- A live message is known by its first words when its id is not, and stays noted until its reply can't be sent again.
ALTER TABLE "discord_live_replies"
    ADD COLUMN "opening" TEXT,
    ADD COLUMN "closed_at" TIMESTAMPTZ(3),
    ADD COLUMN "final_text" TEXT;
-- Those there may be were all begun: whoever sent them did not note with which words.
UPDATE "discord_live_replies" SET "opening" = '';
