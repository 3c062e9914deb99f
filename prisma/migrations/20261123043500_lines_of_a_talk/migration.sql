-- The lines beside a memory, in the order of its talk. Every condition is the index's own: Postgres took another one for
-- it, by which each line was looked for among all that its person ever said (20 ms of a recall, rather than one).
DROP INDEX "memories_person_id_conversation_said_at_idx";
CREATE INDEX "memories_talk_idx" ON "memories"("person_id", "companion_id", "conversation", "said_at") WHERE "shelf" = 'open';
