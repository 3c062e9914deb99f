import { Messenger } from '@kith/messaging';
import { silentLogger } from '@kith/testing';
import pg from 'pg';
import type { OwnSuite } from './own-suite.ts';

/** A suite with connections to its stores, which close with it. */
export interface Side extends AsyncDisposable {
  suite: OwnSuite;
  owner: pg.Client;
  messenger: Messenger;
}

/** Makes work with a suite's stores, which closes its connections at the end. */
export function using(work: (side: Side) => Promise<void>): (suite: OwnSuite) => Promise<void> {
  return async (suite) => {
    await using side = await connect(suite);
    await work(side);
  };
}

export async function connect(suite: OwnSuite): Promise<Side> {
  const owner = new pg.Client({ connectionString: suite.stack.postgres.ownerUrl('kith') });
  // A connection that breaks fails its next statement.
  owner.on('error', () => undefined);
  await owner.connect();
  const messenger = new Messenger({
    redisUrl: suite.stack.redis.url,
    service: 'bench',
    logger: silentLogger,
  });
  return {
    suite,
    owner,
    messenger,
    [Symbol.asyncDispose]: async () => {
      await owner.end();
      await messenger.close();
    },
  };
}
