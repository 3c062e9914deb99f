-- A request that the companion took up is stored as its promise: that it was asked for is kept beside.
ALTER TABLE intentions ADD COLUMN asked boolean NOT NULL DEFAULT false;
DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  UPDATE intentions SET asked = true WHERE kind = 'request';
  -- What is sealed is put back as it is.
  UPDATE outreach_sealed_rows SET row = row || jsonb_build_object('asked', row ->> 'kind' = 'request')
    WHERE relation = 'intentions';
END
$$;
