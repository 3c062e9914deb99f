-- The names of those whose words are remembered: a recall reads each name once, where it read all memories of its person.
CREATE INDEX "memories_names_idx" ON "memories"("person_id", "kind", "writer", "speaker") WHERE "speaker" IS NOT NULL;

-- The course of a companion's needs, and the latest turns of all: each look read every turn there ever was.
CREATE INDEX "felt_turns_companion_id_needs_at_id_idx" ON "felt_turns"("companion_id", "needs_at", "id");
CREATE INDEX "turns_ended_at_turn_id_idx" ON "turns"("ended_at", "turn_id");
