-- A list that nobody gave came to be NULL, which is not '{}': records of merged rows that name nothing any more stayed.
DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  UPDATE forget_records SET sources = coalesce(sources, '{}'), pending = coalesce(pending, '{}')
  WHERE sources IS NULL OR pending IS NULL;
  DELETE FROM forget_records AS record
  WHERE NOT everything AND said_from IS NULL AND sources = '{}' AND pending = '{}' AND removed = '{}'
    AND subjects = '{}' AND lost_summaries = '{}' AND others = '{}'
    AND NOT EXISTS (SELECT FROM memory_sealed_rows AS sealed WHERE sealed.order_id = record.id);
END
$$;

ALTER TABLE "forget_records" ALTER COLUMN "sources" SET DEFAULT '{}', ALTER COLUMN "sources" SET NOT NULL,
  ALTER COLUMN "pending" SET DEFAULT '{}', ALTER COLUMN "pending" SET NOT NULL;
