-- With whom a person spoke last: who would come back to them with something of their own.
ALTER TABLE "outreach_settings" ADD COLUMN "last_companion_id" TEXT;
