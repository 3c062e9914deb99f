-- Replies elsewhere that repeat what was said in a place that the app has left: held back with it, and told again with it.
ALTER TABLE "transcript" ADD COLUMN "left_from" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
CREATE INDEX "transcript_left_idx" ON "transcript"("id") WHERE "withheld" = 'left';
