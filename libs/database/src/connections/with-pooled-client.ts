import type pg from 'pg';

/**
 * Does work with a connection of the pool. One that breaks meanwhile fails the next statement, and is ended by the pool
 * itself.
 * @param isKept tells by what the work came to, nothing where it failed, whether the pool keeps the connection: one that
 *   it does not keep ends with all that it holds
 */
export async function withPooledClient<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  isKept: (done: T | undefined) => boolean = () => true,
): Promise<T> {
  const client = await pool.connect();
  const onError = () => undefined;
  client.on('error', onError);
  let done: T | undefined;
  try {
    done = await work(client);
    return done;
  } finally {
    client.off('error', onError);
    client.release(!isKept(done));
  }
}
