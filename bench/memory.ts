// How well recall finds, on real conversations of LoCoMo (two people) and BEAM (a person with an assistant), beside BM25
// and TF-IDF over the same messages; in this process by the service's own functions, or through a suite of its own.
//   npm run bench:memory -- FILE… [--index exact|qdrant] [--embedder offline|use-lite] [--ablate]
import { parseArgs } from 'node:util';
import { present } from '@kith/contracts';
import { readQuestion } from '../services/memory/dist/recall/read-question.js';
import { TUNED } from '../services/memory/dist/words/tuned.js';
import { ablations } from './memory/ablations.ts';
import { bm25, ngramTfIdf } from './memory/baselines.ts';
import { areaUnderRoc, compare, inWords } from './memory/compare.ts';
import { openEmbedder } from './memory/encoder/embedders.ts';
import { BLOCK_TOKENS, ConversationRecall, prepareVectors, type Recalled } from './memory/in-process.ts';
import { readMeasuredSets, UNANSWERABLE, type MeasuredSet } from './memory/measured-sets.ts';
import { meanOf, measure, MEASURES, type Outcome } from './memory/outcome.ts';
import { startService, type Served } from './memory/through-service.ts';
import type { Conversation } from './locomo.ts';
import { nth, oneDigit, spread, writeResult } from './figures.ts';
import { orExit } from './options.ts';

const LIMIT = 20;
const BASELINES = { BM25: bm25, 'TF-IDF': ngramTfIdf };
/** Every other conversation: one half to tune on, the other to check on. */
const HALVES = ['tuned on', 'checked on'] as const;

/** Abilities that need what was asked for once, whatever is asked now. */
const WISHED = new Set(['instruction_following', 'preference_following']);

/** Outcome of one question. */
interface Answered {
  ability: string;
  half: (typeof HALVES)[number];
  ours: Outcome;
  theirs: Record<keyof typeof BASELINES, Outcome>;
  isAnswerable: boolean;
  score: number;
  /** True where evidence is among the first ten, or told as a wish. */
  isTold: boolean;
  /** Contradictions that it is told, and whether one is between messages of the evidence. */
  contradictions: number;
  isRightPair: boolean;
  /** Share of the evidence in the prompt's block. */
  inBlock: number;
  /** All occurrences of something that it asks for. */
  asksAll: 'order' | 'count' | null;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    index: { type: 'string' },
    embedder: { type: 'string', default: 'offline' },
    ablate: { type: 'boolean', default: false },
  },
});
const sets = await orExit(readMeasuredSets(positionals, 'npm run bench:memory -- FILE…'));
const embedder = await orExit(openEmbedder(values.embedder));
try {
  if (values.ablate) await ablate();
  else await report();
} finally {
  embedder.stop();
}

async function report(): Promise<void> {
  const service = values.index === undefined ? null : await startService(values.index, embedder.settings);
  const result: Record<string, object> = {};
  const served: Served[] = [];
  try {
    for (const set of sets) {
      const answered = await answer(set, async (conversation) => {
        if (!service) return inProcess(conversation);
        const ask = await service.import(conversation);
        return async (question) => {
          const one = await ask(question, LIMIT);
          served.push(one);
          return one;
        };
      });
      result[set.name] = tell(set.name, answered);
    }
  } finally {
    await service?.stop();
  }
  if (served.length > 0) console.table({ 'ms a recall': spread(served.map(({ tookMs }) => tookMs)) });
  await writeResult('memory', result);
}

async function inProcess(conversation: Conversation): Promise<(question: string) => Promise<Recalled>> {
  await prepareVectors(embedder, conversation);
  const recall = new ConversationRecall(conversation, { embedder });
  return (question) => Promise.resolve(recall.ask(question, LIMIT));
}

async function answer(
  { conversations }: MeasuredSet,
  recallOf: (conversation: Conversation) => Promise<(question: string) => Promise<Recalled>>,
): Promise<Answered[]> {
  const answered: Answered[] = [];
  for (const [place, conversation] of conversations.entries()) {
    const recall = await recallOf(conversation);
    const baselines = Object.entries(BASELINES).map(([name, make]) => [name, make(conversation)] as const);
    for (const { question, evidence, category } of conversation.questions) {
      const isAnswerable = !UNANSWERABLE.has(category);
      if (isAnswerable && evidence.length === 0) continue;
      const { ranked, score, block, wishes, contradictions } = await recall(question);
      const isTold = [...wishes, ...ranked.slice(0, 10).flat()].some((id) => evidence.includes(id));
      const theirs = baselines.map(([name, rank]) => [
        name,
        measure(
          evidence,
          rank(question, LIMIT).map((id) => [id]),
        ),
      ]);
      answered.push({
        ability: category,
        half: nth(HALVES, place),
        isAnswerable,
        isTold,
        score,
        contradictions: contradictions.length,
        isRightPair: contradictions.some((sides) => sides.every((id) => evidence.includes(id))),
        inBlock: evidence.filter((id) => block.includes(id)).length / Math.max(1, evidence.length),
        asksAll: readQuestion(question, [], new Date()).asksAll,
        ours: measure(evidence, ranked),
        theirs: Object.fromEntries(theirs) as Answered['theirs'],
      });
    }
  }
  return answered;
}

