-- Core memory: short blocks that are in every prompt, of one person with one companion, before one audience.
CREATE TABLE "core_blocks" (
    "person_id" UUID NOT NULL,
    "companion_id" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "updated_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "core_blocks_pkey" PRIMARY KEY ("person_id", "companion_id", "audience", "label")
);
ALTER TABLE "core_blocks" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "core_blocks" FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON "core_blocks"
    USING (person_id = (SELECT kith_person()) OR (SELECT kith_is_system()));
