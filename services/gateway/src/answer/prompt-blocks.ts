import {
  DOCUMENT_SOURCE,
  oneLine,
  type Contradiction,
  type CoreBlock,
  type CoreLabel,
  type LoreHit,
  type Passage,
  type Quote,
  type TaskView,
  type Wish,
} from '@kith/contracts';
import { expandMacros } from '@kith/characters';
import { wordTask } from '../tools/task-tools.js';
import type { KeptLine } from '../conversations/talk.js';
import { dayAgoInWords } from '../people/day-in-words.js';
import { dataBlock, indented, plainName } from '../safety/prompt-text.js';
import { speakerLabels, type LineAuthor } from '../safety/speaker-labels.js';

const CORE_TITLES: Readonly<Record<CoreLabel, string>> = {
  human: 'Who they are',
  persona: 'How you are with them',
  operator: 'From the operator of this server',
};

/** Before a part of a document among memories. The rehearsal reads it too. */
const FROM_TEXT = 'From a text: ';

/** Shows the person's name as data, outside the system message: its owner chooses it. */
export function personBlock(name: string): string {
  return `<person>\n${plainName(name)}\n</person>`;
}

/** Shows lore as data: it is imported from files of other people. */
export function loreBlock(lore: readonly LoreHit[], companionName: string, personName: string): string {
  const names = { name: companionName, person: plainName(personName) };
  return dataBlock(
    'lore',
    lore.map(({ content }) => expandMacros(content, names)),
  );
}

/**
 * Shows core memory as data, like all that is remembered: people and models write it. Its lines are indented below their
 * title, so that nobody writes the operator's.
 */
export function coreBlock(core: readonly CoreBlock[]): string {
  const told = core.map(({ label, text }) => `${CORE_TITLES[label]} (${label}):${indented(`\n${text}`)}`);
  return dataBlock('core', told);
}

/** Shows the person's wishes and preferences, which count as if they had just said them again. */
export function wishBlock(wishes: readonly Wish[]): string {
  const told = wishes.map(({ text }) => `- ${oneLine(text)}`);
  return dataBlock('wishes', told);
}

/** Shows tasks that are not over, as data: people and models word them. */
export function taskBlock(tasks: readonly TaskView[]): string {
  const told = tasks.map((task) => oneLine(wordTask(task)));
  return dataBlock('tasks', told);
}

/** Message that another refers to, and who wrote it, as far as they are known here. */
export type QuotedMessage = Pick<Quote, 'name' | 'text'> & { personId: string | null };

/**
 * Shows what a message refers to, as data: anybody may have written it.
 * @param context lines of the snapshot, whose speakers have the same names here
 */
export function quoteBlock(
  quotes: readonly QuotedMessage[],
  { kept, companion }: { kept: readonly KeptLine[]; companion: { name: string } },
): string {
  if (quotes.length === 0) return '';
  const speaker = (name: string, personId: string | null): LineAuthor => ({ role: 'person', name, personId });
  const people = quotes.flatMap(({ name, personId }) => (name === null ? [] : speaker(name, personId)));
  const labelOf = speakerLabels([...kept, ...people], companion.name);
  const lines = quotes.map(
    ({ name, personId, text }) =>
      `${name === null ? 'You' : labelOf(speaker(name, personId))}: ${oneLine(text)}`,
  );
  return dataBlock('quoted', [...new Set(lines)]);
}

/** Shows the outcomes of questions about tools. The words are ours; tools' results are marked. */
export function askedBlock(outcomes: readonly string[]): string {
  return outcomes.length === 0 ? '' : ['<asked>', ...outcomes, '</asked>'].join('\n');
}

/** Shows jokes that the two share, as data. */
export function jokeBlock(jokes: readonly string[]): string {
  const told = jokes.map((phrase) => `- ${oneLine(phrase)}`);
  return dataBlock('jokes', told);
}

/**
 * Shows memories by occasion, oldest first, each with its day in words, as the clock of the prompt counts days. The
 * person's own lines need no name; a part of a document says that it is none of their words.
 */
export function memoryBlock(
  passages: readonly Passage[],
  personName: string,
  now: Date,
  timeZone: string | null,
): string {
  const occasions = passages.map(({ saidAt, lines }) => {
    const said = lines.map(({ speaker, text, sources }) => {
      // A companion's own note has the sources of what it repeats.
      const isOfDocument = speaker === null && sources.some((source) => source.startsWith(DOCUMENT_SOURCE));
      const isOwn = speaker === null || speaker === personName;
      const from = isOfDocument ? FROM_TEXT : isOwn ? '' : `${plainName(speaker)}: `;
      return `- ${from}${oneLine(text)}`;
    });
    return [`${dayAgoInWords(new Date(saidAt), now, timeZone)}:`, ...said].join('\n');
  });
  return dataBlock('memories', occasions);
}

/** Shows memories that do not go together, each with its day. */
export function unsettledBlock(contradictions: readonly Contradiction[], now: Date, timeZone: string | null) {
  const pairs = contradictions.map(({ sides }) =>
    sides
      .map(({ text, saidAt }) => `- ${dayAgoInWords(new Date(saidAt), now, timeZone)}: ${oneLine(text)}`)
      .join('\n'),
  );
  return pairs.length === 0 ? '' : dataBlock('unsettled', [pairs.join('\n\n')]);
}
