-- Times from before there were bounds (see libs/contracts/src/bounded-time.ts) become the nearest one within.
DO $$
DECLARE
  found record;
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  FOR found IN
    SELECT table_name, column_name FROM information_schema.columns
    JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND data_type = 'timestamp with time zone'
  LOOP
    EXECUTE format(
      'UPDATE %1$I SET %2$I = least(greatest(%2$I, %3$L::timestamptz), %4$L::timestamptz)
       WHERE %2$I < %3$L::timestamptz OR %2$I > %4$L::timestamptz',
      found.table_name, found.column_name, '1900-01-01T00:00:00.000Z', '2199-12-31T23:59:59.999Z');
  END LOOP;
END $$;
