-- Steps of turns that think or call tools: a turn whose process died goes on after the last finished one.
CREATE TABLE "turn_steps" (
    "turn_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "person_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "model" TEXT NOT NULL,
    "prompt_tokens" INTEGER NOT NULL DEFAULT 0,
    "completion_tokens" INTEGER NOT NULL DEFAULT 0,
    "sealed" TEXT,
    "calls" JSONB NOT NULL DEFAULT '[]',
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "turn_steps_pkey" PRIMARY KEY ("turn_id", "number")
);
CREATE INDEX "turn_steps_person_id_idx" ON "turn_steps"("person_id");
CREATE INDEX "turn_steps_conversation_id_idx" ON "turn_steps"("conversation_id");
CREATE INDEX "turn_steps_at_idx" ON "turn_steps"("at");

ALTER TABLE "turn_steps" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "turn_steps" FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON "turn_steps"
    USING (person_id = (SELECT kith_person()) OR conversation_id = (SELECT kith_conversation())
      OR (SELECT kith_is_system()));
CREATE TRIGGER refuse_erased BEFORE INSERT ON "turn_steps" FOR EACH ROW WHEN (NEW.person_id IS NOT NULL)
    EXECUTE FUNCTION kith_refuse_erased();

-- Calls of tools that changed what memory keeps, by the key that each call carries: written with the effect, so that the
-- same call again changes nothing.
CREATE TABLE "memory_effects" (
    "key" TEXT NOT NULL,
    "person_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memory_effects_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "memory_effects_person_id_idx" ON "memory_effects"("person_id");
CREATE INDEX "memory_effects_at_idx" ON "memory_effects"("at");

ALTER TABLE "memory_effects" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "memory_effects" FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON "memory_effects"
    USING (person_id = (SELECT kith_person()) OR (SELECT kith_is_system()));
CREATE TRIGGER refuse_erased BEFORE INSERT ON "memory_effects" FOR EACH ROW WHEN (NEW.person_id IS NOT NULL)
    EXECUTE FUNCTION kith_refuse_erased();
