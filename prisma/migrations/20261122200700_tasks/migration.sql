-- Tasks that a companion has with a person: what it does next, by when, and what each waits for.
CREATE TABLE "tasks" (
    "id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "companion_id" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "priority" INTEGER NOT NULL DEFAULT 2,
    "due_at" TIMESTAMPTZ(3),
    "waits_for" TEXT,
    "sources" TEXT[] NOT NULL DEFAULT '{}',
    "noted_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tasks_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "tasks_number_key" ON "tasks"("person_id", "companion_id", "audience", "number");
CREATE INDEX "tasks_due_idx" ON "tasks"("due_at") WHERE "state" IN ('open', 'waiting') AND "due_at" IS NOT NULL;

ALTER TABLE "tasks" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "tasks" FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON "tasks"
    USING (person_id = (SELECT kith_person()) OR (SELECT kith_is_system()));
CREATE TRIGGER refuse_erased BEFORE INSERT ON "tasks" FOR EACH ROW WHEN (NEW.person_id IS NOT NULL)
    EXECUTE FUNCTION kith_refuse_erased();
