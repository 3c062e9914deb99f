import { Database } from '@kith/database';
import { freshStores } from '@kith/testing';
import { ExactIndex } from './exact-index.js';
import { describeVectorIndex } from './vector-index.contract-suite.js';

describeVectorIndex('Postgres, searched exactly', async () => {
  const stores = await freshStores();
  const database = new Database({ url: stores.databaseUrl, poolSize: 5 });
  const nowhere = new Database({ url: 'postgres://nobody:x@127.0.0.1:1/none', poolSize: 1 });
  return {
    index: new ExactIndex(database),
    replica: new ExactIndex(database),
    unreachable: new ExactIndex(nowhere),
    close: async () => {
      await Promise.all([database.close(), nowhere.close()]);
      await stores.stop();
    },
  };
});
