-- The offline embedder's vectors have changed. What is held in its former space is asked there until all of it is
-- embedded anew, unless the install has gone on to a model.
DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  INSERT INTO "memory_spaces" ("role", "space")
  SELECT 'in-use', 'lexical-v1-512'
  WHERE EXISTS (SELECT FROM "memories" WHERE "indexed_in" = 'lexical-v1-512')
    AND NOT EXISTS (SELECT FROM "memories" WHERE "indexed_in" <> 'lexical-v1-512')
  ON CONFLICT ("role") DO NOTHING;
END $$;
