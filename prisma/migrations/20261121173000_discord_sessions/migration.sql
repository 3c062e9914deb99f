-- The session with Discord, so that the next process can resume it.
ALTER TABLE "discord_leaders"
    ADD COLUMN "session_id" TEXT,
    ADD COLUMN "resume_url" TEXT,
    ADD COLUMN "bot_id" TEXT,
    ADD COLUMN "sequence" INTEGER;
