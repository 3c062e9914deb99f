-- Companions' notes went by the same writer as what their owners import. A note has its companion's name as its speaker,
-- and its sources, and was said in no talk. Lines of an older export have all that as well, by a name of their person's.
DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  UPDATE memories SET writer = 'companion'
  WHERE writer = 'import' AND kind = 'episode' AND speaker IS NOT NULL AND conversation IS NULL AND sources <> '{}'
    AND NOT EXISTS (
      SELECT FROM memories AS own
      WHERE own.person_id = memories.person_id AND own.writer = 'person' AND own.speaker = memories.speaker)
    AND NOT EXISTS (
      SELECT FROM people WHERE people.person_id = memories.person_id AND people.display_name = memories.speaker);
END
$$;
