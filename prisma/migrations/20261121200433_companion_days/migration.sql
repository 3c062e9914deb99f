-- Each companion has days of its own, by the zone it lives in. They are about no person.
CREATE TABLE "companion_days" (
    "companion_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "begins_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "companion_days_pkey" PRIMARY KEY ("companion_id", "day")
);
CREATE TABLE "companion_nights" (
    "job" TEXT NOT NULL,
    "companion_id" TEXT NOT NULL,
    "last_day" DATE NOT NULL,

    CONSTRAINT "companion_nights_pkey" PRIMARY KEY ("job", "companion_id")
);

-- Until now a day was a UTC day, the same for all companions. What was done of those is not done again.
INSERT INTO "companion_days" ("companion_id", "day", "begins_at", "ends_at")
SELECT "companion_id", "day", "day"::timestamp AT TIME ZONE 'UTC', ("day" + 1)::timestamp AT TIME ZONE 'UTC'
FROM (
    SELECT "companion_id", "day" FROM "reflections"
    UNION
    SELECT "companion_id", "last_day" FROM "recurring_jobs", "companions" WHERE "last_day" IS NOT NULL
) AS "past";
INSERT INTO "companion_nights" ("job", "companion_id", "last_day")
SELECT "recurring_jobs"."name", "companion_id", "last_day" FROM "recurring_jobs", "companions" WHERE "last_day" IS NOT NULL;
ALTER TABLE "recurring_jobs" DROP COLUMN "last_day";
