-- A channel or thread that was deleted since a backup stays deleted over a restore: the bot looks for it when it connects.
CREATE FUNCTION kith_restoring_discord_bot_places() RETURNS void LANGUAGE sql AS $$
  CREATE TEMP TABLE kept_discord_servers ON COMMIT DROP AS SELECT * FROM discord_servers;
$$;

-- Called after kith_restored_discord_bot, whose name begins this one's.
CREATE FUNCTION kith_restored_discord_bot_places() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- The bot looks for places with a cursor of the last 30 days. These come after those that were heard lately, of which it
  -- reads a thousand, and only for the next ten days: a thread that is there, but archived, costs two requests each time.
  INSERT INTO discord_cursors AS restored (channel_id, is_direct, last_message_id, updated_at)
    SELECT DISTINCT place, false, (((extract(epoch FROM now()) * 1000)::bigint - 1420070400000) << 22)::text,
      now() - interval '20 days'
    FROM discord_servers, unnest(places) AS place
    -- Those with talk, which alone would come back. Categories, forums, and channels that the bot was never let into can't be
    -- read: it would report each as missed.
    WHERE place IN (SELECT external_id FROM conversations WHERE door = 'discord' AND kind = 'channel')
      AND place NOT IN (SELECT unnest(places) FROM kept_discord_servers)
    ON CONFLICT (channel_id) DO UPDATE SET updated_at = greatest(restored.updated_at, excluded.updated_at);
END
$$;

REVOKE ALL ON FUNCTION kith_restoring_discord_bot_places(), kith_restored_discord_bot_places() FROM PUBLIC;
