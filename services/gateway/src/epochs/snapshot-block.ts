import { firstOf } from '@kith/contracts';
import type { KeptLine } from '../conversations/talk.js';
import { dayInWords } from '../people/day-in-words.js';
import { dataBlock } from '../safety/prompt-text.js';
import { speakerLabels, speakerOf } from '../safety/speaker-labels.js';
import { wordsTold } from './words-told.js';

/** Line as it is told. */
type SnapshotLine = Pick<KeptLine, 'role' | 'name' | 'personId' | 'text' | 'at' | 'asFact'>;

/**
 * Words a snapshot as data: its lines by their days, with each speaker's facts on one line. The same lines always give
 * the same words by one clock, so that hosts can cache the beginning of a prompt. The words are kept as long as the list
 * of lines is: making them takes some two milliseconds.
 * @param companionName nobody else is told by it
 * @param timeZone of the clock by which days are told; null: in UTC
 */
export function snapshotBlock(kept: readonly SnapshotLine[], companionName: string, timeZone: string | null) {
  if (kept.length === 0) return '';
  const known = blocks.get(kept);
  if (known?.companionName === companionName && known.timeZone === timeZone) return known.words;
  const words = worded(kept, companionName, timeZone);
  blocks.set(kept, { companionName, timeZone, words });
  return words;
}

/** Snapshots in words by their lines, with what else they depend on. */
const blocks = new WeakMap<
  readonly SnapshotLine[],
  { companionName: string; timeZone: string | null; words: string }
>();

function worded(kept: readonly SnapshotLine[], companionName: string, timeZone: string | null): string {
  const labelOf = speakerLabels(kept, companionName);
  const days = Map.groupBy(kept, ({ at }) => dayInWords(at, timeZone));
  const told = [...days].flatMap(([day, lines]) => {
    // Each speaker's own, also of people who go by one name.
    const facts = Map.groupBy(
      lines.filter(({ asFact }) => asFact),
      (line) => `${speakerOf(line)} ${labelOf(line)}`,
    );
    return [
      `${day}:`,
      ...lines.filter(({ asFact }) => !asFact).map((line) => `- ${labelOf(line)}: ${wordsTold(line)}`),
      ...[...facts.values()].map(
        (all) => `- ${labelOf(firstOf(all))}, in brief: ${all.map(wordsTold).join(' | ')}`,
      ),
    ];
  });
  return dataBlock('earlier', told);
}
