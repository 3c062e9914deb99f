-- Rules of operators: where a tool may be used, and where it may not. Null says it of all.
CREATE TABLE "tool_rules" (
    "id" UUID NOT NULL,
    "tool" TEXT NOT NULL,
    "is_allowed" BOOLEAN NOT NULL,
    "companion_id" TEXT,
    "server" TEXT,
    "channel" TEXT,
    "role" TEXT,
    "pin" TEXT NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tool_rules_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "tool_rules_place_key"
    ON "tool_rules"("tool", "companion_id", "server", "channel", "role") NULLS NOT DISTINCT;

-- Tools that a person lets a companion use without being asked each time.
CREATE TABLE "tool_grants" (
    "person_id" UUID NOT NULL,
    "companion_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "pin" TEXT NOT NULL,
    "given_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tool_grants_pkey" PRIMARY KEY ("person_id", "companion_id", "tool")
);

-- Calls of tools that reach outside: the question to the person, its answer, and what came of it. The key lets a call
-- that is repeated find the first one.
CREATE TABLE "tool_calls" (
    "id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "person_id" UUID NOT NULL,
    "companion_id" TEXT NOT NULL,
    "conversation_id" UUID,
    "turn_id" UUID,
    "tool" TEXT NOT NULL,
    "pin" TEXT NOT NULL,
    "place" JSONB NOT NULL,
    "arguments" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "result" TEXT,
    "asked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "answered_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "tool_calls_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "tool_calls_key_key" ON "tool_calls"("key");
CREATE INDEX "tool_calls_person_id_asked_at_idx" ON "tool_calls"("person_id", "asked_at");
CREATE INDEX "tool_calls_turn_id_idx" ON "tool_calls"("turn_id");
CREATE INDEX "tool_calls_asked_at_idx" ON "tool_calls"("asked_at");

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['tool_grants', 'tool_calls'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY own_rows ON %I USING (person_id = (SELECT kith_person()) OR (SELECT kith_is_system()))',
      name
    );
    EXECUTE format(
      'CREATE TRIGGER refuse_erased BEFORE INSERT ON %I FOR EACH ROW WHEN (NEW.person_id IS NOT NULL)
         EXECUTE FUNCTION kith_refuse_erased()',
      name
    );
  END LOOP;
END
$$;

-- A question from before a backup is too late, and what was being done then may have happened.
CREATE FUNCTION kith_restored_tools() RETURNS void LANGUAGE sql AS $$
  UPDATE tool_calls SET status = CASE status WHEN 'waiting' THEN 'expired' ELSE 'failed' END, arguments = '{}',
    ended_at = now()
  WHERE status IN ('waiting', 'running');
$$;
REVOKE ALL ON FUNCTION kith_restored_tools() FROM PUBLIC;
