import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { freePort, startPostgres } from '@kith/embedded';
import pg from 'pg';

const before = process.env['LC_ALL'];
afterEach(() => {
  if (before === undefined) delete process.env['LC_ALL'];
  else process.env['LC_ALL'] = before;
});

it.each(['C', 'xx_XX.UTF-8'])(
  'a new cluster knows the letters of all languages where the environment says %s',
  async (locale) => {
    process.env['LC_ALL'] = locale;
    const parent = await mkdtemp(join(tmpdir(), 'kith-locale-'));
    const directory = join(parent, 'postgres');
    const started = { directory, port: await freePort(), password: randomUUID(), durable: false };
    const postgres = await startPostgres(started);
    const client = new pg.Client({ connectionString: postgres.ownerUrl('postgres') });
    try {
      await client.connect();
      const { rows } = await client.query(
        `SELECT lower('ÉCOLE ПРИВЕТ') AS lower, left('日本語', 2) AS left, length(normalize('é', NFKD)) AS length,
          to_tsvector('simple', '„Hallo“—мир')::text AS words`,
      );
      expect(rows).toEqual([{ lower: 'école привет', left: '日本', length: 2, words: "'hallo':1 'мир':2" }]);
    } finally {
      await client.end();
      await postgres.stop();
      await rm(parent, { recursive: true, force: true });
    }
  },
  60_000,
);
