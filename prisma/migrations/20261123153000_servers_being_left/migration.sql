-- A server is being left from the order on until all of it is noted. A bot that ended in between and was added again
-- took it for one it had never left, and what was said there would have been forgotten after the grace period.
ALTER TABLE "discord_servers" ADD COLUMN "leaving" BOOLEAN NOT NULL DEFAULT false;
