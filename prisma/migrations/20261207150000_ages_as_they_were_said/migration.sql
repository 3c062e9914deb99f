-- An age is told with the day on which it was said, and not as holding until another is told.
DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  UPDATE memories
    SET text = regexp_replace(regexp_replace(text, ' \(since ([^()]+)\)$', ' (said on \1)'),
          ' \(from ([^()]+) until [^()]+, no longer\)$', ' (said on \1, no longer)'),
      indexed_in = NULL
    WHERE kind = 'fact' AND attribute ~ '(^|:)age$' AND text ~ ' \((since [^()]+|from [^()]+, no longer)\)$';
END $$;
