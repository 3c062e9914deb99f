-- What was laughed at between a companion and a person, and what of it came back: a joke of theirs.
CREATE TABLE "shared_jokes" (
    "id" UUID NOT NULL,
    "companion_id" TEXT NOT NULL,
    "person_id" UUID NOT NULL,
    "turn_id" UUID NOT NULL,
    "said_by" TEXT NOT NULL,
    "lines" TEXT[],
    "phrase" TEXT,
    "audience" TEXT NOT NULL,
    "turn_ids" UUID[],
    "message_ids" TEXT[],
    "laughed_at" TIMESTAMPTZ(3) NOT NULL,
    "returned_at" TIMESTAMPTZ(3),

    CONSTRAINT "shared_jokes_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "shared_jokes_companion_id_person_id_turn_id_said_by_key"
    ON "shared_jokes"("companion_id", "person_id", "turn_id", "said_by");

ALTER TABLE "shared_jokes" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "shared_jokes" FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON "shared_jokes"
    USING (person_id = (SELECT kith_person()) OR (SELECT kith_is_system()));
