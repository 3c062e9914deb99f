-- Tension, sentiment, stage and milestones of a relationship, and the bond in the log of felt turns.
ALTER TABLE "relationships"
    ADD COLUMN "tension" DOUBLE PRECISION NOT NULL DEFAULT 0,
    ADD COLUMN "sentiment" DOUBLE PRECISION NOT NULL DEFAULT 0,
    ADD COLUMN "stage" TEXT NOT NULL DEFAULT 'stranger',
    ADD COLUMN "strained" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "milestones" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "felt_turns" ADD COLUMN "bond" JSONB;
