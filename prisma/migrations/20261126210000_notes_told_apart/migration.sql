-- Companions' notes went by the same writer as what their owners import. A note has its speaker and its sources, and
-- was said in no talk.
DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  UPDATE memories SET writer = 'companion'
  WHERE writer = 'import' AND kind = 'episode' AND speaker IS NOT NULL AND conversation IS NULL AND sources <> '{}';
END
$$;
