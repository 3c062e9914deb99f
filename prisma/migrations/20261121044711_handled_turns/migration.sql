-- What follows a turn is open until each service has it in its own ledger of handled turns.
DROP INDEX "turns_followed_up_at_ended_at_idx";
ALTER TABLE "turns" ADD COLUMN "follow_up_problem" TEXT;
-- Turns that are all done, which is nearly all of them, are not in it.
CREATE INDEX "turns_open_idx" ON "turns"("turn_id") WHERE followed_up_at IS NULL;

CREATE TABLE "memory_handled_turns" (
    "turn_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memory_handled_turns_pkey" PRIMARY KEY ("turn_id")
);
CREATE INDEX "memory_handled_turns_at_idx" ON "memory_handled_turns" USING BRIN ("at");

CREATE TABLE "personality_handled_turns" (
    "turn_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "personality_handled_turns_pkey" PRIMARY KEY ("turn_id")
);
CREATE INDEX "personality_handled_turns_at_idx" ON "personality_handled_turns" USING BRIN ("at");

CREATE TABLE "outreach_handled_turns" (
    "turn_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outreach_handled_turns_pkey" PRIMARY KEY ("turn_id")
);
CREATE INDEX "outreach_handled_turns_at_idx" ON "outreach_handled_turns" USING BRIN ("at");

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['memory_handled_turns', 'personality_handled_turns', 'outreach_handled_turns'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY own_rows ON %I USING (person_id = (SELECT kith_person()) OR (SELECT kith_is_system()))',
      name
    );
  END LOOP;
END
$$;

-- Open turns that were felt already, and the marks that said so of turns which moved no mood.
SELECT set_config('app.scope', 'system', true);
INSERT INTO personality_handled_turns (turn_id, person_id)
SELECT DISTINCT turn_id, person_id FROM affect_events
WHERE turn_id IN (SELECT turn_id FROM turns WHERE followed_up_at IS NULL);
DELETE FROM affect_events WHERE emotion = 'neutral';
