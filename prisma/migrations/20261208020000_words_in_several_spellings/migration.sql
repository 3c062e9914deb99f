-- Arabic and Japanese words are compared however they are written, and words without the marks within them that nobody sees:
-- lines that have such are indexed anew by the service, and found by Postgres until they are.
DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  UPDATE "memories" SET "indexed_in" = NULL
  WHERE "indexed_in" IS NOT NULL
    AND "text" ~ '[\u0600-\u06ff\u30a1-\u30fe\ufb50-\ufdff\ufe70-\ufefc\uff66-\uff9d\u00ad\u034f\u061c\u180e\u200d-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]';
END $$;
