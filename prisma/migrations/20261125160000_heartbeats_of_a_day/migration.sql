-- Heartbeats of a day, which are counted before each: they were looked for among all that was said that day.
CREATE INDEX "inbox_heartbeats_idx" ON "inbox"("received_at") WHERE "origin" = 'heartbeat';
