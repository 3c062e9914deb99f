-- A reply that waits to be sent may say what is forgotten meanwhile.
ALTER TABLE "outbox" ADD COLUMN "forgotten_at" TIMESTAMPTZ(3);
