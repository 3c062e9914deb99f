-- The exact index tells its caches what changed, and forgetting outlives what it removed.
DROP INDEX "memory_vectors_person_id_space_idx";
ALTER TABLE "memory_vectors" ADD COLUMN "version" BIGINT NOT NULL;
CREATE INDEX "memory_vectors_person_id_space_version_idx" ON "memory_vectors"("person_id", "space", "version");

CREATE TABLE "memory_vector_versions" (
    "person_id" UUID NOT NULL,
    "space" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "cleared_version" BIGINT NOT NULL,

    CONSTRAINT "memory_vector_versions_pkey" PRIMARY KEY ("person_id","space")
);

CREATE TABLE "forget_records" (
    "id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "companion_id" TEXT,
    "sources" TEXT[],
    "everything" BOOLEAN NOT NULL,
    "pending" UUID[],
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "forget_records_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "forget_records_person_id_idx" ON "forget_records"("person_id");

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['memory_vector_versions', 'forget_records'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY own_rows ON %I USING (person_id = (SELECT kith_person()) OR (SELECT kith_is_system()))',
      name
    );
  END LOOP;
END
$$;
