// Time that a night's consolidation of one person takes: what says the same among a day's lines, in which nobody else
// is answered, and the topics of a year's, which are found in parts with others' turns between them. Lines of LoCoMo, of
// forty words, and of 1,500 characters each.
//   npm run bench:consolidation -- FILE
import { DAY_MS } from '@kith/contracts';
import type { Episode } from '../services/memory/dist/consolidation/group-same.js';
import { planConsolidation } from '../services/memory/dist/consolidation/plan-consolidation.js';
import { planTopics } from '../services/memory/dist/consolidation/plan-topics.js';
import { readAllLocomo } from './locomo.ts';
import { nth, writeResult } from './figures.ts';
import { orExit } from './options.ts';

const LINES = 5_000;
const FROM = Date.UTC(2026, 0, 1);

const conversations = await orExit(readAllLocomo(process.argv[2], 'npm run bench:consolidation -- FILE'));
const said = conversations.flatMap(({ turns }) => turns.map((turn) => turn.said));
const kinds: Record<string, string[]> = {
  'of LoCoMo': said,
  'of forty words': madeLines(40, 12),
  'of 1,500 characters': madeLines(1_000, 300),
};
const result: Record<string, object> = {};
for (const [kind, texts] of Object.entries(kinds)) {
  const day = await timed(async () => (await planConsolidation(episodes(texts, 1))).merges.length);
  const year = await timed(async () => (await planTopics(episodes(texts, 365))).length);
  result[`${LINES} lines ${kind}`] = {
    'the same, ms': day.tookMs,
    merges: day.found,
    'topics, ms': year.tookMs,
    topics: year.found,
  };
}
console.table(result);
await writeResult('consolidation', result);

async function timed(plan: () => Promise<number>): Promise<{ found: number; tookMs: number }> {
  const started = performance.now();
  const found = await plan();
  return { found, tookMs: Math.round(performance.now() - started) };
}

/** Makes so many lines over so many days; a text that comes again has another word at its end. */
function episodes(texts: readonly string[], days: number): Episode[] {
  return Array.from({ length: LINES }, (_, n) => ({
    id: String(n).padStart(5, '0'),
    text: n < texts.length ? nth(texts, n) : `${nth(texts, n)} ${'abcdefgh'[n % 8]}x`,
    audience: 'direct',
    importance: 1 + (n % 10),
    saidAt: new Date(FROM + (n * days * DAY_MS) / LINES),
    sources: [`m${n}`],
  }));
}

/** Lines of so many words each, drawn from a vocabulary of so many by a linear congruence, the same at each run. */
function madeLines(vocabulary: number, wordsEach: number): string[] {
  let state = 7;
  const draw = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    const at = Math.floor((state / 2 ** 31) * vocabulary);
    return `w${String.fromCharCode(97 + (at % 26), 97 + (Math.floor(at / 26) % 26), 97 + (at % 7))}`;
  };
  return Array.from({ length: LINES }, () => Array.from({ length: wordsEach }, draw).join(' '));
}
