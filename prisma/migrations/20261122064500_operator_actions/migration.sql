-- What operators did and looked at: who, what, about whom, when, and how it ended. No words of people.
CREATE TABLE "operator_actions" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "key_id" UUID NOT NULL,
    "key_name" TEXT NOT NULL,
    "operator_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "subjects" JSONB NOT NULL DEFAULT '{}',
    "outcome" TEXT NOT NULL,

    CONSTRAINT "operator_actions_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "operator_actions_at_idx" ON "operator_actions"("at");

-- Rows are only added. They go by retention alone, whose shortest time stands here too: nobody who has a service's
-- rights can take back what was done lately.
CREATE FUNCTION kith_keep_operator_actions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.at < now() - interval '30 days' THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'operator_actions is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON "operator_actions"
  FOR EACH ROW EXECUTE FUNCTION kith_keep_operator_actions();
CREATE TRIGGER append_only_as_a_whole BEFORE TRUNCATE ON "operator_actions"
  FOR EACH STATEMENT EXECUTE FUNCTION kith_keep_operator_actions();
