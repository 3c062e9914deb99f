-- How far the bot has heard stays known over a restore: what was answered since the backup was written is not answered
-- for a second time, and words of those who were erased since are not heard anew.
CREATE FUNCTION kith_restoring_discord_bot() RETURNS void LANGUAGE sql AS $$
  CREATE TEMP TABLE kept_discord_cursors ON COMMIT DROP AS SELECT * FROM discord_cursors;
$$;

CREATE FUNCTION kith_restored_discord_bot() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Of a place that is unknown here, as all are on a new machine, nobody can say what was answered since: it is heard
  -- from now on. Discord's ids are milliseconds since 2015, shifted by 22 bits.
  UPDATE discord_cursors AS restored
  SET last_message_id = greatest(
        restored.last_message_id::numeric,
        coalesce(
          (SELECT last_message_id::numeric FROM kept_discord_cursors AS kept WHERE kept.channel_id = restored.channel_id),
          ((extract(epoch FROM now()) * 1000)::bigint - 1420070400000) << 22
        )
      )::text,
    updated_at = greatest(
      restored.updated_at,
      (SELECT updated_at FROM kept_discord_cursors AS kept WHERE kept.channel_id = restored.channel_id)
    );
  -- A DM only of somebody the backup knows: nobody could say whose words are in it.
  INSERT INTO discord_cursors (channel_id, is_direct, last_message_id, updated_at, person_id)
    SELECT channel_id, is_direct, last_message_id, updated_at, person_id FROM kept_discord_cursors
    WHERE person_id IS NULL OR person_id IN (SELECT person_id FROM people)
    ON CONFLICT DO NOTHING;
  -- What was shown of a reply then became that reply, or was taken back: by its note, the reply itself would be.
  DELETE FROM discord_live_replies;
END
$$;

REVOKE ALL ON FUNCTION kith_restoring_discord_bot(), kith_restored_discord_bot() FROM PUBLIC;
