-- Summaries that their owner forgot themselves, and whose lines stay: the next night must not write them again.
ALTER TABLE "forget_records" ADD COLUMN "subjects" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
