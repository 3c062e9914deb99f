-- Which messages a passage of core memory was written for: it goes when they are forgotten.
ALTER TABLE "core_blocks" ADD COLUMN "origins" JSONB NOT NULL DEFAULT '[]';
