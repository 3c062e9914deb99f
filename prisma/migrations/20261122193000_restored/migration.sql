-- Each owner says here what of its tables a backup leaves out, and what becomes of its work when one is put back.
-- A backup reads the comments, and a restore calls every function whose name begins with kith_restored_.

COMMENT ON TABLE "memory_vectors" IS 'kith:not-in-backup derived from memories';
COMMENT ON TABLE "memory_vector_versions" IS 'kith:not-in-backup derived from memories';
COMMENT ON TABLE "memory_tallies" IS 'kith:not-in-backup counted anew';
COMMENT ON TABLE "memory_tally_changes" IS 'kith:not-in-backup counted anew';
COMMENT ON TABLE "discord_leaders" IS 'kith:not-in-backup true of a running process alone';

-- Work that was under way when the backup was written is over or too late by now: it ends with a reason rather than
-- being done, perhaps, for a second time.
CREATE FUNCTION kith_restored_gateway() RETURNS void LANGUAGE sql AS $$
  UPDATE inbox SET outcome = 'dropped', outcome_reason = 'restored', ended_at = now() WHERE outcome IS NULL;
  UPDATE outbox SET status = 'failed', last_error = 'restored: it may have been sent', settled_at = now()
  WHERE status = 'pending';
$$;

CREATE FUNCTION kith_restored_proactive_scheduler() RETURNS void LANGUAGE sql AS $$
  UPDATE outreach_attempts SET status = 'failed' WHERE status = 'queued';
$$;

-- Nothing is indexed, and rows were put back without their triggers.
CREATE FUNCTION kith_restored_memory() RETURNS void LANGUAGE sql AS $$
  UPDATE memories SET indexed_in = NULL;
  SELECT kith_count_memories();
$$;

REVOKE ALL ON FUNCTION kith_restored_gateway(), kith_restored_proactive_scheduler(), kith_restored_memory() FROM PUBLIC;
