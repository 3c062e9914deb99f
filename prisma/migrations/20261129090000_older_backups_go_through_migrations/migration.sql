-- A backup of an earlier version goes through the migrations since, the one that made this function among them: so every
-- source of a habit has its place.
DROP FUNCTION kith_restored_personality();
-- A process of the version before places may have written some in the midst of the update.
SELECT set_config('app.scope', 'system', true);
DELETE FROM "quirk_sources" WHERE "audience" IS NULL;
ALTER TABLE "quirk_sources" ALTER COLUMN "audience" SET NOT NULL;
