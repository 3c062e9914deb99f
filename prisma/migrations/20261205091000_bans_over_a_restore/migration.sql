-- What was forbidden since the backup was written stays so over a restore: remembering private talk, tools, and the
-- answers of a paused companion.
CREATE FUNCTION kith_restoring_gateway_people() RETURNS void LANGUAGE sql AS $$
  CREATE TEMP TABLE kept_people ON COMMIT DROP AS
    SELECT person_id, private_from, private_ended, privacy_asked_at FROM people;
$$;

-- Whoever talks in private now does so, since when they do now, and nobody else. What the backup has of private talk that
-- has ended since is emptied by the sweeper, as after a change that was broken off.
CREATE FUNCTION kith_restored_gateway_people() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE people SET private_from = kept.private_from, private_ended = people.private_ended + kept.private_ended,
      privacy_asked_at = CASE WHEN people.private_from IS NOT NULL THEN now() ELSE kept.privacy_asked_at END
    FROM kept_people AS kept WHERE kept.person_id = people.person_id;
END
$$;

CREATE FUNCTION kith_restoring_memory() RETURNS void LANGUAGE sql AS $$
  CREATE TEMP TABLE kept_private_times ON COMMIT DROP AS SELECT * FROM private_times;
$$;

CREATE OR REPLACE FUNCTION kith_restored_memory() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Nothing is indexed, and rows were put back without their triggers.
  UPDATE memories SET indexed_in = NULL;
  PERFORM kith_count_memories();
  DELETE FROM private_times
    WHERE id IN (SELECT id FROM kept_private_times)
      OR until IS NULL AND person_id IN (SELECT person_id FROM kept_people);
  INSERT INTO private_times SELECT * FROM kept_private_times WHERE person_id IN (SELECT person_id FROM people);
END
$$;

CREATE FUNCTION kith_restoring_tools() RETURNS void LANGUAGE sql AS $$
  CREATE TEMP TABLE kept_tool_rules ON COMMIT DROP AS SELECT * FROM tool_rules;
  CREATE TEMP TABLE kept_tool_grants ON COMMIT DROP AS SELECT * FROM tool_grants;
$$;

CREATE OR REPLACE FUNCTION kith_restored_tools() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- A question from before a backup is too late, and what was being done then may have happened.
  UPDATE tool_calls SET status = CASE status WHEN 'waiting' THEN 'expired' ELSE 'failed' END, arguments = '{}',
    ended_at = now()
  WHERE status IN ('waiting', 'running');
  -- What an operator denies, and what nobody allows now, is not allowed again. A new machine knows nobody, and takes it all
  -- from the backup.
  DELETE FROM tool_rules AS restored USING kept_tool_rules AS kept
    WHERE NOT kept.is_allowed AND (kept.tool, kept.companion_id, kept.server, kept.channel, kept.role)
      IS NOT DISTINCT FROM (restored.tool, restored.companion_id, restored.server, restored.channel, restored.role);
  INSERT INTO tool_rules SELECT * FROM kept_tool_rules WHERE NOT is_allowed;
  DELETE FROM tool_rules
    WHERE is_allowed AND id NOT IN (SELECT id FROM kept_tool_rules)
      AND EXISTS (SELECT FROM people JOIN kept_people USING (person_id));
  DELETE FROM tool_grants
    WHERE person_id IN (SELECT person_id FROM kept_people)
      AND (person_id, companion_id, tool) NOT IN (SELECT person_id, companion_id, tool FROM kept_tool_grants);
END
$$;

CREATE FUNCTION kith_restoring_personality() RETURNS void LANGUAGE sql AS $$
  CREATE TEMP TABLE kept_pauses ON COMMIT DROP AS
    SELECT companion_id, paused_at FROM companions WHERE paused_at IS NOT NULL;
$$;

CREATE FUNCTION kith_restored_personality() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE companions SET paused_at = kept.paused_at FROM kept_pauses AS kept
    WHERE kept.companion_id = companions.companion_id AND companions.paused_at IS NULL;
END
$$;

REVOKE ALL ON FUNCTION kith_restoring_gateway_people(), kith_restored_gateway_people(), kith_restoring_memory(),
  kith_restoring_tools(), kith_restoring_personality(), kith_restored_personality() FROM PUBLIC;
