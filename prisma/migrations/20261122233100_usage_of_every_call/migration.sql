-- Every call of a model is counted, by its role; before this, the chat model's of turns that were committed.
ALTER TABLE "usage"
    ALTER COLUMN "companion_id" DROP NOT NULL,
    ADD COLUMN "role" TEXT NOT NULL DEFAULT 'chat',
    ADD COLUMN "calls" INTEGER NOT NULL DEFAULT 1,
    ADD COLUMN "is_estimated" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "cost" DOUBLE PRECISION;
