-- A browser's session is a key made from another one, by a sign-in code. It ends with that key.
ALTER TABLE "api_keys" ADD COLUMN "session_of" UUID;
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_session_of_fkey" FOREIGN KEY ("session_of") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "api_keys_session_of_idx" ON "api_keys"("session_of");

-- What companions may start is a scope of its own from here on. Keys that talk had it in effect; a key that only imports
-- does not get it.
DO $$
BEGIN
  PERFORM set_config('app.scope', 'system', true);
  UPDATE "api_keys" SET "scopes" = array_append("scopes", 'outreach')
    WHERE 'chat' = ANY ("scopes") AND NOT 'outreach' = ANY ("scopes");
END $$;