/** Prints a set's tables; gives what they hold. */
function tell(name: string, answered: readonly Answered[]): object {
  const answerable = answered.filter(({ isAnswerable }) => isAnswerable);
  const parts = [
    ['all', answerable] as const,
    ...Map.groupBy(answerable, ({ half }) => half),
    ...[...Map.groupBy(answerable, ({ ability }) => ability)].sort(([a], [b]) => (a < b ? -1 : 1)),
  ];
  const figures = parts.map(([part, some]) => [part, figuresOf(some)] as const);
  const against = Object.fromEntries(
    Object.keys(BASELINES).map((baseline) => [
      `less ${baseline}`,
      Object.fromEntries(
        MEASURES.map((measured) => {
          const scores = (outcome: (each: Answered) => Outcome) =>
            answerable.map((each) => 100 * outcome(each)[measured]);
          const difference = compare(
            scores(({ ours }) => ours),
            scores(({ theirs }) => theirs[baseline as keyof typeof BASELINES]),
          );
          return [measured, inWords(difference)];
        }),
      ),
    ]),
  );
  const scoresOf = (wanted: boolean) =>
    answered.filter(({ isAnswerable }) => isAnswerable === wanted).map(({ score }) => score);
  const auroc = areaUnderRoc(scoresOf(true), scoresOf(false));
  console.log(`\n${name}: share of questions with an evidence message among the first k, in percent`);
  console.table(Object.fromEntries(figures));
  console.log('the difference to what a library finds, with 95 % intervals by question');
  console.table(against);
  const wished = answerable.filter(({ ability }) => WISHED.has(ability));
  if (wished.length > 0)
    console.log(
      `instructions and preferences: the rule or its line in the prompt ${oneDigit((100 * wished.filter(({ isTold }) => isTold).length) / wished.length)} % (${[...Map.groupBy(wished, ({ ability }) => ability)].map(([ability, some]) => `${ability} ${oneDigit((100 * some.filter(({ isTold }) => isTold).length) / some.length)}`).join(', ')})`,
    );
  const contrary = (of: boolean) =>
    answered.filter(({ ability }) => (ability === 'contradiction_resolution') === of);
  const noticed = (of: boolean) => contrary(of).filter(({ contradictions }) => contradictions > 0).length;
  console.log(
    `contradictions told: ${noticed(true)} of ${contrary(true).length} questions of contradiction (both sides as named: ${contrary(true).filter(({ isRightPair }) => isRightPair).length}), ${noticed(false)} of ${contrary(false).length} others`,
  );
  const shown = (some: readonly Answered[], of: (each: Answered) => number) =>
    oneDigit((100 * some.reduce((sum, each) => sum + of(each), 0)) / some.length);
  console.log(
    `in the block of ${BLOCK_TOKENS} tokens: evidence ${shown(answerable, ({ inBlock }) => Number(inBlock > 0))} %, of all evidence ${shown(answerable, ({ inBlock }) => inBlock)} %`,
  );
  for (const [asks, some] of Map.groupBy(answerable, ({ asksAll }) => asksAll)) {
    if (asks)
      console.log(
        `  of all evidence of ${some.length} questions for ${asks}: ${shown(some, ({ inBlock }) => inBlock)} %`,
      );
  }
  console.log(`answerable against unanswerable by the best score: AUROC ${auroc.toFixed(3)}`);
  return { ...Object.fromEntries(figures), against, auroc };
}

function figuresOf(some: readonly Answered[]): Record<string, number> {
  const own = meanOf(some.map(({ ours }) => ours));
  const of = (baseline: keyof typeof BASELINES) => meanOf(some.map(({ theirs }) => theirs[baseline]));
  return {
    questions: some.length,
    ...Object.fromEntries(MEASURES.map((name) => [name, oneDigit(own[name])])),
    ...Object.fromEntries(
      (Object.keys(BASELINES) as (keyof typeof BASELINES)[]).map((name) => [
        `${name} @10`,
        oneDigit(of(name)['hit@10']),
      ]),
    ),
  };
}

/** Prints what each number of recall is worth: hit@10 and nDCG@10 without it, on both halves of every set. */
async function ablate(): Promise<void> {
  for (const { conversations } of sets)
    for (const conversation of conversations) await prepareVectors(embedder, conversation);
  const ready = sets.map((set) => ({
    ...set,
    recalls: set.conversations.map((conversation) => new ConversationRecall(conversation, { embedder })),
  }));
  const run = () =>
    ready.map(({ conversations, recalls }) =>
      conversations.flatMap(({ questions }, place) =>
        questions
          .filter(({ category, evidence }) => !UNANSWERABLE.has(category) && evidence.length > 0)
          .map(({ question, evidence }) => ({
            half: HALVES[place % 2],
            ours: measure(evidence, present(recalls[place]).ask(question, LIMIT).ranked),
          })),
      ),
    );
  const asItIs = run();
  const table: Record<string, Record<string, string>> = {};
  for (const { name, undo } of ablations(TUNED)) {
    for (const { recalls } of ready) for (const recall of recalls) recall.fill();
    const without = run();
    undo();
    table[name] = Object.fromEntries(
      ready.flatMap((set, at) =>
        [...HALVES, undefined].map((half) => {
          const own = present(asItIs[at]).filter((each) => half === undefined || each.half === half);
          const other = present(without[at]).filter((each) => half === undefined || each.half === half);
          const cells = (['hit@10', 'nDCG@10'] as const).map((measured) => {
            const scores = (some: typeof own) => some.map(({ ours }) => 100 * ours[measured]);
            const difference = compare(scores(other), scores(own));
            return half === undefined ? inWords(difference) : difference.mean.toFixed(1);
          });
          return [`${set.name}${half === undefined ? '' : ` (${half})`}`, cells.join(' / ')];
        }),
      ),
    );
  }
  console.log('what changes without each: hit@10 / nDCG@10 in points, with 95 % intervals by question');
  console.table(table);
  await writeResult('memory-ablations', table);
}
