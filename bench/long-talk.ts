// A conversation of thousands of messages with a model of 8k context: size of the prompts, time of the turns, and
// whether what was told in its first tenth is answered at its end. The model answers from what its prompt and the
// results of its tools hold, and from nothing else.
//   npm run bench:long-talk -- [--messages N]
import { parseArgs } from 'node:util';
import { estimateTokens } from '@kith/llm';
import { callSuite } from './call-suite.ts';
import { nth, oneDigit, percentile, writeResult } from './figures.ts';
import { readNumber } from './options.ts';
import { startOwnSuite } from './own-suite.ts';
import { timedTurn } from './timed-turn.ts';

const FIRST = 'Anselm Birgit Cosmo Dagny Edda Falk Gesine Hanno Ilse Jorn'.split(' ');
const LAST = 'Abel Brandt Claasen Dorn Eberle Frisch Gruber Harms'.split(' ');
const THINGS = 'ledger lantern compass recipe blanket teapot atlas violin kettle ladder'.split(' ');
const person = (at: number) =>
  `${FIRST[at % FIRST.length]} ${LAST[Math.floor(at / FIRST.length) % LAST.length]}`;
const thing = (at: number) => `${THINGS[at % THINGS.length]} number ${3_001 + at * 7}`;

/** Lines of the first tenth that are asked for at the end, with the answer's own words. */
const planted = [
  ...Array.from({ length: 50 }, (_, at) => ({
    kind: 'fact',
    line: `The locker code of ${person(at)} is ${5_003 + at * 11}.`,
    question: `What is the locker code of ${person(at)}?`,
    answer: String(5_003 + at * 11),
  })),
  ...Array.from({ length: 20 }, (_, at) => ({
    kind: 'promise',
    line: `I promised to bring ${person(50 + at)} the ${thing(at)}.`,
    question: `What did I promise to bring ${person(50 + at)}?`,
    answer: thing(at),
  })),
  ...Array.from({ length: 10 }, (_, at) => ({
    kind: 'task',
    line: `I still need to return the ${thing(40 + at)} to ${person(70 + at)}.`,
    question: `What do I still need to return to ${person(70 + at)}?`,
    answer: thing(40 + at),
  })),
];
const { values } = parseArgs({ options: { messages: { type: 'string', default: '5000' } } });
// Each line that is asked for has a turn of its own to be said in.
const turns = Math.floor(readNumber('messages', values.messages, 2 * planted.length) / 2);
const SMALL_TALK = [
  (at: number) => `The walk took ${20 + (at % 40)} minutes today, and the wind was cold by the water.`,
  () => 'I had soup for lunch and then sat in the garden with the paper for a good while.',
  (at: number) => `My neighbour says that it will rain on ${at % 2 ? 'Monday' : 'Sunday'}, but who knows.`,
  () => 'Work was slow again, mostly letters and one long call about nothing in particular.',
  (at: number) => `I read ${10 + (at % 30)} pages of the book about lighthouses before I fell asleep.`,
];
const REPLIES = [
  'That sounds like a good day to me. What will you do next?',
  'I like hearing about it. Tell me how it goes on.',
  'Thank you for telling me; I will think of it when we talk again.',
];

const suite = await startOwnSuite(
  () => ({ CHAT_TOOLS: 'true', MODEL_CARDS: '{"compatible:scripted":{"tools":true}}' }),
  'together',
);
const tokens: number[] = [];
const times: number[] = [];
const found: Record<string, { asked: number; held: number; answered: number }> = {};
let asked: (typeof planted)[number] | null = null;
const missed = new Set<string>();
suite.model.replyWith(({ messages, body }) => {
  const prompt = messages.map(({ text }) => text).join('\n');
  // Tools count, too; the last step of a turn offers none.
  const tools = estimateTokens(JSON.stringify(body['tools'] ?? []));
  tokens.push(messages.reduce((sum, { text }) => sum + estimateTokens(text), tools));
  if (asked === null) return nth(REPLIES, tokens.length);
  if (prompt.includes(asked.answer)) return `It is ${asked.answer}.`;
  missed.add(asked.question);
  if (messages.at(-1)?.role === 'tool') return 'I do not know.';
  return { toolCalls: [{ name: 'search_conversation', arguments: { query: asked.question } }] };
});
try {
  // What is planted stands evenly in the first tenth.
  const every = Math.max(1, Math.floor(turns / 10 / planted.length));
  for (let at = 0; at < turns; at++) {
    const plant = at % every === 0 ? planted[at / every] : undefined;
    times.push((await timedTurn(suite.url, suite.key, plant?.line ?? nth(SMALL_TALK, at)(at))).doneMs);
    suite.model.requests.length = 0;
    if ((at + 1) % 500 === 0) console.error(`${(at + 1) * 2} messages`);
  }
  for (const plant of planted) {
    asked = plant;
    const figures = (found[plant.kind] ??= { asked: 0, held: 0, answered: 0 });
    figures.asked += 1;
    const { reply } = await callSuite<{ reply: string | null }>(suite, 'chat', { message: plant.question });
    figures.answered += reply?.includes(plant.answer) ? 1 : 0;
    figures.held += missed.has(plant.question) ? 0 : 1;
  }
} finally {
  await suite[Symbol.asyncDispose]();
}
const tenth = Math.max(1, Math.floor(times.length / 10));
const report = {
  'prompt tokens': { p50: percentile(tokens, 0.5), p99: percentile(tokens, 0.99), max: Math.max(...tokens) },
  'turn ms, second tenth': spreadOf(times.slice(tenth, 2 * tenth)),
  'turn ms, last tenth': spreadOf(times.slice(-tenth)),
  ...found,
};
console.log(
  `${turns * 2} messages; held: the prompt has the answer; answered: it, or one call of search_conversation`,
);
console.table(report);
await writeResult('long-talk', report);
process.exit(0);

function spreadOf(samples: readonly number[]) {
  const rounded = (share: number) => oneDigit(percentile(samples, share));
  return { p50: rounded(0.5), p99: rounded(0.99), max: Math.round(Math.max(...samples)) };
}
