-- An age is told with the day on which it was said, and not as holding until another is told; one that an undo puts back,
-- too. Words that its owner put right stay theirs.
CREATE FUNCTION kith_age_as_said(text text) RETURNS text LANGUAGE sql AS $$
  SELECT regexp_replace(regexp_replace(text, ' \(since ([^()]+)\)$', ' (said on \1)'),
    ' \(from ([^()]+) until [^()]+, no longer\)$', ' (said on \1, no longer)')
$$;

DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  UPDATE memories SET text = kith_age_as_said(text), indexed_in = NULL
    WHERE kind = 'fact' AND attribute ~ '(^|:)age$' AND text ~ ' \((since [^()]+|from [^()]+, no longer)\)$'
      AND text IS DISTINCT FROM wording;
  UPDATE memory_sealed_rows SET row = row || jsonb_build_object('text', kith_age_as_said(row ->> 'text'))
    WHERE relation = 'memories' AND row ->> 'kind' = 'fact' AND row ->> 'attribute' ~ '(^|:)age$'
      AND row ->> 'text' IS DISTINCT FROM row ->> 'wording';
END $$;

DROP FUNCTION kith_age_as_said;
