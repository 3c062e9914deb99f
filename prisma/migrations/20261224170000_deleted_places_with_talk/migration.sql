-- The bot looks for places of a backup that have talk, which alone would come back. Among a server's places are also its
-- categories and forums, which can't be read, and channels that the bot was never let into: it would report each as missed.
CREATE OR REPLACE FUNCTION kith_restored_discord_bot_places() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- The bot looks for places with a cursor of the last 30 days. These come after those that were heard lately, of which it
  -- reads a thousand, and only for the next ten days: a thread that is there, but archived, costs two requests each time.
  INSERT INTO discord_cursors AS restored (channel_id, is_direct, last_message_id, updated_at)
    SELECT DISTINCT place, false, (((extract(epoch FROM now()) * 1000)::bigint - 1420070400000) << 22)::text,
      now() - interval '20 days'
    FROM discord_servers, unnest(places) AS place
    WHERE place IN (SELECT external_id FROM conversations WHERE door = 'discord' AND kind = 'channel')
      AND place NOT IN (SELECT unnest(places) FROM kept_discord_servers)
    ON CONFLICT (channel_id) DO UPDATE SET updated_at = greatest(restored.updated_at, excluded.updated_at);
END
$$;
