-- Words of an age that its owner put right are theirs again, and an age that an undo puts back is told as those that stayed.
CREATE FUNCTION kith_age_as_said(text text) RETURNS text LANGUAGE sql AS $$
  SELECT regexp_replace(regexp_replace(text, ' \(since ([^()]+)\)$', ' (said on \1)'),
    ' \(from ([^()]+) until [^()]+, no longer\)$', ' (said on \1, no longer)')
$$;

DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  UPDATE memories SET text = wording, indexed_in = NULL
    WHERE kind = 'fact' AND attribute ~ '(^|:)age$' AND text <> wording AND text = kith_age_as_said(wording);
  UPDATE memory_sealed_rows SET row = row || jsonb_build_object('text', kith_age_as_said(row ->> 'text'))
    WHERE relation = 'memories' AND row ->> 'kind' = 'fact' AND row ->> 'attribute' ~ '(^|:)age$'
      AND row ->> 'text' IS DISTINCT FROM row ->> 'wording';
END $$;

DROP FUNCTION kith_age_as_said;
