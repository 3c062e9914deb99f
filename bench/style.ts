// Do companions keep their voices? The same lines are said to each shipped companion through the whole suite, and a
// model that sees only what each is like, and one reply, says whose it is: chance is a third.
//   CHAT_MODELS=… (and its key) npm run bench:style
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { completeJson, createModelRoles, type ModelRole } from '@kith/llm';
import { modelSettings } from '@kith/service-host/common-settings';
import { defineSettings, readSettings } from '@kith/service-host/settings';
import { z } from 'zod';
import { callSuite } from './call-suite.ts';
import { nth, oneDigit, writeResult } from './figures.ts';
import { startOwnSuite } from './own-suite.ts';

interface Voice {
  id: string;
  name: string;
  tagline: string;
  style: { tone: string; length: string; says: string[]; neverSays: string[]; emoji: string };
}

/** Small talk, a joy, a grief, a question of fact, a request, a provocation: what a voice has to survive. */
const LINES = [
  'hey, how is your day going?',
  'I finally passed my driving test!',
  'my grandmother died on Sunday and I do not know what to do with myself',
  'why is the sky blue?',
  'can you help me plan three dinners for this week?',
  'you are just a stupid bot, aren’t you',
  'I had the same argument with my sister again',
  'tell me something I probably do not know',
  'should I learn the piano or the violin?',
  'I can’t sleep',
  'my boss wants the report by tomorrow and I have not started',
  'ok, I have to go now. talk soon!',
];

const models = readSettings(defineSettings({ models: modelSettings() }), process.env).models;
const { chat, fast } = createModelRoles(models);
if (chat.models.every((model) => model === 'rehearsal')) {
  console.error('bench:style needs a model: set CHAT_MODELS and its key, see .env.example');
  process.exit(2);
}
const judge = fast ?? chat;
const voices = await shippedVoices();
await using suite = await startOwnSuite(() => ({
  ...modelEnvironment(),
  CHAT_MODELS: chat.models.join(','),
  FAST_MODELS: fast?.models.join(',') ?? '',
}));
const figures: Record<string, Record<string, number>> = {};
const misses: string[] = [];
for (const voice of voices) {
  const guessed: Record<string, number> = Object.fromEntries(voices.map(({ name }) => [name, 0]));
  let broken = 0;
  for (const [n, line] of LINES.entries()) {
    const reply = await say(voice, line);
    const guess = await whoseIs(judge, reply, line, n);
    guessed[guess.name] = (guessed[guess.name] ?? 0) + 1;
    if (breaksStyle(voice, reply)) broken += 1;
    if (guess.id !== voice.id) misses.push(`${voice.name}, taken for ${guess.name}: ${reply.slice(0, 120)}`);
    process.stderr.write(`\r${voice.name}: ${n + 1} of ${LINES.length}  `);
  }
  figures[voice.name] = { ...guessed, 'says what it never says': broken };
}
process.stderr.write('\n');
console.log(
  `replies by ${chat.models.join(', ')}; judged by ${judge.models.join(', ')}: whose each was taken for`,
);
console.table(figures);
for (const miss of misses) console.log(miss);
const right = voices.reduce((sum, { name }) => sum + (figures[name]?.[name] ?? 0), 0);
const share = oneDigit((100 * right) / (voices.length * LINES.length));
console.log(`${share} % of replies were known by their voice`);
await writeResult('style', { share, figures, misses });

async function shippedVoices(): Promise<Voice[]> {
  const directory = join(import.meta.dirname, '../services/personality/companions');
  const files = (await readdir(directory)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (name) => JSON.parse(await readFile(join(directory, name), 'utf8')) as Voice),
  );
}

/** The settings of models alone: everything else is the measurement's own. */
function modelEnvironment(): Record<string, string> {
  const isOfModels = (name: string) => /^MODEL_|_(API_KEY|BASE_URL)$/.test(name);
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value && isOfModels(name) ? [[name, value] as const] : [],
    ),
  );
}

/** Each line begins a conversation of its own: the voice is the persona's, not the talk's. */
async function say(voice: Voice, line: string): Promise<string> {
  const conversation = `style-${LINES.indexOf(line)}`;
  const said = { message: line, companion: voice.id, conversation };
  const { reply } = await callSuite<{ reply: string | null }>(suite, 'chat', said);
  if (!reply) throw new Error(`${voice.name} did not answer`);
  return reply;
}

/** @param turn which line it is: the order of the companions changes with it, so that no place is favoured */
async function whoseIs(role: ModelRole, reply: string, line: string, turn: number): Promise<Voice> {
  const order = voices.map((_, n) => nth(voices, n + turn));
  const letters = order.map((_, n) => String.fromCharCode(65 + n));
  const described = order.map(({ tagline, style }, n) => `${letters[n]}. ${tagline} ${style.tone}`);
  const { who } = await completeJson(
    role,
    {
      system: `Three companions answer in a chat. Say which of them wrote a reply, by its voice alone.\n${described.join('\n')}`,
      user: `Somebody said: ${line}\nThe reply: ${withoutNames(reply)}`,
    },
    z.object({ who: z.enum(letters) }),
  );
  return nth(order, letters.indexOf(who));
}

function withoutNames(reply: string): string {
  return voices.reduce((text, { name }) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'gi'), '…'), reply);
}

function breaksStyle({ style }: Voice, reply: string): boolean {
  const said = reply.toLowerCase();
  const isForbidden = style.neverSays.some((phrase) => said.includes(phrase.toLowerCase()));
  return isForbidden || (style.emoji === 'never' && /\p{Extended_Pictographic}/u.test(reply));
}
