-- When the person of an account was erased. Doors still have what they wrote before, and may bring it again. The mark is a
-- hash under a key that the database does not hold.
CREATE TABLE "erased_accounts" (
    "mark" TEXT NOT NULL,
    "erased_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "erased_accounts_pkey" PRIMARY KEY ("mark")
);

-- Who was erased since the backup was written stays known over a restore.
CREATE FUNCTION kith_restoring_gateway_accounts() RETURNS void LANGUAGE sql AS $$
  CREATE TEMP TABLE kept_erased_accounts ON COMMIT DROP AS SELECT * FROM erased_accounts;
$$;

CREATE FUNCTION kith_restored_gateway_accounts() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO erased_accounts AS restored SELECT * FROM kept_erased_accounts
  ON CONFLICT (mark) DO UPDATE SET erased_at = greatest(restored.erased_at, excluded.erased_at);
END
$$;

REVOKE ALL ON FUNCTION kith_restoring_gateway_accounts(), kith_restored_gateway_accounts() FROM PUBLIC;
