-- What a companion needs, and the log of turns as they were felt.
CREATE TABLE "needs" (
    "companion_id" TEXT NOT NULL,
    "levels" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "needs_pkey" PRIMARY KEY ("companion_id")
);

CREATE TABLE "felt_turns" (
    "id" BIGSERIAL NOT NULL,
    "turn_id" UUID NOT NULL,
    "companion_id" TEXT NOT NULL,
    "person_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "needs" JSONB,
    "needs_at" TIMESTAMPTZ(3),
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "felt_turns_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "felt_turns_turn_id_key" ON "felt_turns"("turn_id");
CREATE INDEX "felt_turns_companion_id_at_idx" ON "felt_turns"("companion_id", "at");
CREATE INDEX "felt_turns_companion_id_person_id_at_idx" ON "felt_turns"("companion_id", "person_id", "at");
ALTER TABLE "felt_turns" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "felt_turns" FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON "felt_turns"
    USING (person_id = (SELECT kith_person()) OR (SELECT kith_is_system()));
