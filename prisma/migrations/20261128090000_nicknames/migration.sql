-- The speaker's name in the place of a message alone: its turn is told it, and no other place.
ALTER TABLE "inbox" ADD COLUMN "nickname" TEXT;

-- The transcript has the name that the turn was told: the message's own goes with its outcome, whoever writes that.
CREATE FUNCTION drop_nickname() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.nickname := NULL;
  RETURN NEW;
END
$$;
CREATE TRIGGER drop_nickname BEFORE UPDATE ON "inbox" FOR EACH ROW
  WHEN (NEW.nickname IS NOT NULL AND (NEW.outcome IS NOT NULL OR NEW.deleted_at IS NOT NULL))
  EXECUTE FUNCTION drop_nickname();
