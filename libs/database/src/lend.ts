import type pg from 'pg';

/**
 * Lends a connection of the pool to work. One that breaks meanwhile fails the next statement, and is let go by the pool
 * itself.
 * @param isKept false where one whose work failed is to end, with all that it holds
 */
export async function lend<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  isKept = true,
): Promise<T> {
  const client = await pool.connect();
  const onError = () => undefined;
  client.on('error', onError);
  let isGood = isKept;
  try {
    const done = await work(client);
    isGood = true;
    return done;
  } finally {
    client.off('error', onError);
    client.release(!isGood);
  }
}
