-- Facts of one kind, the newest first: a person's name is the first of its kind.
DROP INDEX "memories_facts_idx";
CREATE INDEX "memories_facts_idx" ON "memories"("person_id", "companion_id", "attribute", "said_at" DESC) WHERE "kind" = 'fact';

-- Lines that are yet to be read for facts: they were looked for among all that was ever said.
CREATE INDEX "memories_unread_idx" ON "memories"("person_id", "companion_id", "said_at", "id")
    WHERE "kind" = 'episode' AND "shelf" = 'open' AND "read_at" IS NULL;
