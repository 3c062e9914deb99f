import pg from 'pg';

/** Works over a connection of its own, which ends with the work. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // a connection that ends fails the statement that runs on it
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
