// How well recall finds in each language: 60 facts and 60 questions of each, in other forms of their words, by the
// service's own analysis, index and ranking, with the offline embedder.   npm run bench:languages
import { readdirSync, readFileSync } from 'node:fs';
import { DAY_MS, firstOf } from '@kith/contracts';
import { nth, oneDigit, writeResult } from './figures.ts';
import { ConversationRecall } from './memory/in-process.ts';
import type { Conversation } from './locomo.ts';

/** Sentences of a language: `{p}` stands for who it is about, `{q}` for the same in a question. */
interface Table {
  people: [told: string, asked: string][];
  topics: [fact: string, question: string][];
  smallTalk: string[];
}

const FOLDER = new URL('./languages/', import.meta.url);
const LIMIT = 5;
/** Days between two lines, so that none is said beside another. */
const BEGAN = Date.parse('2026-01-05T12:00:00Z');
/** A step through the lines that meets each once and leaves none beside those like it. */
const STRIDE = 29;

const result: Record<string, object> = {};
for (const file of readdirSync(FOLDER).toSorted()) {
  const language = file.replace('.json', '');
  const conversation = conversationOf(language, readTable(file));
  const recall = new ConversationRecall(conversation);
  const places = conversation.questions.map(({ question, evidence }) =>
    placeOf(firstOf(evidence), recall.ask(question, LIMIT).ranked.flat()),
  );
  result[language] = { questions: places.length, 'hit@1': percent(places, 1), 'hit@5': percent(places, 5) };
}
console.log('share of questions whose fact is among the first k, in percent');
console.table(result);
await writeResult('languages', result);

function readTable(file: string): Table {
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Table;
}

function conversationOf(id: string, { people, topics, smallTalk }: Table): Conversation {
  const facts = topics.flatMap(([fact, question], topic) =>
    people.map(([told, asked], person) => ({
      id: `${topic}-${person}`,
      said: capital(fact.replace('{p}', told)),
      question: capital(question.replace('{q}', asked)),
    })),
  );
  const said = [...facts, ...smallTalk.map((line, n) => ({ id: `talk-${n}`, said: line }))];
  const turns = said.map((_, n) => {
    const { id: turn, said: text } = nth(said, n * STRIDE);
    return { id: turn, speaker: 'Kim', said: text, text, at: new Date(BEGAN + n * DAY_MS).toISOString() };
  });
  const questions = facts.map(({ id: evidence, question }) => ({
    question,
    answer: null,
    evidence: [evidence],
    category: id,
  }));
  return { id, sessions: turns.length, turns, questions };
}

function placeOf(evidence: string, ranked: readonly string[]): number {
  const at = ranked.indexOf(evidence);
  return at === -1 ? Number.POSITIVE_INFINITY : at + 1;
}

function percent(places: readonly number[], first: number): number {
  return oneDigit((100 * places.filter((place) => place <= first).length) / places.length);
}

function capital(text: string): string {
  const [first = '', ...rest] = text;
  return first.toUpperCase() + rest.join('');
}
