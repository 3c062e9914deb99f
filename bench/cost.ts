// What remembering costs with a fast model: prompt tokens for each turn, counted by the model's side.   npm run bench:cost
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastOf } from '@kith/contracts';
import type { Story } from '../services/memory/dist/facts/testing-story.js';
import { callSuite } from './call-suite.ts';
import { sum, writeResult } from './figures.ts';
import { startOwnSuite } from './own-suite.ts';

/** A busy evening: talk in spells, with pauses in which it is read. */
const SPELLS = 5;
/** Longer than memory waits for more before it reads. */
const PAUSE_MS = 24_000;
/** Companion's line that asks, as companions do: what is asked is shown with what answers it. */
const REPLY =
  'I see, that is quite something, and I am glad that you told me. How do you feel about it by now?';
const NOTES = /^You keep notes for /;

const file = join(import.meta.dirname, '../services/memory/src/facts/stories.json');
const stories = JSON.parse(await readFile(file, 'utf8')) as Story[];
const lines = stories.flatMap((story) => story.lines.map(([, text]) => text));
await using suite = await startOwnSuite((model) => ({ GROQ_API_KEY: 'a-key', GROQ_BASE_URL: model.url }));
/** Prompt tokens of each call. */
const asked: number[] = [];
suite.model.replyWith(({ messages }) => {
  const [system] = messages;
  if (!NOTES.test(system?.text ?? '')) return REPLY;
  // As providers count, near enough: four characters a token.
  asked.push(Math.ceil(messages.map(({ text }) => text).join('').length / 4));
  const said = lastOf(messages)
    .text.split('\n')
    .filter((line) => /^\d+\. \[/.test(line));
  const notes = said.map((_, n) => ({
    line: n + 1,
    about: 'self',
    attribute: `thing ${n}`,
    value: `thing ${n}`,
    lasts: 'always',
    date: null,
    sure: true,
    ends: null,
    sentence: `They have thing ${n}.`,
    importance: 4,
  }));
  return JSON.stringify({ notes });
});
const each = Math.ceil(lines.length / SPELLS);
for (let spell = 0; spell < SPELLS; spell += 1) {
  for (const line of lines.slice(spell * each, (spell + 1) * each))
    await callSuite(suite, 'chat', { message: line });
  console.log(`spell ${spell + 1} of ${SPELLS}, ${asked.length} calls so far`);
  await sleep(PAUSE_MS);
}
const tokens = sum(asked);
const result = {
  turns: lines.length,
  calls: asked.length,
  'prompt tokens a call': Math.round(tokens / asked.length),
  'prompt tokens a turn': Math.round(tokens / lines.length),
  'of one turn read alone, at most': Math.max(...asked),
};
console.table(result);
await writeResult('cost', result);
