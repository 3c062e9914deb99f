-- Lore: what a companion knows of its world, told when a key of it comes up. The operator's, and of no person.
CREATE TABLE "lore_entries" (
    "id" UUID NOT NULL,
    "companion_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "keys" TEXT[],
    "secondary_keys" TEXT[],
    "content" TEXT NOT NULL,
    "constant" BOOLEAN NOT NULL,
    "case_sensitive" BOOLEAN NOT NULL,
    "recursive" BOOLEAN NOT NULL,
    "priority" INTEGER NOT NULL,
    "insertion_order" INTEGER NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lore_entries_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "lore_entries_companion_id_name_key" ON "lore_entries" ("companion_id", "name");
