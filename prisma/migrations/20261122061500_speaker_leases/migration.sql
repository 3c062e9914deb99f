-- A turn's lease is on the first message of its burst, no longer on the conversation: people in one channel are
-- answered side by side, each in their own order.
ALTER TABLE "inbox"
    ADD COLUMN "lease_token" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "lease_until" TIMESTAMPTZ(3);
ALTER TABLE "conversations"
    DROP COLUMN "lease_token",
    DROP COLUMN "lease_until";
