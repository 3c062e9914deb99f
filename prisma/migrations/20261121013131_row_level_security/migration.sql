-- Row-level security, forced, on every table with a person column. The services connect as a role that is
-- neither owner nor superuser; a transaction states its scope with set_config(…, true), and without one
-- these tables look empty. libs/database/src/database.ts holds the three scopes.

CREATE FUNCTION kith_person() RETURNS uuid LANGUAGE sql STABLE
  AS $$ SELECT nullif(current_setting('app.person_id', true), '')::uuid $$;

CREATE FUNCTION kith_conversation() RETURNS uuid LANGUAGE sql STABLE
  AS $$ SELECT nullif(current_setting('app.conversation_id', true), '')::uuid $$;

CREATE FUNCTION kith_is_system() RETURNS boolean LANGUAGE sql STABLE
  AS $$ SELECT coalesce(current_setting('app.scope', true) = 'system', false) $$;

DO $$
DECLARE
  name text;
BEGIN
  -- The sub-selects make Postgres evaluate each setting once a statement rather than once a row.
  FOREACH name IN ARRAY ARRAY[
    'people', 'identities', 'api_keys', 'affect_events', 'relationships',
    'memories', 'memory_vectors', 'outreach_settings', 'intentions', 'outreach_attempts'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY own_rows ON %I USING (person_id = (SELECT kith_person()) OR (SELECT kith_is_system()))',
      name
    );
  END LOOP;

  -- What several people of one conversation share is also seen from within that conversation.
  FOREACH name IN ARRAY ARRAY['conversations', 'inbox', 'turns', 'transcript', 'outbox', 'usage'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY own_rows ON %I USING (person_id = (SELECT kith_person())
         OR conversation_id = (SELECT kith_conversation()) OR (SELECT kith_is_system()))',
      name
    );
  END LOOP;
END
$$;
