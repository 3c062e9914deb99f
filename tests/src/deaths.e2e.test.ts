import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { memoryContract, outreachContract, personalityContract } from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { eventually, silentLogger } from '@kith/testing';
import { startSuite, type Suite } from './suite.js';

/** No rule knows it: what it stands in ends each process that reads it. */
const DEADLY = 'zyzzyvaquux';
const READERS = ['memory', 'personality', 'proactive-scheduler'] as const;
/** A death is noticed within 15 s, and each of the readers dies two or three times. */
const SETTLED_WITHIN_MS = 150_000;
/** Deaths by one order to read it: in company, and alone. */
const DEATHS_OF_ORDER = 2;
/** Orders that died as well, and ended without being given up: the turn was given up by then. */
const MORE_ORDERS = 1;
/** A death in company before that: the sweeper may order the turn by itself while its batch is not known to be dead. */
const DEATHS_OF_BATCH = 1;

let suite: Suite;
let messenger: Messenger;
const pids = new Map(READERS.map((name) => [name, new Set<number>()]));
let watching: NodeJS.Timeout;

beforeAll(async () => {
  const hook = pathToFileURL(join(import.meta.dirname, '../faults/deadly-text.mjs')).href;
  suite = await startSuite(
    {},
    { processEnvironment: { NODE_OPTIONS: `--import ${hook}`, KITH_DEADLY_WORD: DEADLY } },
  );
  messenger = new Messenger({ redisUrl: suite.stack.redis.url, service: 'test', logger: silentLogger });
  watching = setInterval(() => {
    for (const name of READERS) {
      const { pid } = suite.stack.service(name).process;
      if (pid !== undefined) pids.get(name)!.add(pid);
    }
  }, 50);
}, 120_000);

afterAll(async () => {
  clearInterval(watching);
  await messenger.close();
  await suite.stop();
});

describe('a text that ends whatever process reads it', () => {
  it('is set aside after it did so twice, is told, and all that was said beside it is read', async () => {
    const ada = await suite.newPerson('Ada');
    const ben = await suite.newPerson('Ben');
    const sayings = [
      { key: ada.key, message: 'I have a dog called Rex. Ask me tomorrow how my exam went.' },
      { key: ada.key, message: `I love ${DEADLY}, ask me tomorrow about ${DEADLY}.` },
      { key: ada.key, message: 'I live in Lisbon. Thank you, I love you!' },
      { key: ben.key, message: 'I live in Berlin. Thank you, I love you!' },
    ];
    const said = await Promise.all(
      sayings.map(({ key, message }, n) => suite.say(message, { key, conversation: `${n}` })),
    );
    const deadly = said[1]!.turnId;

    const openOf = (ledger: string) =>
      suite.query<{ id: string }>(
        `SELECT turn_id AS id FROM turns WHERE turn_id NOT IN (SELECT turn_id FROM ${ledger})`,
      );
    for (const ledger of ['personality_handled_turns', 'outreach_handled_turns']) {
      await eventually(
        `all but the deadly turn in ${ledger}`,
        async () => {
          const open = await openOf(ledger);
          return open.length === 1 && open[0]!.id === deadly;
        },
        SETTLED_WITHIN_MS,
      );
    }
    const holds = (personId: string, table: string, condition: string) =>
      suite.query(`SELECT 1 FROM ${table} WHERE person_id = $1 AND ${condition}`, [personId]);
    await eventually(
      'every line to be read or set aside',
      async () =>
        (await suite.query(`SELECT 1 FROM memories WHERE kind = 'episode' AND read_at IS NULL`)).length === 0,
      SETTLED_WITHIN_MS,
    );
    expect(await holds(ada.personId, 'memories', `kind = 'fact' AND text LIKE '%Rex%'`)).toHaveLength(1);
    expect(await holds(ada.personId, 'memories', `kind = 'fact' AND text LIKE '%Lisbon%'`)).toHaveLength(1);
    expect(await holds(ben.personId, 'memories', `kind = 'fact' AND text LIKE '%Berlin%'`)).toHaveLength(1);
    expect(await holds(ada.personId, 'intentions', `about LIKE '%exam%'`)).toHaveLength(1);
    // What was said is kept, whatever its readers make of it.
    expect(
      await holds(ada.personId, 'memories', `kind = 'episode' AND text LIKE '%${DEADLY}%'`),
    ).toHaveLength(1);

    const failed = async () => ({
      appraise: await messenger.jobs.listFailed(personalityContract.appraise),
      notice: await messenger.jobs.listFailed(outreachContract.notice),
      extract: await messenger.jobs.listFailed(memoryContract.extract),
    });
    await eventually(
      'the operator to be told',
      async () => Object.values(await failed()).every((jobs) => jobs.length > 0),
      SETTLED_WITHIN_MS,
    );
    const [line] = await suite.query<{ id: string }>(
      `SELECT id FROM memories WHERE text LIKE '%${DEADLY}%' AND kind = 'episode'`,
    );
    const { appraise, notice, extract } = await failed();
    // More than once, where the sweeper ordered the turn again before it was known to be given up.
    for (const { payload } of [...appraise, ...notice]) expect(payload).toMatchObject({ turnIds: [deadly] });
    // Two orders to read for Ada may have died together.
    expect(extract.filter(({ reason }) => !reason.includes(line!.id))).toEqual([]);
    expect(await messenger.jobs.listFailed(memoryContract.remember)).toEqual([]);
    await eventually(
      'the turn to say so',
      async () => {
        const [turn] = await suite.query<{ problem: string | null }>(
          `SELECT follow_up_problem AS problem FROM turns WHERE turn_id = $1`,
          [deadly],
        );
        return turn?.problem === 'given up: appraise, notice';
      },
      // Once one of the two is told, the turn is looked at each minute.
      SETTLED_WITHIN_MS,
    );
    const givenUp = await failed();
    const ordersOf = {
      memory: givenUp.extract.length,
      personality: givenUp.appraise.length,
      'proactive-scheduler': givenUp.notice.length,
    };
    const deaths = READERS.map((name) => ({
      name,
      died: pids.get(name)!.size - 1,
      // On a slow machine the sweeper orders the turn again before the first order is known to be given up.
      most: DEATHS_OF_BATCH + DEATHS_OF_ORDER * (ordersOf[name] + MORE_ORDERS),
    }));
    expect(deaths.filter(({ died, most }) => died > most)).toEqual([]);
    // Nobody reads it any more.
    const before = READERS.map((name) => suite.stack.service(name).process.pid);
    const next = await suite.say('I have a cat called Tom.', { key: ada.key });
    await eventually(
      'the next turn to be read',
      async () =>
        !(await openOf('personality_handled_turns')).some(({ id }) => id === next.turnId) &&
        (await holds(ada.personId, 'memories', `kind = 'fact' AND text LIKE '%Tom%'`)).length === 1,
      60_000,
    );
    expect(READERS.map((name) => suite.stack.service(name).process.pid)).toEqual(before);
    expect((await failed()).extract).toEqual(extract);
  }, 600_000);
});
