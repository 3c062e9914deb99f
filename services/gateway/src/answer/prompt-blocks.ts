import type {
  Contradiction,
  CoreBlock,
  CoreLabel,
  LoreHit,
  Passage,
  Quote,
  TaskView,
  Wish,
} from '@kith/contracts';
import { wordTask } from '../tools/task-tools.js';
import { dayInWords } from './day-in-words.js';
import { neutral, oneLine, plainName } from '../safety/prompt-text.js';

const CORE_TITLES: Readonly<Record<CoreLabel, string>> = {
  human: 'Who they are',
  persona: 'How you are with them',
  operator: 'From the operator of this server',
};

/** A name is its owner's to choose, so it is data and no part of the system message. */
export function personBlock(name: string): string {
  return `<person>\n${plainName(name)}\n</person>`;
}

/** Lore, as data too: it is imported from files of other people. */
export function loreBlock(lore: readonly LoreHit[], companionName: string, personName: string): string {
  if (lore.length === 0) return '';
  const names = { char: companionName, user: plainName(personName) };
  const told = lore.map(({ content }) =>
    neutral(content).replaceAll(/\{\{(char|user)\}\}/gi, (_, who: string) =>
      who.toLowerCase() === 'char' ? names.char : names.user,
    ),
  );
  return ['<lore>', ...told, '</lore>'].join('\n');
}

/** Core memory, as data like all that is remembered: people and models write it. */
export function coreBlock(core: readonly CoreBlock[]): string {
  if (core.length === 0) return '';
  const blocks = core.map(({ label, text }) => `${CORE_TITLES[label]} (${label}):\n${neutral(text)}`);
  return ['<core>', ...blocks, '</core>'].join('\n');
}

/** Shows how they want to be answered and what they prefer: theirs to say, as if they had just said it again. */
export function wishBlock(wishes: readonly Wish[]): string {
  if (wishes.length === 0) return '';
  return ['<wishes>', ...wishes.map(({ text }) => `- ${oneLine(neutral(text))}`), '</wishes>'].join('\n');
}

/** Shows tasks that are not over, as data: people and models word them. */
export function taskBlock(tasks: readonly TaskView[]): string {
  if (tasks.length === 0) return '';
  return ['<tasks>', ...tasks.map((task) => oneLine(neutral(wordTask(task)))), '</tasks>'].join('\n');
}

/** Quotes the message referred to, which anybody may have written. */
export function quoteBlock(quotes: readonly Quote[]): string {
  if (quotes.length === 0) return '';
  const lines = quotes.map(
    ({ name, text }) => `${name === null ? 'You' : plainName(name)}: ${oneLine(neutral(text))}`,
  );
  return ['<quoted>', ...new Set(lines), '</quoted>'].join('\n');
}

/** Tells what became of questions about tools. They are worded by us, and what tools told is marked in them. */
export function askedBlock(outcomes: readonly string[]): string {
  return outcomes.length === 0 ? '' : ['<asked>', ...outcomes, '</asked>'].join('\n');
}

/** Shows jokes of the two, as data. */
export function jokeBlock(jokes: readonly string[]): string {
  if (jokes.length === 0) return '';
  return ['<jokes>', ...jokes.map((phrase) => `- ${oneLine(neutral(phrase))}`), '</jokes>'].join('\n');
}

/** The occasions, the oldest first, each with its date in words; a line of the person's own needs no name. */
export function memoryBlock(passages: readonly Passage[], personName: string, now: Date): string {
  if (passages.length === 0) return '';
  const occasions = passages.map(({ saidAt, lines }) => {
    const said = lines.map(({ speaker, text }) => {
      const isOwn = speaker === null || speaker === personName;
      return `- ${isOwn ? '' : `${plainName(speaker)}: `}${oneLine(neutral(text))}`;
    });
    return [`${dayInWords(new Date(saidAt), now)}:`, ...said].join('\n');
  });
  return ['<memories>', ...occasions, '</memories>'].join('\n');
}

/** Shows memories that do not go together, each with its date. */
export function unsettledBlock(contradictions: readonly Contradiction[], now: Date): string {
  if (contradictions.length === 0) return '';
  const pairs = contradictions.map(({ sides }) =>
    sides
      .map(({ text, saidAt }) => `- ${dayInWords(new Date(saidAt), now)}: ${oneLine(neutral(text))}`)
      .join('\n'),
  );
  return ['<unsettled>', pairs.join('\n\n'), '</unsettled>'].join('\n');
}
