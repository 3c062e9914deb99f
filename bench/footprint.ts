// What a community's memories cost: writing them, and the memory service's size with 100,000 of 100 people.
//   npm run bench:footprint
import { randomUUID } from 'node:crypto';
import { memoryContract } from '@kith/contracts';
import { spread, writeResult } from './figures.ts';
import { startOwnSuite } from './own-suite.ts';
import { residentMegabytes } from './process-costs.ts';
import { sentence } from './sentences.ts';
import { connect } from './side.ts';

const PEOPLE = 100;
const EACH = 1_000;
const BATCH = 250;
const WRITERS = 4;

await using suite = await startOwnSuite();
await using side = await connect(suite);
const { messenger, owner } = side;
const people = Array.from({ length: PEOPLE }, () => randomUUID());
for (const id of people)
  await owner.query(`INSERT INTO people (person_id, display_name) VALUES ($1, 'bench')`, [id]);
const empty = await residentMegabytes(suite.stack);
const started = performance.now();
const queue = people.flatMap((personId) =>
  Array.from({ length: EACH / BATCH }, (_, batch) => ({ personId, batch })),
);
await Promise.all(Array.from({ length: WRITERS }, () => write(queue)));
const seconds = (performance.now() - started) / 1_000;
const written = await residentMegabytes(suite.stack);
const times: number[] = [];
for (let round = 0; round < 3; round += 1) {
  for (const personId of people) times.push(await recall(personId, round));
}
const result = {
  'written, kept and indexed a second': Math.round((PEOPLE * EACH) / seconds),
  'memory service, MB': {
    empty: empty['memory'],
    written: written['memory'],
    'searched by all': (await residentMegabytes(suite.stack))['memory'],
  },
  'recall of a person in turn, ms': spread(times),
};
console.log(result);
await writeResult('footprint', result);

async function write(queue: { personId: string; batch: number }[]): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { personId, batch } = next;
    const records = Array.from({ length: BATCH }, (_, n) => ({
      text: sentence(batch * BATCH + n),
      saidAt: new Date(Date.UTC(2026, 0, 1) + (batch * BATCH + n) * 3_600_000).toISOString(),
    }));
    await messenger.ask(
      memoryContract.import,
      { personId, companionId: 'mira', records },
      { timeoutMs: 60_000 },
    );
  }
}

async function recall(personId: string, round: number): Promise<number> {
  const started = performance.now();
  const { memories } = await messenger.ask(memoryContract.recall, {
    personId,
    companionId: 'mira',
    audience: 'direct',
    countAsUse: false,
    query: `which kettle did I find near the harbour with number ${round}?`,
    now: new Date().toISOString(),
  });
  if (memories.length === 0) throw new Error('a recall was empty');
  return performance.now() - started;
}
