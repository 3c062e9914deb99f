-- What a reflection is of is hashed apart from all texts: "topic garden" that somebody says has a hash of its own.
DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  UPDATE memories SET content_hash = encode(sha256(convert_to('reflection ' || content_hash, 'UTF8')), 'hex')
    WHERE kind = 'reflection';
  UPDATE memory_sealed_rows SET row = row || jsonb_build_object('content_hash',
      encode(sha256(convert_to('reflection ' || (row ->> 'content_hash'), 'UTF8')), 'hex'))
    WHERE relation = 'memories' AND row ->> 'kind' = 'reflection';
  UPDATE forget_records SET subjects = ARRAY(
      SELECT left(subject, -64) || encode(sha256(convert_to('reflection ' || right(subject, 64), 'UTF8')), 'hex')
      FROM unnest(subjects) WITH ORDINALITY AS each (subject, place) ORDER BY place)
    WHERE subjects <> '{}';
END
$$;
