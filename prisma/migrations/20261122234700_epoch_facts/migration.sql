-- Lines that a snapshot tells by their facts alone: some of those in "kept". Ids, as there.
ALTER TABLE "epochs" ADD COLUMN "facts" BIGINT[] NOT NULL DEFAULT '{}';
