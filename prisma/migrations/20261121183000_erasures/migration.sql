-- A person who was erased, as a tombstone: the id, which names nobody any more, and how many rows of each store went.
CREATE TABLE "erasures" (
    "erased_id" UUID NOT NULL,
    "asked_by" TEXT NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "counts" JSONB NOT NULL DEFAULT '{}',
    "done" TEXT[] NOT NULL DEFAULT '{}',
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "erasures_pkey" PRIMARY KEY ("erased_id")
);

-- What was spent stays, without whom it was spent on.
ALTER TABLE "usage"
    ALTER COLUMN "person_id" DROP NOT NULL,
    ALTER COLUMN "turn_id" DROP NOT NULL,
    ALTER COLUMN "conversation_id" DROP NOT NULL;

-- What the bot keeps of a person says so. Of DMs that are known by now nobody can say whose they are: they are heard
-- from their next message on.
DELETE FROM "discord_cursors" WHERE "is_direct";
DELETE FROM "discord_live_replies" WHERE "closed_at" IS NOT NULL;
ALTER TABLE "discord_cursors" ADD COLUMN "person_id" UUID;
ALTER TABLE "discord_live_replies" ADD COLUMN "person_id" UUID;
CREATE INDEX "discord_cursors_person_id_idx" ON "discord_cursors"("person_id");

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['discord_cursors', 'discord_live_replies'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY own_rows ON %I USING (person_id = (SELECT kith_person()) OR (SELECT kith_is_system()))',
      name
    );
  END LOOP;
END
$$;

CREATE FUNCTION kith_erasure_lock(person uuid) RETURNS bigint LANGUAGE sql IMMUTABLE
  AS $$ SELECT hashtextextended('erasure:' || person::text, 0) $$;

-- No new row for somebody who was erased, whoever writes it and however late. The lock makes the tombstone wait for
-- transactions that have written already: what they leave is there to be counted and erased.
CREATE FUNCTION kith_refuse_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(kith_erasure_lock(NEW.person_id));
  IF EXISTS (SELECT 1 FROM erasures WHERE erased_id = NEW.person_id) THEN
    RAISE EXCEPTION 'person % was erased', NEW.person_id USING ERRCODE = 'KE001';
  END IF;
  RETURN NEW;
END
$$;

DO $$
DECLARE
  name text;
BEGIN
  FOR name IN
    SELECT table_name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'person_id' ORDER BY table_name
  LOOP
    EXECUTE format(
      'CREATE TRIGGER refuse_erased BEFORE INSERT ON %I FOR EACH ROW WHEN (NEW.person_id IS NOT NULL)
         EXECUTE FUNCTION kith_refuse_erased()',
      name
    );
  END LOOP;
END
$$;
