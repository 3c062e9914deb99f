-- Words are read in the language of their line, so what is not plainly English is indexed anew: by the service, as after
-- a loss of the index, and found by Postgres until it is. English words are told as before.
DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  UPDATE "memories" SET "indexed_in" = NULL
  WHERE "indexed_in" IS NOT NULL
    AND ("text" ~ '[\u00c0-\u1fff\u2c00-\u2dff\u2e80-\ud7ff\uf900-\ufdff]'
      OR "text" !~* '\m(the|and|you|that|with|this)\M');
END $$;
