-- What a message refers to is another's words, perhaps of somebody who was erased since the backup was written; what its
-- place calls its speaker is for its turn alone.
CREATE OR REPLACE FUNCTION kith_restored_gateway() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name text;
BEGIN
  -- Who was erased is erased again, in every table as refuse_erased holds for every table; what was spent on them stays.
  -- The rest the services do when they start. What was said in channels is withheld until then: by it they find the
  -- replies to others that repeat it.
  FOR name IN
    SELECT table_name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'person_id' AND table_name <> 'usage'
  LOOP
    EXECUTE format('DELETE FROM %I WHERE person_id IN (SELECT erased_id FROM kept_erasures)', name) ||
      CASE WHEN name IN ('transcript', 'turns') THEN
        ' AND conversation_id NOT IN (SELECT conversation_id FROM conversations WHERE person_id IS NULL)' ELSE '' END;
  END LOOP;
  UPDATE transcript SET withheld = 'forgotten' WHERE person_id IN (SELECT erased_id FROM kept_erasures);
  -- Not finished: the services carry these erasures out once more.
  INSERT INTO erasures (erased_id, asked_by, asked_at, counts)
    SELECT erased_id, asked_by, asked_at, counts FROM kept_erasures ON CONFLICT DO NOTHING;
  -- Also keys that the backup does not know: a setting may still have one.
  INSERT INTO revoked_keys SELECT hash FROM kept_revoked_keys ON CONFLICT DO NOTHING;
  UPDATE api_keys SET revoked_at = now()
    WHERE revoked_at IS NULL AND hash IN (SELECT hash FROM kept_revoked_keys);
  -- Nobody takes back what they did by restoring a backup from before.
  INSERT INTO operator_actions SELECT * FROM kept_operator_actions ON CONFLICT DO NOTHING;

  UPDATE inbox SET outcome = 'dropped', outcome_reason = 'restored', ended_at = now() WHERE outcome IS NULL;
  -- No trigger fires in a restore. By now every message has an outcome, so what is there for its turn alone goes.
  UPDATE inbox SET quote = NULL, nickname = NULL, pictures = NULL
    WHERE quote IS NOT NULL OR nickname IS NOT NULL OR pictures IS NOT NULL;
  UPDATE outbox SET status = 'failed', last_error = 'restored: it may have been sent', settled_at = now()
    WHERE status = 'pending';
END
$$;
