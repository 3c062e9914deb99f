import type pg from 'pg';

/** Tables with what a person said in channels. */
const SAID_IN_CHANNELS = ['transcript', 'turns'];

/** Notes, before a restore, what no restore undoes: who was erased, which keys were revoked, and what operators did. */
export async function noteDoneSince(client: pg.Client): Promise<void> {
  await client.query(`CREATE TEMP TABLE tombstones ON COMMIT DROP AS SELECT * FROM erasures`);
  await client.query(`CREATE TEMP TABLE done_since ON COMMIT DROP AS SELECT * FROM operator_actions`);
  await client.query(
    `CREATE TEMP TABLE revoked_since ON COMMIT DROP AS
     SELECT hash FROM revoked_keys UNION SELECT hash FROM api_keys WHERE revoked_at IS NOT NULL`,
  );
}

/** Repeats what was noted, in the transaction that noted it. */
export async function doAgain(client: pg.Client): Promise<void> {
  await eraseAgain(client);
  await revokeAgain(client);
  // Nobody takes back what they did by restoring a backup from before.
  await client.query(`INSERT INTO operator_actions SELECT * FROM done_since ON CONFLICT DO NOTHING`);
}

/**
 * Erases again who was erased since the backup was written; what was spent on them stays. The rest the services do when
 * they start. What was said in channels is withheld until then: by it they find the replies to others that repeat it.
 */
async function eraseAgain(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT table_name AS "table" FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'person_id' AND table_name <> 'usage'`,
  );
  const erased = 'person_id IN (SELECT erased_id FROM tombstones)';
  for (const { table } of rows) {
    const beside = SAID_IN_CHANNELS.includes(table)
      ? 'AND conversation_id NOT IN (SELECT conversation_id FROM conversations WHERE person_id IS NULL)'
      : '';
    await client.query(`DELETE FROM ${client.escapeIdentifier(table)} WHERE ${erased} ${beside}`);
  }
  await client.query(`UPDATE transcript SET withheld = 'forgotten' WHERE ${erased}`);
  await client.query(
    `INSERT INTO erasures (erased_id, asked_by, asked_at, counts)
     SELECT erased_id, asked_by, asked_at, counts FROM tombstones ON CONFLICT DO NOTHING`,
  );
}

/** Revokes again the keys that were revoked since the backup was written, also those that it does not know. */
async function revokeAgain(client: pg.Client): Promise<void> {
  await client.query(`INSERT INTO revoked_keys SELECT hash FROM revoked_since ON CONFLICT DO NOTHING`);
  await client.query(
    `UPDATE api_keys SET revoked_at = now()
     WHERE revoked_at IS NULL AND hash IN (SELECT hash FROM revoked_since)`,
  );
}
