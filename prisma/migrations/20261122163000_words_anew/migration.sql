-- Words are told apart, and weighed, in another way: what is held in a model's space is indexed anew, and is found by
-- Postgres until it is. The offline space is filled anew anyway.
DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  UPDATE "memories" SET "indexed_in" = NULL WHERE "indexed_in" NOT LIKE 'lexical-%';
END $$;
