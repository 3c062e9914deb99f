// What each number of recall is worth: ranks LoCoMo questions with half and with twice of it, in this process, by the
// service's own functions.   npm run tune:recall -- FILE [--tune 3]
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { embedLexically } from '@kith/lexical-embedding';
import { analyseText } from '../services/memory/dist/recall/analyse-text.js';
import { chooseMemories, scoreCandidates } from '../services/memory/dist/recall/rank-memories.js';
import { readQuestion } from '../services/memory/dist/recall/read-question.js';
import { TUNED } from '../services/memory/dist/recall/tuned.js';
import { scoreImportance } from '../services/memory/dist/remembering/score-importance.js';
import { countTerms } from '../services/memory/dist/storage/bm25.js';
import { dotProduct, PersonVectors } from '../services/memory/dist/storage/person-vectors.js';
import { readAllLocomo, type Conversation } from './locomo.ts';
import { Tally } from './tally.ts';

const LIMIT = 20;
const CANDIDATES = 60;
const SCOPE = { companionId: 'mira', audience: 'direct' };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tune: { type: 'string', default: '3' } },
});
const all = await readAllLocomo(positionals[0], 'npm run tune:recall -- FILE', (path) =>
  readFile(path, 'utf8'),
).catch((error: Error) => {
  console.error(error.message);
  process.exit(2);
});
const toTune = Number(values.tune);
const prepared = all.map(prepare);

/** Where a number of `TUNED` stands, and how to set it. */
interface Knob {
  name: string;
  value: number;
  set: (value: number) => void;
}

const table: Record<string, Record<string, string>> = { 'as it is': figures() };
for (const { name, value, set } of knobs()) {
  for (const [what, tried] of [
    ['none', 0],
    ['half', value / 2],
    ['twice', value * 2],
  ] as const) {
    set(tried);
    table[`${name} ${value}: ${what}`] = figures();
  }
  set(value);
}
console.log(`hit@5 / hit@10 / nDCG@10, on the ${toTune} conversations to tune on and on the others`);
console.table(table);

function knobs(): Knob[] {
  const list = (name: 'before' | 'after'): Knob => ({
    name,
    value: 1,
    set: scale(name),
  });
  const plain = (['k1', 'b', 'speakerFit', 'questionFit', 'whenFit', 'mmrLambda'] as const).map(
    (name): Knob => ({
      name,
      value: TUNED[name],
      set: (value) => (TUNED[name] = value),
    }),
  );
  const dense = {
    name: 'denseWeight',
    value: TUNED.denseWeight.lexical,
    set: (value: number) => (TUNED.denseWeight.lexical = value),
  };
  return [list('before'), list('after'), ...plain, dense];
}

/** All shares of one side together. */
function scale(side: 'before' | 'after'): (by: number) => void {
  const shares = [...TUNED[side]];
  return (by) => (TUNED[side] = shares.map((share) => share * by));
}

function figures(): Record<string, string> {
  const row = (some: typeof prepared) => {
    if (some.length === 0) return '–';
    const tally = new Tally();
    for (const one of some) ask(one, tally);
    const { all: sums } = tally.figures();
    return `${sums!['hit@5']} / ${sums!['hit@10']} / ${sums!['nDCG@10']}`;
  };
  return { tuned: row(prepared.slice(0, toTune)), others: row(prepared.slice(toTune)) };
}

function prepare(conversation: Conversation) {
  const lines = conversation.turns.map((turn, at) => ({
    ...turn,
    row: String(at).padStart(6, '0'),
    vector: embedLexically(turn.said, 'document'),
    importance: scoreImportance(turn.said),
  }));
  const vectors = new PersonVectors(lines[0]!.vector.length);
  vectors.add(
    lines.map(({ row, vector, said, at }) => ({
      id: row,
      ...SCOPE,
      vector,
      terms: Object.fromEntries(countTerms(analyseText(said))),
      conversation: conversation.id,
      saidAt: Date.parse(at),
    })),
  );
  const speakers = [...new Set(lines.map(({ speaker }) => speaker))];
  const questions = conversation.questions
    .filter(({ category, evidence }) => category !== 'adversarial' && evidence.length > 0)
    .map((one) => ({ ...one, vector: embedLexically(one.question, 'query') }));
  return { lines, vectors, speakers, questions };
}

function ask({ lines, vectors, speakers, questions }: ReturnType<typeof prepare>, tally: Tally): void {
  const byRow = new Map(lines.map((line) => [line.row, line]));
  const now = new Date(Date.parse(lines.at(-1)!.at) + 86_400_000);
  for (const { question: query, vector, evidence, category } of questions) {
    const question = readQuestion(query, speakers, now);
    const found = vectors.search(SCOPE, {
      vector,
      terms: question.terms,
      limit: CANDIDATES,
      spellingOnly: true,
    });
    const scores = { dense: scoresOf(found.dense), words: scoresOf(found.lexical) };
    const candidates = [...new Set([...scores.dense.keys(), ...scores.words.keys()])].map((id) => {
      const { said, speaker, importance, at } = byRow.get(id)!;
      return {
        ...{
          id,
          text: said,
          speaker,
          importance,
          saidAt: new Date(at),
          lastRecalledAt: null,
          validFrom: null,
          validTo: null,
          pinned: false,
          timesUsed: 0,
          feltPleasure: null,
        },
        ...{ denseRank: null, lexicalRank: null },
        ...{ similarity: scores.dense.get(id) ?? null, words: scores.words.get(id) ?? null },
      };
    });
    const ranked = scoreCandidates(candidates, { question, kind: 'lexical', now });
    const alike = (a: { id: string }, b: { id: string }) =>
      Math.max(0, dotProduct(byRow.get(a.id)!.vector, 0, byRow.get(b.id)!.vector));
    const chosen = chooseMemories(ranked.slice(0, 3 * LIMIT), { limit: LIMIT, maxTokens: 100_000 }, alike);
    tally.add(
      category,
      evidence,
      chosen.map(({ candidate }) => [byRow.get(candidate.id)!.id]),
      [],
    );
  }
}

function scoresOf(found: readonly { id: string; score: number }[]): Map<string, number> {
  return new Map(found.map(({ id, score }) => [id, score]));
}
