-- The order that named a message before its turn was committed: its line is written without words.
ALTER TABLE "inbox" ADD COLUMN "forgotten_by" UUID;
