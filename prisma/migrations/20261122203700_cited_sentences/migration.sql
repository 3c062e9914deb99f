-- A summary says of each of its sentences which messages it is of.
ALTER TABLE "memories" ADD COLUMN "sentences" JSONB;
