import type { EarlierMessage } from '../conversations/read-talk.js';
import { plainName } from '../safety/prompt-text.js';
import { shortLine } from './short-line.js';

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });

/** Line of a snapshot. */
type ToldLine = Pick<EarlierMessage, 'role' | 'name' | 'text' | 'at'>;

/** Words a line as the snapshot tells it. */
export function tellLine({ name, text }: Pick<ToldLine, 'name' | 'text'>): string {
  return `- ${plainName(name)}: ${shortLine(text)}`;
}

/**
 * Words a snapshot: its lines by their days, as data. The same lines give the same words, whenever they are told, so
 * that hosts can keep the beginning of a prompt. Pure.
 */
export function snapshotBlock(kept: readonly ToldLine[]): string {
  if (kept.length === 0) return '';
  const days = Map.groupBy(kept, ({ at }) => DAY.format(at));
  const told = [...days].flatMap(([day, lines]) => [`${day}:`, ...lines.map(tellLine)]);
  return ['<earlier>', ...told, '</earlier>'].join('\n');
}
