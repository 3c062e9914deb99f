-- The servers the bot is in, as far as it knows: one that is missing at the next session was left meanwhile.
CREATE TABLE "discord_servers" (
    "server_id" TEXT NOT NULL,
    "places" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "discord_servers_pkey" PRIMARY KEY ("server_id")
);
