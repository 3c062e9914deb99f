-- A reply that is shown while it is written goes on to a further message where one is full.
ALTER TABLE "discord_live_replies"
  ADD COLUMN "message_ids" TEXT[] NOT NULL DEFAULT '{}',
  ADD COLUMN "final_texts" TEXT[] NOT NULL DEFAULT '{}';

UPDATE "discord_live_replies" SET
  "message_ids" = CASE WHEN "message_id" IS NULL THEN '{}' ELSE ARRAY["message_id"] END,
  "final_texts" = CASE WHEN "final_text" IS NULL THEN '{}' ELSE ARRAY["final_text"] END,
  -- From now on these are the words of a message that is on its way.
  "opening" = CASE WHEN "message_id" IS NULL THEN "opening" END;

ALTER TABLE "discord_live_replies" DROP COLUMN "message_id", DROP COLUMN "final_text";
