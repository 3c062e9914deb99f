-- Facts: what holds of a person from one time to another, and which messages were read for them.
ALTER TABLE "memories"
    ADD COLUMN "attribute" TEXT,
    ADD COLUMN "value" TEXT,
    ADD COLUMN "valid_from" TIMESTAMPTZ(3),
    ADD COLUMN "valid_to" TIMESTAMPTZ(3),
    ADD COLUMN "superseded_by" UUID,
    ADD COLUMN "evidence" INTEGER NOT NULL DEFAULT 1,
    ADD COLUMN "is_sure" BOOLEAN NOT NULL DEFAULT TRUE,
    ADD COLUMN "read_at" TIMESTAMPTZ(3);
CREATE INDEX "memories_person_id_attribute_idx" ON "memories"("person_id", "attribute");
