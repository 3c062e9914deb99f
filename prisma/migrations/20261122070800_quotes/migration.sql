-- What a message that waits for its turn refers to. It goes with the turn's outcome.
ALTER TABLE "inbox" ADD COLUMN "quote" JSONB;
