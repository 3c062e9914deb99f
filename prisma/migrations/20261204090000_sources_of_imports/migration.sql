-- An imported line that came without sources has one of its own, as `importSourceOf` makes it: by it the line is forgotten
-- with what was derived from it, and known when it comes again.
CREATE FUNCTION kith_import_source(audience text, said_at timestamptz, content_hash text) RETURNS text
  LANGUAGE sql AS $$
  SELECT 'import:' || left(encode(sha256(convert_to(audience || ' '
    || to_char(said_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' ' || content_hash, 'UTF8')), 'hex'), 32)
$$;

DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  UPDATE memories SET sources = ARRAY[kith_import_source(audience, said_at, content_hash)]
    WHERE (writer IN ('import', 'companion') OR writer = 'person' AND kind = 'fact' AND wording IS NOT NULL)
      AND kind <> 'reflection' AND sources = '{}';
  -- A fact that was read from such lines alone has the time of the last that told it. Where several lines have that time
  -- nobody knows which told it.
  UPDATE memories AS fact SET sources = told.sources
    FROM (
      SELECT person_id, companion_id, audience, said_at, min(sources) AS sources FROM memories
      WHERE kind = 'episode' AND writer = 'import' AND speaker IS NULL AND sources[1] LIKE 'import:%'
      GROUP BY person_id, companion_id, audience, said_at HAVING count(*) = 1
    ) AS told
    WHERE fact.kind = 'fact' AND fact.sources = '{}' AND fact.wording IS NULL AND fact.person_id = told.person_id
      AND fact.companion_id = told.companion_id AND fact.audience = told.audience AND fact.said_at = told.said_at;
  UPDATE memory_sealed_rows SET row = row || jsonb_build_object('sources', ARRAY[kith_import_source(
      row ->> 'audience', (row ->> 'said_at')::timestamptz, row ->> 'content_hash')])
    WHERE relation = 'memories' AND row ->> 'kind' <> 'reflection'
      AND (row ->> 'writer' IN ('import', 'companion')
        OR row ->> 'writer' = 'person' AND row ->> 'kind' = 'fact' AND row ->> 'wording' IS NOT NULL)
      AND row -> 'sources' = '[]';
END
$$;

DROP FUNCTION kith_import_source;
