-- Facts that a model noted: in its own sentence, where ours would not do, and with the end that is known beforehand.
ALTER TABLE "memories" ADD COLUMN "wording" TEXT, ADD COLUMN "holds_until" TIMESTAMPTZ(3);
