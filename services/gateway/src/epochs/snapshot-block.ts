import type { KeptLine } from '../conversations/talk.js';
import { plainName } from '../safety/prompt-text.js';
import { factLine } from './fact-line.js';
import { shortLine } from './short-line.js';

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });

/** Line as it is told. */
type ToldLine = Pick<KeptLine, 'name' | 'text' | 'at' | 'asFact'>;

/** Words a line in short: by its sentences that say most, or by its facts. */
export function wordsTold({ text, asFact }: Pick<ToldLine, 'text' | 'asFact'>): string {
  return asFact ? factLine(text) : shortLine(text);
}

/**
 * Words a snapshot as data: its lines by their days, with each speaker's facts on one line. The same lines always give
 * the same words, so that hosts can cache the beginning of a prompt. The words are kept as long as the list of lines is:
 * making them takes some two milliseconds.
 */
export function snapshotBlock(kept: readonly ToldLine[]): string {
  if (kept.length === 0) return '';
  const known = blocks.get(kept) ?? worded(kept);
  blocks.set(kept, known);
  return known;
}

const blocks = new WeakMap<readonly ToldLine[], string>();

function worded(kept: readonly ToldLine[]): string {
  const days = Map.groupBy(kept, ({ at }) => DAY.format(at));
  const told = [...days].flatMap(([day, lines]) => {
    const facts = Map.groupBy(
      lines.filter(({ asFact }) => asFact),
      ({ name }) => plainName(name),
    );
    return [
      `${day}:`,
      ...lines.filter(({ asFact }) => !asFact).map((line) => `- ${plainName(line.name)}: ${wordsTold(line)}`),
      ...[...facts].map(([name, all]) => `- ${name}, in brief: ${all.map(wordsTold).join(' | ')}`),
    ];
  });
  return ['<earlier>', ...told, '</earlier>'].join('\n');
}
