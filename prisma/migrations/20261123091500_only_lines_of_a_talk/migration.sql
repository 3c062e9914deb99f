-- Only what is of a talk. Postgres took this index for other reads of a person's memories too while it knew little of the
-- table, and so read each of them to find the few that are not in the vector index yet (half of a recall among 1,000).
DROP INDEX "memories_talk_idx";
CREATE INDEX "memories_talk_idx" ON "memories"("person_id", "companion_id", "conversation", "said_at") WHERE "shelf" = 'open' AND "conversation" IS NOT NULL;
