// How much the offline stand-in answers, on real conversations of LoCoMo: imports each as one person's, then asks its
// questions the whole way, through recall, the gateway's prompt and the rehearsal.
//   npm run bench:rehearsal -- FILE [--held-out N] [--show CATEGORY]
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { lastOf, memoryContract, oneLine } from '@kith/contracts';
import { rehearse } from '@kith/llm';
import * as templates from '../libs/llm/dist/rehearsal/templates.js';
import { analyseText } from '../services/memory/dist/words/analyse-text.js';
import { importConversation } from './import-conversation.ts';
import { readAllLocomo, type Conversation } from './locomo.ts';
import { oneDigit, percentile, printTables, spread, sum, writeResult } from './figures.ts';
import { orExit, readNumber } from './options.ts';
import { startOwnSuite } from './own-suite.ts';
import { plainPrompt } from './plain-prompt.ts';
import { connect } from './side.ts';

/** As the gateway asks for a turn (`compose-context.ts`). */
const RECALL = { limit: 16, maxTokens: 900, passageTokens: 900 };
const PROMPT_TOKENS = 6_000;

/** Words a reply may say without a quote. */
const FIXED = new Set<string>(
  Object.values(templates).flatMap((list) => (Array.isArray(list) ? list : [])) as string[],
);

interface Asked {
  conversation: string;
  category: string;
  question: string;
  gold: string | null;
  reply: string;
  knowsNothing: boolean;
  hasGold: boolean;
  madeUp: string | null;
  ms: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** The last so many conversations were not tuned on: they are told apart. */
    'held-out': { type: 'string', default: '2' },
    /** Prints the questions and replies of a category. */
    show: { type: 'string' },
  },
});
const all = await orExit(readAllLocomo(positionals[0], 'npm run bench:rehearsal -- FILE'));
const heldOut = readNumber('held-out', values['held-out'], 0);
const tuned = new Set(all.slice(0, all.length - heldOut).map(({ id }) => id));
await using suite = await startOwnSuite();
await using side = await connect(suite);
const { messenger } = side;
const asked: Asked[] = [];
for (const conversation of all) {
  const personId = randomUUID();
  await importConversation(messenger, personId, conversation);
  for (const question of conversation.questions) asked.push(await ask(personId, conversation, question));
  console.error(`${conversation.id}: ${conversation.questions.length} questions`);
}
for (const { question, gold, reply } of asked.filter(({ category }) => category === values.show)) {
  console.log(`Q  ${question}\nA  ${gold ?? '(nothing)'}\nR  ${reply}\n`);
}
const madeUp = asked.filter((each) => each.madeUp !== null);
for (const { reply, madeUp: what } of madeUp) console.error(`made up “${what}”: ${reply}`);
console.log('answered: the reply holds every content word of the gold answer, as recall stems them');
console.log('knows nothing: the reply says so, which is right of adversarial questions alone');
const report = {
  tuned: figures(asked.filter(({ conversation }) => tuned.has(conversation))),
  'held out': figures(asked.filter(({ conversation }) => !tuned.has(conversation))),
  all: figures(asked),
};
printTables(report);
const times = spread(asked.map(({ ms }) => ms));
console.log(`replies that state what no line of the prompt and no template says: ${madeUp.length}`);
console.table({ 'ms a reply': times });
await writeResult('rehearsal', { ...report, madeUp: madeUp.length, replyMs: times });
process.exitCode = madeUp.length > 0 ? 1 : 0;

async function ask(
  personId: string,
  { id, turns }: Conversation,
  { question, answer, category }: Conversation['questions'][number],
): Promise<Asked> {
  const now = new Date(Date.parse(lastOf(turns).at) + 86_400_000);
  const { memories, passages, core, tasks, wishes, contradictions } = await messenger.ask(
    memoryContract.recall,
    {
      personId,
      companionId: 'mira',
      audience: 'direct',
      query: question,
      withCore: true,
      ...RECALL,
      now: now.toISOString(),
      countAsUse: false,
    },
  );
  const { messages } = plainPrompt(
    { recalled: memories, passages, core, tasks, wishes, contradictions },
    { said: question, now, limit: PROMPT_TOKENS },
  );
  const started = performance.now();
  const reply = rehearse(messages);
  const ms = performance.now() - started;
  return {
    conversation: id,
    category,
    question,
    gold: answer,
    reply,
    ms,
    knowsNothing: [...templates.KNOWS_NOTHING, ...templates.OF_ITSELF].some((text) => text === reply),
    hasGold: answer !== null && hasWordsOf(answer, reply),
    madeUp: findMadeUp(reply, messages.map(({ content }) => content as string).join('\n')),
  };
}

function hasWordsOf(gold: string, reply: string): boolean {
  const said = new Set(analyseText(reply));
  const wanted = analyseText(gold);
  return wanted.length > 0 && wanted.every((term) => said.has(term));
}

/** Finds words of a reply that are neither a quote from the prompt nor a template; null where there are none. */
function findMadeUp(reply: string, prompt: string): string | null {
  const known = oneLine(prompt);
  // What quotes stand in a line of somebody's are part of the line.
  const [lead = '', ...cited] = reply.split(/(?:^|(?<=[.!?…”] ))(?=(?:And )?[^“”]{1,80}: “)/u);
  for (const citation of lead === '' || lead.includes(': “') ? [lead, ...cited].filter(Boolean) : cited) {
    const from = citation.indexOf('“') + 1;
    const quote = citation.slice(from, citation.lastIndexOf('”'));
    if (!known.includes(oneLine(quote).replaceAll(/^…|…$/g, ''))) return quote;
    const by = citation
      .slice(0, from - 1)
      .replace(/ on \d{1,2} \w+ \d{4}/, '')
      .replace(/^(?:Yes|No), going by this: |^And /, '');
    if (!/^(?:you told me|[\p{L}\p{N} ]{1,40} said): $/iu.test(by)) return by;
  }
  const rest = lead.includes(': “') ? '' : lead.trim();
  return rest === '' || FIXED.has(rest) ? null : rest;
}

function figures(rows: readonly Asked[]): Record<string, Record<string, number>> {
  const byCategory = [...Map.groupBy(rows, ({ category }) => category), ['all', rows] as const];
  return Object.fromEntries(
    byCategory.map(([category, of]) => {
      const percent = (some: (each: Asked) => boolean) =>
        oneDigit((100 * of.filter(some).length) / of.length);
      const lengths = of.map(({ reply }) => reply.length);
      return [
        category,
        {
          questions: of.length,
          'answered %': percent(({ hasGold }) => hasGold),
          'knows nothing %': percent(({ knowsNothing }) => knowsNothing),
          'characters, mean': Math.round(sum(lengths) / of.length),
          'characters, p95': percentile(lengths, 0.95),
          'characters, most': Math.max(...lengths),
        },
      ];
    }),
  );
}
