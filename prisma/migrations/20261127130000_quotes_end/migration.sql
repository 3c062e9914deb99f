-- What a message refers to is another's words: they go with its outcome, whoever writes that.
CREATE FUNCTION drop_quote() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.quote := NULL;
  RETURN NEW;
END
$$;
CREATE TRIGGER drop_quote BEFORE UPDATE ON "inbox" FOR EACH ROW
  WHEN (NEW.quote IS NOT NULL AND (NEW.outcome IS NOT NULL OR NEW.deleted_at IS NOT NULL))
  EXECUTE FUNCTION drop_quote();
UPDATE "inbox" SET quote = NULL WHERE quote IS NOT NULL AND outcome IS NOT NULL;
