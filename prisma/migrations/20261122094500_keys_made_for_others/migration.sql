-- A key that an operator makes to act as somebody else says who made it, and why.
ALTER TABLE "api_keys" ADD COLUMN "made_by" UUID, ADD COLUMN "reason" TEXT;
