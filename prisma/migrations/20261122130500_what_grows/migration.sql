-- What runs on a timer, and what a turn waits for, costs the same however large the tables are.

-- Totals of memories and of the exact index' points, for upkeep, which would have to count them every few seconds.
-- Writers only add a line each, so that none of them waits for another; upkeep adds the lines up.
CREATE TABLE "memory_tallies" (
    "name" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "memory_tallies_pkey" PRIMARY KEY ("name")
);
CREATE TABLE "memory_tally_changes" (
    "name" TEXT NOT NULL,
    "change" BIGINT NOT NULL
);

CREATE FUNCTION kith_tally_new_memories() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO memory_tally_changes (name, change)
    SELECT 'open', count(*) FROM new_rows WHERE shelf = 'open' HAVING count(*) > 0
    UNION ALL
    SELECT 'indexed:' || indexed_in, count(*) FROM new_rows WHERE indexed_in IS NOT NULL GROUP BY indexed_in;
  RETURN NULL;
END $$;
CREATE FUNCTION kith_tally_gone_memories() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO memory_tally_changes (name, change)
    SELECT 'open', -count(*) FROM old_rows WHERE shelf = 'open' HAVING count(*) > 0
    UNION ALL
    SELECT 'indexed:' || indexed_in, -count(*) FROM old_rows WHERE indexed_in IS NOT NULL GROUP BY indexed_in;
  RETURN NULL;
END $$;
-- By row, so that the many updates that change neither cost nothing.
CREATE FUNCTION kith_tally_changed_memory() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO memory_tally_changes (name, change)
    SELECT name, sum(change) FROM (VALUES
      ('open', CASE WHEN NEW.shelf = 'open' THEN 1 ELSE 0 END), ('open', CASE WHEN OLD.shelf = 'open' THEN -1 ELSE 0 END),
      ('indexed:' || NEW.indexed_in, 1), ('indexed:' || OLD.indexed_in, -1)
    ) AS changes (name, change) WHERE name IS NOT NULL GROUP BY name HAVING sum(change) <> 0;
  RETURN NULL;
END $$;
CREATE FUNCTION kith_tally_new_points() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO memory_tally_changes (name, change)
    SELECT 'points:' || space, count(*) FROM new_rows GROUP BY space;
  RETURN NULL;
END $$;
CREATE FUNCTION kith_tally_gone_points() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO memory_tally_changes (name, change)
    SELECT 'points:' || space, -count(*) FROM old_rows GROUP BY space;
  RETURN NULL;
END $$;

-- Counts anew, whatever the tallies say: what is written meanwhile is added when it is committed.
CREATE FUNCTION kith_count_memories() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('memory_tallies', 0));
  WITH counted (name, count) AS (
    SELECT 'open', count(*) FROM memories WHERE shelf = 'open'
    UNION ALL SELECT 'indexed:' || indexed_in, count(*) FROM memories WHERE indexed_in IS NOT NULL GROUP BY indexed_in
    UNION ALL SELECT 'points:' || space, count(*) FROM memory_vectors GROUP BY space
  ), added AS (
    DELETE FROM memory_tally_changes
  ), gone AS (
    DELETE FROM memory_tallies WHERE name NOT IN (SELECT name FROM counted)
  )
  INSERT INTO memory_tallies (name, count) SELECT name, count FROM counted
  ON CONFLICT (name) DO UPDATE SET count = excluded.count;
END $$;
CREATE FUNCTION kith_count_memories_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kith_count_memories();
  RETURN NULL;
END $$;

CREATE TRIGGER tally_new AFTER INSERT ON "memories" REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION kith_tally_new_memories();
CREATE TRIGGER tally_gone AFTER DELETE ON "memories" REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION kith_tally_gone_memories();
CREATE TRIGGER tally_changed AFTER UPDATE ON "memories" FOR EACH ROW
    WHEN (OLD.shelf IS DISTINCT FROM NEW.shelf OR OLD.indexed_in IS DISTINCT FROM NEW.indexed_in)
    EXECUTE FUNCTION kith_tally_changed_memory();
CREATE TRIGGER tally_emptied AFTER TRUNCATE ON "memories" EXECUTE FUNCTION kith_count_memories_anew();
CREATE TRIGGER tally_new AFTER INSERT ON "memory_vectors" REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION kith_tally_new_points();
CREATE TRIGGER tally_gone AFTER DELETE ON "memory_vectors" REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION kith_tally_gone_points();
CREATE TRIGGER tally_emptied AFTER TRUNCATE ON "memory_vectors" EXECUTE FUNCTION kith_count_memories_anew();

DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  PERFORM kith_count_memories();
END $$;

-- What is to be indexed yet: of everybody, and of a person, without what is in the archive or in quarantine.
DROP INDEX "memories_indexed_in_idx";
CREATE INDEX "memories_indexed_in_idx" ON "memories"("indexed_in") WHERE "shelf" = 'open';
DROP INDEX "memories_person_id_indexed_in_idx";
CREATE INDEX "memories_person_id_indexed_in_idx" ON "memories"("person_id", "indexed_in") WHERE "shelf" = 'open';
-- What has had its time, by kind, and what may go to the archive.
CREATE INDEX "memories_kind_said_at_id_idx" ON "memories"("kind", "said_at", "id");
-- Removals whose points may still be in the index.
CREATE INDEX "forget_records_pending_idx" ON "forget_records"("person_id") WHERE "pending" <> '{}';

-- The sweeper and the rounds beside it look for what is open.
CREATE INDEX "erasures_open_idx" ON "erasures"("asked_at") WHERE "finished_at" IS NULL;
CREATE INDEX "forget_orders_finished_at_idx" ON "forget_orders"("finished_at") WHERE "finished_at" IS NOT NULL;

-- Retention looks for what has words left, among all that has lost them.
CREATE INDEX "inbox_words_idx" ON "inbox"("ended_at")
    WHERE "outcome" IS NOT NULL AND ("text" <> '' OR "target" IS NOT NULL);
CREATE INDEX "outbox_words_idx" ON "outbox"("settled_at")
    WHERE "status" <> 'pending' AND ("text" <> '' OR "target" <> '{}');
CREATE INDEX "turns_recalled_idx" ON "turns"("ended_at") WHERE jsonb_exists("trace", 'recalled');
CREATE INDEX "transcript_at_idx" ON "transcript"("at");
CREATE INDEX "conversations_left_at_idx" ON "conversations"("left_at") WHERE "left_at" IS NOT NULL;

-- Rows leave these at the end that is oldest, and new ones take their space: a BRIN index would tell less each day.
DROP INDEX "memory_handled_turns_at_idx";
CREATE INDEX "memory_handled_turns_at_idx" ON "memory_handled_turns"("at");
DROP INDEX "personality_handled_turns_at_idx";
CREATE INDEX "personality_handled_turns_at_idx" ON "personality_handled_turns"("at");
DROP INDEX "outreach_handled_turns_at_idx";
CREATE INDEX "outreach_handled_turns_at_idx" ON "outreach_handled_turns"("at");
-- Rows only come to this one. Without this the end of it is told by no index until a fifth of the table is new.
ALTER INDEX "usage_at_idx" SET (autosummarize = on);

-- Outreach that is under way, and what is old enough to go.
CREATE INDEX "outreach_attempts_status_decided_at_idx" ON "outreach_attempts"("status", "decided_at");
-- Who may be written to first.
CREATE INDEX "outreach_settings_opted_in_idx" ON "outreach_settings"("person_id") WHERE "opted_in";
