-- Stretches of a conversation in prompts: which lines the snapshot at its beginning tells, and from which on all are
-- told as they are. Ids alone: the words stay in the transcript, and go there.
CREATE TABLE "epochs" (
    "epoch_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "person_id" UUID,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "tail_from" BIGINT NOT NULL,
    "kept" BIGINT[] NOT NULL,
    "restored_from" INTEGER,
    "findings" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "epochs_pkey" PRIMARY KEY ("epoch_id")
);
CREATE UNIQUE INDEX "epochs_conversation_id_number_key" ON "epochs"("conversation_id", "number");
CREATE INDEX "epochs_person_id_idx" ON "epochs"("person_id");

ALTER TABLE "epochs" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "epochs" FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON "epochs" USING (person_id = (SELECT kith_person())
  OR conversation_id = (SELECT kith_conversation()) OR (SELECT kith_is_system()));
CREATE TRIGGER refuse_erased BEFORE INSERT ON "epochs" FOR EACH ROW WHEN (NEW.person_id IS NOT NULL)
  EXECUTE FUNCTION kith_refuse_erased();
