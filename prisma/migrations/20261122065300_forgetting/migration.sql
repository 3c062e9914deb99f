-- What may be told of a line of the transcript: why it is withheld, and how often its words were changed.
ALTER TABLE "transcript"
    ADD COLUMN "withheld" TEXT,
    ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 0;

-- Rises when something is forgotten or changed that a reply here may be written with: one under way is told no more.
ALTER TABLE "conversations" ADD COLUMN "retold" INTEGER NOT NULL DEFAULT 0;

-- The latest time in which a person talked in private; without an end it lasts.
ALTER TABLE "people"
    ADD COLUMN "private_from" TIMESTAMPTZ(3),
    ADD COLUMN "private_until" TIMESTAMPTZ(3);

-- Orders to forget, which each service carries out on what it keeps. No words: ids, times and counts.
CREATE TABLE "forget_orders" (
    "id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "companion_id" TEXT,
    "reason" TEXT NOT NULL,
    "what" JSONB NOT NULL,
    "keep_talk" BOOLEAN NOT NULL DEFAULT false,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "undo_until" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "forget_orders_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "forget_orders_person_id_idx" ON "forget_orders"("person_id");
CREATE INDEX "forget_orders_open_idx" ON "forget_orders"("at") WHERE "finished_at" IS NULL;

-- Words that were taken out of the transcript, until nobody can want them back.
CREATE TABLE "sealed_lines" (
    "order_id" UUID NOT NULL,
    "line_id" BIGINT NOT NULL,
    "person_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sealed_lines_pkey" PRIMARY KEY ("order_id", "line_id")
);
CREATE INDEX "sealed_lines_person_id_idx" ON "sealed_lines"("person_id");
CREATE INDEX "sealed_lines_until_idx" ON "sealed_lines"("until");

-- Which rows an order removed, so that it can be repeated; and of a message that was edited, from which words on it may be kept.
ALTER TABLE "forget_records"
    ADD COLUMN "removed" UUID[] NOT NULL DEFAULT '{}',
    ADD COLUMN "revision" INTEGER;

-- Channels whose server the app was sent away from: what was said there is told nowhere else meanwhile.
CREATE TABLE "left_places" (
    "audience" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "left_places_pkey" PRIMARY KEY ("audience")
);

-- Removed rows of each service, until nobody can want them back. Nothing reads them but an undo.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['memory_sealed_rows', 'personality_sealed_rows', 'outreach_sealed_rows'] LOOP
    EXECUTE format(
      'CREATE TABLE %I (
         "id" BIGSERIAL NOT NULL,
         "order_id" UUID NOT NULL,
         "person_id" UUID NOT NULL,
         "relation" TEXT NOT NULL,
         "row" JSONB NOT NULL,
         "key" JSONB,
         "until" TIMESTAMPTZ(3) NOT NULL,
         CONSTRAINT %I PRIMARY KEY ("id"))',
      name, name || '_pkey'
    );
    EXECUTE format('CREATE INDEX %I ON %I("person_id", "order_id")', name || '_person_id_order_id_idx', name);
    EXECUTE format('CREATE INDEX %I ON %I("until")', name || '_until_idx', name);
  END LOOP;

  FOREACH name IN ARRAY ARRAY[
    'forget_orders', 'sealed_lines', 'memory_sealed_rows', 'personality_sealed_rows', 'outreach_sealed_rows'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY own_rows ON %I USING (person_id = (SELECT kith_person()) OR (SELECT kith_is_system()))',
      name
    );
    EXECUTE format(
      'CREATE TRIGGER refuse_erased BEFORE INSERT ON %I FOR EACH ROW WHEN (NEW.person_id IS NOT NULL)
         EXECUTE FUNCTION kith_refuse_erased()',
      name
    );
  END LOOP;
END
$$;

-- Is what was said at one of these times private: `open` while that lasts, `over` once it has ended, null where it is
-- not? The lock makes the end of a private time wait for lines that are being written.
CREATE FUNCTION kith_private(person uuid, said timestamptz[]) RETURNS text
  LANGUAGE plpgsql SET "app.scope" = 'system' AS $$
DECLARE
  stretch record;
BEGIN
  SELECT private_from, private_until INTO stretch FROM people WHERE person_id = person FOR SHARE;
  IF EXISTS (
    SELECT 1 FROM unnest(said) AS moment
    WHERE stretch.private_from <= moment AND moment < coalesce(stretch.private_until, 'infinity')
  ) THEN
    RETURN CASE WHEN stretch.private_until IS NULL THEN 'open' ELSE 'over' END;
  END IF;
  RETURN NULL;
END
$$;
