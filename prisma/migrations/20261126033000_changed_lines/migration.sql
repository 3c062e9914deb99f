-- Notes of changed and deleted lines, by which whoever holds a talk knows that it has to read it anew. They are added and
-- never updated, so that writers of one conversation do not wait for each other.
CREATE TABLE "transcript_changes" (
    "id" BIGSERIAL NOT NULL,
    "conversation_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "transcript_changes_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "transcript_changes_conversation_id_id_idx" ON "transcript_changes"("conversation_id", "id");
CREATE INDEX "transcript_changes_at_idx" ON "transcript_changes"("at");

CREATE FUNCTION kith_note_changed_lines() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO transcript_changes (conversation_id) SELECT DISTINCT conversation_id FROM old_rows;
  RETURN NULL;
END $$;
CREATE TRIGGER note_changed AFTER UPDATE ON "transcript" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION kith_note_changed_lines();
CREATE TRIGGER note_gone AFTER DELETE ON "transcript" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION kith_note_changed_lines();
