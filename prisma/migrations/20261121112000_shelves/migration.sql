-- Where a memory lies: open to recall, in quarantine, or in the archive; and what a person says of their own.
ALTER TABLE "memories"
    ADD COLUMN "shelf" TEXT NOT NULL DEFAULT 'open',
    ADD COLUMN "shelf_reason" TEXT,
    ADD COLUMN "pinned" BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX "memories_person_id_shelf_idx" ON "memories"("person_id", "shelf");

-- When a person did not want to be remembered. `until` is empty while it lasts.
CREATE TABLE "private_times" (
    "id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "until" TIMESTAMPTZ(3),

    CONSTRAINT "private_times_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "private_times_person_id_idx" ON "private_times"("person_id");
ALTER TABLE "private_times" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "private_times" FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON "private_times"
    USING (person_id = (SELECT kith_person()) OR (SELECT kith_is_system()));

-- A time of which nothing is kept any more: what was said in it and comes late is not kept either.
ALTER TABLE "forget_records" ADD COLUMN "said_from" TIMESTAMPTZ(3), ADD COLUMN "said_to" TIMESTAMPTZ(3);
