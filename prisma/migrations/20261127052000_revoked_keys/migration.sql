-- Hashes of keys that were revoked and whose rows went with their person, so that no setting brings such a key back.
CREATE TABLE "revoked_keys" (
    "hash" TEXT NOT NULL,

    CONSTRAINT "revoked_keys_pkey" PRIMARY KEY ("hash")
);
