-- A companion's small habits, its diary, and how far each night's reflection came.
CREATE TABLE "quirks" (
    "id" UUID NOT NULL,
    "companion_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "strength" DOUBLE PRECISION NOT NULL,
    "origin" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "day" DATE NOT NULL,

    CONSTRAINT "quirks_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "quirks_companion_id_kind_text_key" ON "quirks"("companion_id", "kind", "text");

CREATE TABLE "quirk_sources" (
    "quirk_id" UUID NOT NULL,
    "turn_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,

    CONSTRAINT "quirk_sources_pkey" PRIMARY KEY ("quirk_id", "turn_id"),
    CONSTRAINT "quirk_sources_quirk_id_fkey" FOREIGN KEY ("quirk_id")
        REFERENCES "quirks"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "reflections" (
    "companion_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "done" TEXT[],
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "reflections_pkey" PRIMARY KEY ("companion_id", "day")
);

CREATE TABLE "diary_entries" (
    "companion_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "diary_entries_pkey" PRIMARY KEY ("companion_id", "day")
);

CREATE TABLE "diary_sources" (
    "companion_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "number" INTEGER NOT NULL,
    "turn_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,

    CONSTRAINT "diary_sources_pkey" PRIMARY KEY ("companion_id", "day", "number"),
    CONSTRAINT "diary_sources_companion_id_day_fkey" FOREIGN KEY ("companion_id", "day")
        REFERENCES "diary_entries"("companion_id", "day") ON DELETE CASCADE ON UPDATE CASCADE
);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['quirk_sources', 'diary_sources'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY own_rows ON %I USING (person_id = (SELECT kith_person()) OR (SELECT kith_is_system()))',
      name
    );
  END LOOP;
END
$$;
