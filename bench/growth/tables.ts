import type pg from 'pg';

/** Tables that a turn writes to, or that hold people and places. */
export const FILLED = (
  'people identities api_keys conversations inbox turns transcript outbox usage memories memory_vectors ' +
  'memory_vector_versions memory_handled_turns core_blocks forget_records forget_orders private_times left_places ' +
  'felt_turns affect_events relationships prospects shared_jokes personality_handled_turns outreach_settings ' +
  'intentions outreach_attempts outreach_handled_turns discord_cursors turn_steps epochs tasks'
).split(' ');

/** Copies the specimens of tables for each row of a series, with columns of their own. */
export async function copy(
  owner: pg.Client,
  each: string,
  columnsOf: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [table, columns] of Object.entries(columnsOf)) {
    // A condition on the series belongs inside of it: the copy has columns of the same names.
    await owner.query(
      `INSERT INTO ${table} SELECT made.* FROM (SELECT * FROM ${each}) AS series
       CROSS JOIN (SELECT row AS one FROM bench.one_${table} AS row) AS specimen
       CROSS JOIN LATERAL jsonb_populate_record(one, jsonb_build_object(${columns})) AS made`,
    );
  }
}

/** Drops the secondary indexes of the filled tables. Returns a function that makes them again. */
export async function dropIndexes(owner: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await owner.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename = ANY ($1) AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conname = indexname)`,
    [FILLED],
  );
  for (const { name } of rows) await owner.query(`DROP INDEX "${name}"`);
  return async () => {
    for (const { definition } of rows) await owner.query(definition);
  };
}
