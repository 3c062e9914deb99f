-- A message may come, or be answered, when a later private time has begun: ended ones are kept beside the one that lasts.
ALTER TABLE "people" ADD COLUMN "private_ended" tstzmultirange NOT NULL DEFAULT '{}';
DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  -- An end by another clock than the beginning's may lie before it.
  UPDATE people SET private_from = NULL,
      private_ended = tstzmultirange(tstzrange(private_from, greatest(private_from, private_until)))
    WHERE private_until IS NOT NULL;
END
$$;
ALTER TABLE "people" DROP COLUMN "private_until";

-- Is what was said at one of these times private: `over` where such a time has ended, `open` while it lasts, null where
-- it is not? The lock makes the end of a private time wait for lines that are being written.
CREATE OR REPLACE FUNCTION kith_private(person uuid, said timestamptz[]) RETURNS text
  LANGUAGE plpgsql SET "app.scope" = 'system' AS $$
DECLARE
  times record;
BEGIN
  SELECT private_from, private_ended INTO times FROM people WHERE person_id = person FOR SHARE;
  RETURN (
    SELECT CASE WHEN bool_or(moment <@ times.private_ended) THEN 'over'
      WHEN bool_or(times.private_from <= moment) THEN 'open' END
    FROM unnest(said) AS moment
  );
END
$$;
