import { Database } from '@kith/database';
import { freshStores, type FreshStores } from './stores.js';

/** Fresh stores with a database of the application role, for one test file. */
export interface FreshDatabase {
  stores: FreshStores;
  database: Database;
  stop: () => Promise<void>;
}

/** Starts fresh stores and connects to them. Stop them in `afterAll`. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const stores = await freshStores();
  const database = new Database({ url: stores.databaseUrl, poolSize: 5 });
  return {
    ...{ stores, database },
    stop: async () => {
      await database.close();
      await stores.stop();
    },
  };
}
