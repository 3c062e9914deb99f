-- Every version of a persona, and the file that was last seen apart from what is in force.
ALTER TABLE "companions" ADD COLUMN "file_hash" TEXT;

CREATE TABLE "persona_versions" (
    "companion_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "persona" JSONB NOT NULL,
    "origin" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "persona_versions_pkey" PRIMARY KEY ("companion_id", "version")
);
INSERT INTO "persona_versions" ("companion_id", "version", "persona", "origin", "at")
SELECT "companion_id", "version", "persona", 'file', "updated_at" FROM "companions";
