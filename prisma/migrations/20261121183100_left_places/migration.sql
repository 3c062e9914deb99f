-- When the app was sent away from where a conversation is: after a grace period what was said there goes.
ALTER TABLE "conversations" ADD COLUMN "left_at" TIMESTAMPTZ(3);
