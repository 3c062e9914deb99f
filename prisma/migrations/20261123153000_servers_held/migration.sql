-- A server is held from the order to return to it until the one to leave it. A bot that ended while it left one, or heard
-- a message of one before it compared its servers, took it for one that it had never left when it was added again, and
-- what was said there would have been forgotten after the grace period.
ALTER TABLE "discord_servers" ADD COLUMN "held" BOOLEAN NOT NULL DEFAULT true;
