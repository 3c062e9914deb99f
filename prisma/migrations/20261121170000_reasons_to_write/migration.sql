-- Why a companion writes first: kinds of reasons, where each comes from, and what holds it back.
ALTER TABLE "intentions"
    ALTER COLUMN "turn_id" DROP NOT NULL,
    ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'request',
    ADD COLUMN "exact" BOOLEAN NOT NULL DEFAULT true,
    ADD COLUMN "yearly" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "sources" TEXT[] NOT NULL DEFAULT '{}';
UPDATE "intentions" SET "sources" = ARRAY['turn:' || "turn_id"];

-- A day that comes every year is the same words again, a year later.
DROP INDEX "intentions_turn_id_about_key";
CREATE UNIQUE INDEX "intentions_turn_id_about_due_at_key" ON "intentions"("turn_id", "about", "due_at");

ALTER TABLE "outreach_attempts"
    ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'request',
    ADD COLUMN "because" TEXT NOT NULL DEFAULT '',
    ADD COLUMN "sources" TEXT[] NOT NULL DEFAULT '{}',
    ADD COLUMN "problem" TEXT,
    ADD COLUMN "answered_at" TIMESTAMPTZ(3);

ALTER TABLE "outreach_settings"
    ADD COLUMN "weekly_cap" INTEGER NOT NULL DEFAULT 5,
    ADD COLUMN "topics_off" TEXT[] NOT NULL DEFAULT '{}',
    ADD COLUMN "age_state" TEXT NOT NULL DEFAULT 'unknown',
    ADD COLUMN "rest_until" TIMESTAMPTZ(3);
