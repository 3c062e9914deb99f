-- A backup of an earlier version goes through the migrations since, the one that made this function among them: so every
-- source of a habit has its place.
DROP FUNCTION kith_restored_personality();
ALTER TABLE "quirk_sources" ALTER COLUMN "audience" SET NOT NULL;
