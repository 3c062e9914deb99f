import { Messenger } from '@kith/messaging';
import pg from 'pg';
import type { OwnSuite } from '../own-suite.ts';

/** One of the suites that are compared, with connections to its stores. */
export interface Side {
  suite: OwnSuite;
  owner: pg.Client;
  messenger: Messenger;
}

/** Makes work with a suite's stores, which closes its connections at the end. */
export function using(work: (side: Side) => Promise<void>): (suite: OwnSuite) => Promise<void> {
  return async (suite) => {
    const side = await connect(suite);
    try {
      await work(side);
    } finally {
      await disconnect(side);
    }
  };
}

export async function connect(suite: OwnSuite): Promise<Side> {
  const owner = new pg.Client({ connectionString: suite.stack.postgres.ownerUrl('kith') });
  // A connection that breaks fails its next statement.
  owner.on('error', () => undefined);
  await owner.connect();
  return { suite, owner, messenger: new Messenger({ redisUrl: suite.stack.redis.url, service: 'bench' }) };
}

export async function disconnect({ owner, messenger }: Side): Promise<void> {
  await owner.end();
  await messenger.close();
}
