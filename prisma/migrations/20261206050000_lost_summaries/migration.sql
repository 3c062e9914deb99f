-- Times of days whose summaries went when a memory was put right: upkeep has them written again, however long the queue is
-- away after the change.
ALTER TABLE "forget_records" ADD COLUMN "lost_summaries" TIMESTAMPTZ(3)[] NOT NULL DEFAULT '{}';
CREATE INDEX "forget_records_lost_summaries_idx" ON "forget_records"("at") WHERE "lost_summaries" <> '{}';
