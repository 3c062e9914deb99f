-- Every recall reads the tasks that are not over and the wishes that hold: neither may cost more as ended tasks and
-- other facts add up.
CREATE INDEX "tasks_open_idx" ON "tasks"("person_id", "companion_id", "audience") WHERE "state" IN ('open', 'waiting');
CREATE INDEX "memories_wishes_idx" ON "memories"("person_id", "said_at" DESC)
    WHERE "attribute" LIKE 'wish:%' OR "attribute" LIKE 'prefers:%';
