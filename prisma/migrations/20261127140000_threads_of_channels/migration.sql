-- Discord names no thread when a channel is deleted, and tells of archived threads only as somebody writes in them.
ALTER TABLE "discord_servers" ADD COLUMN "threads" JSONB NOT NULL DEFAULT '{}';
