// How well recall finds, on real conversations of LoCoMo: imports each as one person's, then asks its questions
// through the service's own recall.   npm run bench:memory -- FILE [--held-out N] [--index exact|qdrant]
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { memoryContract } from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { QdrantDouble } from '@kith/testing';
import { importConversation } from './import-conversation.ts';
import { readAllLocomo, type Conversation } from './locomo.ts';
import { spread, startOwnSuite } from './own-suite.ts';
import { Tally } from './tally.ts';
import { writeResult } from './write-result.ts';

const BLOCK_TOKENS = 1_000;
const LIMIT = 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** The last so many conversations were not tuned on: they are told apart. */
    'held-out': { type: 'string', default: '2' },
    index: { type: 'string', default: 'exact' },
  },
});
const all = await readAllLocomo(positionals[0], 'npm run bench:memory -- FILE', (path) =>
  readFile(path, 'utf8'),
).catch((error: Error) => {
  console.error(error.message);
  process.exit(2);
});
const heldOut = Number(values['held-out']);
const qdrant = values.index === 'qdrant' ? await QdrantDouble.start() : null;
const suite = await startOwnSuite(() => (qdrant ? { VECTOR_INDEX: 'qdrant', QDRANT_URL: qdrant.url } : {}));
const messenger = new Messenger({ redisUrl: suite.stack.redis.url, service: 'bench' });
const tallies = { tuned: new Tally(), 'held out': new Tally(), all: new Tally() };
const times: number[] = [];
try {
  for (const [place, conversation] of all.entries()) {
    const personId = randomUUID();
    await importConversation(messenger, personId, conversation);
    const part = place >= all.length - heldOut ? tallies['held out'] : tallies.tuned;
    await ask(personId, conversation, [part, tallies.all]);
    console.error(
      `${conversation.id}: ${conversation.turns.length} turns, ${conversation.questions.length} questions`,
    );
  }
} finally {
  await messenger.close();
  await suite.stop();
  await qdrant?.stop();
}
console.log(
  'hit@k: share of questions with an evidence turn among k (in brackets: share of evidence turns found)',
);
console.log(`block: with one inside the expanded block of at most ${BLOCK_TOKENS} tokens`);
for (const [name, tally] of Object.entries(tallies)) {
  if (tally.isEmpty) continue;
  console.log(name);
  console.table(tally.table());
}
console.table({ 'ms a recall': spread(times) });
const report = Object.fromEntries(Object.entries(tallies).map(([name, tally]) => [name, tally.figures()]));
await writeResult('memory', { ...report, recallMs: spread(times) });

async function ask(personId: string, { questions, turns }: Conversation, into: Tally[]): Promise<void> {
  const now = new Date(Date.parse(turns.at(-1)!.at) + 86_400_000).toISOString();
  for (const { question, evidence, category } of questions) {
    if (category === 'adversarial' || evidence.length === 0) continue;
    const started = performance.now();
    const { memories, passages, degraded } = await messenger.ask(memoryContract.recall, {
      personId,
      companionId: 'mira',
      audience: 'direct',
      query: question,
      limit: LIMIT,
      maxTokens: 100_000,
      passageTokens: BLOCK_TOKENS,
      now,
      countAsUse: false,
    });
    times.push(performance.now() - started);
    if (degraded.length > 0) throw new Error(`a recall was degraded: ${degraded.join(', ')}`);
    const block = passages.flatMap(({ lines }) => lines.flatMap(({ sources }) => sources));
    for (const tally of into)
      tally.add(
        category,
        evidence,
        memories.map(({ sources }) => sources),
        block,
      );
  }
}
