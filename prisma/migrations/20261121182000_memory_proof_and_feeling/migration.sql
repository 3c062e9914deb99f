-- What proves a memory useful, and how it felt: two bounded boosts of recall.
ALTER TABLE "memories"
  ADD COLUMN "times_used" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "last_used_at" TIMESTAMPTZ(3),
  ADD COLUMN "felt_pleasure" DOUBLE PRECISION;
