-- Channels whose server the app was sent away from: jokes, hopes and reasons to write from there are held back meanwhile.
CREATE TABLE "personality_left_places" (
    "audience" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "personality_left_places_pkey" PRIMARY KEY ("audience")
);
CREATE TABLE "outreach_left_places" (
    "audience" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outreach_left_places_pkey" PRIMARY KEY ("audience")
);

-- Servers that were left before this.
INSERT INTO "personality_left_places" SELECT * FROM "left_places";
INSERT INTO "outreach_left_places" SELECT * FROM "left_places";

-- Who may hear of a hope or a fear, by where it was told; null for those from before this.
ALTER TABLE "prospects" ADD COLUMN "audience" TEXT;
