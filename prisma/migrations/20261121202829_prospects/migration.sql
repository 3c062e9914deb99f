-- What somebody told a companion they hope for or fear, until its outcome is told.
CREATE TABLE "prospects" (
    "id" UUID NOT NULL,
    "companion_id" TEXT NOT NULL,
    "person_id" UUID NOT NULL,
    "turn_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "about" TEXT NOT NULL,
    "desirability" DOUBLE PRECISION NOT NULL,
    "likelihood" DOUBLE PRECISION NOT NULL,
    "message_ids" TEXT[],
    "since" TIMESTAMPTZ(3) NOT NULL,
    "settled_by" UUID,

    CONSTRAINT "prospects_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "prospects_companion_id_person_id_turn_id_kind_key"
    ON "prospects"("companion_id", "person_id", "turn_id", "kind");

ALTER TABLE "prospects" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "prospects" FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON "prospects"
    USING (person_id = (SELECT kith_person()) OR (SELECT kith_is_system()));
CREATE TRIGGER refuse_erased BEFORE INSERT ON "prospects" FOR EACH ROW WHEN (NEW.person_id IS NOT NULL)
    EXECUTE FUNCTION kith_refuse_erased();
