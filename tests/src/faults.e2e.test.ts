import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServiceName } from '@kith/embedded';
import { eventually } from '@kith/testing';
import { startSuite, type Suite } from './suite.js';

let suite: Suite;

beforeAll(async () => {
  suite = await startSuite();
  await suite.say('Good morning!');
}, 120_000);
afterAll(() => suite.stop());

/** Holds a service as a debugger would: it is there, and answers nothing. */
async function whileFrozen<T>(name: ServiceName, work: () => Promise<T>): Promise<T> {
  suite.stack.service(name).process.kill('SIGSTOP');
  try {
    return await work();
  } finally {
    suite.stack.service(name).process.kill('SIGCONT');
  }
}

describe('a turn while a part is down', () => {
  it('is answered without memory, and says so', async () => {
    const turn = await whileFrozen('memory', () => suite.say('Is anybody there?'));
    expect(turn.outcome).toBe('answered');
    expect(turn.degraded).toEqual(['memory']);
  });

  it('is answered without personality, and says so', async () => {
    const turn = await whileFrozen('personality', () => suite.say('And now?'));
    expect(turn.outcome).toBe('answered');
    expect(turn.degraded).toEqual(['personality']);
  });

  it('recalls without the embedding service what the offline embedder knows', async () => {
    const { key } = await suite.newPerson('Kim');
    await suite.say('My canoe is painted green.', { key });
    await eventually('the memory', async () => {
      const { body } = await suite.api('/v1/memories', { key });
      return (body as { total: number }).total > 0;
    });
    const turn = await whileFrozen('embedding', () => suite.say('Which colour has my canoe?', { key }));
    expect(turn.outcome).toBe('answered');
    // On a busy machine the personality may be late at the same time, which is another matter.
    expect(turn.degraded).not.toContain('memory');
    expect(turn.recalled[0]?.text).toContain('canoe');
  });

  it.each(['memory', 'personality', 'embedding'] as const)(
    'ends in an answer when %s is killed in the middle of it',
    async (name) => {
      const turns = Promise.all(
        Array.from({ length: 4 }, (_, n) => suite.say(`Message ${n}`, { conversation: `t${n}` })),
      );
      suite.stack.service(name).process.kill('SIGKILL');
      for (const turn of await turns) expect(turn.outcome).toBe('answered');
      await suite.stack.untilReady([name]);
    },
  );

  it('names the part that is down in the health page, until it is back', async () => {
    const stopped = await whileFrozen('memory', () => suite.api('/v1/health'));
    const { services } = stopped.body as { services: { service: string; ready: boolean }[] };
    expect(services.filter(({ ready }) => !ready).map(({ service }) => service)).toEqual(['memory']);
    await eventually(
      'health',
      async () => ((await suite.api('/v1/health')).body as { status: string }).status === 'ok',
    );
  });
});

describe('the gateway', () => {
  it('killed in the middle of a turn answers it once when it is back', async () => {
    const { key, personId } = await suite.newPerson('Lou');
    const accepted = suite.stack.service('personality');
    accepted.process.kill('SIGSTOP'); // so that the turn is under way when the gateway dies
    const lost = suite.say('Do not lose this.', { key, messageId: 'precious' }).catch(() => null);
    await eventually('the message to be accepted and claimed', async () => {
      const rows = await suite.query('SELECT 1 FROM inbox WHERE person_id = $1 AND attempts > 0', [personId]);
      return rows.length === 1;
    });
    suite.stack.service('gateway').process.kill('SIGKILL');
    accepted.process.kill('SIGCONT');
    await lost;
    await suite.stack.untilReady(['gateway']);
    await eventually(
      'an outcome',
      async () => (await suite.query(`SELECT 1 FROM turns WHERE person_id = $1`, [personId])).length > 0,
      60_000,
    );
    const again = await suite.say('Do not lose this.', { key, messageId: 'precious' });
    expect(again.outcome).toBe('answered');
    expect(await suite.query('SELECT 1 FROM turns WHERE person_id = $1', [personId])).toHaveLength(1);
  });

  it('takes nothing while Postgres is away, says so, and takes it when it is back', async () => {
    const { key } = await suite.newPerson('May');
    await suite.stack.postgres.stop();
    const body = { message: 'Are you there?', messageId: 'while-away' };
    const refused = await suite.api('/v1/chat', { key, body });
    expect(refused).toMatchObject({ status: 503, body: { status: 503, code: 'unavailable' } });
    await suite.stack.postgres.start();
    const turn = await eventually('an answer', async () => {
      const again = await suite.api('/v1/chat', { key, body });
      return again.status === 200 ? { outcome: again.body['outcome'] } : undefined;
    });
    expect(turn.outcome).toBe('answered');
  });

  it.each([
    ['Redis', 'processes/redis.json', (record: string) => (JSON.parse(record) as { pid: number }).pid],
    ['PostgreSQL', 'postgres/postmaster.pid', (record: string) => Number(record.split('\n')[0])],
  ])('has %s again after it was killed', async (_, record, pidIn) => {
    const pidNow = async () =>
      readFile(join(suite.stack.options.directory, record), 'utf8').then(pidIn, () => null);
    const killed = await pidNow();
    process.kill(killed!, 'SIGKILL');
    await eventually('another process', async () => ![killed, null].includes(await pidNow()), 30_000);
    await suite.stack.untilReady();
    expect((await suite.say('Are you back?')).outcome).toBe('answered');
  });
});
