-- What recurs: when it ran last, how that ended, and whether an operator holds it. About no person.
CREATE TABLE "recurring_jobs" (
    "name" TEXT NOT NULL,
    "paused" BOOLEAN NOT NULL DEFAULT false,
    "last_started_at" TIMESTAMPTZ(3),
    "last_duration_ms" INTEGER,
    "last_outcome" TEXT,
    "last_error" TEXT,
    "last_ok_at" TIMESTAMPTZ(3),
    "last_day" DATE,

    CONSTRAINT "recurring_jobs_pkey" PRIMARY KEY ("name")
);
