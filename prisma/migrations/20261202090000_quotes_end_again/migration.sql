-- Where the owner of the tables is no superuser, row-level security hid the rows from migrations that stated no scope.
-- What they left out is done here; where they did it, nothing is left to do.
DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  -- What a message refers to is another's words: they go with its outcome, or with the message.
  UPDATE inbox SET quote = NULL WHERE quote IS NOT NULL AND (outcome IS NOT NULL OR deleted_at IS NOT NULL);
  -- A key of the time when admin included audit. Later ones have the scopes they were made with.
  UPDATE api_keys SET scopes = array_append(scopes, 'audit')
    WHERE 'admin' = ANY (scopes) AND NOT 'audit' = ANY (scopes) AND created_at < '2026-11-22 09:50:00+00';
  -- A reason of the time when a turn was the only source there was.
  UPDATE intentions SET sources = ARRAY['turn:' || turn_id] WHERE sources = '{}' AND turn_id IS NOT NULL;
END
$$;
