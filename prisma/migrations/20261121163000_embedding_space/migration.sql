-- Which embedding space recall goes by: another is filled beside it, then takes its place. One row.
CREATE TABLE "memory_spaces" (
    "role" TEXT NOT NULL,
    "space" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memory_spaces_pkey" PRIMARY KEY ("role")
);
