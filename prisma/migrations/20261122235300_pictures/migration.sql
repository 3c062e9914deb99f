-- Pictures of a message that waits for its turn: where they are fetched from, or they themselves.
ALTER TABLE "inbox" ADD COLUMN "pictures" JSONB;

-- They go with its outcome, with its words and with the wish for an answer, whoever takes those away.
CREATE FUNCTION drop_pictures() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.pictures := NULL;
  RETURN NEW;
END $$;

CREATE TRIGGER drop_pictures BEFORE UPDATE ON "inbox" FOR EACH ROW
  WHEN (NEW.pictures IS NOT NULL AND (
    NEW.outcome IS NOT NULL OR NEW.deleted_at IS NOT NULL OR NEW.stopped_at IS NOT NULL
    OR NEW.text IS DISTINCT FROM OLD.text
  ))
  EXECUTE FUNCTION drop_pictures();
